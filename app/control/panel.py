"""The control dock: which law moves the motors, its gains, and what it knows of the arm."""

from __future__ import annotations

from typing import cast

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFormLayout, QLabel, QWidget

from armature.app.control.offered_laws import BY_HAND, OWN, ControlOptions, law_named, laws
from armature.app.control.sensors_section import SensorsSection
from armature.app.state.severity import Severity
from armature.app.style.colour_tokens import Tokens
from armature.app.widgets.controls import button, check, choice, form, named, number
from armature.app.widgets.restyle import set_style_property
from armature.app.widgets.section import Section, note, page
from armature.app.widgets.steady import Steady, keeps_room
from armature.app.widgets.tables.entry_table import GainModel, GainTable

HOLD_TIP = "Hold the current pose as the goal. Changing gains keeps this goal; running a trajectory replaces it."


class Part(Section):
    """What stands in the panel with one law only."""

    def set_theme(self, tokens: Tokens) -> None:
        """Other colours, or another size of text."""


class ControlPanel(QWidget):
    """Emits `law_chosen(name)`, `reset_requested()`, `hold_requested()` and
    `options_changed(ControlOptions)`."""

    law_chosen = Signal(str)
    reset_requested = Signal()
    hold_requested = Signal()
    options_changed = Signal(object)

    def __init__(self):
        super().__init__()
        content = page(self, "Control")
        self._message = named(QLabel(), "control_message")
        self._message.setWordWrap(True)
        self._message.hide()
        tip = "Controller that sets the motor torques. A change takes effect at once, also during a run"
        self._law = choice("control_law", "Controller", {name: law.title for name, law in BY_HAND.items()}, tip)
        self._law.activated.connect(lambda _: self.law_chosen.emit(self._law.currentData()))
        self._equation = named(QLabel(), "control_equation")
        self._equation.setProperty("role", "section")
        self._equation.setWordWrap(True)
        self._equation.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._words = named(note(), "control_words")
        self._state = named(note(), "control_state")
        self._state.hide()
        self._hold = button("control_hold", "Hold current pose", tip=HOLD_TIP)
        self._hold.clicked.connect(self.hold_requested)
        self._warning = named(QLabel(), "control_warning")
        self._warning.setWordWrap(True)
        self._warning.hide()
        set_style_property(self._warning, "severity", Severity.WARNING.value)
        texts = Steady(7, self._equation, self._words, self._state, self._message, self._warning)
        for part in (self._law, texts, keeps_room(self._hold)):
            content.addWidget(part)
        self._content, self._parts = content, dict[str, Part]()
        self._gains = self._gains_section()
        self._options = self._options_section()
        content.addWidget(self._gains)
        content.addWidget(self._options)
        self.sensors = SensorsSection()
        content.addWidget(self.sensors)
        content.addStretch(1)

    def _gains_section(self) -> Section:
        section = Section("Gains")
        self.gains = GainModel()
        self.table = GainTable("control_gains", "Gains", self.gains, 12)
        self.table.setToolTip("Double-click a gain or type to change it")
        self.gains.entered.connect(lambda *_: self.show_message(""))
        self.gains.refused.connect(lambda text: self.show_message(text, Severity.WARNING))
        self._units = note()
        tip = "Compute the gains from the arm's mass matrix: critically damped at 20 rad/s"
        reset = button("control_reset", "Default gains", tip=tip)
        reset.clicked.connect(self.reset_requested)
        for part in (self.table, Steady(2, self._units), reset):
            section.add(part)
        return section

    def _options_section(self) -> Section:
        section = Section("Motors and model")
        self._saturate = check("control_saturate", "Torque limits", "Clamp torques to the motor limits", on=True)
        self._knows = check(
            "control_knows_payload", "Payload known to controller", "If off, the controller ignores grasped objects", on=True
        )
        tip = "Time between two samples of the controller; the torque is held in between. 0: every time step"
        self._period = number("control_period", "Control period", (0.0, 1000.0), 0.0, decimals=2, suffix=" ms", tip=tip)
        self._period.setSpecialValueText("every step")
        tip = "If off, the controller assumes the friction of the robot file and ignores later changes and wear"
        self._rubs = check("control_knows_friction", "Current friction known to controller", tip, on=True)
        tip = "Mass at the tool that is only in the controller's model, not on the arm: a model error"
        title = "Payload error of the controller's model"
        self._mass = number("control_assumed_mass", title, (0.0, 100.0), 0.0, decimals=2, step=0.1, suffix=" kg", tip=tip)
        rows = (
            (None, self._saturate),
            ("Control period", self._period),
            (None, self._knows),
            (None, self._rubs),
            ("Payload model error (assumed mass)", self._mass),
        )
        self._form = section.add(form(rows))
        self._own_business = self._saturate, self._period
        for box in (self._saturate, self._knows, self._rubs):
            box.toggled.connect(self._tell_options)
        for field in (self._period, self._mass):
            field.valueChanged.connect(self._tell_options)
        return section

    @property
    def options(self) -> ControlOptions:
        """The options that apply to every controller."""
        period = self._period.value() / 1000 or None
        return ControlOptions(
            self._saturate.isChecked(), period, self._knows.isChecked(), self._mass.value(), self._rubs.isChecked()
        )

    def choose_options(self, options: ControlOptions):
        """Set the options as the user does."""
        self._saturate.setChecked(options.saturate)
        self._period.setValue(1000 * (options.period or 0.0))
        self._mass.setValue(options.assumed_mass)
        self.set_knowledge(options.knows_payload, options.knows_friction)

    def set_knowledge(self, payload: bool, friction: bool):
        """Set whether the controller's model includes the payload and the current friction."""
        self._knows.setChecked(payload)
        self._rubs.setChecked(friction)

    def _tell_options(self, *_):
        self.options_changed.emit(self.options)

    def add_part(self, part: Part, law: str):
        """A part of the panel that is there with one law only, below its words."""
        part.hide()
        self._parts[law] = part
        self._content.insertWidget(self._content.indexOf(self._gains), part)

    def fill_chooser(self):
        """List all controllers, once compiled code may be imported."""
        for name, law in laws().items():
            if self._law.findData(name) < 0:
                self._law.addItem(law.title, name)

    def show_law(self, name: str, rows, values: np.ndarray):
        """A law, its words, and its gains `(rows, columns)`."""
        law = law_named(name)
        if self._law.findData(name) < 0:
            self.fill_chooser()
        self._law.setCurrentIndex(self._law.findData(name))
        self._equation.setText(law.equation)
        self._words.setText(law.words)
        self._units.setText(law.note)
        self._hold.setVisible(law.follows)
        self._gains.setVisible(bool(law.gains))
        for own, part in self._parts.items():
            part.setVisible(own == name or (own == OWN and bool(law.file)))
        for field in self._own_business:  # a law in Python says these for itself
            cast("QFormLayout", self._form.layout()).setRowVisible(field, name != OWN and not law.file)
        self._options.setVisible(name not in ("none", "torque"))
        self.gains.set_gains(rows, law.gains.values(), values)

    def set_possible(self, possible: bool, why: str = ""):
        """Whether motors can be controlled at all, and why not."""
        for part in (self._law, self._hold, self._gains, self._options):
            part.setEnabled(possible)
        self.show_message(why)

    def show_state(self, text: str):
        """Whether the law is at work, where it is not; empty hides it."""
        self._state.setText(text)
        self._state.setVisible(bool(text))

    def show_warning(self, text: str):
        """Why the gains would shake the arm; empty hides it."""
        self._warning.setText(text)
        self._warning.setVisible(bool(text))

    def show_message(self, text: str, severity: Severity = Severity.INFO):
        """A plain sentence; empty hides it."""
        self._message.setText(text)
        self._message.setVisible(bool(text))
        set_style_property(self._message, "severity", severity.value)

    def set_theme(self, tokens):
        """Fonts of the table, colours of the parts."""
        self.table.refit()
        for part in self._parts.values():
            part.set_theme(tokens)
