"""Hands at the dialogs that ask for files."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialogButtonBox, QFileDialog, QLineEdit

SAVE, OPEN = QDialogButtonBox.StandardButton.Save, QDialogButtonBox.StandardButton.Open


def answer_the_file_dialog(path, button=SAVE):
    """Types `path` into the file dialog that opens next, and presses the button."""

    def answer():
        dialog = QApplication.activeModalWidget()
        if not isinstance(dialog, QFileDialog) or not dialog.isActiveWindow():
            if dialog is not None:
                dialog.activateWindow()  # there is no window manager to do so
            QTimer.singleShot(30, answer)
            return
        beneath = dialog.parentWidget().window()
        dialog.finished.connect(lambda: QTimer.singleShot(0, beneath.activateWindow))  # nor to hand the focus back
        name = dialog.findChild(QLineEdit, "fileNameEdit")
        name.setCompleter(None)  # its list of names comes when it likes and takes clicks
        name.selectAll()
        QTest.keyClicks(name, str(path))
        QTest.mouseClick(dialog.findChild(QDialogButtonBox).button(button), Qt.MouseButton.LeftButton)

    QTimer.singleShot(30, answer)
