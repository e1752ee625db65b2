"""The dialog that tells a fault: what happened in one line, the details and a way to copy them."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontDatabase, QGuiApplication
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QPlainTextEdit, QVBoxLayout, QWidget

from armature.app.window.faults import Fault, log_path


class FaultDialog(QDialog):
    """Non-modal, so that the work can still be saved."""

    def __init__(self, fault: Fault, parent: QWidget | None = None):
        super().__init__(parent)
        self.setObjectName("fault_dialog")
        self.setWindowTitle("Something went wrong")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        title = QLabel("Armature had an internal error and continues to run.")
        title.setProperty("role", "title")
        line = QLabel(f"{fault.line}\nThe report is also saved in {log_path()}.")
        line.setObjectName("fault_line")
        line.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        line.setWordWrap(True)
        self._details = QPlainTextEdit(fault.details)
        self._details.setReadOnly(True)
        self._details.setAccessibleName("Details of the error")
        self._details.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        copy = buttons.addButton("Copy details", QDialogButtonBox.ButtonRole.ActionRole)
        copy.clicked.connect(self._copy)
        buttons.rejected.connect(self.close)
        layout = QVBoxLayout(self)
        for part in (title, line, self._details, buttons):
            layout.addWidget(part)
        self.resize(680, 360)

    def _copy(self):
        QGuiApplication.clipboard().setText(self._details.toPlainText())
