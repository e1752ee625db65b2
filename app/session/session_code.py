"""The Python code of a session, which runs only if the user agrees."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtWidgets import QDialogButtonBox, QWidget

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
