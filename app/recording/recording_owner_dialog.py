"""Asks whose a recording is that does not say so itself."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QListWidget, QVBoxLayout, QWidget


class OwnerDialog(QDialog):
    """`chosen(k)` is the one of `names` on which the recording is shown; the window goes on meanwhile."""

    chosen = Signal(int)

    def __init__(self, text: str, names: Sequence[str], parent: QWidget | None = None):
        super().__init__(parent)
        self.setObjectName("owner_dialog")
        self.setWindowTitle("Robot of the recording")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        head = QLabel(text)
        head.setObjectName("owner_text")
        head.setWordWrap(True)
        self.names = QListWidget()
        self.names.setObjectName("owner_names")
        self.names.setAccessibleName("Robots with the same number of joints")
        self.names.addItems(list(names))
        self.names.setCurrentRow(0)
        self.names.itemActivated.connect(self.accept)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        show = buttons.button(QDialogButtonBox.StandardButton.Ok)
        show.setText("Show")
        show.setObjectName("owner_show")
        buttons.button(QDialogButtonBox.StandardButton.Cancel).setObjectName("owner_cancel")
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        self.accepted.connect(lambda: self.chosen.emit(self.names.currentRow()))
        layout = QVBoxLayout(self)
        for part in (head, self.names, buttons):
            layout.addWidget(part)
        self.names.setFocus()
        self.resize(420, 320)
