"""Friction of every joint as numbers to type over, and a slider for wear."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLabel

from armature.app.state.severity import Severity
from armature.app.state.units import number
from armature.app.style.colour_tokens import Tokens
from armature.app.widgets.controls import button, named, row
from armature.app.widgets.joint_slider import JointSlider
from armature.app.widgets.restyle import set_style_property
from armature.app.widgets.section import Section, note
from armature.app.widgets.steady import Steady
from armature.app.widgets.tables.entry_table import GainModel, GainTable
from armature.engine.model.body import Friction

COLUMNS = ("Viscous", "Coulomb +", "Coulomb −", "Static")
LARGEST, WORN = 1e6, 10.0
TIP = "Double-click a coefficient or type to change it. It takes effect at once, also during a run"
WORDS = (
    "τ_f = B q̇ + F sign q̇. Viscous B in N·m·s/rad, Coulomb F per direction and static (breakaway) friction in N·m; prismatic "
    "joints N·s/m and N."
)
OFF = "Joint friction is switched off in the Simulation panel."


class FrictionSection(Section):
    """Tells `entered(joint, friction)`, `wear_moved(factor, gesture)` and `reset_requested()`."""

    entered = Signal(int, object)
    wear_moved = Signal(float, int)
    reset_requested = Signal()

    def __init__(self):
        super().__init__("Friction", open_=False)
        self._model = GainModel(LARGEST)
        self.table = self.add(GainTable("friction_table", "Joint friction", self._model, 8))
        self.table.setToolTip(TIP)
        self._model.entered.connect(self._tell)
        self._model.refused.connect(lambda text: self._say(text, Severity.WARNING))
        self._message = named(QLabel(), "friction_message")
        self._message.setWordWrap(True)
        self._words = note(WORDS)
        self.add(Steady(3, self._words, self._message))
        self.wear = named(JointSlider(1.0, WORN, False, 0.1), "friction_wear", "Wear: factor on the friction of all joints")
        self.wear.setToolTip("Factor on all friction in the table, for worn gears and old grease")
        self.wear.moved.connect(lambda factor, gesture: self.wear_moved.emit(round(factor, 2), gesture))
        self._factor = named(QLabel(), "friction_factor")
        self._reset = button("friction_reset", "Reset", "Reset friction", "Reset to the friction in the robot file, without wear")
        self._reset.clicked.connect(self.reset_requested)
        self.add(row(QLabel("Wear"), self.wear, self._factor, stretch=self.wear))
        self.add(row(self._reset, None))

    def show_friction(self, joints: tuple[str, ...], friction: list[Friction], wear: float) -> None:
        """Of every joint when it was new, and how many times as much it is."""
        values = np.array([[f.viscous, *f.coulomb, f.stiction] for f in friction]).reshape(len(joints), len(COLUMNS))
        if tuple(self._model.rows) == joints:
            self._model.values = values
            self._model.dataChanged.emit(self._model.index(0, 0), self._model.index(len(joints) - 1, len(COLUMNS) - 1))
        else:
            self._model.set_table(joints, COLUMNS, values)
        self.wear.show_value(wear)
        self._factor.setText(f"× {number(wear, 1)}")
        self._say("")

    def set_friction(self, on: bool) -> None:
        """Whether there is friction at all."""
        for part in (self.table, self.wear, self._reset):
            part.setEnabled(on)
        self._say("" if on else OFF)

    def _tell(self, joint: int, _column: int, _value: float) -> None:
        viscous, plus, minus, stiction = self._model.values[joint].tolist()
        self.entered.emit(joint, Friction(viscous, (plus, minus), stiction))

    def _say(self, text: str, severity: Severity = Severity.INFO) -> None:
        self._message.setText(text)
        self._message.setVisible(bool(text))
        self._words.setVisible(not text)
        set_style_property(self._message, "severity", severity.value)

    def set_theme(self, tokens: Tokens) -> None:
        """Colours of the slider and fonts of the table."""
        self.wear.set_theme(tokens)
        self.table.refit()
