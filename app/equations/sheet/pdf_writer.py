"""A derivation sheet as PDF, on A4."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from html import unescape

from PySide6.QtCore import QBuffer, QIODevice, QMarginsF, QPointF, QRectF
from PySide6.QtGui import QColor, QFont, QImage, QPageLayout, QPageSize, QPainter, QPdfWriter, QPen, QPolygonF

from armature.app.equations.sheet.blocks import Display, Equation, Heading, Line, Matrix, Paragraph, Sheet, Table
from armature.app.equations.sheet.pdf_line import INK, QUIET, Look, Setter, Token
from armature.app.equations.typesetter import Typesetter

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


PAGE = (595.0, 842.0)  # pt
SIDE, TOP, BOTTOM = 46.0, 48.0, 54.0
INDENT = 9.0
RULE, ACCENT, DEEP = "#b9c2cf", "#2f6fd0", "#27508f"
TEXT, SMALL = Look(), Look(8.2, QUIET)
SECTION, PART = Look(13.5, bold=True), Look(9.8, DEEP, bold=True)
TOGETHER = 4  # lines that stay on one page
FOLLOWS = 46.0  # pt that a heading wants below it on its page


def as_pdf(sheet: Sheet, typesetter: Typesetter, proceed: Callable[[float], None], font: QFont) -> bytes:
    """The file; before each block `proceed` is told what share of them is done."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setPageSize(QPageSize(QPageSize.PageSizeId.A4))
    writer.setPageMargins(QMarginsF(), QPageLayout.Unit.Point)
    writer.setResolution(1200)
    writer.setTitle(f"{unescape(sheet.title)}: derivation")
    painter = QPainter(writer)
    try:
        _Pages(Setter(writer, painter, typesetter, font), sheet.foot).write(sheet, proceed)
    finally:
        painter.end()
    return bytes(buffer.data().data())


class _Pages:
    """Writes downwards from `y`, in pt, and begins another page where there is no room."""

    def __init__(self, setter: Setter, foot: str):
        self._set, self._foot, self._number = setter, foot, 1
        self._writer, self._painter = setter.writer, setter.painter
        self._cells = Cells(setter)
        self.unit = self._set.unit
        self.y, self.left, self.right = TOP, SIDE, PAGE[0] - SIDE

    def write(self, sheet: Sheet, proceed: Callable[[float], None]) -> None:
        self._write_foot()
        self._title(sheet)
        for k, block in enumerate(sheet.blocks):
            proceed(k / len(sheet.blocks))
            match block:
                case Heading(text, 1):
                    self._section(text)
                case Heading(text):
                    self._room(FOLLOWS)
                    self.y += 7.0
                    self._lines((text,), PART)
                case Paragraph(line, quiet):
                    self._lines(line, SMALL if quiet else TEXT)
                case Equation(left, right):
                    self._equation(left, right)
                case Table():
                    self._table(block)
                case Display(pairs):
                    self._display(pairs)

    def _title(self, sheet: Sheet) -> None:
        """Title and motion at the left, the picture at the right."""
        top, gap, low = self.y, 16.0, self.y
        half = SIDE + 0.46 * (PAGE[0] - 2 * SIDE)
        if sheet.picture:
            image = QImage.fromData(sheet.picture)
            wide = PAGE[0] - SIDE - half - gap
            high = wide * image.height() / image.width()
            box = self._box(half + gap, top, wide, high)
            self._painter.drawImage(box, image)
            self._painter.setPen(QColor("#dde2ea"))
            self._painter.drawRect(box)
            self.right, low = half, top + high
        self._lines((f"<b>{sheet.title}</b>",), Look(19.0))
        self._lines((sheet.subtitle,), Look(9.0, QUIET))
        self.y += 4.0
        self._table(sheet.facts)
        self.right, self.y = PAGE[0] - SIDE, max(self.y, low + 6.0)

    def _section(self, text: str) -> None:
        self._room(2.5 * FOLLOWS)
        self.y += 14.0
        self._lines((text,), SECTION)
        self._painter.fillRect(self._box(self.left, self.y, self.right - self.left, 1.0), QColor(ACCENT))
        self.y += 5.0

    def _lines(self, line: Line, look: Look) -> None:
        lines = self._set.broken(self._set.tokens(line, look), (self.right - self.left) * self.unit)
        if len(lines) <= TOGETHER:
            self._room(sum(sum(self._set.heights(tokens, look)) for tokens in lines) / self.unit)
        self._put(lines, self.left, look)
        self.y += 2.0

    def _equation(self, left: Line, right: Line) -> None:
        """The right side set in behind the left."""
        head = self._set.tokens(left, TEXT)
        x = self.left + INDENT
        wide = self._set.width(head) / self.unit + 4.0
        lines = self._set.broken(self._set.tokens(right, TEXT), (self.right - x - wide) * self.unit)
        up, down = self._set.heights([*head, *(lines[0] if lines else [])], TEXT)
        self._room((up + down) / self.unit)
        self._set.draw(head, x * self.unit, self.y * self.unit + up)
        self._put(lines, x + wide, TEXT, (up, down))
        self.y += 2.0

    def _put(self, lines: Iterable[list[Token]], x: float, look: Look, least: tuple[float, float] = (0.0, 0.0)) -> None:
        """Line by line; the first reaches at least so far above and below."""
        for tokens in lines:
            up, down = map(max, self._set.heights(tokens, look), least)
            least = 0.0, 0.0
            self._room((up + down) / self.unit)
            self._set.draw(tokens, x * self.unit, self.y * self.unit + up)
            self.y += (up + down) / self.unit + 1.2

    def _table(self, table: Table) -> None:
        """Row by row, so that it may go on over the page."""
        grid = self._cells.grid(table, (self.right - self.left) * self.unit)
        self.y += 3.0
        self._room(sum(grid.heights[:3]) / self.unit)
        for k, height in enumerate(grid.heights):
            self._room(height / self.unit)
            if k == 0 or (k == 1 and table.titles):
                self._painter.fillRect(self._box(self.left, self.y, grid.width / self.unit, 0.5), QColor(RULE))
            grid.draw(k, self.left * self.unit, self.y * self.unit)
            self.y += height / self.unit
        self._painter.fillRect(self._box(self.left, self.y, grid.width / self.unit, 0.5), QColor(RULE))
        self.y += 5.0

    def _display(self, pairs: Iterable[tuple[Line, Matrix]]) -> None:
        """Side by side, below each other where there is no room, smaller where even one pair has none."""
        rows: list[list[Box]] = [[]]
        room, used, gap = (self.right - self.left - INDENT) * self.unit, 0.0, 6.0 * self.unit
        for line, matrix in pairs:
            pair = [self._cells.line(line), self._cells.matrix(matrix)]
            wide = sum(box.width + gap for box in pair)
            if rows[-1] and used + wide > room:
                rows.append([])
                used = 0.0
            rows[-1] += pair
            used += wide
        self.y += 3.0
        for row in rows:
            wide = sum(box.width + gap for box in row) - gap
            scale = min(1.0, room / wide)
            high = scale * max(box.up + box.down for box in row)
            self._room(high / self.unit)
            self._painter.save()
            self._painter.translate((self.left + INDENT) * self.unit, self.y * self.unit + high / 2)
            self._painter.scale(scale, scale)
            x = 0.0
            for box in row:
                box.draw(x, 0.0)
                x += box.width + gap
            self._painter.restore()
            self.y += high / self.unit + 3.0

    def _room(self, height: float) -> None:
        """Another page, unless so much is left of this one."""
        if self.y + height <= PAGE[1] - BOTTOM:
            return
        self._writer.newPage()
        self._number += 1
        self.y = TOP
        self._write_foot()

    def _write_foot(self) -> None:
        at = (PAGE[1] - 30.0) * self.unit
        self._set.draw(self._set.tokens((self._foot,), Look(7.5, QUIET)), SIDE * self.unit, at)
        number = self._set.tokens((str(self._number),), Look(7.5, INK))
        self._set.draw(number, (PAGE[0] - SIDE) * self.unit - self._set.width(number), at)

    def _box(self, x: float, y: float, width: float, height: float) -> QRectF:
        return QRectF(QPointF(x, y) * self.unit, QPointF(x + width, y + height) * self.unit)
