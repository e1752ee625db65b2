"""A figure of a recording: panes of curves over one time axis, drawn by Qt into a picture or a vector file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PySide6.QtCore import QBuffer, QMarginsF, QPointF, QRectF, QSize, QSizeF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPageSize, QPainter, QPdfWriter, QPen, QPolygonF
from PySide6.QtSvg import QSvgGenerator

from armature.app.plots.axis_ticks import ticks
from armature.app.plots.curves import fitted, number, thinned
from armature.app.plots.recorded_signals import Pane
from armature.app.scene.picture_file import save_drawing, save_picture
from armature.app.style.colour_tokens import Tokens

DPI = 96
_FEW = 60  # samples that are marked


class Figure:
    """Draws `panes`, one below the other, over `t` `(N,)`: times in s, or what `axis` says; few samples are marked by dots."""

    def __init__(self, t: np.ndarray, panes: list[Pane], caption: str, tokens: Tokens, axis: str = "time [s]"):
        self._axis = axis
        self._t, self._panes, self._caption, self._tokens = t, panes, caption, tokens
        self._font = QFont()
        self._font.setPixelSize(12)
        self._metrics = QFontMetricsF(self._font)
        self._line = self._metrics.height()

    def save(self, path: Path, width: int, height: int) -> None:
        """Writes a picture of that many pixels, or a vector file of that size at 96 dpi; EngineError where it cannot be."""
        if path.suffix.lower() == ".png":
            image = QImage(width, height, QImage.Format.Format_RGB32)
            self._paint(image, width, height)
            save_picture(image, path)
        else:
            save_drawing(path, lambda buffer: self._drawn(buffer, path.suffix.lower(), width, height))

    def _drawn(self, buffer: QBuffer, suffix: str, width: int, height: int) -> bool:
        if suffix == ".svg":
            drawing = QSvgGenerator()
            drawing.setOutputDevice(buffer)
            drawing.setSize(QSize(width, height))
            drawing.setViewBox(QRectF(0, 0, width, height))
            drawing.setResolution(DPI)
            drawing.setTitle(self._caption)
            return self._paint(drawing, width, height)
        device = QPdfWriter(buffer)
        device.setResolution(DPI)
        device.setTitle(self._caption)
        device.setPageSize(QPageSize(QSizeF(width * 25.4 / DPI, height * 25.4 / DPI), QPageSize.Unit.Millimeter))
        device.setPageMargins(QMarginsF())
        return self._paint(device, width, height)

    def _paint(self, device, width: int, height: int) -> bool:
        painter = QPainter()
        if not painter.begin(device):
            return False
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self._font)
        painter.fillRect(QRectF(0, 0, width, height), QColor(self._tokens.surface))
        self._text(painter, QRectF(0, 6, width, self._line), self._caption, self._tokens.text, Qt.AlignmentFlag.AlignCenter)
        top, foot = 2 * self._line, 2.2 * self._line
        each = (height - top - foot) / len(self._panes)
        left, right = self._metrics.horizontalAdvance("−8888.88") + 12, self._legend_width() + 14
        for k, pane in enumerate(self._panes):
            frame = QRectF(left, top + k * each + 1.4 * self._line, width - left - right, each - 1.9 * self._line)
            self._paint_pane(painter, frame, pane, last=k == len(self._panes) - 1)
        return painter.end()

    def _legend_width(self) -> float:
        return 26 + max(self._metrics.horizontalAdvance(name) for pane in self._panes for name in pane.names)

    def _paint_pane(self, painter: QPainter, frame: QRectF, pane: Pane, last: bool):
        start, end = float(self._t[0]), float(self._t[-1])
        end = end if end > start else start + 1.0
        low, high = fitted(pane.values)
        self._grid(painter, frame, (start, end, low, high), last)
        title = f"{pane.title} [{pane.unit}]" if pane.unit else pane.title
        above = QRectF(frame.left(), frame.top() - 1.3 * self._line, frame.width(), self._line)
        self._text(painter, above, title, self._tokens.text, Qt.AlignmentFlag.AlignLeft)
        t, values = thinned(self._t, pane.values, (end - start) / (2 * frame.width()))
        x = frame.left() + (t - start) * (frame.width() / (end - start))
        y = frame.bottom() - (values - low) * (frame.height() / (high - low))
        painter.save()
        painter.setClipRect(frame)
        for k in range(y.shape[1]):
            painter.setPen(self._pen(k))
            good = np.isfinite(y[:, k])
            points = [QPointF(a, b) for a, b in zip(x[good].tolist(), y[good, k].tolist())]
            painter.drawPolyline(QPolygonF(points))
            for point in points if len(self._t) <= _FEW else ():
                painter.drawEllipse(point, 2.5, 2.5)
        painter.restore()
        for k, name in enumerate(pane.names):
            beside = QRectF(frame.right() + 34, frame.top() + k * self._line, self._legend_width(), self._line)
            painter.setPen(self._pen(k))
            painter.drawLine(QPointF(frame.right() + 10, beside.center().y()), QPointF(frame.right() + 29, beside.center().y()))
            self._text(painter, beside, name, self._tokens.text, Qt.AlignmentFlag.AlignLeft)

    def _grid(self, painter: QPainter, frame: QRectF, ranges: tuple[float, float, float, float], last: bool):
        start, end, low, high = ranges
        times, time_decimals = ticks(start, end, max(1, round(frame.width() / (5 * self._line))))
        values, decimals = ticks(low, high, max(1, round(frame.height() / (2 * self._line))))
        for t in times:
            x = frame.left() + (t - start) / (end - start) * frame.width()
            painter.setPen(QColor(self._tokens.raised))
            painter.drawLine(QPointF(x, frame.top()), QPointF(x, frame.bottom()))
            if last:
                below = QRectF(x - 40, frame.bottom() + 2, 80, self._line)
                self._text(painter, below, f"{t:.{time_decimals}f}", self._tokens.muted, Qt.AlignmentFlag.AlignCenter)
        for value in values:
            y = frame.bottom() - (value - low) / (high - low) * frame.height()
            painter.setPen(QColor(self._tokens.raised))
            painter.drawLine(QPointF(frame.left(), y), QPointF(frame.right(), y))
            before = QRectF(0, y - self._line / 2, frame.left() - 6, self._line)
            self._text(painter, before, number(value, decimals), self._tokens.muted, Qt.AlignmentFlag.AlignRight)
        painter.setPen(QColor(self._tokens.border))
        painter.drawRect(frame)
        if last:
            below = QRectF(frame.left(), frame.bottom() + self._line + 2, frame.width(), self._line)
            self._text(painter, below, self._axis, self._tokens.muted, Qt.AlignmentFlag.AlignCenter)

    def _pen(self, k: int) -> QPen:
        styles = (Qt.PenStyle.SolidLine, Qt.PenStyle.DashLine, Qt.PenStyle.DotLine)
        series = self._tokens.series
        return QPen(QColor(series[k % len(series)]), 1.5, styles[k // len(series) % len(styles)])

    def _text(self, painter: QPainter, place: QRectF, text: str, colour: str, align: Qt.AlignmentFlag):
        painter.setPen(QColor(colour))
        painter.drawText(place, align | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextDontClip, text)
