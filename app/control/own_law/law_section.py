"""`OwnLawSection`: which file the law comes from, how it is, and its parameters."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget

from armature.app.control.panel import Part
from armature.app.state.severity import Severity
from armature.app.widgets.controls import button, named, row
from armature.app.widgets.parameter_rows import ParameterRows
from armature.app.widgets.restyle import set_style_property
from armature.app.widgets.section import note
from armature.app.widgets.steady import Steady

NONE = "No controller is open. Open a Python file that defines control(t, q, qd, goal, arm, p), or create one with New…"


class OwnLawSection(Part):
    """Buttons to open, create and edit a law, what became of it, and a slider per parameter."""

    def __init__(self) -> None:
        super().__init__("Controller file (Python)")
        self.open = button("own_law_open", "Open…", "Open a controller", "Open a Python file or a recent one")
        self.new = button("own_law_new", "New…", "New controller", "Create a file from a copy of a built-in controller")
        self.edit = button(
            "own_law_edit",
            "Edit",
            "Edit the controller",
            "Open the file in your editor; a saved change takes effect at once. Copy shipped controllers with New…",
        )
        self.edit.setEnabled(False)
        self._file = named(QLabel(), "own_law_file")
        self._file.setTextFormat(Qt.TextFormat.PlainText)
        self._file.setWordWrap(True)
        self._state = named(note(NONE), "own_law_state")
        self._fault = named(QLabel(), "own_law_fault")
        for label in (self._state, self._fault):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setWordWrap(True)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._fault.hide()
        self.parameters = ParameterRows("law", "the controller")
        self.reset = button(
            "own_law_reset", "Reset parameters", "Reset parameters to the file", "Reset all parameters to the values in control.p"
        )
        self.reset.hide()
        parts: tuple[QWidget, ...] = (
            row(self.open, self.new, self.edit, None),
            Steady(4, self._file, self._state, self._fault),
            self.parameters,
            row(self.reset, None),
        )
        for part in parts:
            self.add(part)

    def show_file(self, path: Path, editable: bool = True) -> None:
        """The file that is watched; one that ships is no one's to edit, a copy of it is."""
        self._file.setText(path.name)
        self._file.setToolTip(str(path))
        self.edit.setEnabled(editable)

    def show_state(self, text: str, warn: bool = False) -> None:
        """Which version is at work, and how fast."""
        if text != self._state.text():
            self._state.setText(text)
        set_style_property(self._state, "severity", (Severity.WARNING if warn else Severity.INFO).value)

    def show_fault(self, text: str) -> None:
        """What is wrong with the newest version, or went wrong at work; empty for nothing."""
        self._fault.setText(text)
        self._fault.setVisible(bool(text))
        set_style_property(self._fault, "severity", (Severity.ERROR if text else Severity.INFO).value)

    def show_parameters(self, law) -> None:
        """The parameters of a law at work."""
        self.parameters.show_parameters(law.parameters, law.values)
        self.reset.setVisible(bool(law.parameters))

    def set_theme(self, tokens) -> None:
        """Colours of the sliders."""
        self.parameters.set_theme(tokens)
