"""Stretches of time shaded behind curves, each with its name."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter

from armature.app.plots.plot_paper import PlotPaper
from armature.app.style.colour_tokens import Tokens

if TYPE_CHECKING:
    from armature.engine.simulation.runs.load_comparison import Phase

FAINT, VEIL = 0.14, 0.8  # opacity of a band, and of what keeps its name apart from the curves
SHADES = {"grasp": 4, "carry": 0, "release": 3}  # of the colours of curves; what is neither shaded moves with empty hands


@dataclass(frozen=True)
class Band:
    """`name` stands at its top, or upright or shortened where it is narrow; `colour` is that of its ground, none where empty."""

    name: str
    start: float
    end: float
    colour: str = ""


def phase_bands(phases: Iterable[Phase], tokens: Tokens) -> tuple[Band, ...]:
    """Those of a trajectory that grasps and releases."""
    return tuple(
        Band(phase.name, phase.start, phase.end, tokens.series[SHADES[phase.name]] if phase.name in SHADES else "")
        for phase in phases
    )


def shade_bands(painter: QPainter, paper: PlotPaper, bands: tuple[Band, ...]) -> None:
    """Their grounds, before the curves."""
    frame = paper.frame
    painter.save()
    painter.setClipRect(frame)
    for band in bands:
        if band.colour:
            left, right = paper.x(band.start), paper.x(band.end)
            ground = QColor(band.colour)
            ground.setAlphaF(FAINT)
            painter.fillRect(QRectF(left, frame.top(), right - left, frame.height()), ground)
    painter.restore()


def name_bands(painter: QPainter, paper: PlotPaper, tokens: Tokens, bands: tuple[Band, ...]) -> None:
    """Their names over the curves, which a veil of the paper keeps apart from them."""
    frame, metrics = paper.frame, painter.fontMetrics()
    line = metrics.height()
    painter.save()
    painter.setClipRect(frame)
    for band in bands:
        left, right = paper.x(band.start), paper.x(band.end)
        wide = metrics.horizontalAdvance(band.name)
        if wide + 2 > right - left >= 0.8 * line and frame.height() >= wide:
            painter.save()
            painter.translate(QPointF((left + right) / 2, frame.top() + 2))
            painter.rotate(90)
            _name(painter, tokens, QRectF(0, -line / 2, wide + 2, line), band.name)
            painter.restore()
        else:
            short = metrics.elidedText(band.name, Qt.TextElideMode.ElideRight, int(right - left))
            wide = min(metrics.horizontalAdvance(short) + 4, right - left)
            _name(painter, tokens, QRectF((left + right - wide) / 2, frame.top(), wide, line), short)
    painter.restore()


def _name(painter: QPainter, tokens: Tokens, box: QRectF, name: str) -> None:
    veil = QColor(tokens.surface)
    veil.setAlphaF(VEIL)
    painter.fillRect(box, veil)
    painter.setPen(QColor(tokens.muted))
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, name)
