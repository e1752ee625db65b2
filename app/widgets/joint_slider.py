"""A slider that shows a joint's limits, with one gesture per drag or key press."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QRectF, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPen, QPixmap
from PySide6.QtWidgets import QSizePolicy, QSlider

from armature.app.state.edits.pose_edit import next_gesture
from armature.app.style.colour_tokens import Tokens

STEPS = 20_000
NEAR = 0.05  # part of the range next to a limit that is shown amber
KEYS = {Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Home, Qt.Key.Key_End}
KEYS |= {Qt.Key.Key_PageUp, Qt.Key.Key_PageDown}


class JointSlider(QSlider):
    """Horizontal slider over a real interval; `moved(value, gesture)` tells what a person did, never what a program set."""

    moved = Signal(float, int)

    def __init__(self, low: float, high: float, limited: bool, key_step: float):
        super().__init__(Qt.Orientation.Horizontal)
        self._gesture, self._wheeling, self._grip = next_gesture(), False, 0.0
        self._colours: Tokens | None = None
        self._painted: tuple[tuple, QPixmap] | None = None  # what it was made for, and the ground
        self.setRange(0, STEPS)
        self.set_interval(low, high, limited, key_step)
        self.setMinimumHeight(22)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.valueChanged.connect(self._on_value)

    def set_interval(self, low: float, high: float, limited: bool, key_step: float):
        """Another interval; where the handle stands in it comes with the next `show_value`."""
        self._low, self._high, self._limited = low, high, limited
        self.set_key_step(key_step)
        self.update()

    def set_key_step(self, step: float):
        """How far one press of an arrow key goes, in the units of the interval."""
        self.setSingleStep(max(1, round(step / (self._high - self._low) * STEPS)))
        self.setPageStep(10 * self.singleStep())

    def set_theme(self, tokens: Tokens):
        """Colours for painting."""
        self._colours = tokens
        self.update()

    def show_value(self, value: float):
        """Follow the document without telling it."""
        position = round((value - self._low) / (self._high - self._low) * STEPS)
        if position != self.value():
            with QSignalBlocker(self):
                self.setValue(position)

    def _on_value(self, position: int):
        self.moved.emit(self._low + (self._high - self._low) * position / STEPS, self._gesture)

    # One drag, one key press (however long it is held) and one run of the wheel are a gesture each.

    def mousePressEvent(self, event):
        if event.button() != Qt.MouseButton.LeftButton:
            event.ignore()
            return
        self._begin()
        handle, x = self._handle_x(self.value()), event.position().x()
        self._grip = x - handle if abs(x - handle) <= self._radius() + 2 else 0.0
        self.setSliderDown(True)
        self._drag_to(x)

    def mouseMoveEvent(self, event):
        if self.isSliderDown():
            self._drag_to(event.position().x())

    def mouseReleaseEvent(self, event):
        if event.button() == Qt.MouseButton.LeftButton and self.isSliderDown():
            self.setSliderDown(False)

    def wheelEvent(self, event):
        if not self.hasFocus():
            event.ignore()  # the wheel scrolls the panel unless this slider was chosen
            return
        if not self._wheeling:
            self._begin()
            self._wheeling = True
        super().wheelEvent(event)

    def keyPressEvent(self, event):
        if not event.isAutoRepeat():
            self._begin()
        super().keyPressEvent(event)

    def focusOutEvent(self, event):
        self._begin()
        super().focusOutEvent(event)

    def event(self, event):
        """Arrow keys belong to the focused slider, before any shortcut of the window."""
        if event.type() == QEvent.Type.ShortcutOverride and event.key() in KEYS and not event.modifiers():
            event.accept()
            return True
        return super().event(event)

    def _begin(self):
        self._gesture, self._wheeling = next_gesture(), False

    def _drag_to(self, x: float):
        left, right = self._span()
        self.setSliderPosition(round((x - self._grip - left) / max(right - left, 1.0) * STEPS))

    def _radius(self) -> float:
        return min(7.0, self.height() / 2 - 2)

    def _span(self) -> tuple[float, float]:
        return self._radius() + 2, self.width() - self._radius() - 2

    def _handle_x(self, position: float) -> float:
        left, right = self._span()
        return left + (right - left) * position / STEPS

    def paintEvent(self, event):
        if self._colours is None:
            return
        tokens, painter = self._colours, QPainter(self)
        painter.drawPixmap(0, 0, self._ground(tokens))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        middle, x = self.height() / 2, self._handle_x(self.sliderPosition())
        painter.setPen(Qt.PenStyle.NoPen)
        self._paint_fill(painter, tokens, self._groove(), x)
        on = self.isEnabled()
        painter.setBrush(QColor(tokens.surface if on else tokens.raised))
        painter.setPen(QPen(QColor(tokens.accent if on else tokens.muted), 2.4 if self.hasFocus() else 1.6))
        painter.drawEllipse(QPointF(x, middle), self._radius() - 1, self._radius() - 1)
        painter.end()

    def _groove(self) -> QRectF:
        left, right = self._span()
        return QRectF(left, self.height() / 2 - 2, right - left, 4)

    def _ground(self, tokens: Tokens) -> QPixmap:
        """What the value does not change, painted once: the arm moves ten times a second."""
        made_for = self.width(), self.height(), self.devicePixelRatioF(), self._limited, tokens
        if self._painted is None or self._painted[0] != made_for:
            pixels = self.size() * self.devicePixelRatioF()
            ground = QPixmap(pixels)
            ground.setDevicePixelRatio(self.devicePixelRatioF())
            ground.fill(Qt.GlobalColor.transparent)
            painter = QPainter(ground)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(tokens.border))
            painter.drawRoundedRect(self._groove(), 2, 2)
            self._paint_zones(painter, tokens, self._groove())
            painter.end()
            self._painted = made_for, ground
        return self._painted[1]

    def _paint_zones(self, painter: QPainter, tokens: Tokens, groove: QRectF):
        if not self._limited:
            return
        painter.setBrush(QColor(tokens.warn))
        painter.setOpacity(0.55)
        width = groove.width() * NEAR
        painter.drawRoundedRect(QRectF(groove.left(), groove.top(), width, groove.height()), 2, 2)
        painter.drawRoundedRect(QRectF(groove.right() - width, groove.top(), width, groove.height()), 2, 2)
        painter.setOpacity(1.0)

    def _paint_fill(self, painter: QPainter, tokens: Tokens, groove: QRectF, x: float):
        zero = self._handle_x(min(max(-self._low / (self._high - self._low), 0.0), 1.0) * STEPS)
        painter.setBrush(QColor(tokens.accent if self.isEnabled() else tokens.muted))
        painter.drawRoundedRect(QRectF(min(zero, x), groove.top(), abs(x - zero), groove.height()), 2, 2)
        if groove.left() + 3 < zero < groove.right() - 3:
            painter.setBrush(QColor(tokens.muted))
            painter.drawRect(QRectF(zero - 0.6, groove.top() - 3, 1.2, groove.height() + 6))
