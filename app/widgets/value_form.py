"""Forms as data: an `FormNumber` describes a number, `ValueForm` makes the fields of all entries, `cell_grid` arranges them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from armature.app.state.units import Units
from armature.app.widgets.controls import named
from armature.app.widgets.value_field import WIDEST, ValueField


@dataclass(frozen=True)
class FormNumber:
    """Number of a form: its object name and its title for screen readers and tooltip.

    With `is_length` True or False it is a length or an angle in the unit of the window, followed by `unit`, and `decimals` is
    added to the usual number of decimals. Otherwise `unit` is the whole unit. `step` is in SI units, None for the usual one.
    """

    name: str
    title: str
    is_length: bool | None = None
    unit: str = ""
    decimals: int = 0
    step: float | None = None
    least: float = -WIDEST
    most: float = WIDEST

    def factor(self, units: Units) -> float:
        """Shown value per SI value."""
        return 1.0 if self.is_length is None else units.factor(self.is_length)

    def format(self, units: Units) -> tuple[int, float, str]:
        """Decimals, step and suffix of the field."""
        if self.is_length is None:
            return self.decimals, self.step or 1.0, self.unit
        step = units.step(self.is_length) if self.step is None else self.step * self.factor(units)
        return max(1, units.decimals(self.is_length) + self.decimals), step, f"{units.suffix(self.is_length)}{self.unit}"


class ValueForm:
    """Fields of entries; `enter(k, value, gesture)` receives the value of entry k in SI units."""

    def __init__(
        self, entries: Sequence[FormNumber], enter: Callable[[int, float, int], None], units: Units, is_aligned: bool = False
    ):
        self._entries, self._enter, self._units, self._is_aligned = entries, enter, units, is_aligned
        self.fields = [named(ValueField(1, 1.0, ""), entry.name, entry.title) for entry in entries]
        for k, (entry, field) in enumerate(zip(entries, self.fields)):
            field.setRange(entry.least, entry.most)
            field.entered.connect(partial(self._on_entered, k))
        self._set_formats()

    def show(self, values: Iterable[float], units: Units) -> None:
        """Show values in SI units."""
        if units != self._units:
            self._units = units
            self._set_formats()
        for entry, field, value in zip(self._entries, self.fields, values, strict=True):
            field.show_value(float(value) * entry.factor(units))

    def refit(self) -> None:
        """Adapt to the present font."""
        for field in self.fields:
            field.refit()
        self._align()

    def _set_formats(self) -> None:
        for entry, field in zip(self._entries, self.fields):
            field.set_format(*entry.format(self._units))
        self._align()

    def _align(self) -> None:
        widest = max((field.width() for field in self.fields), default=0)
        for field in self.fields if self._is_aligned else ():
            field.setFixedWidth(widest)

    def _on_entered(self, k: int, shown: float, gesture: int) -> None:
        self._enter(k, shown / self._entries[k].factor(self._units), gesture)


def cell_grid(rows: Iterable[Iterable[QWidget | str]], *stretched: int) -> QWidget:
    """Return a grid of widgets and labels; the stretched columns share the free width."""
    widget = QWidget()
    grid = QGridLayout(widget)
    grid.setContentsMargins(2, 0, 2, 0)
    grid.setHorizontalSpacing(6)
    grid.setVerticalSpacing(3)
    for column in stretched:
        grid.setColumnStretch(column, 1)
    for k, cells in enumerate(rows):
        for column, cell in enumerate(cells):
            if isinstance(cell, QWidget):
                grid.addWidget(cell, k, column)
            elif cell:
                label = QLabel(cell)
                label.setProperty("role", "muted")
                grid.addWidget(label, k, column)
    return widget
