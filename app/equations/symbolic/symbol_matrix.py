"""A matrix as books print it: in brackets each entry in symbols, under it its number now."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QKeySequence, QPainter, QPen
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QFrame, QSizePolicy

from armature.app.equations.typesetter import Piece
from armature.app.state.units import number
from armature.app.style.colour_tokens import Tokens
from armature.app.style.theme import fixed_font
from armature.app.widgets.copied_text import tabbed
from armature.app.widgets.pop_up import pop_up, table_lines

DECIMALS = 4
MARGIN, LIP, GAP = 4.0, 5.0, 12.0  # px: around all, of a bracket's ends, between columns
LATER = "…"  # in place of such an entry


class SymbolMatrix(QAbstractScrollArea):
    """As high as its rows, sideways it scrolls; Ctrl+C copies it.

    Tells `chosen(row, column)` of a click, `entered()` and `left()` of the cursor, `zoomed(steps)` of Ctrl+wheel.
    """

    chosen = Signal(int, int)
    entered = Signal()
    left = Signal()
    zoomed = Signal(float)

    def __init__(self, name: str, symbol: str, shape: tuple[int, int] = (4, 4)):
        super().__init__()
        self.values: np.ndarray | None = None
        self.lit = np.zeros(shape, bool)  # whose number has just changed
        self.marked = np.zeros(shape, bool)
        self.active: tuple[int, int] | None = None
        self._symbol, self._shape = symbol, shape
        self._pieces: Sequence[Sequence[Piece | None]] = [[None] * shape[1]] * shape[0]
        self._tokens: Tokens | None = None
        self._zoom = 1.0
        self._columns: list[float] = [0.0] * shape[1]
        self._rows: list[float] = [0.0] * shape[0]
        self.setAccessibleName(name)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_symbols(self, pieces: Sequence[Sequence[Piece | None]], zoom: float) -> None:
        """Other symbols, None for an entry that is told by its number alone."""
        self._pieces, self._zoom = pieces, zoom
        self._lay_out()

    def show_values(self, values: np.ndarray | None, marked: np.ndarray | None = None) -> None:
        """The numbers now, None for none; those that change light up, and those `marked` have a ground of their own."""
        old, before, none = self.values, (self.lit, self.marked), np.zeros(self._shape, bool)
        self.lit = none if old is None or values is None else values != old
        self.marked = none if marked is None else marked
        self.values = None if values is None else np.array(values)
        same = all(np.array_equal(a, b) for a, b in zip(before, (self.lit, self.marked)))
        if not same or self.lit.any() or old is None or values is None:
            rows = [] if values is None else ["; ".join(number(float(x), DECIMALS) for x in line) for line in values]
            self.setAccessibleDescription(" | ".join(rows))
            self.viewport().update()

    def set_active(self, cell: tuple[int, int] | None) -> None:
        """The entry whose formula is shown."""
        if cell != self.active:
            self.active = cell
            self.viewport().update()

    def set_theme(self, tokens: Tokens) -> None:
        """Colours, those of the symbols as well, and the present size of text."""
        self._tokens = tokens
        self._pieces = [[piece and piece.coloured(tokens.text) for piece in row] for row in self._pieces]
        self._lay_out()

    def cell(self, row: int, column: int) -> QRectF:
        """Where an entry stands in the viewport."""
        left = MARGIN + LIP + sum(self._columns[:column]) - self.horizontalScrollBar().value()
        return QRectF(left, MARGIN + sum(self._rows[:row]), self._columns[column], self._rows[row])

    def _lay_out(self) -> None:
        self.setFont(fixed_font(0.85 * self._zoom))
        metrics = self.fontMetrics()
        wide = float(metrics.horizontalAdvance(f"−0.{'0' * DECIMALS}"))
        tall = metrics.height()
        self._columns = [max([wide, *(p.width for p in column if p is not None)]) + GAP for column in zip(*self._pieces)]
        self._rows = [max([tall, *(p.height for p in line if p is not None)]) + tall + 4.0 for line in self._pieces]
        bar = self.horizontalScrollBar()
        over = round(sum(self._columns) + 2 * (MARGIN + LIP)) - self.viewport().width()
        bar.setRange(0, max(0, over))
        bar.setPageStep(self.viewport().width())
        bar.setSingleStep(20)
        height = round(sum(self._rows) + 2 * MARGIN) + (bar.sizeHint().height() if over > 0 else 0)
        if height != self.height() or self.minimumHeight() != height:
            self.setFixedHeight(height)
        self.viewport().update()

    def resizeEvent(self, event):
        super().resizeEvent(event)
        self._lay_out()

    def wheelEvent(self, event):
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            event.accept()
            self.zoomed.emit(event.angleDelta().y() / 120)
        elif event.angleDelta().x():
            super().wheelEvent(event)
        else:
            event.ignore()  # the page scrolls

    def enterEvent(self, event):
        self.entered.emit()
        super().enterEvent(event)

    def leaveEvent(self, event):
        self.left.emit()
        super().leaveEvent(event)

    def mousePressEvent(self, event):
        where = self._at(event.position())
        if where is not None and event.button() == Qt.MouseButton.LeftButton:
            self.chosen.emit(*where)
        super().mousePressEvent(event)

    def _at(self, at: QPointF) -> tuple[int, int] | None:
        rows, columns = self._shape
        for row in range(rows):
            for column in range(columns):
                if self.cell(row, column).contains(at):
                    return row, column
        return None

    def paintEvent(self, event):
        if self._tokens is None:
            return
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self.font())
        rows, columns = self._shape
        for row in range(rows):
            for column in range(columns):
                self._paint_cell(painter, self._tokens, row, column, self.cell(row, column))
        painter.setPen(QPen(QColor(self._tokens.text), 1.3))
        top, bottom = MARGIN, MARGIN + sum(self._rows)
        left = MARGIN - self.horizontalScrollBar().value()
        right = left + 2 * LIP + sum(self._columns)
        for edge, inward in ((left, 1), (right, -1)):
            corners = [(edge + inward * LIP, top), (edge, top), (edge, bottom), (edge + inward * LIP, bottom)]
            painter.drawPolyline([QPointF(*corner) for corner in corners])
        painter.end()

    def _paint_cell(self, painter: QPainter, tokens: Tokens, row: int, column: int, box: QRectF) -> None:
        if box.right() < 0 or box.left() > self.viewport().width():
            return
        ground = tokens.raised if (row, column) == self.active else tokens.accent_soft if self.marked[row, column] else ""
        if ground:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(ground))
            painter.drawRoundedRect(box.adjusted(2, 1, -2, -1), 3, 3)
        tall = self.fontMetrics().height()
        below = QRectF(box.left(), box.bottom() - tall - 3, box.width(), tall)
        above = QRectF(box.left(), box.top() + 1, box.width(), box.height() - tall - 4)
        piece = self._pieces[row][column]
        if piece is not None:
            at = QPointF(round(above.center().x() - piece.width / 2), round(above.center().y() - piece.height / 2))
            painter.drawImage(at, piece.image)
        else:
            painter.setPen(QColor(tokens.muted))
            painter.drawText(above, Qt.AlignmentFlag.AlignCenter, LATER)
        if self.values is not None:
            lit = self.lit[row, column]
            painter.setPen(QColor(tokens.accent if lit else tokens.text if piece is None else tokens.muted))
            decimals = 0 if row == 3 else DECIMALS
            painter.drawText(below, Qt.AlignmentFlag.AlignCenter, number(float(self.values[row, column]), decimals))

    def keyPressEvent(self, event):
        if event.matches(QKeySequence.StandardKey.Copy) and self.values is not None:
            QApplication.clipboard().setText(tabbed(self.values))
            return
        super().keyPressEvent(event)

    def contextMenuEvent(self, event):
        """Copy the numbers."""
        if self.values is not None:
            pop_up(self, self.accessibleName(), event.globalPos(), table_lines(self._symbol, self.values))
