"""A parameter as a bar: the identified value with its standard deviations, and a mark where the file's value is."""

from __future__ import annotations

from math import isfinite

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import QStyledItemDelegate

from armature.app.identification.parameter_rows import SURE, ParameterRow
from armature.app.style.colour_tokens import LIGHT, Tokens

ROW = Qt.ItemDataRole.UserRole
EDGE = 6  # pixels left free at either end
DOT = 3.0


class SigmaBar(QStyledItemDelegate):
    """Paints the `ParameterRow` of a cell: wide for one σ, a line for two, a dot for the value, upright the file's."""

    tokens: Tokens = LIGHT

    def paint(self, painter: QPainter, option, index):
        """One bar."""
        row = index.data(ROW)
        if not isinstance(row, ParameterRow):
            return
        frame = QRectF(option.rect).adjusted(EDGE, 2, -EDGE, -2)
        low, high = row.span
        middle = frame.center().y()

        def x(value: float) -> float:
            return frame.left() + (value - low) / (high - low) * frame.width()

        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colour = QColor(self.tokens.muted if row.instead else self.tokens.series[1] if row.sure else self.tokens.series[0])
        if isfinite(row.sigma):
            painter.setPen(QPen(colour, 1.5))
            painter.drawLine(QLineF(x(row.value - SURE * row.sigma), middle, x(row.value + SURE * row.sigma), middle))
            thick = QPen(colour, 5.0)
            thick.setCapStyle(Qt.PenCapStyle.FlatCap)
            painter.setPen(thick)
            painter.drawLine(QLineF(x(row.value - row.sigma), middle, x(row.value + row.sigma), middle))
        painter.setPen(QPen(QColor(self.tokens.text), 1.5))
        painter.drawLine(QLineF(x(row.prior), frame.top(), x(row.prior), frame.bottom()))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        painter.drawEllipse(QPointF(x(row.value), middle), DOT, DOT)
        painter.restore()
