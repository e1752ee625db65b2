"""One joint: name, limits, slider and number field."""

from __future__ import annotations

from math import isfinite

from PySide6.QtCore import QEvent, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QGridLayout, QLabel, QStyle, QStyleOption, QWidget

from armature.app.joints.motion_fields import MotionFields
from armature.app.joints.shown_joint import ShownJoint
from armature.app.state.units import Units
from armature.app.style.colour_tokens import Tokens
from armature.app.style.icons import pixmap
from armature.app.widgets.controls import named
from armature.app.widgets.joint_slider import JointSlider
from armature.app.widgets.restyle import set_style_property
from armature.app.widgets.slider_look import NEAR
from armature.app.widgets.value_field import ValueField

LETTERS = "8" * 10  # of these a long name keeps at least the width: a window of 1400 px has Joints and Equations side by side


class JointTitle(QLabel):
    """A label that a long text does not make wide; the tool tip has all of it."""

    def setText(self, text: str) -> None:
        """Another name."""
        super().setText(text)
        self.setToolTip(text)

    def shown_text(self) -> str:
        """What there is room for."""
        return self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideMiddle, self.contentsRect().width())

    def minimumSizeHint(self) -> QSize:
        """Room for a short name, or for the start and the end of a long one."""
        whole = super().minimumSizeHint()
        return QSize(min(whole.width(), self.fontMetrics().horizontalAdvance(LETTERS)), whole.height())

    def paintEvent(self, event):
        option = QStyleOption()
        option.initFrom(self)
        painter = QPainter(self)
        self.style().drawPrimitive(QStyle.PrimitiveElement.PE_Widget, option, painter, self)
        align = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        self.style().drawItemText(
            painter, self.contentsRect(), align, self.palette(), self.isEnabled(), self.shown_text(), self.foregroundRole()
        )
        painter.end()


FreeEnds = tuple[tuple[float, tuple[str, str]], tuple[float, tuple[str, str]]]
"""Low and high end of a free range, rad or m, with the two that touch there, or ("", "")."""
SLIDER = 160  # px, the least beside a field in degrees: a pixel is about two of them


class JointRow(QWidget):
    """Emits `edited(value, gesture)` in rad or m, `slid` for the same by the slider; `hovered(on)` when the pointer comes
    and goes, `menu_requested(place)` where on the screen its menu is wanted, `motion_entered(order, value)` a speed or
    acceleration."""

    edited = Signal(float, int)
    slid = Signal(float, int)
    hovered = Signal(bool)
    menu_requested = Signal(QPoint)
    motion_entered = Signal(int, float)

    def __init__(self, joint: ShownJoint, units: Units, tokens: Tokens | None):
        super().__init__()
        self._joint, self._units, self._tokens, self._value = joint, units, tokens, 0.0
        self._turns = 0.0  # rad that the slider leaves out
        self._free: FreeEnds | None = None
        self._told: tuple[str, ...] = ()  # by the field's tip
        self.slider = JointSlider(*joint.span, joint.limited, self._key_step())
        self.field = ValueField(units.decimals(joint.slides), units.step(joint.slides), units.suffix(joint.slides))
        self._motion: MotionFields | None = None  # made when they are first wanted: few ever type a speed
        self._speeds, self._can_edit = (0.0, 0.0), True
        self.slider.moved.connect(self._on_slider)
        self.slider.sliderReleased.connect(lambda: self.show_value(self._value))
        self.field.entered.connect(self._on_field)
        self._build()
        self._name()
        self._show_limits()
        self._share_width()
        self.set_theme(tokens)

    def _build(self):
        self._icon = QLabel()
        self._title = JointTitle()
        self._title.setProperty("role", "section")
        self._limits = QLabel()
        self._limits.setProperty("role", "muted")
        self._limits.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        grid = self._grid = QGridLayout(self)
        grid.setContentsMargins(0, 2, 0, 4)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(1)
        grid.addWidget(self._icon, 0, 0)
        grid.addWidget(self._title, 0, 1)
        grid.addWidget(self._limits, 0, 2, 1, 2)
        grid.addWidget(self.slider, 1, 0, 1, 3)
        grid.addWidget(self.field, 1, 3)
        grid.setColumnStretch(2, 1)

    def show_joint(self, joint: ShownJoint):
        """Be the row of this joint from now on; its value comes with the next `show_value`."""
        before, self._joint, self._free = self._joint, joint, None
        if joint.name != before.name:
            self._name()
        self.slider.set_interval(*joint.span, joint.limited, self._key_step())
        if joint.slides != before.slides:
            self._show_units()
            self._show_icon()
        self._show_limits()
        if (joint.name, joint.slides) != (before.name, before.slides):
            self._drop_motion()

    def _name(self):
        name = self._joint.name
        self._title.setText(name)
        self._limits.setObjectName(f"joint_limits_{name}")
        named(self.slider, f"joint_slider_{name}", f"{name} slider")
        named(self.field, f"joint_value_{name}", f"{name} value")

    def set_units(self, units: Units):
        """Show the same joint in other units."""
        self._units = units
        self._show_units()
        self.slider.set_key_step(self._key_step())
        if self._motion is not None:
            self._motion.set_units(units)
        self._show_limits()
        self.show_value(self._value)

    def _show_units(self):
        units, slides = self._units, self._joint.slides
        self.field.set_format(units.decimals(slides), units.step(slides), units.suffix(slides))
        self._share_width()

    def _share_width(self):
        """A row is as wide in every unit: what its field takes more than in degrees, its slider has less."""
        degrees = self.field.width_of(Units().decimals(False), Units().suffix(False))
        self.slider.setMinimumWidth(SLIDER + degrees - self.field.width())

    def _show_limits(self):
        factor = self._units.factor(self._joint.slides)
        self.field.set_limits(self._joint.low * factor, self._joint.high * factor)
        self._limits.setText(self._limit_text())
        self._show_free_range()

    def show_free_range(self, free: FreeEnds | None) -> None:
        """Show how far the joint is from contact in both directions; None: not known."""
        self._free = free
        self._show_free_range()

    def _show_free_range(self) -> None:
        text, hits = f"{self._joint.name}: {self._limit_text()}", [end for end in self._free or () if any(end[1])]
        self.slider.show_free_range([x - self._turns for x, _ in self._free] if self._free and hits else [])
        if self._free and hits:
            low, high = (self._units.short(x, self._joint.slides) for x, _ in self._free)
            text += f"\nfree from {low} to {high}" if low != high else "\nno free range"
            ends = (f"; at {self._units.short(x, self._joint.slides)} {' hits '.join(pair)}" for x, pair in hits)
            text += "".join(dict.fromkeys(ends))
        self.slider.setToolTip(text)

    def set_theme(self, tokens: Tokens | None):
        """Colours of the icon and the slider."""
        self._tokens = tokens
        if tokens is None:
            return
        self._show_icon()
        self.slider.set_theme(tokens)
        self.field.refit()
        self._share_width()
        if self._motion is not None:
            self._motion.refit()

    def _show_icon(self):
        if self._tokens is not None:
            kind, size = "prismatic" if self._joint.slides else "revolute", self.fontMetrics().height()
            self._icon.setPixmap(pixmap(kind, self._tokens.muted, size))

    def set_selected(self, on: bool):
        """Mark the joint, or not."""
        set_style_property(self._title, "selected", "true" if on else "")

    def show_motion(self, on: bool):
        """Whether speed and acceleration are there to be read and typed."""
        if on and self._motion is None:
            self._motion = MotionFields(self._joint.name, self._joint.slides, self._units)
            self._motion.entered.connect(self.motion_entered)
            self._motion.set_editable(self._can_edit)
            self._motion.show_values(*self._speeds)
            self._grid.addWidget(self._motion, 2, 0, 1, 4)
        if self._motion is not None:
            self._motion.setVisible(on)

    def _drop_motion(self):
        """Of the joint before."""
        self._speeds = 0.0, 0.0
        if self._motion is not None:
            self._grid.removeWidget(self._motion)
            self._motion.hide()
            self._motion.deleteLater()
            self._motion = None

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
        if not self.slider.isSliderDown():  # under a hand the handle stays where the hand is
            self._turns = self._joint.whole_turns(self._value)
        self.slider.show_value(self._value - self._turns)
        state = self.state(self._value)
        self.field.show_value(self._value * self._units.factor(self._joint.slides), state)
        told = state, self._joint.name, self._limits.text()
        if told != self._told:
            self._told = told
            beyond = {"near": "Close to a limit. ", "out": "Outside its limits. ", "ok": ""}[state]
            self.field.setToolTip(f"{beyond}{told[1]}: {told[2]}")

    def state(self, value: float) -> str:
        """ "out" of the limits, "near" one, or "ok"."""
        low, high = self._joint.low, self._joint.high
        if value < low - 1e-9 or value > high + 1e-9:
            return "out"
        margin = NEAR * (high - low)
        near = self._joint.limited and (value < low + margin or value > high - margin)
        return "near" if near else "ok"

    def _limit_text(self) -> str:
        low, high, slides = self._joint.low, self._joint.high, self._joint.slides
        if not (isfinite(low) or isfinite(high)):
            return "no limits"
        return f"{self._units.short(low, slides)} … {self._units.short(high, slides)}"

    def _key_step(self) -> float:
        return self._units.step(self._joint.slides) / self._units.factor(self._joint.slides)

    def _on_slider(self, value: float, gesture: int):
        self.slid.emit(value + self._turns, gesture)

    def _on_field(self, shown: float, gesture: int):
        self.edited.emit(shown / self._units.factor(self._joint.slides), gesture)

    def contextMenuEvent(self, event):
        self.menu_requested.emit(event.globalPos())

    def event(self, event):
        """The pointer over the row lights the joint up in the view."""
        if event.type() in (QEvent.Type.Enter, QEvent.Type.Leave):
            self.hovered.emit(event.type() == QEvent.Type.Enter)
        return super().event(event)
