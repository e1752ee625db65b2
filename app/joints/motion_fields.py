"""Speed and acceleration of one joint, to be typed and read."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from armature.app.state.units import Units
from armature.app.widgets.controls import named
from armature.app.widgets.value_field import ValueField

SYMBOLS = {1: ("q̇", "speed", "/s"), 2: ("q̈", "acceleration", "/s²")}
WIDEST = 1e5  # in shown units
DECIMALS = 3  # at most


class MotionFields(QWidget):
    """Tells `entered(order, value)`: 1 for the speed, 2 for the acceleration, in rad or m per s and s²."""

    entered = Signal(int, float)

    def __init__(self, name: str, prismatic: bool, units: Units):
        super().__init__()
        self._prismatic, self._units = prismatic, units
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 2, 0, 2)
        line.setSpacing(4)
        self.fields: dict[int, ValueField] = {}
        for order, (symbol, title, _) in SYMBOLS.items():
            label = QLabel(symbol)
            label.setProperty("role", "muted")
            field = named(ValueField(2, 1.0, "", WIDEST), f"joint_{title}_{name}", f"{name} {title}")
            field.entered.connect(lambda shown, _, order=order: self.entered.emit(order, shown / self._units.factor(prismatic)))
            self.fields[order] = field
            line.addWidget(label, 1, Qt.AlignmentFlag.AlignRight)
            line.addWidget(field)
        self.set_units(units)

    def set_units(self, units: Units) -> None:
        """Other units; the values come with the next `show_values`."""
        self._units, slides = units, self._prismatic
        for order, (_, _, per) in SYMBOLS.items():
            self.fields[order].set_format(_decimals(units, slides), 10 * units.step(slides), f"{units.suffix(slides)}{per}")
        self.refit()

    def show_values(self, qd: float, qdd: float) -> None:
        """Follow what the arm does or is meant to do."""
        for order, value in ((1, qd), (2, qdd)):
            self.fields[order].show_value(float(value) * self._units.factor(self._prismatic))

    def set_editable(self, on: bool) -> None:
        """Whether they can be typed now."""
        for field in self.fields.values():
            field.setEnabled(on)

    def refit(self) -> None:
        """Take over the present font; as wide in degrees as in radians, so that another unit does not widen the dock."""
        radians, slides = Units("rad", self._units.length), self._prismatic
        for order, (_, _, per) in SYMBOLS.items():
            field = self.fields[order]
            field.refit()
            field.setFixedWidth(field.width_of(_decimals(radians, slides), f"{radians.suffix(slides)}{per}"))


def _decimals(units: Units, slides: bool) -> int:
    return min(DECIMALS, units.decimals(slides))
