"""Tab *Coordinates*: masses, the constraints that bind them, and how many generalized coordinates are left."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtWidgets import QVBoxLayout, QWidget

from armature.app.equations.coordinates.constraints import PointMasses, point_masses
from armature.app.equations.coordinates.joint_constraints import body_poses, joint_words, link_names, off, six_numbers, taken
from armature.app.equations.tab import EquationTab
from armature.app.state.units import Units
from armature.app.widgets.controls import named
from armature.app.widgets.section import Section, note, page
from armature.app.widgets.tables.number_table import NumberTable
from armature.engine import Robot
from armature.engine.kinematics.jacobian import body_jacobian

if TYPE_CHECKING:
    from armature.app.state.slices import Steps
    from armature.app.style.colour_tokens import Tokens
    from armature.app.workbench import Workbench

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


POINTS = "{masses} 3N = {all} coordinates and k = {constraints}:  n = 3N − k = 3·{N} − {k} = {n}."
FREE = "Any values of the generalized coordinates {names} satisfy the constraints."
FREE_ONE = "Any value of the generalized coordinate {names} satisfies the constraints."
LOST = " At this pose {names} move{s} no mass and cannot be determined from the positions of the masses."
DEPENDENT = " At this pose they are not independent: a combined motion of them moves no mass."
NOTHING = 1e-6  # of the fastest mass per coordinate: less is no movement
RIGID = (
    "Number of rigid links N = {N}, number of coordinates 6N = {all}. Each joint imposes 5 constraints{copies}: "
    "n = 6N − k = 6·{N} − {k} = {n}."
)
BOUND = "“Error” is the current value minus the required value, in m; for cross products (×) in m²."


class CoordinatesTab(EquationTab):
    """Follows the arm: what the constraints hold stays as it is while the masses move."""

    title = "Coordinates"

    def __init__(self, bench: Workbench):
        super().__init__(bench)
        self._robot: Robot | None = None
        self._stale = True
        self._shown: np.ndarray | None = None
        self.masses: PointMasses | None = None
        self.bodies = BodyPage(bench.preferences.units)
        self.count, self.free = named(note(), "coordinates_count"), named(note(), "coordinates_free")
        self.places = NumberTable("Positions of the masses, m", "r")
        self.places.setObjectName("coordinates_places")
        self.constraints = NumberTable("Constraints", "constraints", decimals=6)
        self.constraints.setObjectName("coordinates_constraints")
        self._where, self._bound = Section("Masses: r from the pivot, world axes, m"), Section("Constraints")
        self._where.add(self.places)
        self._bound.add(self.constraints)
        self._bound.add(note(BOUND))

    def making(self) -> Steps:
        """One part after the other."""
        inside = QWidget()
        content = page(inside, self.title)
        self.column.addWidget(inside)
        for part in (self.count, self._where, self._bound, self.bodies, self.free):
            content.addWidget(part)
            yield
        content.addStretch(1)

    def connect_bench(self) -> None:
        """Follow the user's units."""
        self.bench.preferences.units_changed.connect(self._on_units)

    def set_robot(self, robot: Robot) -> None:
        """Other masses; looked at once the tab is seen."""
        self._robot, self._stale, self._shown = robot, True, None

    def follow(self) -> None:
        """Places and constraints now."""
        robot, q = self._robot, self.bench.document.q
        if robot is None:
            return
        if self._stale:
            self._stale = False
            self._look(robot)
        if self._shown is not None and np.array_equal(q, self._shown):
            return
        self._shown = q
        if self.masses is None:
            self.bodies.show_poses(self.bench.document.link_poses)
            return
        self.free.setText(_free(robot) + _lost(robot, self.masses, q))
        r = self.masses.places(robot, q)
        self.places.numbers.set_values(np.column_stack([r, np.linalg.norm(r, axis=1)]))
        now = np.array([constraint.measure(r) for constraint in self.masses.constraints])
        wanted = np.array([constraint.wanted for constraint in self.masses.constraints])
        self.constraints.numbers.set_values(np.column_stack([now, wanted, now - wanted]))

    def _look(self, robot: Robot) -> None:
        """The masses of another arm, or why there are none to show."""
        self.masses = found = point_masses(robot)
        for part in (self._where, self._bound):
            part.setVisible(found is not None)
        self.bodies.setVisible(found is None)
        if found is None:
            N, n = len(robot.bodies), robot.n
            copies = f", each mimic joint (here {N - n}) one more" if n < N else ""
            self.count.setText(RIGID.format(N=N, all=6 * N, k=6 * N - n, n=n, copies=copies))
            self.free.setText(_free(robot))
            self.bodies.set_robot(robot)
            return
        N, k = len(found.bodies), len(found.constraints)
        masses = "1 point mass has" if N == 1 else f"{N} point masses have"
        constraints = "1 constraint" if k == 1 else f"{k} constraints"
        self.count.setText(POINTS.format(N=N, all=3 * N, k=k, n=robot.n, masses=masses, constraints=constraints))
        self.places.set_shape(found.names, ("x", "y", "z", "|r|"))
        self.constraints.set_shape(tuple(one.words for one in found.constraints), ("now", "required", "error"))

    def set_theme(self, tokens: Tokens) -> None:
        """Colours and fonts of the tables."""
        for table in (self.places, self.constraints):
            table.set_theme(tokens)
            table.refit()
        self.bodies.set_theme(tokens)

    def _on_units(self, units: Units) -> None:
        self.bodies.set_units(units)
        self._shown = None


def _free(robot: Robot) -> str:
    return (FREE_ONE if robot.n == 1 else FREE).format(names=", ".join(robot.joint_names))


def _lost(robot: Robot, masses: PointMasses, q: np.ndarray) -> str:
    """Which coordinates move no mass at q; empty where the places of the masses tell all of them: rank ∂r/∂q = n."""
    slopes = np.vstack([body_jacobian(robot, q, k, robot.bodies[k].com)[:3] for k in masses.bodies])
    fastest = np.linalg.norm(slopes, axis=0)
    lost = [name for name, speed in zip(robot.joint_names, fastest) if speed <= NOTHING * fastest.max()]
    if lost:
        return LOST.format(names=", ".join(lost), s="s" if len(lost) == 1 else "")
    return DEPENDENT if np.linalg.matrix_rank(slopes, tol=NOTHING * fastest.max()) < robot.n else ""
