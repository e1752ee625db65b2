"""`ValueGrid`: the numbers of one thing, each in a field with its name."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from armature.app.state.units import Units
from armature.app.widgets.section import note
from armature.app.widgets.value_field import ValueField

COLUMNS = 2
PLAIN = 3, 0.1  # decimals and step of a number without unit

Names = tuple[tuple[str, bool | None], ...]
"""Name of each number, and whether it is a length, else an angle; None for a number without unit."""


class ValueGrid(QWidget):
    """Fields of `owner`, such as "the waypoint", with object names that begin with `prefix`; without numbers, the text `none`.

    Emits `entered(i, value, gesture)` in rad, m or without unit; `i` counts through all fields.
    """

    entered = Signal(int, float, int)

    def __init__(self, units: Units, prefix: str, owner: str, none: str):
        super().__init__()
        self._units, self._prefix, self._owner = units, prefix, owner
        self._names: Names = ()
        self._first = 0
        self._fields: list[ValueField] = []
        self._labels: list[QLabel] = []
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(2, 0, 2, 0)
        self._grid.setHorizontalSpacing(6)
        self._grid.setVerticalSpacing(3)
        for column in range(COLUMNS):
            self._grid.setColumnStretch(2 * column, 1)
        self._none = note(none)
        self._grid.addWidget(self._none, 0, 0, 1, 2 * COLUMNS)

    def show_values(self, names: Names, values: Iterable[float], first: int | None = None) -> None:
        """Show fields with these names, and values in rad, m or without unit; `first` of them, or half, in the first column."""
        self._first = -(-len(names) // COLUMNS) if first is None else first
        if names != self._names:
            self._rebuild(names)
        for (_, kind), field, value in zip(self._names, self._fields, values, strict=True):
            field.show_value(float(value) * self._factor(kind))

    def set_units(self, units: Units) -> None:
        """Show the values in other units; they come with the next `show_values`."""
        self._units = units
        self._rebuild(self._names)

    def _factor(self, kind: bool | None) -> float:
        return 1.0 if kind is None else self._units.factor(kind)

    def _rebuild(self, names: Names) -> None:
        for part in (*self._fields, *self._labels):
            self._grid.removeWidget(part)
            part.hide()
            part.deleteLater()
        self._names, self._fields, self._labels = names, [], []
        self._none.setVisible(not names)
        for i, (name, kind) in enumerate(names):
            label = QLabel(name)
            label.setProperty("role", "muted")
            field = self._field(name, kind)
            field.entered.connect(lambda shown, gesture, i=i: self._on_entered(i, shown, gesture))
            row, column = (i, 0) if i < self._first else (i - self._first, 2)
            self._grid.addWidget(label, row, column)
            self._grid.addWidget(field, row, column + 1)
            self._fields.append(field)
            self._labels.append(label)

    def _field(self, name: str, kind: bool | None) -> ValueField:
        units = self._units
        style = (*PLAIN, "") if kind is None else (units.decimals(kind), units.step(kind), units.suffix(kind))
        field = ValueField(*style)
        field.setObjectName(f"{self._prefix}_{name.replace(' ', '_')}")
        field.setAccessibleName(f"{name} of {self._owner}")
        return field

    def _on_entered(self, i: int, shown: float, gesture: int) -> None:
        self.entered.emit(i, shown / self._factor(self._names[i][1]), gesture)

    def refit(self) -> None:
        """Fit the fields to the present font."""
        for field in self._fields:
            field.refit()
