"""One live plot of several curves over time."""

from __future__ import annotations

import numpy as np
from pyqtgraph.functions import arrayToQPolygonF
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.theme import Tokens
from app.widgets.ticks import ticks

GAP = 6  # pixels between the paper and what is written around it


class PlotView(QWidget):
    """A titled plot whose curves share one time axis in seconds.

    Drawn with few calls: pyqtgraph's axes take 3 ms of each frame, in which the simulation cannot have the interpreter.
    """

    def __init__(self, name: str, title: str):
        super().__init__()
        self.setObjectName(f"plot_{name}")
        self.setAccessibleName(title)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(100, 80)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self._title, self._unit, self._tokens, self._cursor = title, "", None, None
        self._colours: list[QColor] = []
        self.t, self.values = np.zeros(0), np.zeros((0, 0))
        self._range = (0.0, 1.0, -1.0, 1.0)

    def set_curves(self, colours: list[str]):
        """As many curves as colours."""
        self._colours = [QColor(colour) for colour in colours]
        self.t, self.values = np.zeros(0), np.zeros((0, len(colours)))
        self.update()

    def set_unit(self, unit: str):
        """The unit in the title."""
        self._unit = unit
        self.setToolTip(f"{self._title}  [{unit}]")
        self.update()

    def set_theme(self, tokens: Tokens):
        """Colours of paper, axes and cursor."""
        self._tokens = tokens
        self.update()

    def show_data(self, t: np.ndarray, values: np.ndarray, shown: list[bool], span: float):
        """Curves `values` `(k, curves)` over t `(k,)`; the axis spans `span` seconds up to the newest."""
        self.t = np.array(t)
        self.values = np.where(shown, values, np.nan)
        end = float(t[-1]) if len(t) else 0.0
        self._range = (max(0.0, end - span), max(end, span), *fitted(values[:, shown]))
        self.update()

    def show_cursor(self, t: float | None):
        """A line at time t; None hides it."""
        if t != self._cursor:
            self._cursor = t
            self.update()

    def paintEvent(self, event):
        if self._tokens is None:
            return
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(self._tokens.surface))
        metrics = self.fontMetrics()
        line, edge = metrics.height(), metrics.horizontalAdvance("-8888.8")
        paper = QRectF(edge + GAP, line + GAP, self.width() - edge - 3 * GAP, self.height() - 2 * line - 2 * GAP)
        self._paint_title(painter, line)
        if paper.width() > line and paper.height() > line:
            self._paint_axes(painter, paper, line)
            self._paint_curves(painter, paper)
        painter.end()

    def _paint_title(self, painter: QPainter, line: int):
        full, room = f"{self._title}  [{self._unit}]", self.width() - 2 * GAP
        text = full if self.fontMetrics().horizontalAdvance(full) <= room else self._title
        painter.setPen(QColor(self._tokens.muted))
        painter.drawText(QRectF(GAP, 1, room, line), Qt.AlignmentFlag.AlignCenter, text)

    def _paint_axes(self, painter: QPainter, paper: QRectF, line: int):
        start, end, low, high = self._range
        times, time_decimals = ticks(start, end, round(paper.width() / (3.2 * line)))
        values, decimals = ticks(low, high, round(paper.height() / (1.8 * line)))
        painter.setPen(QColor(self._tokens.raised))
        xs = [round(paper.left() + (t - start) / (end - start) * paper.width()) for t in times]
        ys = [round(paper.bottom() - (value - low) / (high - low) * paper.height()) for value in values]
        for x in xs:
            painter.drawLine(QPointF(x, paper.top()), QPointF(x, paper.bottom()))
        for y in ys:
            painter.drawLine(QPointF(paper.left(), y), QPointF(paper.right(), y))
        painter.setPen(QColor(self._tokens.border))
        painter.drawLine(paper.bottomLeft(), paper.topLeft())
        painter.drawLine(paper.bottomLeft(), paper.bottomRight())
        painter.setPen(QColor(self._tokens.muted))
        below, beside = Qt.AlignmentFlag.AlignCenter, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        for x, t in zip(xs, times):
            painter.drawText(QRectF(x - 3 * line, paper.bottom() + 1, 6 * line, line), below, f"{t:.{time_decimals}f}")
        for y, value in zip(ys, values):
            painter.drawText(QRectF(0, y - line, paper.left() - GAP / 2, 2 * line), beside, number(value, decimals))

    def _paint_curves(self, painter: QPainter, paper: QRectF):
        start, end, low, high = self._range
        t, values = thinned(self.t, self.values, (end - start) / paper.width())
        x = paper.left() + (t - start) * (paper.width() / (end - start))
        y = paper.bottom() - (values - low) * (paper.height() / (high - low))
        painter.setClipRect(paper.adjusted(0, -1, 1, 1))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for colour, curve in zip(self._colours, y.T):
            if len(curve) > 1 and not np.isnan(curve[0]):
                painter.setPen(QPen(colour, 0))  # one pixel wide; Qt takes twenty times as long for 1.2
                painter.drawPolyline(arrayToQPolygonF(x, curve))
        if self._cursor is not None:
            at = paper.left() + (self._cursor - start) * (paper.width() / (end - start))
            painter.setPen(QPen(QColor(self._tokens.accent), 1.0, Qt.PenStyle.DashLine))
            painter.drawLine(QPointF(at, paper.top()), QPointF(at, paper.bottom()))


def thinned(t: np.ndarray, values: np.ndarray, cell: float) -> tuple[np.ndarray, np.ndarray]:
    """Smallest and largest of `values` `(k, curves)` in each cell of `cell` seconds, where there are more than that.

    The cells lie at multiples of `cell`, so that a curve that moves on keeps its shape.
    """
    cells = np.floor(t / cell)
    starts = np.flatnonzero(np.r_[True, cells[1:] != cells[:-1]]) if len(t) else np.zeros(0, int)
    if 2 * len(starts) >= len(t):
        return t, values
    both = np.stack([np.minimum.reduceat(values, starts), np.maximum.reduceat(values, starts)], axis=1)
    return np.repeat(t[starts], 2), both.reshape(-1, values.shape[1])


def fitted(values: np.ndarray) -> tuple[float, float]:
    """A vertical range with room above and below that never collapses on a flat curve."""
    low, high = (float(values.min()), float(values.max())) if values.size else (-1.0, 1.0)
    flat = high - low < 1e-6
    margin = max(0.1 * abs(high), 1.0) if flat else max(0.06 * (high - low), 0.02 * max(abs(low), abs(high)))
    return low - margin, high + margin


def number(value: float, decimals: int) -> str:
    """A value as it stands at an axis."""
    return f"{value:.{decimals}f}".replace("-", "−") if abs(value) < 1e5 else f"{value:.2g}"
