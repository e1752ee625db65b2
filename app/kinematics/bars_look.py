"""`BarsLook`: the pictures that bars of singular values are put together from, painted once; values change ten times a second."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPixmap

from armature.app.style.colour_tokens import Tokens, level_colour
from armature.engine.thresholds import Level

HIGH, LEAST = 8.0, 4.0  # px of a bar: its height, and what is seen of one that is empty
GAP = 8.0  # px between a bar and what stands beside it


class BarsLook:
    """`many` bars in lines `row` px high, `width` px wide with their names and numbers, at `scale` device pixels each."""

    def __init__(self, width: int, scale: float, many: int, row: int, font: QFont, colours: Tokens):
        self.made_for = width, scale, many
        self.ink = QColor(colours.text)
        metrics = QFontMetricsF(font)
        self._digit, self._right, self._row, self._scale = metrics.horizontalAdvance("8"), float(width), row, scale
        self._base = (row - metrics.height()) / 2 + metrics.ascent()
        left, right = metrics.horizontalAdvance("σ8") + GAP, metrics.horizontalAdvance("8.888e-88") + GAP
        self._left, self._least = self._whole(left), round(LEAST * scale)
        self._width = self._whole(width - right) - self._left
        self._places = [QPointF(self._left, self._whole(k * row + row / 2 - HIGH / 2)) for k in range(many)]
        fills = {level: colours.accent if level is Level.FINE else level_colour(colours, level) for level in Level}
        self._bars = {level: self._bar(colour) for level, colour in fills.items()}
        self.ground = self._ground(many, font, colours)

    def paint_bar(self, painter: QPainter, k: int, part: float, level: Level) -> None:
        """Bar `k`, as long as that part of the longest; both its ends are those of the whole."""
        bar, scale, at = self._bars[level], self._scale, self._places[k]
        long, high = max(self._least, round(bar.width() * part)), bar.height()
        half = long - long // 2
        painter.drawPixmap(at, bar, QRectF(0, 0, half, high))
        if half < long:
            painter.drawPixmap(
                QPointF(at.x() + half / scale, at.y()), bar, QRectF(bar.width() - long + half, 0, long - half, high)
            )

    def paint_number(self, painter: QPainter, k: int, number: str) -> None:
        """Beside bar `k`, in digits that are all as wide."""
        painter.drawText(QPointF(self._right - self._digit * len(number), k * self._row + self._base), number)

    def _whole(self, length: float) -> float:
        """Of device pixels, so that there is no seam in a bar."""
        return round(length * self._scale) / self._scale

    def _bar(self, colour: str) -> QPixmap:
        picture, painter = self._picture(QSizeF(self._width, HIGH))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colour))
        painter.drawRoundedRect(QRectF(0.0, 0.0, self._width, HIGH), HIGH / 2, HIGH / 2)
        painter.end()
        return picture

    def _ground(self, many: int, font: QFont, colours: Tokens) -> QPixmap:
        """The empty bars with their names."""
        picture, painter = self._picture(QSizeF(self._right, many * self._row))
        painter.setFont(font)
        painter.setPen(QColor(colours.muted))
        for k in range(many):
            painter.drawText(QPointF(0.0, k * self._row + self._base), f"σ{chr(0x2081 + k)}")
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colours.raised))
        for place in self._places:
            painter.drawRoundedRect(QRectF(self._left, place.y(), self._width, HIGH), HIGH / 2, HIGH / 2)
        painter.end()
        return picture

    def _picture(self, size: QSizeF) -> tuple[QPixmap, QPainter]:
        picture = QPixmap((size * self._scale).toSize())
        picture.setDevicePixelRatio(self._scale)
        picture.fill(Qt.GlobalColor.transparent)
        painter = QPainter(picture)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        return picture, painter
