"""A point of a frame, typed, and what it is after each matrix on the way to the base."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLabel

from armature.app.state.units import Units
from armature.app.widgets.controls import check, named, row
from armature.app.widgets.section import Section, note
from armature.app.widgets.tables.number_table import NumberTable
from armature.app.widgets.value_field import ValueField

AXES = "xyz"


class PointSection(Section):
    """Tells `edited()` of another point, `row_chosen(i)` of a click on a line, `seen_changed(on)` of its place in the view."""

    edited = Signal()
    row_chosen = Signal(int)
    seen_changed = Signal(bool)

    def __init__(self, units: Units):
        super().__init__("Transform a point")
        self.p = np.zeros(3)
        self._units = units
        self._names: tuple[str, ...] = ()
        self._active = -1
        self.seen = self.add(
            check("kinematics_point_seen", "Show point", "Show the point and its position vector in the view", on=True)
        )
        self.seen.toggled.connect(self.seen_changed)
        self._label = named(QLabel(), "kinematics_point_frame")
        self._fields = [self._field(i) for i in range(3)]
        parts = []
        for axis, field in zip(AXES, self._fields):
            label = QLabel(axis)
            label.setBuddy(field)
            parts += [label, field]
        self.add(self._label)
        self.add(row(*parts, None, spacing=4))
        self.table = self.add(NumberTable("Homogeneous coordinates of the point after each matrix", "p", decimals=4))
        self.table.setObjectName("kinematics_point_table")
        self.table.clicked.connect(lambda at: self.row_chosen.emit(at.row()))
        self.add(note("The fourth coordinate is 1, so one product rotates and translates. Click a row to show p in that frame."))
        self.set_units(units)

    def _field(self, i: int) -> ValueField:
        field = named(ValueField(4, 0.01, " m"), f"kinematics_point_{AXES[i]}", f"{AXES[i]} of the point")
        field.entered.connect(lambda shown, _gesture: self._on_entered(i, shown))
        return field

    def _on_entered(self, i: int, shown: float) -> None:
        self.p = self.p.copy()
        self.p[i] = shown / self._units.factor(True)
        self.edited.emit()

    def set_point(self, p: np.ndarray, frame: str) -> None:
        """Another point, of a frame of this name."""
        self.p = np.array(p, float)
        self._label.setText(f"Coordinates in {frame}")
        for field, value in zip(self._fields, self.p):
            field.show_value(float(value) * self._units.factor(True))

    def set_names(self, names: Sequence[str], active: int) -> None:
        """The lines of the table, one of which is drawn."""
        if tuple(names) != self._names:
            self._names = tuple(names)
            self._shape()
        self._active = active
        self.table.set_active(None if active < 0 else (active, 3))

    def show_values(self, values: np.ndarray) -> None:
        """The point on every line, `(k, 4)` in m."""
        self.table.numbers.set_values(values * [*[self._units.factor(True)] * 3, 1.0])

    def _shape(self) -> None:
        unit = self._units.symbol(True)
        self.table.numbers.decimals = (*[self._units.decimals(True)] * 3, 0)
        self.table.set_shape(self._names, (*(f"{axis} {unit}" for axis in AXES), "1"))

    def set_units(self, units: Units) -> None:
        """Lengths in another unit."""
        self._units = units
        for field, value in zip(self._fields, self.p):
            field.set_format(units.decimals(True), units.step(True), units.suffix(True))
            field.show_value(float(value) * units.factor(True))
        self._shape()
        self.set_names(self._names, self._active)

    def set_theme(self, tokens) -> None:
        """Colours, and the present size of text."""
        for field in self._fields:
            field.refit()
        self.table.refit()
        self.table.set_theme(tokens)
