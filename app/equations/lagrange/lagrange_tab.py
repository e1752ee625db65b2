"""Tab *Lagrange*: energies per mass, the slopes of L per joint, and the Christoffel symbols, with their numbers now."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtWidgets import QLabel

from armature import engine
from armature.app.equations.entry_formula import EntryFormula
from armature.app.equations.lagrange.christoffel_block import ChristoffelBlock, Place
from armature.app.equations.lagrange.lagrange_tables import ENERGIES, LagrangeTables
from armature.app.equations.recursion_motion import RecursionMotion, Walked
from armature.app.equations.tab import EquationTab, above_formula
from armature.app.state.shared_sentences import no_masses
from armature.app.widgets.controls import named
from armature.app.widgets.section import note

if TYPE_CHECKING:
    from armature.app.equations.formula_names import Entry
    from armature.app.state.slices import Steps
    from armature.app.style.colour_tokens import Tokens
    from armature.app.workbench import Workbench
    from armature.engine import Robot

FIRST: Entry = ("T", (0,))
SYMBOL = "christoffel"


class LagrangeTab(EquationTab):
    """L = K − P, its slopes, and the torque they give, beside that of the recursion; a click on a number shows its formula."""

    title = "Lagrange"

    def __init__(self, bench: Workbench):
        super().__init__(bench)
        self._robot: Robot | None = None
        self._walked: Walked | None = None
        self._symbols = np.zeros((0, 0, 0))
        self._typeset: object = None  # whose numbers are shown
        self._lit: tuple[int, ...] = (-1,)  # joints
        self.formula = EntryFormula("lagrange", FIRST, bench.parent)
        self.tables, self.symbols = LagrangeTables(), ChristoffelBlock()
        self._obstacle: QLabel = named(note(), "lagrange_obstacle")
        self._source: QLabel = named(note(), "lagrange_source")

    def making(self) -> Steps:
        """The formula, the tables of energies and slopes, and the symbols."""
        content = above_formula(self.column, "Lagrange", self.formula.pane)
        for part in (self._obstacle, self._source, self.tables, self.symbols):
            content.addWidget(part)
        content.addStretch(1)
        yield
        yield from self.tables.making()
        yield from self.symbols.making()

    def connect_bench(self) -> None:
        """Wire tables, formula and their threads."""
        self._motion = RecursionMotion(self.bench)
        self.formula.wire()
        self.tables.clicked.connect(self._choose)
        self.tables.hovered.connect(self._on_hover)
        self.symbols.clicked.connect(self._on_symbol)
        self.symbols.hovered.connect(lambda joints: self._light_up(joints or (-1,)))

    def set_robot(self, robot: Robot) -> None:
        """Tables of its size, or why there are none."""
        self._robot, self._walked, self._typeset = robot, None, None
        self.formula.reset()
        self.tables.set_robot(robot)
        self.symbols.set_robot(robot)
        self._show_obstacle("" if robot.has_dynamics else no_masses(robot.name))
        self._choose(FIRST)

    def follow(self) -> None:
        """The numbers now, and the formula if it is not there yet."""
        if self._robot is None or not self._robot.has_dynamics:
            return
        walked, formula = self._motion.now(), self.formula
        if isinstance(walked, str):
            self._walked = None
            self._show_obstacle(walked)
            return
        if len(walked.q) != self._robot.n:
            return
        formula.want(walked.robot)
        other = not walked.equals(self._walked)
        if other:
            self._show_motion(walked)
        if formula.typeset is not None and (other or formula.typeset is not self._typeset or any(formula.pane.view.lit)):
            self._typeset = formula.typeset
            formula.show(walked.q, walked.qd, walked.qdd, self._value(formula.typeset.wanted.entry))

    def leave(self) -> None:
        """Nothing is lit up by what is no longer seen."""
        self._light_up((-1,))

    def shut_down(self) -> None:
        """No computation outlives the window."""
        self.formula.stop()
        self._motion.stop()

    def set_theme(self, tokens: Tokens) -> None:
        """Colours of tables and formula."""
        self.tables.set_theme(tokens)
        self.symbols.set_theme(tokens)
        self.formula.set_theme(tokens)

    def _show_motion(self, walked: Walked) -> None:
        """Numbers of this motion."""
        if self._walked is None:
            self._show_obstacle("")
        self._walked = walked
        robot, q, qd, qdd, source = walked
        steps = engine.lagrange_steps(robot, q, qd, qdd)
        self._symbols = steps.symbols
        self.tables.show_state(steps, engine.rnea(robot, q, qd, qdd), bool(robot.prismatic.any()))
        self.symbols.show_state(self._symbols, steps.slopes, qd)
        self._source.setText(f"Values for {source}.")

    def _show_obstacle(self, why: str) -> None:
        self._obstacle.setText(why)
        self._obstacle.setVisible(bool(why))
        for part in (self._source, self.tables, self.symbols, self.formula.pane):
            part.setVisible(not why)

    def _value(self, entry: Entry) -> float:
        """The engine's number of an entry."""
        name, place = entry
        return float(self._symbols[place]) if name == SYMBOL else self.tables.value(entry)

    def _choose(self, entry: Entry) -> None:
        self.formula.choose(entry)
        self.tables.mark(entry)

    def _on_symbol(self, place: Place) -> None:
        self._choose((SYMBOL, place))

    def _on_hover(self, entry: Entry | None) -> None:
        """The joint of a torque, or of a mass."""
        if entry is None or self._robot is None:
            self._light_up((-1,))
            return
        name, (place, *_) = entry
        self._light_up((int(self._robot.body_joints[place]) if name in ENERGIES else place,))

    def _light_up(self, joints: tuple[int, ...]) -> None:
        """The links of these joints, in the view."""
        if joints != self._lit:
            self._lit = joints
            self.bench.scene.highlight_joint(*joints)
