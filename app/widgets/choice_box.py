"""`ChoiceBox`: a list of choices that the wheel scrolls past."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox


class ChoiceBox(QComboBox):
    """The wheel chooses only where a person has gone to the list before; else it scrolls the panel."""

    def __init__(self):
        super().__init__()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def wheelEvent(self, event):
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()
