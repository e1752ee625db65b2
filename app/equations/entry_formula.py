"""`EntryFormula`: the formula of the entry that was clicked, derived and typeset in the background, with its numbers now."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from armature.app.equations.formula_maker import POINTS, FormulaMaker, Typeset, Wanted, matrix_of
from armature.app.equations.formula_names import entry_name, matrix_name
from armature.app.equations.formula_pane import PERCENT, FormulaPane
from armature.app.equations.formula_work import FormulaWork
from armature.app.equations.symbols import numbers_of
from armature.app.state.units import significant
from armature.app.style.theme import POINTS as USUAL

if TYPE_CHECKING:
    from PySide6.QtCore import QObject

    from armature.app.equations.formula_names import Entry
    from armature.app.style.colour_tokens import Tokens
    from armature.engine.model.robot import Robot


class EntryFormula:
    """Fills a `FormulaPane`; `typeset` is what stands there, None while it is being made or where there is none."""

    def __init__(self, name: str, first: Entry, parent: QObject):
        self.pane = FormulaPane(name)
        self.typeset: Typeset | None = None
        self._entry, self._first, self._share, self._colour = first, first, PERCENT / 100, ""
        self._maker = FormulaMaker()
        self._work = FormulaWork(name, parent)

    @property
    def entry(self) -> Entry:
        """What was clicked last."""
        return self._entry

    def wire(self) -> None:
        """Wire the pane and its threads."""
        pane = self.pane
        pane.share_chosen.connect(self._on_share)
        pane.copy_chosen.connect(self._on_copy)
        self._work.connect(self._on_typeset, self._on_failed, pane.left_out.setText)

    def reset(self) -> None:
        """Another robot: its first entry."""
        self._work.forget()
        self._entry, self.typeset = self._first, None

    def choose(self, entry: Entry) -> None:
        """Show the formula of another entry."""
        self._entry = entry

    def set_theme(self, tokens: Tokens) -> None:
        """Colours of the formula."""
        self._colour = tokens.text
        self.pane.set_theme(tokens)

    def stop(self) -> None:
        """No computation outlives the window."""
        self._work.stop()

    def want(self, robot: Robot) -> None:
        """Derive and typeset what is chosen, in the background."""
        view = self.pane.view
        size = POINTS * view.zoom * self.pane.font().pointSizeF() / USUAL
        wanted = Wanted(robot, self._share, self._entry, size, self._colour, self.pane.devicePixelRatioF())
        before = self._work.wanted
        if before is None or (before.robot, before.entry) != (robot, wanted.entry):
            self.pane.show_text("Deriving…", keep_letters=before is not None)
            self.typeset = None
        self._work.want(wanted, partial(self._maker.make, wanted))

    def show(self, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray, exact: float) -> None:
        """The formula's numbers in this motion, and beside its value the engine's."""
        if self.typeset is None:
            return
        formula = self.typeset.formula
        self.pane.view.show_numbers(numbers_of(self.typeset.symbols, q, qd, qdd))
        value = float(formula.evaluate(q, qd, qdd))
        close = abs(value - exact) <= 1e-9 * max(1.0, abs(exact))
        shown = exact if close else value  # the table's own, which rounds as it does there
        told = "" if close else f"; value with all terms: {significant(exact)}"
        self.pane.head.setText(f"{entry_name(*self.typeset.wanted.entry)} = {significant(shown, scale=1.0)}{told}")

    def _on_share(self, share: float) -> None:
        self._share = share

    def _on_failed(self, why: str) -> None:
        self.typeset = None
        self.pane.show_text(why)

    def _on_typeset(self, typeset: Typeset) -> None:
        entry, pane = typeset.wanted.entry, self.pane
        self.typeset = typeset
        pane.view.show_formula(typeset.symbols, typeset.pieces)
        pane.left_out.setText(typeset.left_out)
        pane.show_letters(typeset.formula.letters, typeset.wanted.robot)
        pane.share.setEnabled(not typeset.in_letters)
        pane.entry, pane.matrix = entry_name(*entry), matrix_name(entry[0])
        pane.copy.setEnabled(True)

    def _on_copy(self, form: str, whole: bool) -> None:
        if self.typeset is not None:
            self._work.copy(partial(_text, self._maker, self.typeset, form, whole))


def _text(maker: FormulaMaker, typeset: Typeset, form: str, whole: bool) -> str:
    """LaTeX or code of the entry or of its matrix."""
    wanted, formula = typeset.wanted, typeset.formula
    if whole:
        formula = matrix_of(maker.equations(wanted.robot, wanted.share), wanted.entry[0])
    return {"latex": formula.latex, "python": formula.python, "c": formula.c, "matlab": formula.matlab}[form]()
