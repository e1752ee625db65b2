"""`JointMap`: a quantity over two joints as a heat map, the curves on which the arm is singular, and where the arm is."""

from __future__ import annotations

from math import hypot
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QBrush, QColor, QImage, QPainter, QPen, QPixmap
from PySide6.QtWidgets import QSizePolicy, QWidget

from armature.app.singularity.map_axis import MapAxis, axis_ticks
from armature.app.state.units import MINUS, Units
from armature.app.style.colormap import lookup_bytes, normalised
from armature.app.style.colour_tokens import Tokens

if TYPE_CHECKING:
    from armature.engine import SingularityMap

REACH = 14.0  # logical pixels from the dot within which the pointer takes it
DOT = 6.5
ARROWS = {Qt.Key.Key_Left: (-1, 0), Qt.Key.Key_Right: (1, 0), Qt.Key.Key_Up: (0, 1), Qt.Key.Key_Down: (0, -1)}
INK, PAPER = "#101418", "#ffffff"  # of curves and dot, which lie on the colours of the map and not on those of the theme


class JointMap(QWidget):
    """Tells `grabbed()`, `moved(x, y)` in rad and m, `released()`, `nudged(x, y)` in steps and whether the key repeats, and
    `hovered(point)`, None where the pointer is elsewhere."""

    grabbed = Signal()
    moved = Signal(float, float)
    released = Signal()
    nudged = Signal(int, int, bool)
    hovered = Signal(object)

    def __init__(self, units: Units):
        super().__init__()
        self._units, self._axes = units, (MapAxis(), MapAxis())
        self._tokens: Tokens | None = None
        self._map: SingularityMap | None = None
        self._still: QPixmap | None = None  # all but the dot
        self._image, self._words = QImage(), ""
        self.point: tuple[float, float] | None = None
        self._held = False
        self.setAccessibleName("Map of two joints")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(220, 150)

    def sizeHint(self) -> QSize:
        """Wide and not high."""
        return QSize(460, 230)

    # -- what is shown ---------------------------------------------------------------------------------------------------------

    def set_axes(self, across: MapAxis, up: MapAxis) -> None:
        """Other joints; the map of the last ones goes."""
        self._axes = across, up
        self.show_map(None)

    def show_map(self, result: SingularityMap | None, words: str = "") -> None:
        """Show a map, or `words` in its place."""
        self._map, self._words, self._image = result, words, QImage()
        if result is not None:
            values, _, _ = normalised(result.values.T[::-1])
            colours = np.ascontiguousarray(lookup_bytes(values.ravel()).reshape(*values.shape, 4))
            self._image = QImage(colours.data, values.shape[1], values.shape[0], QImage.Format.Format_RGBA8888).copy()
        self._redraw()

    def set_point(self, x: float, y: float) -> None:
        """Where the arm is, in rad or m."""
        self.point = x, y
        units = self._units
        said = (f"{axis.name} {units.text(value, axis.slides)}" for axis, value in zip(self._axes, self.point, strict=True))
        self.setAccessibleDescription(", ".join(said))
        self.update()

    def on_dot(self, point: tuple[float, float]) -> bool:
        """True where a point is drawn within the dot."""
        if self.point is None:
            return False
        away = self.pixel(*self.point) - self.pixel(*point)
        return hypot(away.x(), away.y()) <= DOT

    def set_units(self, units: Units) -> None:
        """Angles and lengths in other units."""
        self._units = units
        self._redraw()

    def set_theme(self, tokens: Tokens) -> None:
        """Colours of what is around the map."""
        self._tokens = tokens
        self._redraw()

    def _redraw(self) -> None:
        self._still = None
        self.update()

    def resizeEvent(self, event):
        self._redraw()

    # -- from values to pixels and back ----------------------------------------------------------------------------------------

    def plot(self) -> QRectF:
        """Where the map lies, in logical pixels; its margins beyond the limits belong to it."""
        line = self.fontMetrics().height()
        left = line + 12 + self.fontMetrics().horizontalAdvance(f"{MINUS}0000")
        return QRectF(left, 6, max(10.0, self.width() - left - 14), max(10.0, self.height() - 2 * line - 16))

    def pixel(self, x: float, y: float) -> QPointF:
        """Where a point of the map is."""
        plot, (across, up) = self.plot(), self._axes
        return QPointF(plot.left() + across.share(x) * plot.width(), plot.bottom() - up.share(y) * plot.height())

    def values(self, at: QPointF) -> tuple[float, float]:
        """The point under a pixel, within the ranges."""
        plot, (across, up) = self.plot(), self._axes
        return across.value((at.x() - plot.left()) / plot.width()), up.value((plot.bottom() - at.y()) / plot.height())

    # -- painting --------------------------------------------------------------------------------------------------------------

    def paintEvent(self, event):
        if self._tokens is None:
            return
        if self._still is None:
            self._still = self._drawn(self._tokens)
        painter = QPainter(self)
        painter.drawPixmap(0, 0, self._still)
        if self.point is not None and self._map is not None:
            self._draw_dot(painter, self._tokens, self.point)
        painter.end()

    def _drawn(self, tokens: Tokens) -> QPixmap:
        """All but the dot."""
        ratio = self.devicePixelRatioF()
        picture = QPixmap(self.size() * ratio)
        picture.setDevicePixelRatio(ratio)
        picture.fill(Qt.GlobalColor.transparent)
        painter, plot = QPainter(picture), self.plot()
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
        painter.setFont(self.font())
        painter.fillRect(plot, QColor(tokens.raised))
        painter.fillRect(plot, QBrush(QColor(tokens.muted), Qt.BrushStyle.BDiagPattern))  # beyond the limits
        (x0, x1), (y0, y1) = ((axis.low, axis.high) for axis in self._axes)
        inside = QRectF(self.pixel(x0, y1), self.pixel(x1, y0))
        painter.fillRect(inside, QColor(tokens.surface))
        if self._map is not None:
            painter.drawImage(inside, self._image)
            painter.setClipRect(inside)
            self._draw_curves(painter, self._map)
            painter.setClipping(False)
        else:
            painter.setPen(QColor(tokens.muted))
            box = plot.adjusted(10, 0, -10, 0)
            painter.fillRect(inside, QColor(tokens.surface))
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, self._words)
        self._draw_axes(painter, tokens, plot)
        painter.end()
        return picture

    def _draw_curves(self, painter: QPainter, shown: SingularityMap) -> None:
        """White on black, seen on every colour of the map; a place where rank is lost at one pose only is a small ring."""
        plot, (across, up) = self.plot(), self._axes
        lines = []
        for x, y in (curve.T for curve in shown.curves):
            left, top = plot.left() + across.share(x) * plot.width(), plot.bottom() - up.share(y) * plot.height()
            lines.append([QPointF(*at) for at in zip(left.tolist(), top.tolist(), strict=True)])
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for colour, width in ((INK, 4.2), (PAPER, 1.8)):
            painter.setPen(QPen(QColor(colour), width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin))
            for line in lines:
                painter.drawPolyline(line) if len(line) > 1 else painter.drawEllipse(line[0], 3.5, 3.5)

    def _draw_axes(self, painter: QPainter, tokens: Tokens, plot: QRectF) -> None:
        (across, up), line = self._axes, self.fontMetrics().height()
        for axis, room in ((across, plot.width() / (4 * line)), (up, plot.height() / (1.7 * line))):
            for value, text in axis_ticks(axis, self._units, int(room)):
                at = self.pixel(value if axis is across else across.low, up.low if axis is across else value)
                painter.setPen(QColor(tokens.muted))
                if axis is across:
                    painter.drawLine(QPointF(at.x(), plot.bottom()), QPointF(at.x(), plot.bottom() + 4))
                    painter.drawText(
                        QRectF(at.x() - 3 * line, plot.bottom() + 5, 6 * line, line), Qt.AlignmentFlag.AlignHCenter, text
                    )
                else:
                    painter.drawLine(QPointF(plot.left() - 4, at.y()), QPointF(plot.left(), at.y()))
                    box, align = QRectF(0, at.y() - line / 2, plot.left() - 7, line), Qt.AlignmentFlag.AlignRight
                    painter.drawText(box, align | Qt.AlignmentFlag.AlignVCenter, text)
        painter.setPen(QColor(tokens.text))
        below = QRectF(plot.left(), plot.bottom() + line + 6, plot.width(), line + 2)
        painter.drawText(below, Qt.AlignmentFlag.AlignHCenter, across.title(self._units))
        painter.translate(line, plot.center().y())
        painter.rotate(-90)
        beside = QRectF(-plot.height() / 2, -line, plot.height(), line + 2)
        painter.drawText(beside, Qt.AlignmentFlag.AlignHCenter, up.title(self._units))

    def _draw_dot(self, painter: QPainter, tokens: Tokens, point: tuple[float, float]) -> None:
        """Full where the arm is on the map, hollow where it is beyond its limits."""
        x, y = (min(max(v, axis.low), axis.high) for v, axis in zip(point, self._axes, strict=True))
        at = self.pixel(x, y)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(QColor(tokens.accent) if (x, y) == point else Qt.BrushStyle.NoBrush)
        grown = DOT + 1.5 * (self._held or self.hasFocus())
        for colour, width, radius in ((INK, 1.5, grown + 2.0), (PAPER, 2.6, grown)):
            painter.setPen(QPen(QColor(colour), width))
            painter.drawEllipse(at, radius, radius)

    # -- mouse and keys --------------------------------------------------------------------------------------------------------

    def mousePressEvent(self, event):
        if event.button() == Qt.MouseButton.LeftButton and self._map is not None and self.plot().contains(event.position()):
            self._held = True
            self.grabbed.emit()
            if self.point is None or (self.pixel(*self.point) - event.position()).manhattanLength() > REACH:
                self.moved.emit(*self.values(event.position()))

    def mouseMoveEvent(self, event):
        if self._held:
            self.moved.emit(*self.values(event.position()))
        inside = self._map is not None and (self._held or self.plot().contains(event.position()))
        self.setCursor(Qt.CursorShape.CrossCursor if inside else Qt.CursorShape.ArrowCursor)
        self.hovered.emit(self.values(event.position()) if inside else None)

    def mouseReleaseEvent(self, event):
        if event.button() == Qt.MouseButton.LeftButton:
            self.let_go()

    def let_go(self) -> None:
        """The dot is not held any more, although the button may still be down."""
        if self._held:
            self._held = False
            self.released.emit()
            self.update()

    def leaveEvent(self, event):
        self.hovered.emit(None)

    def keyPressEvent(self, event):
        if event.key() in ARROWS and self._map is not None:
            times = 10 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1
            x, y = ARROWS[event.key()]
            self.nudged.emit(x * times, y * times, event.isAutoRepeat())
        else:
            super().keyPressEvent(event)

    def event(self, event):
        """Arrow keys move the dot, before any shortcut of the window."""
        if event.type() == QEvent.Type.ShortcutOverride and event.key() in ARROWS:
            event.accept()
            return True
        return super().event(event)
