"""The paper of a plot: curves with axes, grid and legend, on the screen or into a file."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from pyqtgraph.functions import arrayToQPolygonF
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPen

from armature.app.plots.axis_ticks import ticks
from armature.app.plots.curves import Curves, distinct, number, thinned
from armature.app.state.units import significant
from armature.app.style.colour_tokens import Tokens

GAP = 6  # pixels between the paper and what is written around it
USUAL = "-8888.8"  # what stands beside the left axis has at least the room of that, so that plots stand in line
LONG = 9  # characters: numbers at the axis that are longer become powers of ten
SWATCH = 14  # pixels of a line beside its name
Entry = tuple[str, int, str]  # colour, style and text
DASHES = (Qt.PenStyle.SolidLine, Qt.PenStyle.DashLine, Qt.PenStyle.DotLine, Qt.PenStyle.DashDotLine)
OVER = {
    4: (14.0, 14.0),
    5: (5.0, 23.0),
}  # by style, dash and gap of a curve over others that may be equal: their colours show between


class PlotPaper:
    """Where the axes lie in a picture of `width` × `height` pixels, what range they show, and how it is painted.

    With `log` the values are decimal logarithms, with `log_x` other than 0 those along the lower axis, too, in units of `log_x`.
    A title, where there is one, and the `names` of the curves stand above the frame, in as many rows as these need.
    """

    def __init__(
        self,
        tokens: Tokens,
        metrics: QFontMetrics,
        size: tuple[int, int],
        view: tuple,
        log: bool = False,
        title: str = "",
        names: Sequence[Entry] = (),
        log_x: float = 0.0,
    ):
        self._tokens, self._view, self._log, self._log_x = tokens, view, log, log_x
        self._width, self._height = size
        self._line, self._metrics = metrics.height(), metrics
        self._title, self._rows = title, self._flow(names)
        above = max(0.5, bool(title) + len(self._rows)) * self._line + GAP
        height = self._height - self._line - GAP - above
        self._values, self._texts = self._marks(max(1, round(height / (1.8 * self._line))))
        left = max(map(metrics.horizontalAdvance, (USUAL, *self._texts))) + GAP
        self.frame = QRectF(left, above, self._width - 2 * GAP - left, height)

    def _flow(self, names: Sequence[Entry]) -> list[list[tuple[float, Entry]]]:
        """Rows of names, each with where it begins."""
        rows: list[list[tuple[float, Entry]]] = []
        x = float(self._width)
        for entry in names:
            width = SWATCH + 2 * GAP + self._metrics.horizontalAdvance(entry[2])
            if not rows or x + width > self._width:
                rows.append([])
                x = GAP
            rows[-1].append((x, entry))
            x += width + GAP
        return rows

    @property
    def usable(self) -> bool:
        """Whether there is room for curves."""
        return self.frame.width() > self._line and self.frame.height() > self._line

    @property
    def span(self) -> tuple[float, float]:
        """From where to where it shows."""
        return self._view[0], self._view[1]

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

    def paint_head(self, painter: QPainter):
        """The paper itself, the title, and below it the names of the curves."""
        painter.fillRect(0, 0, self._width, self._height, QColor(self._tokens.surface))
        painter.setPen(QColor(self._tokens.text))
        painter.drawText(QRectF(0, 1, self._width, self._line), Qt.AlignmentFlag.AlignCenter, self._title)
        for k, row in enumerate(self._rows, start=bool(self._title)):
            for x, entry in row:
                paint_entry(painter, self._tokens, QPointF(x, k * self._line + 2), self._line, entry)

    def paint_axes(self, painter: QPainter, under: str):
        """Grid, axes and numbers; `under` stands below where it is not empty."""
        start, end = self._view[:2]
        line, frame = self._line, self.frame
        times, time_decimals, wide = self._times(start, end)
        painter.setPen(QColor(self._tokens.raised))
        xs, ys = [round(self.x(t)) for t in times], [round(self.y(value)) for value in self._values]
        for x in xs:
            painter.drawLine(QPointF(x, frame.top()), QPointF(x, frame.bottom()))
        for y in ys:
            painter.drawLine(QPointF(frame.left(), y), QPointF(frame.right(), y))
        painter.setPen(QColor(self._tokens.border))
        painter.drawLine(frame.bottomLeft(), frame.topLeft())
        painter.drawLine(frame.bottomLeft(), frame.bottomRight())
        painter.setPen(QColor(self._tokens.muted))
        below, beside = Qt.AlignmentFlag.AlignCenter, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        room = frame.right() - self._metrics.horizontalAdvance(under) - GAP if under else self._width
        for x, t in zip(xs, times):
            if x + wide / 2 < room:
                text = significant(10.0**t * self._log_x, 2) if self._log_x else number(t, time_decimals)
                painter.drawText(QRectF(x - 3 * line, frame.bottom() + 1, 6 * line, line), below, text)
        for y, text in zip(ys, self._texts):
            middle = min(y, frame.bottom() - 0.3 * line)  # clear of the numbers below
            painter.drawText(QRectF(0, middle - line, frame.left() - GAP / 2, 2 * line), beside, text)
        if under:
            right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(QRectF(frame.left(), frame.bottom() + 1, frame.width() + 2 * GAP, line), right, under)

    def _times(self, start: float, end: float) -> tuple[list[float], int, int]:
        """Where the lower axis has numbers that stand clear of each other, their decimals, and the pixels of the widest."""
        if self._log_x:
            powers = range(int(np.floor(start)), int(np.ceil(end)) + 1)
            rounds = [np.log10(step) + power for power in powers for step in (1, 2, 5)]
            return [t for t in rounds if start - 1e-9 <= t <= end + 1e-9], 0, 2 * self._line
        most = max(1, int(self.frame.width() / (2 * self._line)))
        while True:
            times, decimals = _two_or_more(start, end, most)
            wide = max((self._metrics.horizontalAdvance(number(t, decimals)) for t in times), default=0)
            apart = self.x(times[1]) - self.x(times[0]) if len(times) > 1 else self.frame.width()
            if apart >= wide + 1.5 * GAP or most == 1:
                return times, decimals, wide
            most -= 1

    def _marks(self, most: int) -> tuple[list[float], list[str]]:
        """Where the left axis has numbers, and these: about `most` of them, or powers of ten."""
        low, high = self._view[2:]
        if not self._log:
            values, decimals = _two_or_more(low, high, most)
            texts = [number(value, decimals) for value in values]
            short = [significant(value, 3) for value in values]
            is_long = max(map(len, texts), default=0) > LONG
            return values, short if is_long and len(set(short)) == len(short) else texts
        first, last = int(np.ceil(low)), int(np.floor(high))
        powers = range(first, last + 1, max(1, -(-(last - first) // most)))
        return list(powers), [significant(10.0**k) for k in powers]

    def paint_curves(self, painter: QPainter, several: list[Curves], width: float = 0):
        """Every curve within the range, at most two points for each pixel across; `width` 0 is one pixel of the device.

        On the screen it has to be: Qt takes twenty times as long for 1.2.
        """
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
                painter.setPen(_pen(colour, width, curves.style))
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


def paint_entry(painter: QPainter, tokens: Tokens, at: QPointF, line: int, entry: Entry):
    """A curve's kind of line and its text, right of and below `at`, `line` pixels high."""
    colour, style, text = entry
    painter.setPen(QPen(QColor(colour), 2, DASHES[style % len(DASHES)]))
    painter.drawLine(at + QPointF(0, line / 2), at + QPointF(SWATCH, line / 2))
    painter.setPen(QColor(tokens.text))
    place = QRectF(at.x() + SWATCH + GAP, at.y(), 10_000, line)
    painter.drawText(place, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, text)


def _pen(colour: str, width: float, style: int) -> QPen:
    """The pen of a curve."""
    if style not in OVER:
        return QPen(QColor(colour), width, DASHES[style % len(DASHES)])
    pen = QPen(QColor(colour), width)
    pen.setDashPattern(OVER[style])
    return pen


def _two_or_more(low: float, high: float, most: int) -> tuple[list[float], int]:
    """About `most` ticks and their decimals; one number alone tells no scale."""
    found, decimals = ticks(low, high, most)
    if len(found) < 2:
        found, decimals = ticks(low, high, 2 * most + 1)
        found = found[:: max(1, len(found) - 1)]
    return found, decimals


def _runs(good: np.ndarray) -> list[tuple[int, int]]:
    """First and one past the last of every stretch of at least two that are true."""
    if good.all():
        return [(0, len(good))] if len(good) > 1 else []
    edges = np.flatnonzero(np.diff(np.r_[False, good, False].astype(np.int8)))
    return [(int(a), int(b)) for a, b in zip(edges[::2], edges[1::2]) if b - a > 1]
