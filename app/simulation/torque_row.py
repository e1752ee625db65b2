"""The motor torque of one joint: name, slider and number field."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QGridLayout, QLabel

from armature.app.state.units import significant
from armature.app.style.colour_tokens import Tokens
from armature.app.widgets.controls import named
from armature.app.widgets.joint_slider import JointSlider
from armature.app.widgets.restyle import polish
from armature.app.widgets.value_field import ValueField


class TorqueRow(QObject):
    """Tells `changed(tau)` in N·m or N; its widgets stand in row `i` of a grid."""

    changed = Signal(float)

    def __init__(self, grid: QGridLayout, i: int):
        super().__init__(grid)
        self._label, self._slider, self._field = QLabel(), JointSlider(-1.0, 1.0, False, 0.02), ValueField(1, 0.02, "")
        self._slider.moved.connect(lambda value, _: self.changed.emit(value))
        self._field.entered.connect(lambda value, _: self.changed.emit(value))
        self._parts = self._label, self._slider, self._field
        grid.addWidget(self._label, i, 0)
        grid.addWidget(self._slider, i, 1)
        grid.addWidget(self._field, i, 2, Qt.AlignmentFlag.AlignRight)

    def show_joint(self, name: str, limit: float, unit: str, decimals: int) -> None:
        """Be the row of this joint from now on, with torques up to `limit`; its value comes with the next `show_value`."""
        self._label.setText(name)
        self._label.setToolTip(f"±{significant(limit, 6)}{unit}")
        named(self._slider, f"torque_slider_{name}", f"{name} motor torque slider")
        named(self._field, f"torque_value_{name}", f"{name} motor torque")
        self._slider.set_interval(-limit, limit, False, limit / 50)
        self._field.set_widest(limit)
        self._field.set_format(decimals, limit / 50, unit)

    def show_value(self, tau: float) -> None:
        """Follow what acts."""
        self._slider.show_value(tau)
        self._field.show_value(tau)

    def set_theme(self, tokens: Tokens) -> None:
        """Colours of the slider."""
        self._slider.set_theme(tokens)
        self._field.refit()

    def set_visible(self, on: bool) -> None:
        """Whether its joint is there already."""
        for part in self._parts:
            part.setVisible(on)

    def polish(self) -> None:
        """Have the style sheet look at it before it is shown."""
        for part in self._parts:
            polish(part)

    def remove(self) -> None:
        """Take its widgets out of the grid."""
        for part in self._parts:
            part.hide()
            part.deleteLater()  # which takes them out of their layout
        self.deleteLater()
