"""A dialog with lines to read and copy."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QPlainTextEdit, QVBoxLayout, QWidget


class ListDialog(QDialog):
    """Non-modal."""

    def __init__(self, title: str, lines: Sequence[str], parent: QWidget | None = None):
        super().__init__(parent)
        self.setObjectName("list_dialog")
        self.setWindowTitle("Details")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        head = QLabel(title)
        head.setWordWrap(True)
        self.lines = QPlainTextEdit("\n".join(lines))
        self.lines.setObjectName("list_dialog_lines")
        self.lines.setReadOnly(True)
        self.lines.setAccessibleName("Details")
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        copy = buttons.addButton("Copy", QDialogButtonBox.ButtonRole.ActionRole)
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.lines.toPlainText()))
        buttons.rejected.connect(self.close)
        layout = QVBoxLayout(self)
        for part in (head, self.lines, buttons):
            layout.addWidget(part)
        self.resize(680, 320)
