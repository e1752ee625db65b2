"""Tab *M · C · g*: the matrices of the equation of motion, and the formula of each entry, with their numbers now."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from armature.app.equations.entry_formula import EntryFormula
from armature.app.equations.matrix_tables import MatrixTables
from armature.app.equations.tab import EquationTab, above_formula
from armature.app.state.shared_sentences import no_masses
from armature.app.state.shown_motion import shown_motion
from armature.app.widgets.section import note

if TYPE_CHECKING:
    from armature.app.equations.formula_names import Entry
    from armature.app.state.slices import Steps
    from armature.app.style.colour_tokens import Tokens
    from armature.app.workbench import Workbench
    from armature.engine.model.robot import Robot

FIRST: Entry = ("M", (0, 0))


class DynamicsTab(EquationTab):
    """tau = M qdd + C qd + g: the engine's numbers at the pose and motion on screen; a click on one shows its formula."""

    title = "M · C · g"

    def __init__(self, bench: Workbench):
        super().__init__(bench)
        self._robot: Robot | None = None
        self._shown: tuple = ()
        self._lit: tuple[tuple[int, ...], int] = (), -1  # joints, and the one that bears weights
        self.formula = EntryFormula("equations", FIRST, bench.parent)
        self._obstacle, self.tables = note(), MatrixTables()

    def making(self) -> Steps:
        """The formula, and one table after the other."""
        content = above_formula(self.column, "Matrices", self.formula.pane)
        content.addWidget(self._obstacle)
        content.addWidget(self.tables)
        content.addStretch(1)
        yield
        yield from self.tables.making()

    def connect_bench(self) -> None:
        """Wire tables, formula and their threads."""
        self.formula.wire()
        self.tables.clicked.connect(self._choose)
        self.tables.hovered.connect(self._light_up)

    def set_robot(self, robot: Robot) -> None:
        """Tables of its size, or why there are none."""
        self.formula.reset()
        self._robot, self._shown = robot, ()
        self.tables.set_robot(robot)
        for part in (self.tables, self.formula.pane):
            part.setVisible(robot.has_dynamics)
        self._obstacle.setVisible(not robot.has_dynamics)
        self._obstacle.setText("" if robot.has_dynamics else no_masses(robot.name))
        self._choose(FIRST)

    def follow(self) -> None:
        """The numbers now, and the formula if it is not there yet."""
        bench, robot, formula = self.bench, self._robot, self.formula
        if robot is None or not robot.has_dynamics:
            return
        robot = self._weighed(robot)
        formula.want(robot)
        q, motion = bench.document.q, shown_motion(bench.simulation, bench.replay, robot.n)
        shown = (robot, *q, *motion.qd, formula.typeset)
        if shown != self._shown or any(formula.pane.view.lit):
            self._shown = shown
            self.tables.show_state(robot, q, motion)
            if formula.typeset is not None:
                exact = self.tables.value(formula.typeset.wanted.entry)
                formula.show(np.asarray(q), np.asarray(motion.qd), np.asarray(motion.qdd), exact)

    def _weighed(self, robot: Robot) -> Robot:
        """The robot, with the gravity that is chosen for the simulation unless a recording is shown."""
        return robot if self.bench.replay.replaying else self.bench.simulation.in_gravity

    def leave(self) -> None:
        """Nothing is lit up by what is no longer seen."""
        self._light_up(None)

    def _light_up(self, entry: Entry | None) -> None:
        """The axes of an entry's joints in the view, the links that all of them move, and of a term of g weights and levers."""
        joints = () if entry is None else tuple(dict.fromkeys(entry[1]))
        lever = entry[1][0] if entry is not None and entry[0] == "g" else -1
        if (joints, lever) != self._lit and self._robot is not None:
            self._lit = joints, lever
            moved = _moved(self._robot, joints) if joints else ()
            self.bench.scene.highlight_joint(*(moved or (-1,)))
            self.bench.scene.show_axes(joints)
            self.bench.scene.show_levers(lever, self._weighed(self._robot).gravity)

    def shut_down(self) -> None:
        """No computation outlives the window."""
        self.formula.stop()

    def set_theme(self, tokens: Tokens) -> None:
        """Colours of tables and formula."""
        self.tables.set_theme(tokens)
        self.formula.set_theme(tokens)

    def _choose(self, entry: Entry) -> None:
        self.formula.choose(entry)
        self.tables.mark(entry)


def _moved(robot: Robot, joints: tuple[int, ...]) -> tuple[int, ...]:
    """The joints whose links every one of `joints` moves, which are the links in the entry of these."""
    movers: list[set[int]] = []
    for body, joint in zip(robot.bodies, robot.body_joints):
        movers.append({joint} | (movers[body.parent] if body.parent >= 0 else set()))
    return tuple(k for k, body in enumerate(robot.joint_bodies) if movers[body] >= set(joints))
