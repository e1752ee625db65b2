"""Help ▸ About: what is installed, where it keeps its things, and a button that copies all of it for a report."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontDatabase, QGuiApplication
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QPlainTextEdit, QVBoxLayout, QWidget

from armature.app.installation import as_text, facts
from armature.app.scene.gl import gl_format
from armature.engine.version import VERSION


class AboutDialog(QDialog):
    """Non-modal: it can stay beside what is reported."""

    def __init__(self, parent: QWidget | None = None):
        super().__init__(parent)
        self.setObjectName("about_dialog")
        self.setWindowTitle("About Armature")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        title = QLabel(f"Armature {VERSION}")
        title.setProperty("role", "title")
        line = QLabel("A workbench for robot arms with explanations and checkable results.")
        line.setWordWrap(True)
        self._text = QPlainTextEdit(as_text([*facts(), ("OpenGL", renderer())]))
        self._text.setReadOnly(True)
        self._text.setObjectName("about_text")
        self._text.setAccessibleName("Versions, folders and machine")
        self._text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self._text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        copy = buttons.addButton("Copy for a bug report", QDialogButtonBox.ButtonRole.ActionRole)
        copy.setObjectName("about_copy")
        copy.clicked.connect(self._copy)
        buttons.rejected.connect(self.close)
        layout = QVBoxLayout(self)
        for part in (title, line, self._text, buttons):
            layout.addWidget(part)
        em = self.fontMetrics().height()
        room = self.screen().availableSize()
        self.resize(min(44 * em, room.width() - 40), min(32 * em, room.height() - 60))

    def _copy(self):
        QGuiApplication.clipboard().setText(self._text.toPlainText())


def renderer() -> str:
    """Who draws, and whether that is the processor."""
    name = gl_format.renderer_name() or "none"
    return f"{name} ({'software rendering by the processor' if gl_format.is_software() else 'hardware'})"
