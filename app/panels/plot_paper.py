"""Draws curves with axes, grid and legend, on the screen or into a file."""

from __future__ import annotations

import numpy as np
from pyqtgraph.functions import arrayToQPolygonF
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QImage, QPainter, QPen
from PySide6.QtSvg import QSvgGenerator

from app.curves import Curves, distinct, number, thinned
from app.theme import Tokens
from app.widgets.ticks import ticks

GAP = 6  # pixels between the paper and what is written around it
DASHES = (Qt.PenStyle.SolidLine, Qt.PenStyle.DashLine, Qt.PenStyle.DotLine, Qt.PenStyle.DashDotLine)


class PlotPaper:
    """Where the axes lie in a picture of `width` × `height` pixels, what range they show, and how it is painted."""

    def __init__(self, tokens: Tokens, metrics: QFontMetrics, size: tuple[int, int], view: tuple, log: bool = False):
        self._tokens, self._view, self._log = tokens, view, log
        self._width, self._height = size
        self._line, self._edge = metrics.height(), metrics.horizontalAdvance("-8888.8")
        self._metrics = metrics
        right, above = self._width - 3 * GAP, self._height - 2 * self._line - 2 * GAP
        self.frame = QRectF(self._edge + GAP, self._line + GAP, right - self._edge, above)

    @property
    def usable(self) -> bool:
        """Whether there is room for curves."""
        return self.frame.width() > self._line and self.frame.height() > self._line

    def x(self, value):
        """The pixel of a value along the lower axis."""
        start, end, *_ = self._view
        return self.frame.left() + (value - start) * (self.frame.width() / (end - start))

    def y(self, value):
        """The pixel of a value along the left axis."""
        *_, low, high = self._view
        return self.frame.bottom() - (value - low) * (self.frame.height() / (high - low))

    def value_at(self, point: QPointF) -> tuple[float, float]:
        """What a pixel stands for."""
        start, end, low, high = self._view
        x = start + (point.x() - self.frame.left()) / self.frame.width() * (end - start)
        return x, low + (self.frame.bottom() - point.y()) / self.frame.height() * (high - low)

    def paint_axes(self, painter: QPainter, under: str):
        """Grid, axes and numbers; `under` stands below where it is not empty."""
        start, end = self._view[:2]
        line, frame = self._line, self.frame
        times, time_decimals = ticks(start, end, max(1, round(frame.width() / (3.2 * line))))
        values, texts = self._marks(max(1, round(frame.height() / (1.8 * line))))
        painter.setPen(QColor(self._tokens.raised))
        xs, ys = [round(self.x(t)) for t in times], [round(self.y(value)) for value in values]
        for x in xs:
            painter.drawLine(QPointF(x, frame.top()), QPointF(x, frame.bottom()))
        for y in ys:
            painter.drawLine(QPointF(frame.left(), y), QPointF(frame.right(), y))
        painter.setPen(QColor(self._tokens.border))
        painter.drawLine(frame.bottomLeft(), frame.topLeft())
        painter.drawLine(frame.bottomLeft(), frame.bottomRight())
        painter.setPen(QColor(self._tokens.muted))
        below, beside = Qt.AlignmentFlag.AlignCenter, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        room = frame.right() - (self._metrics.horizontalAdvance(under) + GAP if under else 0)
        for x, t in zip(xs, times):
            if x + line < room:
                painter.drawText(QRectF(x - 3 * line, frame.bottom() + 1, 6 * line, line), below, f"{t:.{time_decimals}f}")
        for y, text in zip(ys, texts):
            painter.drawText(QRectF(0, y - line, frame.left() - GAP / 2, 2 * line), beside, text)
        if under:
            right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(QRectF(frame.left(), frame.bottom() + 1, frame.width() + 2 * GAP, line), right, under)

    def _marks(self, most: int) -> tuple[list[float], list[str]]:
        """Where the left axis has numbers, and these: about `most` of them, or powers of ten."""
        low, high = self._view[2:]
        if not self._log:
            values, decimals = ticks(low, high, most)
            return values, [number(value, decimals) for value in values]
        first, last = int(np.ceil(low)), int(np.floor(high))
        powers = range(first, last + 1, max(1, -(-(last - first) // most)))
        return list(powers), [f"{10.0**k:g}" for k in powers]

    def paint_curves(self, painter: QPainter, several: list[Curves]):
        """Every curve within the range, at most two points for each pixel across."""
        start, end, low, high = self._view
        cell = (end - start) / self.frame.width(), (high - low) / self.frame.height()
        painter.save()
        painter.setClipRect(self.frame.adjusted(0, -1, 1, 1))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for curves in several:
            x, y = curves.within(start, end)
            if curves.timed:
                x, y = thinned(x, y, cell[0])
            for k, colour in enumerate(curves.colours):
                # one pixel wide; Qt takes twenty times as long for 1.2
                painter.setPen(QPen(QColor(colour), 0, DASHES[curves.style % len(DASHES)]))
                a, b = (x, y[:, k]) if curves.timed else distinct(x[:, k], y[:, k], cell)
                for first, last in _runs(np.isfinite(a) & np.isfinite(b)):
                    painter.drawPolyline(arrayToQPolygonF(self.x(a[first:last]), self.y(b[first:last])))
                if not curves.timed and len(x):
                    painter.drawEllipse(QPointF(self.x(x[-1, k]), self.y(y[-1, k])), 3, 3)
        painter.restore()

    def paint_line(self, painter: QPainter, x: float, colour: str):
        """A dashed upright line at x."""
        at = self.x(x)
        if self.frame.left() <= at <= self.frame.right():
            painter.setPen(QPen(QColor(colour), 1.0, Qt.PenStyle.DashLine))
            painter.drawLine(QPointF(at, self.frame.top()), QPointF(at, self.frame.bottom()))

    def paint_marks(self, painter: QPainter, marks: list[tuple[str, float, float]]):
        """A ring in a colour around each place."""
        painter.setBrush(QColor(self._tokens.surface))
        for colour, x, y in marks:
            if self.frame.contains(QPointF(self.x(x), self.y(y))):
                painter.setPen(QPen(QColor(colour), 2))
                painter.drawEllipse(QPointF(self.x(x), self.y(y)), 4, 4)
        painter.setBrush(Qt.BrushStyle.NoBrush)

    def paint_box(self, painter: QPainter, head: str, entries: list[tuple[str, int, str]], x: float | None):
        """A box of lines, each with the colour and style of a curve, to the left or right of `x`, or at the upper right."""
        line, texts = self._line, [head] * bool(head) + [text for *_, text in entries]
        width = 30 + max((self._metrics.horizontalAdvance(text) for text in texts), default=0)
        height = line * len(texts) + 6
        left = self.frame.right() - width - 2 if x is None else x + 10 if x + 12 + width < self._width else x - 10 - width
        box = QRectF(max(2.0, left), self.frame.top() + 2, width, height)
        if box.bottom() > self._height - 2:
            box.moveBottom(max(box.height() + 2, self._height - 2))
        paper = QColor(self._tokens.surface)
        paper.setAlpha(225)
        painter.setPen(QColor(self._tokens.border))
        painter.setBrush(paper)
        painter.drawRoundedRect(box, 4, 4)
        top, left_of = box.top() + 3, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        if head:
            painter.setPen(QColor(self._tokens.muted))
            painter.drawText(QRectF(box.left() + 6, top, width, line), left_of, head)
            top += line
        for colour, style, text in entries:
            painter.setPen(QPen(QColor(colour), 2, DASHES[style % len(DASHES)]))
            painter.drawLine(QPointF(box.left() + 6, top + line / 2), QPointF(box.left() + 20, top + line / 2))
            painter.setPen(QColor(self._tokens.text))
            painter.drawText(QRectF(box.left() + 25, top, width, line), left_of, text)
            top += line


def _runs(good: np.ndarray) -> list[tuple[int, int]]:
    """First and one past the last of every stretch of at least two that are true."""
    if good.all():
        return [(0, len(good))] if len(good) > 1 else []
    edges = np.flatnonzero(np.diff(np.r_[False, good, False].astype(np.int8)))
    return [(int(a), int(b)) for a, b in zip(edges[::2], edges[1::2]) if b - a > 1]


def paint_file(path: str, size: tuple[int, int], title: str, paint) -> bool:
    """Write what `paint(painter)` draws as a picture or, by the suffix, as SVG; whether that was possible."""
    if path.lower().endswith(".svg"):
        device = QSvgGenerator()
        device.setFileName(path)
        device.setSize(QSize(*size))
        device.setViewBox(QRectF(0, 0, *size))
        device.setTitle(title)
    else:
        device = QImage(2 * size[0], 2 * size[1], QImage.Format.Format_RGB32)  # fine enough to be printed
        device.setDevicePixelRatio(2.0)
    painter = QPainter()
    if not painter.begin(device):
        return False
    paint(painter)
    return painter.end() and (not isinstance(device, QImage) or device.save(path, "PNG"))
