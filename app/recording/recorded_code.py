"""The Python code in a recording, which Verify runs only where it is that of the open law, or once a person has read it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QPlainTextEdit, QVBoxLayout, QWidget

from armature.app.style.theme import fixed_font
from armature.app.widgets.controls import named
from armature.engine.errors import one_line

QUESTION = (
    "To simulate this recording again, the Python code in it has to run: {names}. A program can do whatever you may do:"
    " read it first, and run it only where you know what it does."
)


def code_inside(metadata: Any) -> dict[str, str]:
    """Every text of a law or a disturbance that simulating again would run, with its name; whatever else the metadata hold."""
    told = metadata if isinstance(metadata, Mapping) else {}
    events = told.get("events")
    kept = events if isinstance(events, (list, tuple)) else ()
    places = [told, *(event for event in kept if isinstance(event, Mapping))]
    found = [place.get(kind) for place in places for kind in ("controller", "disturbance")]
    code = [one for one in found if isinstance(one, Mapping) and isinstance(one.get("text"), str) and one["text"]]
    return {one["text"]: one_line(str(one.get("name", "law")), 60) for one in code}


class RecordedCodeDialog(QDialog):
    """Shows `code`, names by text; accepted once a person has it run."""

    def __init__(self, code: Mapping[str, str], parent: QWidget | None = None):
        super().__init__(parent)
        self.setObjectName("recorded_code")
        self.setWindowTitle("Verify")
        words = QLabel(QUESTION.format(names=", ".join(dict.fromkeys(code.values()))))
        words.setWordWrap(True)
        self.text = named(QPlainTextEdit(), "recorded_code_text", "The code in the recording")
        self.text.setPlainText(_joined(code))
        self.text.setReadOnly(True)
        self.text.setFont(fixed_font())
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        run = buttons.addButton("Run and verify", QDialogButtonBox.ButtonRole.ActionRole)
        run.setObjectName("recorded_code_run")
        run.setAutoDefault(False)
        run.clicked.connect(self.accept)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        for part in (words, self.text, buttons):
            layout.addWidget(part)
        buttons.button(QDialogButtonBox.StandardButton.Cancel).setDefault(True)
        self.resize(720, 460)


def _joined(code: Mapping[str, str]) -> str:
    """All texts, one below the other, each under its name where there are more."""
    if len(code) == 1:
        return next(iter(code))
    return "\n\n".join(f"#### {k} of {len(code)}: {name}\n{text}" for k, (text, name) in enumerate(code.items(), 1))
