"""Tables and matrices of a derivation sheet on paper."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QPen, QPolygonF

from armature.app.equations.sheet.blocks import Line, Matrix, Table
from armature.app.equations.sheet.pdf_line import INK, QUIET, Look, Setter, Token

CELL, TITLE, ENTRY = Look(8.2), Look(8.2, QUIET), Look(8.6)
BESIDE, ABOVE = 7.0, 1.8  # pt around a cell of a table
APART, LIP, PEN = 8.0, 3.0, 0.7  # pt: between columns of a matrix, of its brackets, their lines


@dataclass(frozen=True)
class Box:
    """Something drawn about a middle line: `draw(x, y)`."""

    width: float
    up: float
    down: float
    draw: Callable[[float, float], None]


@dataclass(frozen=True)
class Grid:
    """A table laid out: `draw(row, x, y)` draws one row below y."""

    width: float
    heights: list[float]
    draw: Callable[[int, float, float], None]


class Cells:
    """Lays out tables and matrices."""

    def __init__(self, setter: Setter):
        self._set, self._painter = setter, setter.painter

    def grid(self, table: Table, room: float) -> Grid:
        """Columns as wide as they need; where all together find no room the widest break their lines."""
        unit = self._set.unit
        lines = [*([table.titles] if table.titles else []), *table.rows]
        looks = [TITLE] * bool(table.titles) + [CELL] * len(table.rows)
        cells = [[self._set.tokens(cell, look) for cell in row] for row, look in zip(lines, looks, strict=True)]
        count = max(map(len, cells), default=0)
        widths = [max((self._set.width(row[k]) for row in cells if k < len(row)), default=0.0) for k in range(count)]
        _squeeze(widths, room - 2 * BESIDE * unit * count)
        broken = [[self._set.broken(cell, width + 1.0) for cell, width in zip(row, widths)] for row in cells]

        def height(row: list[list[list[Token]]], look: Look) -> float:
            tall = [sum(sum(self._set.heights(line, look)) for line in cell) for cell in row]
            return max(tall, default=0.0) + 2 * ABOVE * unit

        def draw(k: int, x: float, y: float) -> None:
            up = max((self._set.heights(cell[0], looks[k])[0] for cell in broken[k] if cell), default=0.0)
            for column, (cell, width) in enumerate(zip(broken[k], widths)):
                x += BESIDE * unit
                at = y + ABOVE * unit
                for line_number, line in enumerate(cell):
                    own_up, own_down = self._set.heights(line, looks[k])
                    rise = up if line_number == 0 else own_up
                    shift = 0.0 if column < table.words else width - self._set.width(line)
                    self._set.draw(line, x + shift, at + rise)
                    at += rise + own_down
                x += width + BESIDE * unit

        total = sum(widths) + 2 * BESIDE * unit * count
        return Grid(total, [height(row, look) for row, look in zip(broken, looks, strict=True)], draw)

    def line(self, line: Line) -> Box:
        """A line that stands beside a matrix."""
        tokens = self._set.tokens(line, Look())
        up, down = self._set.heights(tokens, Look())
        axis = 0.28 * Look().points * self._set.unit  # the middle of a formula is above its line of writing
        return Box(self._set.width(tokens), up - axis, down + axis, lambda x, y: self._set.draw(tokens, x, y + axis))

    def matrix(self, matrix: Matrix) -> Box:
        """Cells between brackets."""
        unit = self._set.unit
        cells = [[self._set.tokens(cell, ENTRY) for cell in row] for row in matrix.rows]
        widths = [max(self._set.width(row[k]) for row in cells) for k in range(len(cells[0]))]
        sizes = [[self._set.heights(cell, ENTRY) for cell in row] for row in cells]
        ups, downs = ([max(size[side] for size in row) for row in sizes] for side in (0, 1))
        lead = 2.0 * unit
        high = sum(ups) + sum(downs) + lead * (len(cells) + 1)
        lip = LIP * unit
        width = sum(widths) + APART * unit * (len(widths) - 1) + 4 * lip

        def draw(x: float, y: float) -> None:
            self._brackets(x, y - high / 2, width, high, lip)
            at = y - high / 2 + lead
            for row, up, down in zip(cells, ups, downs, strict=True):
                across = x + 2 * lip
                for cell, wide in zip(row, widths, strict=True):
                    self._set.draw(cell, across + (wide - self._set.width(cell)) / 2, at + up)
                    across += wide + APART * unit
                at += up + down + lead

        return Box(width, high / 2, high / 2, draw)

    def _brackets(self, x: float, y: float, width: float, high: float, lip: float) -> None:
        self._painter.setPen(QPen(QColor(INK), PEN * self._set.unit))
        for edge, inward in ((x, lip), (x + width, -lip)):
            corners = [(edge + inward, y), (edge, y), (edge, y + high), (edge + inward, y + high)]
            self._painter.drawPolyline(QPolygonF([QPointF(*corner) for corner in corners]))


def _squeeze(widths: list[float], room: float) -> None:
    """Take from the widest column until all fit."""
    while sum(widths) > room and max(widths) > room / len(widths):
        k = max(range(len(widths)), key=widths.__getitem__)
        others = sum(widths) - widths[k]
        second = max([w for i, w in enumerate(widths) if i != k], default=0.0)
        widths[k] = max(room - others, min(second, widths[k] - 1.0), room / len(widths))
