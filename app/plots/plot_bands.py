"""Stretches of time shaded behind curves, each with its name."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter

from armature.app.plots.plot_paper import PlotPaper
from armature.app.style.colour_tokens import Tokens

FAINT = 0.14  # opacity


@dataclass(frozen=True)
class Band:
    """`name` stands at its top, or upright or shortened where it is narrow; `colour` is that of its ground, none where empty."""

    name: str
    start: float
    end: float
    colour: str = ""


def paint_bands(painter: QPainter, paper: PlotPaper, tokens: Tokens, bands: tuple[Band, ...]) -> None:
    """Shade and name them."""
    frame, metrics = paper.frame, painter.fontMetrics()
    line = metrics.height()
    painter.save()
    painter.setClipRect(frame)
    for band in bands:
        left, right = paper.x(band.start), paper.x(band.end)
        if band.colour:
            ground = QColor(band.colour)
            ground.setAlphaF(FAINT)
            painter.fillRect(QRectF(left, frame.top(), right - left, frame.height()), ground)
        painter.setPen(QColor(tokens.muted))
        wide = metrics.horizontalAdvance(band.name)
        if right - left >= wide + 2:
            painter.drawText(QRectF(left, frame.top(), right - left, line), Qt.AlignmentFlag.AlignCenter, band.name)
        elif right - left >= 0.8 * line and frame.height() >= wide:
            painter.save()
            painter.translate(QPointF((left + right) / 2, frame.top() + 2))
            painter.rotate(90)
            painter.drawText(QRectF(0, -line / 2, wide + 2, line), Qt.AlignmentFlag.AlignCenter, band.name)
            painter.restore()
        else:
            short = metrics.elidedText(band.name, Qt.TextElideMode.ElideRight, int(right - left))
            painter.drawText(QRectF(left, frame.top(), right - left, line), Qt.AlignmentFlag.AlignCenter, short)
    painter.restore()
