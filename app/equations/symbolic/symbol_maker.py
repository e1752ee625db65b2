"""Typesets matrices and single entries, in the background."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtWidgets import QWidget

from armature.app.equations.symbols import Symbol, symbols_of
from armature.app.equations.typesetter import Piece, Typesetter
from armature.app.state.units import significant
from armature.app.style.theme import POINTS as USUAL
from armature.engine.formulas.formula import Formula

DIGITS = 4
MATRIX_SIZE, LINE_SIZE = 15.0, 19.0  # px of text at zoom 1
STEP, SMALLEST, LARGEST = 1.15, 0.6, 4.0  # of the zoom
MOST, WIDEST = 3, 9.5  # terms, and heights of text, of an entry that stands in its matrix in symbols

Cells = list[list[Piece | None]]
"""The pictures of a matrix, None for an entry that is shown as a number only."""


@dataclass(frozen=True)
class Style:
    """How large, `matrix` and `line` in px, in which colour, for a screen with so many dots per px."""

    matrix: float
    line: float
    colour: str
    ratio: float


def style_of(widget: QWidget, zoom: float, line_zoom: float, colour: str) -> Style:
    """That of a widget's font and screen."""
    scale = widget.font().pointSizeF() / USUAL
    return Style(MATRIX_SIZE * zoom * scale, LINE_SIZE * line_zoom * scale, colour, widget.devicePixelRatioF())


def zoomed(zoom: float, steps: float) -> float:
    """So many steps of the wheel more."""
    return min(LARGEST, max(SMALLEST, zoom * STEP**steps))


def written(formula: Formula, place: tuple[int, int], form: str, whole: bool) -> str:
    """LaTeX or code of an entry or of its matrix."""
    shown = formula if whole else formula[place]
    return {"latex": shown.latex, "python": shown.python, "c": shown.c, "matlab": shown.matlab}[form]()


def compared(value: float, exact: float) -> str:
    """The value of a formula, and whether the engine's number is the same."""
    same = abs(value - exact) <= 1e-9 * max(1.0, abs(exact))
    if same:
        return f"{significant(exact, scale=1.0)}, equal to the numerical value"
    return f"{significant(value, scale=1.0)}; numerical value {significant(exact)}"


class SymbolMaker:
    """Keeps what it has typeset."""

    def __init__(self):
        self._typesetter = Typesetter()

    def texts(self, rows: Sequence[Sequence[str]], style: Style) -> Cells:
        """A matrix of LaTeX."""
        return [[self._piece(text, style.matrix, style) for text in row] for row in rows]

    def matrix(self, formula: Formula, style: Style) -> Cells:
        """A matrix of formulas, those that are short in symbols."""
        rows, columns = formula.shape
        return [[self._entry(formula, (i, j), style) for j in range(columns)] for i in range(rows)]

    def line(self, formula: Formula, style: Style) -> tuple[list[Symbol], list[Piece]]:
        """A formula of one number symbol by symbol."""
        symbols = symbols_of(formula)
        return symbols, [self._piece(symbol.latex, style.line, style) for symbol in symbols]

    def picture(self, latex: str, style: Style) -> Piece:
        """A whole formula."""
        return self._piece(latex, style.line, style)

    def _entry(self, formula: Formula, place: tuple[int, int], style: Style) -> Piece | None:
        if len(formula.terms(place)) > MOST:
            return None
        piece = self._piece(formula.entry_in_latex(place, DIGITS), style.matrix, style)
        return piece if piece.width <= WIDEST * style.matrix else None

    def _piece(self, latex: str, size: float, style: Style) -> Piece:
        return self._typesetter.piece(latex, size, style.colour, style.ratio)
