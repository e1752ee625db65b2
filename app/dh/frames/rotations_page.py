"""The page *Rotations*: R_x, R_y and R_z, each turned by a slider, in symbols and numbers, and their product."""

from __future__ import annotations

from math import degrees, pi, radians

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QWidget

from armature.app.dh.frames.rotation_text import ANGLES, AXES, check_text, equation, product_text
from armature.app.state.units import Units
from armature.app.style.colour_tokens import Tokens
from armature.app.style.theme import fixed_font
from armature.app.widgets.controls import button, named, row
from armature.app.widgets.joint_slider import JointSlider
from armature.app.widgets.section import note, page
from armature.app.widgets.steady import Steady
from armature.app.widgets.value_field import ValueField

ORDER = "R = R_z(γ) R_y(β) R_x(α): about the fixed axes x, y, z in this order, or about the moving axes z, y, x."


class RotationsPage(QWidget):
    """Tells `turned()` where an angle is another one."""

    turned = Signal()

    def __init__(self, units: Units):
        super().__init__()
        self.angles = np.zeros(3)
        self._units = units
        content = page(self, "Rotations")
        content.addWidget(note("The view shows the rotated frame at the world origin; c: cos, s: sin."))
        self.sliders: list[JointSlider] = []
        self.fields: list[ValueField] = []
        self.texts: list[QLabel] = []
        for axis, angle in zip(AXES, ANGLES):
            slider = named(JointSlider(-pi, pi, False, pi / 180), f"rotation_slider_{axis}", f"Angle {angle} about {axis}")
            field = ValueField(units.decimals(False), units.step(False), units.suffix(False))
            text = named(QLabel(), f"rotation_{axis}", f"Rotation about {axis}")
            text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            k = len(self.sliders)
            slider.moved.connect(lambda value, _, k=k: self._set(k, radians(round(degrees(value)))))
            field.entered.connect(lambda shown, _, k=k: self._set(k, shown / self._units.factor(False)))
            self.sliders.append(slider)
            self.fields.append(named(field, f"rotation_angle_{axis}", f"Angle {angle} about {axis}"))
            self.texts.append(text)
            content.addWidget(row(QLabel(f"{angle} about {axis}"), slider, field, stretch=slider))
            content.addWidget(text)
        self.product = named(QLabel(), "rotation_product", "Product of the three rotations")
        self.product.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.check = named(note(), "rotation_check")
        self.back = button("rotation_back", "Reset angles", "Reset angles", "Set all three angles to 0")
        self.back.clicked.connect(self._turn_back)
        for part in (note(ORDER), self.product, Steady(2, self.check), row(self.back, None)):
            content.addWidget(part)
        content.addStretch(1)
        self.set_units(units)

    def _turn_back(self) -> None:
        self.angles = np.zeros(3)
        self._show()
        self.turned.emit()

    def _set(self, axis: int, angle: float) -> None:
        self.angles[axis] = angle
        self._show()
        self.turned.emit()

    def _show(self) -> None:
        for k, (slider, field, text) in enumerate(zip(self.sliders, self.fields, self.texts)):
            angle = float(self.angles[k])
            slider.show_value(angle)
            field.show_value(angle * self._units.factor(False))
            text.setText(equation(k, angle))
        self.product.setText(product_text(self.angles))
        self.check.setText(check_text(self.angles, self._units))

    def set_units(self, units: Units) -> None:
        """Degrees or radians."""
        self._units = units
        for field in self.fields:
            field.set_format(units.decimals(False), units.step(False), units.suffix(False))
        self._show()

    def set_theme(self, tokens: Tokens) -> None:
        """Colours of the sliders, and the present size of text."""
        for slider in self.sliders:
            slider.set_theme(tokens)
        for text in (*self.texts, self.product):
            text.setFont(fixed_font(0.88))
        for field in self.fields:
            field.refit()
