"""Stretches of time shaded behind curves, each with its name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import ceil, floor
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter

from armature.app.plots.plot_paper import PlotPaper
from armature.app.style.colour_tokens import Tokens

if TYPE_CHECKING:
    from armature.engine.simulation.runs.load_comparison import Phase

FAINT, VEIL = 0.14, 0.8  # opacity of a band, and of what keeps its name apart from the curves
SHADES = {"grasp": "4", "carry": "0", "release": "3"}  # of the colours of curves; motions without payload have no band


@dataclass(frozen=True)
class Band:
    """A span of time with a background. `name` is written at its top, vertical or shortened if the band is narrow; `colour` as
    for `Curves`, empty for none."""

    name: str
    start: float
    end: float
    colour: str = ""
    every: float = 0.0  # s after which it comes again, 0 for never

    def times(self, first: float, last: float) -> Iterator[tuple[float, float]]:
        """From when to when it is, wherever that shows between two times."""
        if not self.every:
            yield self.start, self.end
            return
        for k in range(max(0, ceil((first - self.end) / self.every)), floor((last - self.start) / self.every) + 1):
            yield self.start + k * self.every, self.end + k * self.every


def phase_bands(phases: Iterable[Phase], every: float = 0.0) -> tuple[Band, ...]:
    """Return the bands of a trajectory that grasps and releases; `every` is its period in s, 0 if it does not repeat."""
    return tuple(Band(phase.name, phase.start, phase.end, SHADES.get(phase.name, ""), every) for phase in phases)


def shade_bands(painter: QPainter, paper: PlotPaper, tokens: Tokens, bands: tuple[Band, ...]) -> None:
    """Their grounds, before the curves."""
    frame = paper.frame
    painter.save()
    painter.setClipRect(frame)
    for band in (band for band in bands if band.colour):
        ground = QColor(tokens.colour(band.colour))
        ground.setAlphaF(FAINT)
        for start, end in band.times(*paper.span):
            left, right = paper.x(start), paper.x(end)
            painter.fillRect(QRectF(left, frame.top(), right - left, frame.height()), ground)
    painter.restore()


def name_bands(painter: QPainter, paper: PlotPaper, tokens: Tokens, bands: tuple[Band, ...]) -> None:
    """Their names over the curves, which a veil of the paper keeps apart from them, each where its band is seen."""
    frame = paper.frame
    painter.save()
    painter.setClipRect(frame)
    for band in bands:
        for start, end in band.times(*paper.span):
            _name_between(painter, frame, tokens, band.name, max(paper.x(start), frame.left()), min(paper.x(end), frame.right()))
    painter.restore()


def _name_between(painter: QPainter, frame: QRectF, tokens: Tokens, name: str, left: float, right: float) -> None:
    metrics = painter.fontMetrics()
    line, wide = metrics.height(), metrics.horizontalAdvance(name)
    if wide + 2 > right - left >= 0.8 * line and frame.height() >= wide:
        painter.save()
        painter.translate(QPointF((left + right) / 2, frame.top() + 2))
        painter.rotate(90)
        _name(painter, tokens, QRectF(0, -line / 2, wide + 2, line), name)
        painter.restore()
    elif short := metrics.elidedText(name, Qt.TextElideMode.ElideRight, max(0, int(right - left))):
        room = min(metrics.horizontalAdvance(short) + 4.0, right - left)
        _name(painter, tokens, QRectF((left + right - room) / 2, frame.top(), room, line), short)


def _name(painter: QPainter, tokens: Tokens, box: QRectF, name: str) -> None:
    veil = QColor(tokens.surface)
    veil.setAlphaF(VEIL)
    painter.fillRect(box, veil)
    painter.setPen(QColor(tokens.muted))
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, name)
