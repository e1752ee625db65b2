"""How fast the tool may go along lines and arcs: speed, acceleration and jerk of its origin and of its turning."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QPushButton, QWidget

from armature.app.state.number_marks import said
from armature.app.state.shared_sentences import sentence
from armature.app.state.units import Units
from armature.app.widgets.controls import button, named, row
from armature.app.widgets.section import Section, note
from armature.app.widgets.value_field import ValueField

ROWS = (("speed", "Speed", "/s", 0.05), ("acceleration", "Acceleration", "/s²", 0.2), ("jerk", "Jerk", "/s³", 2.0))
COLUMNS = (("", "Linear", True), ("angular_", "Angular", False))
STEP_OF_TURN = 4.0  # rad that a step is for where it is one metre of the path
LEAST = 1e-6  # in shown units
DECIMALS = {"m": 3, "mm": 1, "rad": 3, "°": 1}
TIP = (
    "Lines and arcs without a given time are as fast as these limits and the joint limits allow. "
    "Joint moves respect the joint limits only"
)
SCOPE = "For lines and arcs only; joint moves use the limits of the joints."
USUAL = "0.5 m/s and 2 rad/s, full speed in 0.25 s, full acceleration in 0.1 s"


class ToolLimitsSection(Section):
    """Tells `entered(name, value, gesture)` in m and rad per s, s², s³, and `reset_requested`."""

    entered = Signal(str, float, int)
    reset_requested = Signal()

    def __init__(self, units: Units):
        super().__init__("Limits of the tool")
        self.header.setToolTip(TIP)
        self._units = units
        self._fields: dict[str, ValueField] = {}
        self.add(named(note(SCOPE), "tool_limits_scope"))
        self.add(self._grid())
        tip = "Use the limits of the robot file, or the defaults where it has none"
        self._reset = button("tool_limits_reset", "Reset", "Reset the limits of the tool", tip, QPushButton)
        self._reset.clicked.connect(self.reset_requested)
        self._whence = named(note(), "tool_limits_whence")
        self.add(row(self._whence, self._reset, stretch=self._whence))

    def _grid(self) -> QWidget:
        widget = QWidget()
        grid = QGridLayout(widget)
        grid.setContentsMargins(2, 0, 2, 0)
        grid.setHorizontalSpacing(6)
        grid.setVerticalSpacing(3)
        grid.setColumnStretch(0, 1)
        for column, (prefix, title, _) in enumerate(COLUMNS, start=1):
            grid.addWidget(_quiet(title), 0, column)
            for line, (key, of, _, _) in enumerate(ROWS, start=1):
                name = f"{prefix}{key}"
                field = named(ValueField(1, 1.0, ""), f"tool_limit_{name}", f"{title} {of.lower()} of the tool")
                field.setMinimum(LEAST)
                field.entered.connect(lambda shown, gesture, name=name: self._tell(name, shown, gesture))
                grid.addWidget(field, line, column)
                self._fields[name] = field
        for line, (_, title, _, _) in enumerate(ROWS, start=1):
            grid.addWidget(_quiet(title), line, 0)
        self.set_units(self._units)
        return widget

    def show_limits(self, values: Mapping[str, float], own: Collection[str], of_robot: Collection[str]):
        """The six limits, which of them the trajectory itself says, and which of the others the robot's file."""
        for name, field in self._fields.items():
            field.show_value(values[name] * self._factor(name))
        self._reset.setEnabled(bool(own))
        sources = [("From this trajectory", own), ("from the robot", of_robot)]
        parts = [f"{who}: {', '.join(_words(name) for name in names)}" for who, names in sources if names]
        left = f"default values: {said(USUAL)}"
        text = "; ".join([*parts, left] if len(own) + len(of_robot) < len(self._fields) else parts)
        self._whence.setText(sentence(text))

    def set_units(self, units: Units):
        """Other units; the values come with the next `show_limits`."""
        self._units = units
        for prefix, _, length in COLUMNS:
            for key, _, per, step in ROWS:
                symbol = units.symbol(length)
                shown = step * units.factor(length) * (1.0 if length else STEP_OF_TURN)
                space = "" if symbol == "°" else " "
                self._fields[f"{prefix}{key}"].set_format(DECIMALS[symbol], shown, f"{space}{symbol}{per}")
        self._align()

    def refit(self):
        """Take over the present font."""
        for field in self._fields.values():
            field.refit()
        self._align()

    def _align(self):
        """Fields below each other are as wide as the widest."""
        widest = max(field.width() for field in self._fields.values())
        for field in self._fields.values():
            field.setFixedWidth(widest)

    def _factor(self, name: str) -> float:
        return self._units.factor(not name.startswith("angular_"))

    def _tell(self, name: str, shown: float, gesture: int):
        self.entered.emit(name, shown / self._factor(name), gesture)


def _quiet(text: str) -> QLabel:
    label = QLabel(text)
    label.setProperty("role", "muted")
    return label


def _words(name: str) -> str:
    """ "turning speed" of "angular_speed"."""
    return f"angular {name.removeprefix('angular_')}" if name.startswith("angular_") else name
