"""Tab *M · C · g*: the matrices of the equation of motion, and the formula of each entry, with their numbers now."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget

from armature.app.equations.formula_maker import POINTS, FormulaMaker, Typeset, Wanted, matrix_of
from armature.app.equations.formula_pane import PERCENT, FormulaPane
from armature.app.equations.matrix_tables import Entry, MatrixTables
from armature.app.equations.symbols import numbers_of
from armature.app.equations.tab import EquationTab
from armature.app.state.jobs import JobRunner
from armature.app.state.shared_sentences import no_masses
from armature.app.state.shown_motion import shown_motion
from armature.app.state.units import significant
from armature.app.style.theme import POINTS as USUAL
from armature.app.widgets.pop_up import copy
from armature.app.widgets.section import note, page

if TYPE_CHECKING:
    from armature.app.style.colour_tokens import Tokens
    from armature.app.workbench import Workbench
    from armature.engine.model.robot import Robot

FIRST: Entry = ("M", (0, 0))
SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


class DynamicsTab(EquationTab):
    """tau = M qdd + C qd + g: the engine's numbers at the pose and motion on screen; a click on one shows its formula."""

    title = "M · C · g"

    def __init__(self, bench: Workbench):
        super().__init__(bench)
        self._robot: Robot | None = None
        self._entry, self._share, self._colour = FIRST, PERCENT / 100, ""
        self._made: Wanted | None = None  # what is shown or under way
        self._typeset: Typeset | None = None
        self._shown: tuple = ()
        self._lit: tuple[int, ...] = (-1,)  # joints
        self._maker = FormulaMaker()
        self.runner, self._copier = JobRunner("equations", bench.parent), JobRunner("equations-copy", bench.parent)
        self._obstacle, self.tables, self.pane = note(), MatrixTables(), FormulaPane()
        above = QWidget()
        content = page(above, "Matrices")
        content.addWidget(self._obstacle)
        content.addWidget(self.tables)
        content.addStretch(1)
        split = QSplitter(Qt.Orientation.Vertical)
        split.setChildrenCollapsible(False)
        split.addWidget(above)
        split.addWidget(self.pane)
        split.setSizes([500, 400])
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(split)

    def connect_bench(self) -> None:
        """Wire tables, formula and their threads."""
        self.tables.clicked.connect(self._choose)
        self.tables.hovered.connect(self._light_up)
        self.pane.share_chosen.connect(self._on_share)
        self.pane.copy_chosen.connect(self._on_copy)
        self.runner.finished.connect(self._on_typeset)
        self.runner.failed.connect(self._on_failed)
        self._copier.finished.connect(copy)
        self._copier.failed.connect(self.pane.left_out.setText)

    def set_robot(self, robot: Robot) -> None:
        """Tables of its size, or why there are none."""
        self.runner.cancel()
        self._copier.cancel()
        self._robot, self._shown, self._made, self._typeset = robot, (), None, None
        self.tables.set_robot(robot)
        for part in (self.tables, self.pane):
            part.setVisible(robot.has_dynamics)
        self._obstacle.setVisible(not robot.has_dynamics)
        self._obstacle.setText("" if robot.has_dynamics else no_masses(robot.name))
        self._choose(FIRST)

    def follow(self) -> None:
        """The numbers now, and the formula if it is not there yet."""
        bench, robot = self.bench, self._robot
        if robot is None or not robot.has_dynamics:
            return
        self._want(robot)
        q, motion = bench.document.q, shown_motion(bench.simulation, bench.replay, robot.n)
        shown = (*q, *motion.qd, self._typeset)
        if shown != self._shown or any(self.pane.view.lit):
            self._shown = shown
            self.tables.show_state(robot, q, motion)
            self._show_formula(np.asarray(q), np.asarray(motion.qd))

    def leave(self) -> None:
        """Nothing is lit up by what is no longer seen."""
        self._light_up(None)

    def _light_up(self, entry: Entry | None) -> None:
        """The links of an entry's joints, in the view."""
        joints = (-1,) if entry is None else tuple(dict.fromkeys(entry[1]))
        if joints != self._lit:
            self._lit = joints
            self.bench.scene.highlight_joint(*joints)

    def shut_down(self) -> None:
        """No computation outlives the window."""
        self.runner.stop()
        self._copier.stop()

    def set_theme(self, tokens: Tokens) -> None:
        """Colours of tables and formula."""
        self._colour = tokens.text
        self.tables.set_theme(tokens)
        self.pane.set_theme(tokens)

    def _choose(self, entry: Entry) -> None:
        self._entry = entry
        self.tables.mark(entry)

    def _on_share(self, share: float) -> None:
        self._share = share

    def _want(self, robot: Robot) -> None:
        """Derive and typeset what is chosen, in the background."""
        view = self.pane.view
        size = POINTS * view.zoom * self.font().pointSizeF() / USUAL
        wanted = Wanted(robot, self._share, self._entry, size, self._colour, self.devicePixelRatioF())
        if wanted != self._made:
            if self._made is None or self._made.entry != wanted.entry:
                self.pane.show_text("Deriving…")
                self._typeset = None
            self._made = wanted
            self.runner.start(partial(_make, self._maker, wanted))

    def _on_failed(self, why: str) -> None:
        self._typeset = None
        self.pane.show_text(why)

    def _on_typeset(self, typeset: Typeset) -> None:
        name, pane = _symbol(*typeset.wanted.entry), self.pane
        self._typeset = typeset
        pane.view.show_formula(typeset.symbols, typeset.pieces)
        pane.left_out.setText(typeset.left_out)
        pane.share.setEnabled(not typeset.in_letters)
        pane.entry, pane.matrix = name, typeset.wanted.entry[0]
        pane.copy.setEnabled(True)

    def _show_formula(self, q: np.ndarray, qd: np.ndarray) -> None:
        """The formula's numbers, and beside its value the engine's."""
        if self._typeset is None:
            return
        formula, entry = self._typeset.formula, self._typeset.wanted.entry
        self.pane.view.show_numbers(numbers_of(self._typeset.symbols, q, qd))
        value = float(formula.evaluate(q, qd) if "qd" in formula.arguments else formula.evaluate(q))
        exact = self.tables.value(entry)
        close = abs(value - exact) <= 1e-9 * max(1.0, abs(exact))
        told = "" if close else f"; with all terms {significant(exact)}"
        self.pane.head.setText(f"{_symbol(*entry)} = {significant(value, scale=1.0)}{told}")

    def _on_copy(self, form: str, whole: bool) -> None:
        if self._typeset is not None:
            self._copier.start(partial(_text, self._maker, self._typeset, form, whole))


def _symbol(name: str, place: tuple[int, ...]) -> str:
    return name + "".join(str(k + 1) for k in place).translate(SUBSCRIPTS)


def _make(maker: FormulaMaker, wanted: Wanted, _job) -> Typeset:
    return maker.make(wanted)


def _text(maker: FormulaMaker, typeset: Typeset, form: str, whole: bool, _job) -> str:
    """LaTeX or code of the entry or of its matrix."""
    wanted, formula = typeset.wanted, typeset.formula
    if whole:
        formula = matrix_of(maker.equations(wanted.robot, wanted.share), wanted.entry[0])
    return {"latex": formula.latex, "python": formula.python, "c": formula.c, "matlab": formula.matlab}[form]()
