"""`DisturbanceSection`: which file pushes the arm, and how it is."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from armature.app.state.severity import Severity
from armature.app.widgets.controls import button, named, row
from armature.app.widgets.parameter_rows import ParameterRows
from armature.app.widgets.restyle import set_style_property
from armature.app.widgets.section import Section
from armature.app.widgets.steady import Steady

NONE = "No disturbance is open. Open a Python file that defines disturbance(t, q, qd, p): a force and a moment on a link."


class DisturbanceSection(Section):
    """Buttons to open and remove it, a sentence about it, and a slider per parameter."""

    def __init__(self) -> None:
        super().__init__("Disturbance (Python)", open_=False)
        self.open = button(
            "disturbance_open", "Open…", "Open a disturbance", "Open a Python file, which is reloaded whenever it is saved"
        )
        self.remove = button(
            "disturbance_remove", "Remove", "Remove the disturbance", "Close the file and remove its force and moment"
        )
        self._state = named(QLabel(), "disturbance_state")
        self._state.setTextFormat(Qt.TextFormat.PlainText)
        self._state.setWordWrap(True)
        self._state.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.parameters = ParameterRows("disturbance", "the disturbance")
        self.add(row(self.open, self.remove, None))
        self.add(Steady(3, self._state))
        self.add(self.parameters)
        self.show_file(None)

    def show_file(self, path: Path | None) -> None:
        """The file that is watched, None for none."""
        self.remove.setEnabled(path is not None)
        if path is None:
            self.parameters.show_parameters({}, {})
        self._state.setToolTip("" if path is None else str(path))
        self.tell(NONE if path is None else f"Loading {path.name}…")

    def tell(self, text: str, severity: Severity = Severity.INFO) -> None:
        """How it is."""
        self._state.setText(text)
        set_style_property(self._state, "severity", severity.value)
