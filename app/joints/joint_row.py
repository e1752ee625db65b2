"""One joint: name, limits, slider and number field."""

from __future__ import annotations

from math import pi

import numpy as np
from PySide6.QtCore import QEvent, QPoint, Qt, Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from armature.app.joints.motion_fields import MotionFields
from armature.app.state.units import Units
from armature.app.style.icons import pixmap
from armature.app.widgets.joint_slider import NEAR, JointSlider
from armature.app.widgets.restyle import set_style_property
from armature.app.widgets.value_field import ValueField


def slider_range(low: float, high: float, prismatic: bool, reach: float) -> tuple[float, float]:
    """What the slider spans: the limits, or ±π (±reach for a slide) where the joint has none."""
    free = reach if prismatic else pi
    low = low if np.isfinite(low) else min(-free, high - 2 * free if np.isfinite(high) else -free)
    high = high if np.isfinite(high) else max(free, low + 2 * free)
    return (low, high) if high - low > 1e-9 else (low - 1e-3, high + 1e-3)


class JointRow(QWidget):
    """Tells `edited(value, gesture)` in rad or m; `hovered(on)` when the pointer comes and goes,
    `menu_asked(place)` where on the screen its menu is wanted, `motion_entered(order, value)` a speed or acceleration."""

    edited = Signal(float, int)
    hovered = Signal(bool)
    menu_asked = Signal(QPoint)
    motion_entered = Signal(int, float)

    def __init__(self, name: str, low: float, high: float, prismatic: bool, reach: float, units: Units):
        super().__init__()
        self._name, self._prismatic, self._units = name, prismatic, units
        self._low, self._high, self._value = low, high, 0.0
        self._limited = bool(np.isfinite(low) and np.isfinite(high))
        self._turning = not prismatic and not np.isfinite(low) and not np.isfinite(high)
        span = slider_range(low, high, prismatic, reach)
        self.slider = JointSlider(*span, self._limited, self._key_step())
        self.slider.setObjectName(f"joint_slider_{name}")
        self.slider.setAccessibleName(f"{name} slider")
        self.field = ValueField(units.decimals(prismatic), units.step(prismatic), units.suffix(prismatic))
        self.field.setObjectName(f"joint_value_{name}")
        self.field.setAccessibleName(f"{name} value")
        self._motion: MotionFields | None = None  # made when they are first wanted: few ever type a speed
        self._speeds, self._can_edit = (0.0, 0.0), True
        self.slider.moved.connect(self._on_slider)
        self.field.entered.connect(lambda shown, gesture: self.edited.emit(shown / self._units.factor(prismatic), gesture))
        self._build()
        self.set_units(units)

    def _build(self):
        self._icon = QLabel()
        self._title = QLabel(self._name)
        self._title.setProperty("role", "section")
        self._limits = QLabel()
        self._limits.setObjectName(f"joint_limits_{self._name}")
        self._limits.setProperty("role", "muted")
        self._limits.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        grid = self._grid = QGridLayout(self)
        grid.setContentsMargins(0, 2, 0, 4)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(1)
        grid.addWidget(self._icon, 0, 0)
        grid.addWidget(self._title, 0, 1)
        grid.addWidget(self._limits, 0, 2)
        grid.addWidget(self.slider, 1, 0, 1, 3)
        grid.addWidget(self.field, 0, 3, 2, 1, Qt.AlignmentFlag.AlignVCenter)
        grid.setColumnStretch(2, 1)

    def set_units(self, units: Units):
        """Show the same joint in other units."""
        self._units, slides = units, self._prismatic
        self.field.set_format(units.decimals(slides), units.step(slides), units.suffix(slides))
        self.field.set_limits(self._low * units.factor(slides), self._high * units.factor(slides))
        self.slider.set_key_step(self._key_step())
        if self._motion is not None:
            self._motion.set_units(units)
        self._limits.setText(self._limit_text())
        self.show_value(self._value)

    def set_theme(self, tokens):
        """Colours of the icon and the slider."""
        size = self.fontMetrics().height()
        self._icon.setPixmap(pixmap("prismatic" if self._prismatic else "revolute", tokens.muted, size))
        self.slider.set_theme(tokens)
        self.field.refit()
        if self._motion is not None:
            self._motion.refit()

    def set_selected(self, on: bool):
        """Mark the joint, or not."""
        set_style_property(self._title, "selected", "true" if on else "")

    def show_motion(self, on: bool):
        """Whether speed and acceleration are there to be read and typed."""
        if on and self._motion is None:
            self._motion = MotionFields(self._name, self._prismatic, self._units)
            self._motion.entered.connect(self.motion_entered)
            self._motion.set_editable(self._can_edit)
            self._motion.show_values(*self._speeds)
            self._grid.addWidget(self._motion, 2, 0, 1, 4)
        if self._motion is not None:
            self._motion.setVisible(on)

    def show_speeds(self, qd: float, qdd: float):
        """How the joint moves, or is meant to."""
        self._speeds = qd, qdd
        if self._motion is not None:
            self._motion.show_values(qd, qdd)

    def set_editable(self, on: bool):
        """Whether a person can change anything."""
        self._can_edit = on
        self.slider.setEnabled(on)
        self.field.setEnabled(on)
        if self._motion is not None:
            self._motion.set_editable(on)

    def show_value(self, value: float):
        """Follow the document."""
        self._value = float(value)
        self.slider.show_value(self._wrapped(self._value))
        state = self.state(self._value)
        self.field.show_value(self._value * self._units.factor(self._prismatic), state)
        beyond = {"near": "Close to a limit. ", "out": "Outside its limits. ", "ok": ""}[state]
        tip = f"{beyond}{self._name}: {self._limits.text()}"
        if tip != self.field.toolTip():
            self.field.setToolTip(tip)

    def state(self, value: float) -> str:
        """ "out" of the limits, "near" one, or "ok"."""
        if value < self._low - 1e-9 or value > self._high + 1e-9:
            return "out"
        margin = NEAR * (self._high - self._low)
        near = self._limited and (value < self._low + margin or value > self._high - margin)
        return "near" if near else "ok"

    def _limit_text(self) -> str:
        if self._turning or not (np.isfinite(self._low) or np.isfinite(self._high)):
            return "no limits"
        short = self._units.short
        return f"{short(self._low, self._prismatic)} … {short(self._high, self._prismatic)}"

    def _key_step(self) -> float:
        return self._units.step(self._prismatic) / self._units.factor(self._prismatic)

    def _wrapped(self, value: float) -> float:
        return (value + pi) % (2 * pi) - pi if self._turning else value

    def _on_slider(self, value: float, gesture: int):
        whole_turns = self._value - self._wrapped(self._value)
        self.edited.emit(value + whole_turns, gesture)

    def contextMenuEvent(self, event):
        self.menu_asked.emit(event.globalPos())

    def event(self, event):
        """The pointer over the row lights the joint up in the view."""
        if event.type() in (QEvent.Type.Enter, QEvent.Type.Leave):
            self.hovered.emit(event.type() == QEvent.Type.Enter)
        return super().event(event)
