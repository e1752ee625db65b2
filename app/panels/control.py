"""The control dock: which law moves the motors, its gains, and what it knows of the arm."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QDoubleSpinBox, QFormLayout, QLabel, QPushButton, QWidget

from app.control_laws import LAWS, ControlOptions
from app.widgets.entry_table import EntryTable, GainModel
from app.widgets.plain_field import make_plain
from app.widgets.restyle import set_style_property
from app.widgets.section import Section, note, page

LARGEST = 1e12


class ControlPanel(QWidget):
    """Tells `law_chosen(name)`, `gain_entered(row, column, value)`, `reset_asked()` and `options_changed(ControlOptions)`."""

    law_chosen = Signal(str)
    gain_entered = Signal(int, int, float)
    reset_asked = Signal()
    options_changed = Signal(object)

    def __init__(self):
        super().__init__()
        content = page(self, "Control")
        self._message = QLabel()
        self._message.setObjectName("control_message")
        self._message.setWordWrap(True)
        self._message.hide()
        self._law = QComboBox()
        self._law.setObjectName("control_law")
        self._law.setAccessibleName("Control law")
        self._law.setToolTip("What decides the motor torques; takes effect at once, the arm goes on as it is")
        for name, law in LAWS.items():
            self._law.addItem(law.title, name)
        self._law.activated.connect(lambda _: self.law_chosen.emit(self._law.currentData()))
        self._equation = QLabel()
        self._equation.setObjectName("control_equation")
        self._equation.setProperty("role", "section")
        self._equation.setWordWrap(True)
        self._equation.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._words = note()
        self._words.setObjectName("control_words")
        for part in (self._message, self._law, self._equation, self._words):
            content.addWidget(part)
        self._gains = self._gains_section()
        self._options = self._options_section()
        content.addWidget(self._gains)
        content.addWidget(self._options)
        content.addStretch(1)

    def _gains_section(self) -> Section:
        section = Section("Gains")
        self.gains = GainModel(LARGEST)
        self.table = EntryTable("control_gains", "Gains", self.gains, 12)
        self.table.setToolTip("Double-click a gain, or type over it")
        self.gains.entered.connect(self.gain_entered)
        self.gains.entered.connect(lambda *_: self.show_message(""))
        self.gains.refused.connect(lambda text: self.show_message(text, 1))
        self._units = note()
        reset = QPushButton("Default gains")
        reset.setObjectName("control_reset")
        reset.setToolTip("Gains computed from the arm's mass matrix: critically damped at 20 rad/s")
        reset.clicked.connect(self.reset_asked)
        for part in (self.table, self._units, reset):
            section.add(part)
        return section

    def _options_section(self) -> Section:
        section, widget = Section("Motors and model"), QWidget()
        form = QFormLayout(widget)
        form.setContentsMargins(2, 0, 2, 0)
        self._saturate = _box("control_saturate", "Torque limits", "No joint gets more than its motor gives", True)
        self._knows = _box("control_knows_payload", "Knows what the tool holds", "Off: a grasped object is a surprise", True)
        self._period = _field("control_period", "Time between two looks of the controller", 0.0, 1000.0, 1.0, " ms")
        self._period.setSpecialValueText("every step")
        self._period.setToolTip("The torque is held in between; 0 is every time step")
        self._mass = _field("control_assumed_mass", "Mass the controller wrongly reckons with", 0.0, 100.0, 0.1, " kg")
        self._mass.setToolTip("A mass at the tool that only the controller believes in: a model error")
        form.addRow(self._saturate)
        form.addRow("Looks every", self._period)
        form.addRow(self._knows)
        form.addRow("Wrongly assumed load", self._mass)
        for box in (self._saturate, self._knows):
            box.toggled.connect(self._tell_options)
        for field in (self._period, self._mass):
            field.valueChanged.connect(self._tell_options)
        section.add(widget)
        return section

    @property
    def options(self) -> ControlOptions:
        """What is chosen besides the law."""
        period = self._period.value() / 1000 or None
        return ControlOptions(self._saturate.isChecked(), period, self._knows.isChecked(), self._mass.value())

    def _tell_options(self, *_):
        self.options_changed.emit(self.options)

    def show_law(self, name: str, rows, values: np.ndarray):
        """A law, its words, and its gains `(rows, columns)`."""
        law = LAWS[name]
        self._law.setCurrentIndex(self._law.findData(name))
        self._equation.setText(law.equation)
        self._words.setText(law.words)
        self._units.setText(law.note)
        self._gains.setVisible(bool(law.gains))
        self._options.setVisible(name not in ("none", "torque"))
        self.gains.set_table(rows, [title for _, title in law.gains], values)

    def set_possible(self, possible: bool, why: str = ""):
        """Whether motors can be controlled at all, and why not."""
        for part in (self._law, self._gains, self._options):
            part.setEnabled(possible)
        self.show_message(why)

    def show_message(self, text: str, level: int = 0):
        """A plain sentence; empty hides it."""
        self._message.setText(text)
        self._message.setVisible(bool(text))
        set_style_property(self._message, "level", str(level or "none"))

    def set_theme(self, tokens):
        """Fonts of the table."""
        self.table.refit()


def _box(name: str, text: str, tip: str, on: bool) -> QCheckBox:
    box = QCheckBox(text)
    box.setObjectName(name)
    box.setToolTip(tip)
    box.setChecked(on)
    return box


def _field(name: str, accessible: str, low: float, high: float, step: float, suffix: str) -> QDoubleSpinBox:
    field = QDoubleSpinBox()
    field.setObjectName(name)
    field.setAccessibleName(accessible)
    field.setRange(low, high)
    field.setSingleStep(step)
    field.setDecimals(2)
    field.setSuffix(suffix)
    field.setKeyboardTracking(False)
    make_plain(field)
    return field
