"""A derivation sheet as PDF, on A4."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from html import unescape

from PySide6.QtCore import QBuffer, QIODevice, QMarginsF, QPointF, QRectF
from PySide6.QtGui import QColor, QFont, QImage, QPageLayout, QPageSize, QPainter, QPdfWriter

from armature.app.equations.sheet.blocks import Display, Equation, Heading, Line, Matrix, Paragraph, Sheet, Table
from armature.app.equations.sheet.pdf_cells import Box, Cells
from armature.app.equations.sheet.pdf_line import INK, QUIET, Look, Setter, Token
from armature.app.equations.typesetter import Typesetter

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
