"""The numbers of one waypoint, each in a field: its joints, or the pose of the tool, and the point an arc goes through."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from armature.app.state.units import Units
from armature.app.widgets.section import note
from armature.app.widgets.value_field import ValueField

COLUMNS = 2
NONE = "Select a waypoint in the table to edit its values here."


class WaypointFields(QWidget):
    """Tells `entered(i, value, gesture)` in rad or m; `i` counts through all fields."""

    entered = Signal(int, float, int)

    def __init__(self, units: Units):
        super().__init__()
        self._units = units
        self._names: tuple[tuple[str, bool], ...] = ()
        self._fields: list[ValueField] = []
        self._labels: list[QLabel] = []
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(2, 0, 2, 0)
        self._grid.setHorizontalSpacing(6)
        self._grid.setVerticalSpacing(3)
        for column in range(COLUMNS):
            self._grid.setColumnStretch(2 * column, 1)
        self._none = note(NONE)
        self._grid.addWidget(self._none, 0, 0, 1, 2 * COLUMNS)

    def show_values(self, names: tuple[tuple[str, bool], ...], values: np.ndarray):
        """Fields by these names, each with whether it is a length, and values in rad or m."""
        if names != self._names:
            self._rebuild(names)
        for (_, length), field, value in zip(self._names, self._fields, values):
            field.show_value(float(value) * self._units.factor(length))

    def set_units(self, units: Units):
        """Show them in other units; the values come with the next `show_values`."""
        self._units = units
        self._rebuild(self._names)

    def _rebuild(self, names: tuple[tuple[str, bool], ...]):
        for part in (*self._fields, *self._labels):
            self._grid.removeWidget(part)
            part.hide()
            part.deleteLater()
        self._names, self._fields, self._labels = names, [], []
        self._none.setVisible(not names)
        for i, (name, length) in enumerate(names):
            label, units = QLabel(name), self._units
            label.setProperty("role", "muted")
            field = ValueField(units.decimals(length), units.step(length), units.suffix(length))
            field.setObjectName(f"waypoint_value_{name.replace(' ', '_')}")
            field.setAccessibleName(f"{name} of the waypoint")
            field.entered.connect(lambda shown, gesture, i=i: self._tell(i, shown, gesture))
            rows = -(-len(names) // COLUMNS)
            row, column = i % rows, i // rows
            self._grid.addWidget(label, row, 2 * column)
            self._grid.addWidget(field, row, 2 * column + 1)
            self._fields.append(field)
            self._labels.append(label)

    def _tell(self, i: int, shown: float, gesture: int):
        self.entered.emit(i, shown / self._units.factor(self._names[i][1]), gesture)

    def refit(self):
        """Take over the present font."""
        for field in self._fields:
            field.refit()
