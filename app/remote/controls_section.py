"""Sliders and buttons that a script has put into its dock."""

from __future__ import annotations

from math import floor, log10

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from armature.app.style.colour_tokens import Tokens
from armature.app.widgets.controls import button, number
from armature.app.widgets.joint_slider import JointSlider
from armature.app.widgets.plain_field import PlainField
from armature.engine.errors import one_line
from armature.engine.remote.messages import Slider

MOST, LONGEST = 64, 40


class SliderRow(QWidget):
    """A name, a slider and the number, which can be typed; tells `moved(value)`."""

    moved = Signal(float)

    def __init__(self, name: str, slider: Slider):
        super().__init__()
        self.wanted, self.value = slider, slider.start
        words, span = one_line(name, LONGEST), slider.high - slider.low
        decimals = min(max(3 - floor(log10(span)), 0), 9)
        self._title = QLabel(words)
        self._slider = JointSlider(slider.low, slider.high, False, span / 100)
        self._slider.setObjectName(f"script_slider_{name}")
        self._slider.setAccessibleName(words)
        bounds = slider.low, slider.high
        self._field: PlainField = number(
            f"script_value_{name}", words, bounds, slider.start, decimals=decimals, step=10.0**-decimals
        )
        self._slider.show_value(slider.start)
        self._slider.moved.connect(lambda value, _: self._set(value))
        self._field.valueChanged.connect(self._set)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(0)
        grid.addWidget(self._title, 0, 0)
        grid.addWidget(self._slider, 1, 0)
        grid.addWidget(self._field, 1, 1)
        grid.setColumnStretch(0, 1)

    def _set(self, value: float) -> None:
        if value == self.value:
            return
        self.value = value
        self._slider.show_value(value)
        self._field.blockSignals(True)
        self._field.setValue(value)
        self._field.blockSignals(False)
        self.moved.emit(value)

    def set_theme(self, tokens: Tokens) -> None:
        """Colours of the slider."""
        self._slider.set_theme(tokens)


class ControlsSection(QWidget):
    """Empty until a script wants some; `values` and `presses` are what it reads, `changed()` that they are others."""

    changed = Signal()

    def __init__(self):
        super().__init__()
        self._tokens: Tokens | None = None
        self._rows: dict[str, SliderRow] = {}
        self._buttons: dict[str, QPushButton] = {}
        self.presses: dict[str, int] = {}
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(6)

    @property
    def values(self) -> dict[str, float]:
        """The sliders by name."""
        return {name: row.value for name, row in self._rows.items()}

    @property
    def has_buttons(self) -> bool:
        """Whether there are buttons."""
        return bool(self._buttons)

    def put_button(self, name: str) -> None:
        """Make a button."""
        if name not in self._buttons and len(self._buttons) < MOST:
            self._buttons[name] = made = button(f"script_button_{name}", one_line(name, LONGEST))
            made.clicked.connect(lambda _: self._press(name))
            self._layout.addWidget(made)

    def put_slider(self, name: str, slider: Slider) -> None:
        """Make a slider, or another one of the same name."""
        sound = np.isfinite([slider.low, slider.high, slider.start]).all() and slider.low < slider.high
        if not sound or (name not in self._rows and len(self._rows) >= MOST):
            return
        row = SliderRow(name, slider)
        row.moved.connect(lambda _: self.changed.emit())
        old = self._rows.get(name)
        if old is None:
            self._layout.addWidget(row)
        else:
            self._layout.replaceWidget(old, row)
            old.deleteLater()
        self._rows[name] = row
        if self._tokens is not None:
            row.set_theme(self._tokens)
        self.changed.emit()

    def clear(self) -> None:
        """No controls."""
        for part in (*self._rows.values(), *self._buttons.values()):
            self._layout.removeWidget(part)
            part.hide()
            part.deleteLater()
        self._rows, self._buttons, self.presses = {}, {}, {}

    def set_theme(self, tokens: Tokens) -> None:
        """Colours of the sliders."""
        self._tokens = tokens
        for row in self._rows.values():
            row.set_theme(tokens)

    def _press(self, name: str) -> None:
        self.presses[name] = self.presses.get(name, 0) + 1
        self.changed.emit()
