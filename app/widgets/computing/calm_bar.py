"""`CalmBar`: a progress bar that is drawn with the rest of the window."""

from __future__ import annotations

from PySide6.QtWidgets import QProgressBar


class CalmBar(QProgressBar):
    """Drawn in the event loop's next turn: Qt would do it at once, and puts the whole window together for it."""

    def setValue(self, value: int) -> None:
        self.setUpdatesEnabled(False)
        super().setValue(value)
        self.setUpdatesEnabled(True)
