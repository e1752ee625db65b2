"""A number field with a unit that takes any finite value and shows where limits are passed."""

from __future__ import annotations

from math import inf

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QSizePolicy

from armature.app.state.edits.pose_edit import next_gesture
from armature.app.state.units import MINUS, UNKNOWN, number, significant
from armature.app.style.theme import fixed_font
from armature.app.widgets.plain_field import PlainField
from armature.app.widgets.restyle import set_style_property

WIDEST = 1e7
DIGITS = 4  # significant ones of a number that the usual decimals do not show, or that is too long with them
ZERO = f"{MINUS}0.,"  # what a number is written with that reads as 0
STATES = ("ok", "near", "out")


class ValueField(PlainField):
    """`entered(value, gesture)` tells what a person typed or stepped, in shown units; a program uses `show_value`."""

    entered = Signal(float, int)

    def __init__(self, decimals: int, step: float, suffix: str, widest: float = WIDEST):
        super().__init__()
        self._gesture = next_gesture()
        self._exact: float | None = None
        self._is_known, self._state = True, "ok"
        self._shown, self._room, self._typed = decimals, len(_widest(decimals)), (-inf, inf)
        self.setDecimals(9)  # what a person types is kept; `textFromValue` shows fewer
        self.setRange(-widest, widest)
        self.setAccelerated(True)
        self.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setProperty("state", "ok")
        self.set_format(decimals, step, suffix)
        self.valueChanged.connect(self._on_value)

    def textFromValue(self, value: float) -> str:
        """Fixed decimals, as far as they fit, and no negative zero; where 0 is out of range, nothing reads 0."""
        if not self._is_known:
            return UNKNOWN
        text, room = self._usual_text(value), self._room
        if value and self.minimum() > 0 and not text.strip(ZERO):
            return self._significant(value, room)
        decimals = self._shown
        while len(text) > room and decimals:
            decimals -= 1
            text = self._usual_text(value, decimals)
        return text if len(text) <= room else self._significant(value, room)

    def _usual_text(self, value: float, decimals: int | None = None) -> str:
        return number(value, self._shown if decimals is None else decimals)

    def _significant(self, value: float, room: int) -> str:
        """As many significant digits as there is room for."""
        texts = [significant(value, digits) for digits in range(DIGITS, 0, -1)]
        return next((text for text in texts if len(text) <= room), texts[-1])

    def _valid(self) -> tuple[float, float]:
        low, high = self._typed
        return max(self.minimum(), low), min(self.maximum(), high)

    def _fits(self, value: float) -> bool:
        """A limit may be typed as it is shown, rounded."""
        low, high = self._valid()
        return low - self._rounding() <= value <= high + self._rounding()

    def _rounding(self) -> float:
        return 0.5 * 10.0**-self._shown if self._typed != (-inf, inf) else 0.0

    def set_limits(self, low: float, high: float):
        """Beyond these nothing is typed or stepped to; a program may still show it."""
        self._typed = low, high

    def set_widest(self, widest: float):
        """No number beyond ±`widest` is taken or shown."""
        with QSignalBlocker(self):
            self.setRange(-widest, widest)

    def set_format(self, decimals: int, step: float, suffix: str):
        """Show this many decimals and this unit; arrows change the value by `step`."""
        self._shown, self._room = decimals, len(_widest(decimals))
        with QSignalBlocker(self):
            self.setSingleStep(step)
            self.setSuffix(suffix)
        self.refit()

    def refit(self):
        """As wide as the widest usual number in the present font."""
        self.setFont(fixed_font())
        self.lineEdit().setFont(fixed_font())  # a style sheet keeps it from taking its parent's
        self.setFixedWidth(self.width_of(self._shown, self.suffix()))

    def width_of(self, decimals: int, suffix: str) -> int:
        """px that the widest usual number takes in this format and the present font."""
        return self.fontMetrics().horizontalAdvance(f"{_widest(decimals)}{suffix}") + 20

    def show_unknown(self):
        """A dash until there is a value."""
        self._is_known, self._exact = False, None
        with QSignalBlocker(self):
            self.setValue(0.0)

    def show_value(self, value: float, state: str = "ok"):
        """Follow the document without telling it; a number being typed is left alone."""
        if state != self._state:
            self._state = state
            set_style_property(self, "state", state)
        if value != self._exact and not (self.hasFocus() and self.lineEdit().isModified()):
            self._exact, self._is_known = value, True
            with QSignalBlocker(self):
                self.setValue(value)

    def _on_value(self, value: float):
        """Steps end at the limits; from beyond them, where a named pose may be, they go only back."""
        low, high = self._typed
        before = min(max(value, low), high) if self._exact is None else self._exact
        within = min(max(value, min(low, before)), max(high, before))
        if within != value:
            with QSignalBlocker(self):
                self.setValue(within)
        self._exact = None if within == value else within
        self.lineEdit().setModified(False)
        self.entered.emit(within, self._gesture)

    def keyPressEvent(self, event):
        if not event.isAutoRepeat():
            self._gesture = next_gesture()
        super().keyPressEvent(event)

    def mousePressEvent(self, event):
        self._gesture = next_gesture()
        super().mousePressEvent(event)

    def wheelEvent(self, event):
        self._gesture = next_gesture()
        super().wheelEvent(event)


def _widest(decimals: int) -> str:
    """The widest usual number."""
    return f"{MINUS}{'8' * (2 if decimals < 3 else 0)}8.{'8' * decimals}"
