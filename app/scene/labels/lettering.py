"""Letters as pixels: how much of each they cover, with a halo around them, in a few array operations for any length of text.

Filling the outlines of a sentence and stroking them for a halo takes twenty times as long.
"""

from __future__ import annotations

from functools import lru_cache, reduce
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter


class Run(NamedTuple):
    """A piece of text in one font, from `x`, `y` on in pixels, where y goes down."""

    x: float
    y: float
    font: QFont
    text: str

    def box(self) -> QRectF:
        """What its letters cover."""
        return QFontMetricsF(self.font).tightBoundingRect(self.text).translated(self.x, self.y)


def united(runs: list[Run]) -> QRectF:
    """What the letters of all of them cover."""
    return reduce(QRectF.united, [run.box() for run in runs])


def cover(runs: list[Run], left: int, top: int, width: int, height: int) -> np.ndarray:
    """Which part of each pixel `(height, width)` of that rectangle the letters cover, 0 to 1."""
    image = QImage(width, height, QImage.Format.Format_Grayscale8)
    image.fill(0)
    painter = QPainter(image)
    painter.translate(-left, -top)
    painter.setPen(Qt.GlobalColor.white)
    for run in runs:
        painter.setFont(run.font)
        painter.drawText(QPointF(run.x, run.y), run.text)
    painter.end()
    pixels = np.frombuffer(image.constBits(), np.uint8).reshape(height, image.bytesPerLine())
    return pixels[:, :width] / np.float32(255.0)


def widened(covered: np.ndarray, radius: float) -> np.ndarray:
    """The same with a round brush of that radius in pixels run over it; beyond the edge there is nothing."""
    height, width = covered.shape
    reach = int(np.ceil(radius))
    out = np.zeros((height + 2 * reach, width + 2 * reach), np.float32)
    for across, down, part in _brush(radius):
        around = out[reach + down : reach + down + height, reach + across : reach + across + width]
        np.maximum(around, covered * part, out=around)
    return out[reach : reach + height, reach : reach + width]


@lru_cache
def _brush(radius: float) -> list[tuple[int, int, np.float32]]:
    """Pixels from its middle, and which part of each it covers."""
    steps = range(-int(np.ceil(radius)), int(np.ceil(radius)) + 1)
    parts = [(i, j, min(1.0, radius + 0.5 - float(np.hypot(i, j)))) for i in steps for j in steps]
    return [(i, j, np.float32(part)) for i, j, part in parts if part > 0.0]


def painted(over: np.ndarray, ink: QColor, under: np.ndarray, halo: QColor) -> np.ndarray:
    """Ink over halo, each where it covers a pixel `(h, w)`, on nothing: blue, green, red and alpha, premultiplied `(h, w, 4)`."""
    a, b = over * np.float32(ink.alphaF()), under * np.float32(halo.alphaF())
    b = b * (1.0 - a)
    return np.rint(a[..., None] * _bgra(ink) + b[..., None] * _bgra(halo)).astype(np.uint8)


def _bgra(colour: QColor) -> np.ndarray:
    return np.array([colour.blue(), colour.green(), colour.red(), 255], np.float32)
