"""`ColourLegend`: what the colours of a map mean."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QLinearGradient, QPainter
from PySide6.QtWidgets import QSizePolicy, QWidget

from armature.app.state.units import ends
from armature.app.style.colormap import lookup


class ColourLegend(QWidget):
    """A bar from the smallest to the largest value."""

    def __init__(self):
        super().__init__()
        self._ends, self._title, self._tokens = ends(0.0, 1.0), "", None
        self.setAccessibleName("Colour legend")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_range(self, title: str, low: float, high: float):
        """What the colours mean, from `low` to `high`."""
        self._title = title
        self._ends = ends(low, high)
        self.setAccessibleDescription(f"{title} from {self._ends[0]} to {self._ends[1]}")
        self.update()

    def set_theme(self, tokens):
        """Colour of the text."""
        self._tokens = tokens
        self.update()

    def sizeHint(self) -> QSize:
        """Two lines of text and the bar."""
        return QSize(200, 2 * self.fontMetrics().height() + 26)

    minimumSizeHint = sizeHint

    def paintEvent(self, event):
        if self._tokens is None:
            return
        painter, height = QPainter(self), self.fontMetrics().height()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QColor(self._tokens.text))
        painter.drawText(QRectF(0, 0, self.width(), height), Qt.AlignmentFlag.AlignLeft, self._title)
        bar = QRectF(0, height + 6, self.width(), 12)
        gradient = QLinearGradient(QPointF(bar.left(), 0), QPointF(bar.right(), 0))
        stops = [k / 16 for k in range(17)]
        for stop, rgba in zip(stops, lookup(np.array(stops))):
            gradient.setColorAt(stop, QColor.fromRgbF(*map(float, rgba[:3])))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(gradient)
        painter.drawRoundedRect(bar, 4, 4)
        painter.setPen(QColor(self._tokens.muted))
        below = QRectF(0, bar.bottom() + 4, self.width(), height)
        painter.drawText(below, Qt.AlignmentFlag.AlignLeft, self._ends[0])
        painter.drawText(below, Qt.AlignmentFlag.AlignRight, self._ends[1])
        painter.end()
