"""What the tab *Coordinates* shows of links that are bodies: their six numbers, and what each joint takes of them."""

from __future__ import annotations

import numpy as np
from PySide6.QtWidgets import QVBoxLayout, QWidget

from armature.app.equations.coordinates.joint_constraints import body_poses, joint_words, link_names, off, six_numbers, taken
from armature.app.state.units import Units
from armature.app.widgets.controls import named
from armature.app.widgets.section import Section, note
from armature.app.widgets.tables.number_table import NumberTable
from armature.engine import Robot

TAKES = (
    "A revolute joint imposes 5 constraints on its link: 3 keep a point on the axis, 2 keep the axis direction. "
    "A prismatic joint imposes 2 across its axis and 3 on the orientation. "
    "Offset and angle are the constraint errors at the displayed pose."
)
COPIES = " A mimic joint constrains all 6 components."


class BodyPage(QWidget):
    """Two tables, in the user's units."""

    def __init__(self, units: Units):
        super().__init__()
        self._units = units
        self._robot: Robot | None = None
        self.places = named(NumberTable("Link poses", "X", whole=1), "coordinates_links")
        self.joints = named(NumberTable("Constraints imposed by each joint", "constraints", whole=1), "coordinates_joints")
        self._words = note()
        places, joints = Section("Pose of each link: six coordinates"), Section("Constraints imposed by each joint")
        places.add(self.places)
        joints.add(self.joints)
        joints.add(self._words)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(places)
        column.addWidget(joints)

    def set_robot(self, robot: Robot) -> None:
        """As many rows as links."""
        self._robot = robot
        self._words.setText(TAKES + (COPIES if robot.coupling is not None else ""))
        long, turn = self._units.symbol(True), self._units.symbol(False)
        far, wide = self._units.decimals(True), self._units.decimals(False)
        self.places.numbers.decimals = (*[far] * 3, *[wide] * 3)
        self.places.set_shape(
            link_names(robot), (*(f"{x} {long}" for x in "xyz"), *(f"{a} {turn}" for a in ("roll", "pitch", "yaw")))
        )
        self.joints.numbers.decimals = (0, 0, far, wide)
        self.joints.set_shape(joint_words(robot), ("constraints", "free", f"offset error {long}", f"angle error {turn}"))

    def show_poses(self, link_poses: np.ndarray) -> None:
        """Numbers of these poses of all links."""
        robot = self._robot
        if robot is None:
            return
        shown = np.array([self._units.factor(True), self._units.factor(False)])
        self.places.numbers.set_values(six_numbers(robot, link_poses) * np.repeat(shown, 3))
        k = taken(robot)
        self.joints.numbers.set_values(np.column_stack([k, 6 - k, off(robot, body_poses(robot, link_poses)) * shown]))

    def set_units(self, units: Units) -> None:
        """Lengths and angles in others; numbers follow with the next poses."""
        self._units = units
        if self._robot is not None:
            self.set_robot(self._robot)

    def set_theme(self, tokens) -> None:
        """Colours and fonts of the tables."""
        for table in (self.places, self.joints):
            table.set_theme(tokens)
            table.refit()
