"""r and φ of the tool, for arms whose turning axes are all parallel."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from armature.app.state.units import Units
from armature.app.widgets.controls import named
from armature.app.widgets.value_field import ValueField
from armature.engine.kinematics.polar import PolarAxis

TIP = "{} about the axis of {}. Enter a value to move the arm"


class PolarFields(QWidget):
    """Tells `wanted(p, gesture)`, the place `(3,)` in W that was typed. Hidden where an arm has no such coordinates."""

    wanted = Signal(object, int)

    def __init__(self, units: Units):
        super().__init__()
        self._units = units
        self._axis: PolarAxis | None = None
        self._here = (0.0, 0.0, 0.0)
        self.r, self.phi = self._field(0, "r", True), self._field(1, "phi", False)
        grid = QGridLayout(self)
        grid.setContentsMargins(2, 0, 2, 0)
        grid.setHorizontalSpacing(6)
        for k, (text, field) in enumerate((("r", self.r), ("φ", self.phi))):
            label = QLabel(text)
            label.setProperty("role", "muted")
            label.setBuddy(field)
            grid.addWidget(label, 0, 2 * k)
            grid.addWidget(field, 0, 2 * k + 1)
            grid.setColumnStretch(2 * k, 1)
        self.hide()

    def _field(self, k: int, name: str, length: bool) -> ValueField:
        units = self._units
        field = ValueField(units.decimals(length), units.step(length), units.suffix(length))
        field.show_unknown()
        field.entered.connect(lambda shown, gesture: self._on_entered(k, shown / self._units.factor(length), gesture))
        return named(field, f"tool_{name}", f"{name} of the tool, polar")

    def set_axis(self, axis: PolarAxis | None, joint: str) -> None:
        """The axis that they are about, and whose it is."""
        self._axis = axis
        self.setVisible(axis is not None)
        for field in (self.r, self.phi):
            field.setToolTip(TIP.format(field.accessibleName(), joint))
            if axis is None:
                field.show_unknown()

    def allow(self, on: bool) -> None:
        """Whether they can be typed now."""
        self.r.setEnabled(on)
        self.phi.setEnabled(on)

    def show_point(self, p: np.ndarray, state: str) -> None:
        """The tool is, or is wanted, at `p` `(3,)` in W."""
        if self._axis is None:
            return
        self._here = self._axis.coordinates(p)
        for field, value, length in ((self.r, self._here[0], True), (self.phi, self._here[1], False)):
            field.show_value(value * self._units.factor(length), state)

    def set_units(self, units: Units) -> None:
        """Show them in other units."""
        self._units = units
        for field, length in ((self.r, True), (self.phi, False)):
            field.set_format(units.decimals(length), units.step(length), units.suffix(length))

    def refit(self) -> None:
        """Take over the present font."""
        self.r.refit()
        self.phi.refit()

    def _on_entered(self, k: int, value: float, gesture: int) -> None:
        if self._axis is not None:
            r, phi, height = self._here
            self.wanted.emit(self._axis.point(*((value, phi) if k == 0 else (r, value)), height), gesture)
