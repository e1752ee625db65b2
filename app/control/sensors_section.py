"""The sensors in the control dock: their figures, and a line that says what is on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from armature.app.state.number_marks import said
from armature.app.widgets.controls import check, form, named, number
from armature.app.widgets.section import Section, note

if TYPE_CHECKING:
    from armature.engine import Sensors

FIGURES = {"counts": 4096.0, "position_noise": 0.0, "torque_noise": 0.0, "delay": 0.0, "speed_cutoff": 100.0, "seed": 0.0}
"""In the units of the fields, for all joints alike."""
WHAT = (
    "The controller uses the measured values. Plots (“Actual and measured”) show both, and so do recordings if sensors are on at "
    "their start. Velocity is the filtered difference of two positions."
)
ON = "Sensors on: "
EXACT = "exact, the controller receives the true values"


class SensorsSection(QWidget):
    """Tells `changed()` when a person switched them or entered a figure."""

    changed = Signal()

    def __init__(self):
        super().__init__()
        section = Section("Sensors", open_=False)
        section.header.setObjectName("control_sensors")
        tip = "If off, the controller receives the true position and velocity of every joint"
        self._on = check("sensors_on", "Simulate sensors", tip)
        tip = "Counts per joint revolution, or per metre for prismatic joints. With few counts the velocity is visibly stepped"
        counts = number("sensors_counts", "Encoder counts per revolution or metre", (0, 1e9), 0, step=1024, tip=tip)
        counts.setSpecialValueText("exact")
        tip = "Standard deviation of the noise added before quantisation by the encoder"
        noise = number(
            "sensors_position_noise", "Position noise", (0, 1e4), 0, decimals=3, step=0.1, suffix=" mrad (mm)", tip=tip
        )
        tip = "Standard deviation of the noise on the measured torque, which adaptive and user-defined controllers use"
        torque = number("sensors_torque_noise", "Torque noise", (0, 1e6), 0, decimals=3, step=0.1, suffix=" N·m (N)", tip=tip)
        tip = "Delay from the arm to the controller, in whole time steps. Large delays make stiff controllers unstable"
        delay = number("sensors_delay", "Delay", (0, 1000), 0, decimals=2, step=1, suffix=" ms", tip=tip)
        tip = "Cut-off frequency of the low-pass for the differenced velocity: lower is smoother but adds delay"
        cutoff = number(
            "sensors_speed_cutoff", "Velocity low-pass cut-off", (0, 1e6), 0, decimals=1, step=10, suffix=" Hz", tip=tip
        )
        cutoff.setSpecialValueText("none")
        tip = "The same seed gives the same noise, so that a run can be repeated"
        seed = number("sensors_seed", "Random seed of the noise", (0, 2**31), 0, tip=tip)
        self._fields = dict(zip(FIGURES, (counts, noise, torque, delay, cutoff, seed), strict=True))
        titles = ("Encoder counts", "Position noise σ", "Torque noise σ", "Delay", "Velocity low-pass", "Seed")
        section.add(self._on)
        section.add(form(zip(titles, self._fields.values(), strict=True)))
        section.add(named(note(), "sensors_what")).setText(WHAT)
        self._state = named(note(), "sensors_state")
        self._state.hide()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        layout.addWidget(section)
        layout.addWidget(self._state)
        self.show_figures(False, FIGURES)
        self._on.toggled.connect(lambda _: self.changed.emit())
        for field in self._fields.values():
            field.valueChanged.connect(lambda _: self.changed.emit())

    @property
    def on(self) -> bool:
        """Whether they stand between arm and controller."""
        return self._on.isChecked()

    @property
    def figures(self) -> dict[str, float]:
        """What stands in the fields, as `FIGURES`."""
        return {name: field.value() for name, field in self._fields.items()}

    def show_figures(self, on: bool, figures: Mapping[str, float]) -> None:
        """Others, of another robot, without telling."""
        was = self.blockSignals(True)
        self._on.setChecked(on)
        for name, field in self._fields.items():
            field.setValue(figures[name])
        self.blockSignals(was)

    def show_state(self, sensors: Sensors | None) -> None:
        """What is on, in a line that stays when the section is folded."""
        self._state.setText("" if sensors is None else said(f"{ON}{sensors.told() if sensors.any else EXACT}"))
        self._state.setVisible(sensors is not None)
