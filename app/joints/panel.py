"""The joint dock: every joint to see, drag and type."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPoint, Signal
from PySide6.QtWidgets import QWidget

from armature.app.joints.joint_row import JointRow
from armature.app.state.units import Units
from armature.app.style.colour_tokens import Tokens
from armature.app.widgets.section import note, page
from armature.engine.model.robot import Robot

PAUSE_FIRST = "The simulation moves the joints. Pause it (Space) to set them by hand."


class JointsPanel(QWidget):
    """Tells `joint_edited(joint, value, gesture)` in rad or m `joint_hovered(joint)`, -1 when none, and
    `menu_asked(joint, place)`."""

    joint_edited = Signal(int, float, int)
    joint_hovered = Signal(int)
    menu_asked = Signal(int, QPoint)

    def __init__(self, units: Units):
        super().__init__()
        self._units = units
        self._tokens: Tokens | None = None
        self._rows: list[JointRow] = []
        self._waiting: np.ndarray | None = None
        self._content = page(self, "Joints")
        self._content.setSpacing(4)
        self._hint = note(PAUSE_FIRST)
        self._hint.hide()
        self._content.addWidget(self._hint)
        self._content.addStretch(1)

    def set_robot(self, robot: Robot, q: np.ndarray):
        """One row per joint of `robot`, at `q`."""
        for row in self._rows:
            self._content.removeWidget(row)
            row.hide()
            row.deleteLater()
        self._rows = [self._row(robot, i) for i in range(robot.n)]
        for i, row in enumerate(self._rows):
            self._content.insertWidget(i + 1, row)
        self._theme_rows()
        self.set_q(q)

    def _row(self, robot: Robot, i: int) -> JointRow:
        slides = bool(robot.prismatic[i])
        row = JointRow(robot.joint_names[i], float(robot.q_min[i]), float(robot.q_max[i]), slides, robot.reach, self._units)
        row.edited.connect(lambda value, gesture: self.joint_edited.emit(i, value, gesture))
        row.hovered.connect(lambda on: self.joint_hovered.emit(i if on else -1))
        row.menu_asked.connect(lambda at: self.menu_asked.emit(i, at))
        return row

    def set_q(self, q: np.ndarray):
        """Show a pose."""
        self._waiting = None
        for row, value in zip(self._rows, q):
            row.show_value(value)

    def follow(self, q: np.ndarray):
        """Show a pose at the next `refresh`: where the arm moves by itself, nobody reads every frame."""
        self._waiting = q

    def refresh(self):
        """Called by the clock."""
        if self._waiting is not None:
            self.set_q(self._waiting)

    def let_go(self):
        """No slider is in anybody's hand any more, although the button may still be down."""
        for row in self._rows:
            row.slider.setSliderDown(False)

    def set_selected(self, joint: int):
        """Mark the joint that is selected in the view; -1 for none."""
        for i, row in enumerate(self._rows):
            row.set_selected(i == joint)

    def set_editable(self, on: bool):
        """Whether the joints can be set by hand; the reason is shown where they cannot."""
        self._hint.setVisible(not on)
        for row in self._rows:
            row.slider.setEnabled(on)
            row.field.setEnabled(on)

    def set_units(self, units: Units):
        """Show the joints in other units."""
        self._units = units
        for row in self._rows:
            row.set_units(units)

    def set_theme(self, tokens: Tokens):
        """Colours of the rows."""
        self._tokens = tokens
        self._theme_rows()

    def _theme_rows(self):
        if self._tokens is not None:
            for row in self._rows:
                row.set_theme(self._tokens)
