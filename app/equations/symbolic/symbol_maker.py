"""Typesets matrices and single entries, in the background."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from armature.app.equations.symbols import Symbol, symbols_of
from armature.app.equations.typesetter import Piece, Typesetter
from armature.engine.formulas.formula import Formula

DIGITS = 4
MOST, WIDEST = 3, 7.5  # terms, and heights of text, of an entry that stands in its matrix in symbols

Cells = list[list[Piece | None]]
"""The pictures of a matrix, None for an entry that is told by its number alone."""


@dataclass(frozen=True)
class Style:
    """How large, `matrix` and `line` in px, in which colour, for a screen with so many dots per px."""

    matrix: float
    line: float
    colour: str
    ratio: float


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
