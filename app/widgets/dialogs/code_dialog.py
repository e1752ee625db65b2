"""`CodeDialog`: Python code that came with a file, to be read before anything is done with it."""

from __future__ import annotations

from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from armature.app.style.theme import fixed_font
from armature.app.widgets.controls import named


class CodeDialog(QDialog):
    """`name` begins the names of its parts; `way_out` is the button that Return and Escape press."""

    def __init__(
        self,
        name: str,
        title: str,
        words: str,
        text: tuple[str, str],
        way_out: QDialogButtonBox.StandardButton,
        parent: QWidget | None = None,
    ):
        super().__init__(parent)
        self.setObjectName(name)
        self.setWindowTitle(title)
        label = QLabel(words)
        label.setWordWrap(True)
        content, accessible = text
        self.text = named(QPlainTextEdit(), f"{name}_text", accessible)
        self.text.setPlainText(content)
        self.text.setReadOnly(True)
        self.text.setFont(fixed_font())
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self._buttons = QDialogButtonBox(way_out)
        self._buttons.rejected.connect(self.reject)
        self._buttons.button(way_out).setDefault(True)
        layout = QVBoxLayout(self)
        for part in (label, self.text, self._buttons):
            layout.addWidget(part)
        self.resize(720, 460)

    def add_button(self, title: str, name: str = "") -> QPushButton:
        """One more thing to do, which no key does by accident."""
        button = self._buttons.addButton(title, QDialogButtonBox.ButtonRole.ActionRole)
        button.setAutoDefault(False)
        if name:
            button.setObjectName(name)
        return button
