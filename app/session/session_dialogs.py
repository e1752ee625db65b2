"""Dialogs of a session: its Python code, which runs only if the user agrees, and its notes."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtWidgets import QDialog, QDialogButtonBox, QPlainTextEdit, QVBoxLayout, QWidget

from armature.app.widgets.controls import named
from armature.app.widgets.dialogs.code_dialog import CodeDialog

QUESTION = (
    "This session contains Python code, which has not been run. Code has all of your permissions: read it first, and run it only"
    " if you trust it."
)


class SessionCodeDialog(CodeDialog):
    """Shows `code`, texts by name; accepted if the user runs it."""

    def __init__(self, session: str, code: Mapping[str, str], parent: QWidget | None = None):
        text = "\n\n".join(f"#### {name}.py\n{text}" for name, text in code.items())
        cancel = QDialogButtonBox.StandardButton.Cancel
        super().__init__("session_code", f"Code of {session}", QUESTION, (text, "Python code of the session"), cancel, parent)
        self.add_button("Run code", "session_code_run").clicked.connect(self.accept)


class NotesDialog(QDialog):
    """Text about the desk; accepted with `text` if the user keeps it."""

    def __init__(self, notes: str, parent: QWidget | None = None):
        super().__init__(parent)
        self.setObjectName("session_notes_dialog")
        self.setWindowTitle("Session notes")
        self._text = named(QPlainTextEdit(notes), "session_notes_text", "Notes of the session", "Saved in the session file")
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.addWidget(self._text)
        layout.addWidget(buttons)
        self.resize(480, 320)

    @property
    def text(self) -> str:
        """Text of the notes."""
        return self._text.toPlainText()
