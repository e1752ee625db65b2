"""A slider that shows a joint's limits, with one gesture per drag or key press."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QSizePolicy, QSlider

from armature.app.state.edits.pose_edit import next_gesture
from armature.app.style.colour_tokens import Tokens
from armature.app.widgets.slider_look import EDGE, SliderLook, SliderShape, paint_free_range

STEPS = 20_000
KEYS = {Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Home, Qt.Key.Key_End}
KEYS |= {Qt.Key.Key_PageUp, Qt.Key.Key_PageDown}
RESHAPING = {QEvent.Type.Resize, QEvent.Type.EnabledChange, QEvent.Type.DevicePixelRatioChange}
RESHAPING |= {QEvent.Type.FocusIn, QEvent.Type.FocusOut}
"""After what the slider looks otherwise."""


class JointSlider(QSlider):
    """Horizontal slider over a real interval; `moved(value, gesture)` tells what a person did, never what a program set."""

    moved = Signal(float, int)

    def __init__(self, low: float, high: float, limited: bool, key_step: float):
        super().__init__(Qt.Orientation.Horizontal)
        self._gesture, self._wheeling, self._grip = next_gesture(), False, 0.0
        self._colours: Tokens | None = None
        self._look: SliderLook | None = None
        self.free_range: list[float] = []  # low and high, in the units of the interval
        self.setRange(0, STEPS)
        self.set_interval(low, high, limited, key_step)
        self.setMinimumHeight(22)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.valueChanged.connect(self._on_value)

    def set_interval(self, low: float, high: float, limited: bool, key_step: float):
        """Another interval; where the handle stands in it comes with the next `show_value`."""
        self._low, self._high, self._limited = low, high, limited
        self._look = None
        self.set_key_step(key_step)
        self.update()

    def set_key_step(self, step: float):
        """How far one press of an arrow key goes, in the units of the interval."""
        self.setSingleStep(max(1, round(step / (self._high - self._low) * STEPS)))
        self.setPageStep(10 * self.singleStep())

    def set_theme(self, tokens: Tokens):
        """Colours for painting."""
        self._colours, self._look = tokens, None
        self.update()

    def show_value(self, value: float):
        """Follow the document without telling it."""
        position = round((value - self._low) / (self._high - self._low) * STEPS)
        if position != self.value():
            with QSignalBlocker(self):
                self.setValue(position)

    def show_free_range(self, ends: list[float]) -> None:
        """Show between which two values the joint is free; nothing for an empty list."""
        if ends != self.free_range:
            self.free_range = ends
            self.update()

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
        if event.type() in RESHAPING:
            self._look = None
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
        return min(7.0, self.height() / 2 - EDGE)

    def _span(self) -> tuple[float, float]:
        return self._radius() + EDGE, self.width() - self._radius() - EDGE

    def _handle_x(self, position: float) -> float:
        left, right = self._span()
        return left + (right - left) * position / STEPS

    def paintEvent(self, event):
        if self._colours is None:
            return
        if self._look is None:
            self._look = SliderLook(self._shape(self._colours))
        painter = QPainter(self)
        self._look.paint(painter, self.sliderPosition() / STEPS)
        if self.free_range:
            low, high = (min(max((x - self._low) / (self._high - self._low), 0.0), 1.0) for x in self.free_range)
            paint_free_range(painter, self._shape(self._colours), low, high)
        painter.end()

    def _shape(self, colours: Tokens) -> SliderShape:
        zero = min(max(-self._low / (self._high - self._low), 0.0), 1.0)
        pixels = self.width(), self.height(), self.devicePixelRatioF()
        return SliderShape(*pixels, zero, self._limited, self.isEnabled(), self.hasFocus(), colours)
