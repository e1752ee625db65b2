"""`TitleButton`: the name of the open robot in the toolbar, as much of it as there is room for."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QToolButton

LETTERS = 32  # of a title at most, where there is room
FEWEST = 4
ARROW = "  ▾"


class TitleButton(QToolButton):
    """Opens the choice of robots."""

    def __init__(self):
        super().__init__()
        self.setObjectName("toolbar_robots")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.set_title("Robot")

    def set_title(self, title: str) -> None:
        """Say which robot is open."""
        self._title = title
        self.setAccessibleName(f"Robot: {title}")
        self.shorten(0)

    def shorten(self, less: int) -> None:
        """Narrower by so many pixels than where there is room, down to a few letters."""
        metrics = self.fontMetrics()
        letter = metrics.averageCharWidth()
        room = LETTERS * letter
        if less:
            room = max(min(room, metrics.horizontalAdvance(self._title)) - less, FEWEST * letter)
        short = metrics.elidedText(self._title, Qt.TextElideMode.ElideRight, room)
        self.setText(f"{short}{ARROW}")
