"""A 4×4 pose as books print it: brackets, a name, entries in columns, those in play marked."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QKeySequence, QPainter, QPen
from PySide6.QtWidgets import QApplication, QSizePolicy, QWidget

from armature.app.state.units import Units, number
from armature.app.style.colour_tokens import Tokens
from armature.app.style.theme import fixed_font
from armature.app.widgets.copied_text import tabbed
from armature.app.widgets.pop_up import pop_up, table_lines

DECIMALS = 4  # of the rotation
MARGIN, LIP = 5, 5  # pixels between bracket and numbers, and of a bracket's ends


class MatrixView(QWidget):
    """Shows `values` `(4, 4)`: rotation without unit, the last column's lengths in the user's unit. Ctrl+C copies it."""

    def __init__(self, name: str):
        super().__init__()
        self.values = np.eye(4)
        self.title = ""
        self.marked = np.zeros((4, 4), bool)
        self._name, self._units = name, Units()
        self._tokens: Tokens | None = None
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_matrix(self, title: str, values: np.ndarray, marked: np.ndarray):
        """Another matrix with the entries `marked` `(4, 4)` standing out."""
        self.title, self.values, self.marked = title, np.array(values), np.array(marked)
        rows = ("; ".join(self.text(i, j) for j in range(4)) for i in range(4))
        self.setAccessibleDescription(f"{title}, lengths in {self._units.symbol(True)}: " + " | ".join(rows))
        self.update()

    def text(self, row: int, column: int) -> str:
        """One entry as it is shown."""
        value = float(self.values[row, column])
        if row == 3:
            return number(value, 0)
        if column == 3:
            return number(value * self._units.factor(True), self._units.decimals(True))
        return number(value, DECIMALS)

    def set_units(self, units: Units):
        """Lengths in another unit."""
        self._units = units
        self.show_matrix(self.title, self.values, self.marked)
        self.updateGeometry()

    def set_theme(self, tokens: Tokens):
        """Colours, and the present size of text."""
        self._tokens = tokens
        self.setFont(fixed_font(0.9))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """Four columns of numbers, a line for the name and four rows."""
        return QSize(round(sum(self._columns()) + 2 * (MARGIN + LIP) + 4), 5 * self._row() + 8)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def _row(self) -> int:
        return self.fontMetrics().height() + 3

    def _columns(self) -> list[float]:
        """Widths; lengths get the widest that the unit can need."""
        advance = self.fontMetrics().horizontalAdvance
        rotation = advance("−0.") + DECIMALS * advance("0") + 9
        length = advance("−8888.8" if self._units.symbol(True) == "mm" else "−88.8888") + 13
        return [rotation, rotation, rotation, length]

    def paintEvent(self, event):
        if self._tokens is None:
            return
        tokens, painter = self._tokens, QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        row, widths = self._row(), self._columns()
        left, top = MARGIN + LIP, row + 3
        painter.setPen(QColor(tokens.text))
        painter.setFont(QApplication.font())
        painter.drawText(QRectF(0, 0, self.width(), row), Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, self.title)
        painter.setPen(QColor(tokens.muted))
        unit = f"lengths in {self._units.symbol(True)}"
        painter.drawText(QRectF(0, 0, left + sum(widths) + MARGIN, row), Qt.AlignmentFlag.AlignRight, unit)
        painter.setFont(self.font())
        for i in range(4):
            x = float(left)
            for j, width in enumerate(widths):
                self._entry(painter, tokens, i, j, QRectF(x, top + i * row, width, row))
                x += width
        painter.setPen(QPen(QColor(tokens.text), 1.3))
        for edge, inward in ((1.0, 1), (left + sum(widths) + MARGIN + LIP, -1)):
            corners = [(edge + inward * LIP, top), (edge, top), (edge, top + 4 * row), (edge + inward * LIP, top + 4 * row)]
            painter.drawPolyline([QPointF(*corner) for corner in corners])
        painter.end()

    def _entry(self, painter: QPainter, tokens: Tokens, i: int, j: int, box: QRectF):
        if self.marked[i, j]:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(tokens.accent_soft))
            painter.drawRoundedRect(box.adjusted(2, 0.5, 0, -0.5), 3, 3)
        faint = not self.marked[i, j] and (i == 3 or not self.text(i, j).strip("0.,"))
        painter.setPen(QColor(tokens.muted if faint else tokens.text))
        painter.drawText(box.adjusted(0, 0, -4, 0), Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, self.text(i, j))

    def keyPressEvent(self, event):
        if event.matches(QKeySequence.StandardKey.Copy):
            QApplication.clipboard().setText(tabbed(self.values))
            return
        super().keyPressEvent(event)

    def contextMenuEvent(self, event):
        """Copy it, in m."""
        pop_up(self, self.title, event.globalPos(), table_lines("X", self.values))
