"""`ParameterRows`: a slider and a number for every parameter of a Python file of the user: law, disturbance, trajectory."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from armature.app.state.units import significant
from armature.app.style.colour_tokens import Tokens
from armature.app.widgets.joint_slider import JointSlider
from armature.app.widgets.value_field import ValueField
from armature.engine.control.own_law.law_parameters import Parameter

_STEPS = 100  # presses of a key from one end to the other


class ParameterRows(QWidget):
    """Tells `changed(values)`, all of them by name, whenever a person sets one.

    `kind` begins the names of its controls, `whose` says in words what the parameters belong to.
    """

    changed = Signal(object)

    def __init__(self, kind: str, whose: str) -> None:
        super().__init__()
        self._kind, self._whose = kind, whose
        self._parameters: dict[str, Parameter] = {}
        self._values: dict[str, float] = {}
        self._rows: dict[str, tuple[QLabel, JointSlider, ValueField]] = {}
        self._tokens: Tokens | None = None
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(2, 0, 2, 0)
        self._grid.setHorizontalSpacing(8)
        self._grid.setVerticalSpacing(2)
        self._grid.setColumnStretch(1, 1)
        self.hide()

    def show_parameters(self, parameters: Mapping[str, Parameter], values: Mapping[str, float]) -> None:
        """These parameters with these values; rows that stay what they were keep the focus."""
        if dict(parameters) != self._parameters:
            self._parameters = dict(parameters)
            self._build()
        self._values = dict(values)
        self._show()

    def _build(self) -> None:
        for part in (part for parts in self._rows.values() for part in parts):
            self._grid.removeWidget(part)
            part.setParent(None)
            part.deleteLater()
        self._rows = {name: self._row(name, *parameter) for name, parameter in self._parameters.items()}
        for k, (label, slider, field) in enumerate(self._rows.values()):
            self._grid.addWidget(label, k, 0)
            self._grid.addWidget(slider, k, 1)
            self._grid.addWidget(field, k, 2, Qt.AlignmentFlag.AlignRight)
        self.setVisible(bool(self._rows))
        if self._tokens is not None:
            self.set_theme(self._tokens)

    def _row(self, name: str, low: float, high: float, start: float) -> tuple[QLabel, JointSlider, ValueField]:
        label = QLabel(name)
        label.setToolTip(f"{significant(low)} to {significant(high)}, from {significant(start)}")
        step = (high - low) / _STEPS
        slider = JointSlider(low, high, False, step)
        slider.setObjectName(f"{self._kind}_slider_{name}")
        slider.setAccessibleName(f"{name}, parameter of {self._whose}, slider")
        largest = max(abs(low), abs(high))
        field = ValueField(4 if largest < 2 else 3 if largest < 20 else 1, step, "", widest=largest)
        field.setRange(low, high)
        field.setObjectName(f"{self._kind}_value_{name}")
        field.setAccessibleName(f"{name}, parameter of {self._whose}")
        slider.moved.connect(lambda value, _: self._set(name, value))
        field.entered.connect(lambda value, _: self._set(name, value))
        return label, slider, field

    def _set(self, name: str, value: float) -> None:
        low, high, _ = self._parameters[name]
        value = min(max(value, low), high)
        if value != self._values[name]:
            self._values[name] = value
            self._show()
            self.changed.emit(dict(self._values))

    def _show(self) -> None:
        for name, (_, slider, field) in self._rows.items():
            slider.show_value(self._values[name])
            field.show_value(self._values[name])

    def set_theme(self, tokens: Tokens) -> None:
        """Colours and sizes."""
        self._tokens = tokens
        for _, slider, field in self._rows.values():
            slider.set_theme(tokens)
            field.refit()
