"""`SliderLook`: the pictures that a joint's slider is put together from, painted once, for the arm moves ten times a second."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPixmap

from armature.app.style.colour_tokens import Tokens

NEAR = 0.05  # part of the range next to a limit that is shown amber
BAR = 2.0  # pixels, height of the bar of the free range
EDGE = 2.0  # pixels between the handle and the end of the slider


class SliderShape(NamedTuple):
    """What the pictures depend on: pixels, device pixels for each, where 0 is in the range, 0…1, and how the slider is."""

    width: int
    height: int
    scale: float
    zero: float
    limited: bool
    enabled: bool
    focused: bool
    colours: Tokens

    @property
    def radius(self) -> float:
        """Of the handle."""
        return min(7.0, self.height / 2 - EDGE)

    @property
    def groove(self) -> QRectF:
        """Where the handle's middle goes."""
        left = self.radius + EDGE
        return QRectF(left, self.height / 2 - 2, self.width - 2 * left, 4)

    @property
    def zero_x(self) -> float:
        """Where the handle's middle is at 0."""
        return self.groove.left() + self.groove.width() * self.zero


class SliderLook:
    """The groove empty and full, and the handle; the value is shown by how much of the full one is laid over the empty one."""

    def __init__(self, shape: SliderShape):
        self._empty, self._full, self._handle = _groove(shape, full=False), _groove(shape, full=True), _handle(shape)
        groove, side = shape.groove, self._handle.width() / shape.scale
        self._scale, self._left, self._width = shape.scale, groove.left(), groove.width()
        self._zero, self._half, self._top = round(shape.zero_x * shape.scale), side / 2, (shape.height - side) / 2

    def paint(self, painter: QPainter, part: float) -> None:
        """With the handle at that part of the range, 0…1."""
        scale, x = self._scale, self._left + self._width * part
        at, zero = round(x * scale), self._zero
        left, right = (at, zero) if at < zero else (zero, at)
        painter.drawPixmap(0, 0, self._empty)
        if left < right:  # of an empty part Qt draws the whole
            painter.drawPixmap(QPointF(left / scale, 0.0), self._full, QRectF(left, 0.0, right - left, self._full.height()))
        painter.drawPixmap(QPointF(round((x - self._half) * scale) / scale, self._top), self._handle)


def paint_free_range(painter: QPainter, shape: SliderShape, low: float, high: float) -> None:
    """Draw a bar below the groove: the part from `low` to `high`, 0…1, is free, the rest has the warning colour."""
    groove, colours = shape.groove, shape.colours
    for start, end, colour in ((0.0, low, colours.warn), (low, high, colours.good), (high, 1.0, colours.warn)):
        left = groove.left() + groove.width() * start
        painter.fillRect(QRectF(left, shape.height - BAR, groove.width() * (end - start), BAR), QColor(colour))


def _picture(size: QSizeF, scale: float) -> tuple[QPixmap, QPainter]:
    picture = QPixmap((size * scale).toSize())
    picture.setDevicePixelRatio(scale)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    return picture, painter


def _groove(shape: SliderShape, full: bool) -> QPixmap:
    picture, painter = _picture(QSizeF(shape.width, shape.height), shape.scale)
    tokens, groove = shape.colours, shape.groove
    fill = tokens.accent if shape.enabled else tokens.muted
    painter.setBrush(QColor(fill if full else tokens.border))
    painter.drawRoundedRect(groove, 2, 2)
    if shape.limited and not full:
        painter.setBrush(QColor(tokens.warn))
        painter.setOpacity(0.55)
        width = groove.width() * NEAR
        painter.drawRoundedRect(QRectF(groove.left(), groove.top(), width, groove.height()), 2, 2)
        painter.drawRoundedRect(QRectF(groove.right() - width, groove.top(), width, groove.height()), 2, 2)
        painter.setOpacity(1.0)
    zero = shape.zero_x
    if groove.left() + 3 < zero < groove.right() - 3:
        painter.setBrush(QColor(tokens.muted))
        painter.drawRect(QRectF(zero - 0.6, groove.top() - 3, 1.2, groove.height() + 6))
    painter.end()
    return picture


def _handle(shape: SliderShape) -> QPixmap:
    side, tokens = 2.0 * (shape.radius + EDGE), shape.colours
    picture, painter = _picture(QSizeF(side, side), shape.scale)
    painter.setBrush(QColor(tokens.surface if shape.enabled else tokens.raised))
    painter.setPen(QPen(QColor(tokens.accent if shape.enabled else tokens.muted), 2.4 if shape.focused else 1.6))
    painter.drawEllipse(QPointF(side / 2, side / 2), shape.radius - 1, shape.radius - 1)
    painter.end()
    return picture
