"""`ValueGrid`: the numbers of one thing, each in a field with its name."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from PySide6.QtWidgets import QVBoxLayout, QWidget

from armature.app.state.units import Units
from armature.app.widgets.section import note
from armature.app.widgets.value_form import FormNumber, ValueForm, cell_grid

Names = tuple[tuple[str, bool | None], ...]
"""Name of each number, and whether it is a length, else an angle; None for a number without unit."""


class ValueGrid(QWidget):
    """Fields of `owner`, such as "the waypoint", with object names that begin with `prefix`; without numbers, the text `none`.

    `enter(k, value, gesture)` receives number k in rad, m or without unit.
    """

    def __init__(self, prefix: str, owner: str, none: str, enter: Callable[[int, float, int], None]):
        super().__init__()
        self._prefix, self._owner, self._none, self._enter = prefix, owner, none, enter
        self._names: Names | None = None
        self._form: ValueForm | None = None
        self._shown: QWidget | None = None
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)

    def show_values(self, names: Names, values: Iterable[float], units: Units, first: int | None = None) -> None:
        """Show fields with these names, and values in rad, m or without unit; `first` of them, or half, in the first column."""
        if self._form is None or names != self._names:
            self._names = names
            self._form = self._build(names, units, -(-len(names) // 2) if first is None else first)
        self._form.show(values, units)

    def refit(self) -> None:
        """Adapt to the present font."""
        if self._form is not None:
            self._form.refit()

    def _build(self, names: Names, units: Units, first: int) -> ValueForm:
        form = ValueForm([self._number(*name) for name in names], self._enter, units)
        cells: list[tuple[str | QWidget, ...]] = [(name, field) for (name, _), field in zip(names, form.fields, strict=True)]
        left, right = cells[:first], cells[first:]
        length = max(len(left), len(right))
        columns = (part + [("", "")] * (length - len(part)) for part in (left, right))
        old, self._shown = self._shown, cell_grid([(*a, *b) for a, b in zip(*columns, strict=True)] or [[note(self._none)]], 0, 2)
        if old is not None:
            self._column.removeWidget(old)
            old.hide()
            old.deleteLater()
        self._column.addWidget(self._shown)
        return form

    def _number(self, name: str, is_length: bool | None) -> FormNumber:
        decimals, step = (3, 0.1) if is_length is None else (0, None)
        key, title = f"{self._prefix}_{name.replace(' ', '_')}", f"{name} of {self._owner}"
        return FormNumber(key, title, is_length, decimals=decimals, step=step)
