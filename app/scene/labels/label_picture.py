"""Pictures of labels: letters with a halo, and sentences on a ground of their own."""

from __future__ import annotations

from functools import lru_cache, reduce
from itertools import product
from math import ceil, floor, hypot

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QGuiApplication, QImage, QPainter, QPen

from armature.app.scene.labels.label import Label

TEXT_PIXELS = 13.5
MARGIN = 3.0  # logical pixels around all that is drawn
BRUSH = 1.6  # logical pixels that a halo extends beyond its letters
ACROSS, DOWN = 11.0, 5.0  # logical pixels between the text of a pill and the edge of its ground
CACHED = 400  # pictures


def label_picture(label: Label, scale: float, halo: str) -> np.ndarray:
    """Return the text of `label`, at `scale` pixels per logical one, as premultiplied red, green, blue and opacity `(h, w, 4)`.

    Equal pictures are the same array.
    """
    if label.pill:
        return _pill(label.text, label.colour, label.size, label.faint, scale, halo)
    base, _, index = (label.text, "", "") if label.plain else label.text.partition("_")
    return _letters(base, index, label.colour, label.size, label.faint, scale, "" if label.bare else halo)


def wrapped(pill: Label, room: float, scale: float) -> Label:
    """Return a pill with line breaks after colons, and between words where a line is still wider than `room` pixels."""
    metrics = QFontMetricsF(_font(pill.size, pill.faint, scale))
    room = max(0.0, floor(room) - 2.0 * (ACROSS + MARGIN) * scale)
    if metrics.horizontalAdvance(pill.text) <= room:
        return pill
    lines: list[str] = []
    for clause in pill.text.replace(": ", ":\n").split("\n"):
        line = ""
        for word in clause.split(" "):
            longer = f"{line} {word}" if line else word
            if line and metrics.horizontalAdvance(longer) > room:
                lines.append(line)
                longer = word
            line = longer
        lines.append(line)
    return pill._replace(text="\n".join(metrics.elidedText(line, Qt.TextElideMode.ElideRight, room) for line in lines))


def _font(size: float, faint: bool, scale: float) -> QFont:
    font = QFont(QGuiApplication.font())
    font.setPixelSize(max(6, round(TEXT_PIXELS * size * scale)))
    font.setWeight(QFont.Weight.Normal if faint else QFont.Weight.DemiBold)
    return font


def _edges(box: QRectF, scale: float) -> tuple[int, int, int, int]:
    """Left, top, width and height of the whole pixels that hold `box` with its margin."""
    margin = MARGIN * scale
    left, top = floor(box.left() - margin), floor(box.top() - margin)
    return left, top, ceil(box.right() + margin - left), ceil(box.bottom() + margin - top)


@lru_cache(maxsize=CACHED)
def _letters(base: str, index: str, colour: str, size: float, faint: bool, scale: float, halo: str) -> np.ndarray:
    """Ink over halo, on nothing; the pen is at a whole pixel, where letters are as sharp as the system has them."""
    font = _font(size, faint, scale)
    small = QFont(font)
    small.setPixelSize(max(5, round(0.72 * font.pixelSize())))
    beside = QPointF(QFontMetricsF(font).horizontalAdvance(base) + 0.5 * scale, 0.24 * font.pixelSize())
    runs = [(font, QPointF(), base), *([(small, beside, index)] if index else [])]
    boxes = [QFontMetricsF(each).tightBoundingRect(text).translated(at) for each, at, text in runs]
    left, top, width, height = _edges(reduce(QRectF.united, boxes), scale)
    image = QImage(width, height, QImage.Format.Format_Grayscale8)
    image.fill(0)
    painter = QPainter(image)
    painter.translate(-left, -top)
    painter.setPen(Qt.GlobalColor.white)
    for each, at, text in runs:
        painter.setFont(each)
        painter.drawText(at, text)
    painter.end()
    pixels = np.frombuffer(image.constBits(), np.uint8).reshape(height, image.bytesPerLine())
    cover = pixels[:, :width] / np.float32(255.0)
    ink = cover * np.float32(0.78 if faint else 1.0)
    picture = ink[..., None] * _rgba(colour)
    if halo:
        picture += (_widened(cover, BRUSH * scale) * np.float32(0.8) * (1.0 - ink))[..., None] * _rgba(halo)
    return np.rint(picture).astype(np.uint8)


def _rgba(colour: str) -> np.ndarray:
    return np.array([*bytes.fromhex(colour[1:7]), 255], np.float32)


def _widened(cover: np.ndarray, radius: float) -> np.ndarray:
    """Cover `(h, w)`, 0 to 1, with a round brush of that radius in pixels run over it; beyond the edge there is nothing."""
    height, width = cover.shape
    reach = ceil(radius)
    out = np.zeros((height + 2 * reach, width + 2 * reach), np.float32)
    for across, down in product(range(2 * reach + 1), repeat=2):
        part = min(1.0, radius + 0.5 - hypot(across - reach, down - reach))
        if part > 0.0:
            around = out[down : down + height, across : across + width]
            np.maximum(around, cover * np.float32(part), out=around)
    return out[reach : reach + height, reach : reach + width]


@lru_cache(maxsize=16)
def _pill(text: str, colour: str, size: float, faint: bool, scale: float, halo: str) -> np.ndarray:
    """Lines of a sentence on a rounded ground, as high for every text of as many lines."""
    font, lines = _font(size, faint, scale), text.split("\n")
    metrics, across, down = QFontMetricsF(font), ACROSS * scale, DOWN * scale
    down += 0.12 * metrics.height()
    ground = QRectF(0.0, -metrics.capHeight(), max(map(metrics.horizontalAdvance, lines)), metrics.capHeight())
    ground.adjust(-across, -down, across, down + (len(lines) - 1) * metrics.lineSpacing())
    left, top, width, height = _edges(ground, scale)
    image = QImage(width, height, QImage.Format.Format_RGBA8888_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.translate(-left, -top)
    fill, line = QColor(halo), QColor(colour)
    fill.setAlphaF(0.86)
    line.setAlphaF(0.7)
    painter.setPen(QPen(line, 1.2 * scale))
    painter.setBrush(fill)
    radius = 0.5 * metrics.capHeight() + down
    painter.drawRoundedRect(ground, radius, radius)
    painter.setFont(font)
    painter.setPen(QColor(colour))
    for k, line_text in enumerate(lines):
        x = ground.center().x() - 0.5 * metrics.horizontalAdvance(line_text)
        painter.drawText(QPointF(x, k * metrics.lineSpacing()), line_text)
    painter.end()
    return np.frombuffer(image.constBits(), np.uint8).reshape(height, width, 4).copy()
