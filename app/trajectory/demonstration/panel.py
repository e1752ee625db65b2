"""The dock of demonstrations: record one, what became of it, repeat it under the law of Control, and how far off that was."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from armature.app.state.severity import Severity
from armature.app.style.colour_tokens import Tokens
from armature.app.widgets.controls import button, check, named, row
from armature.app.widgets.restyle import set_style_property
from armature.app.widgets.section import note, page

WORDS = (
    "Start recording and drag joints, links or the tool in the view, or Ctrl-drag the simulated arm under gravity compensation."
    " The motion is smoothed, trimmed to its moving part, and slowed down to respect the limits."
)


class DemonstrationPanel(QWidget):
    """Tells `repeat_wanted()`; `record` is the switch."""

    repeat_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        content = page(self, "demonstration")
        content.addWidget(note(WORDS))
        self.record = check("demonstration_record", "Record a demonstration", "Record every motion of the arm")
        self.repeat = button(
            "demonstration_repeat",
            "Repeat",
            "Repeat the demonstration",
            "Follow the demonstrated motion under the current controller",
        )
        self.repeat.clicked.connect(self.repeat_wanted)
        self.repeat.setEnabled(False)
        content.addWidget(row(self.record, self.repeat, None))
        self._state = named(note(), "demonstration_state")
        self._error = named(note(), "demonstration_error")
        for label in (self._state, self._error):
            content.addWidget(label)
        content.addStretch(1)

    def show_state(self, text: str, possible: bool, severity: Severity = Severity.INFO) -> None:
        """What was recorded and made of it; whether it can be repeated."""
        self._state.setText(text)
        set_style_property(self._state, "severity", severity.value)
        self.repeat.setEnabled(possible)

    def show_error(self, text: str) -> None:
        """How far off the repetition is."""
        if text != self._error.text():
            self._error.setText(text)

    def set_theme(self, tokens: Tokens) -> None:
        """Nothing here has colours of its own."""
