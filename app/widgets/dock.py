"""`Dock`: a panel that says by itself where in the window it stands."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDockWidget, QWidget

LEFT, RIGHT = Qt.DockWidgetArea.LeftDockWidgetArea, Qt.DockWidgetArea.RightDockWidgetArea
BOTTOM = Qt.DockWidgetArea.BottomDockWidgetArea


class Dock(QDockWidget):
    """The dock `dock_<name>`; `places` gives, by perspective, its place among the panels; the first of an area is in front."""

    def __init__(self, name: str, title: str, panel: QWidget, area: Qt.DockWidgetArea, places: Mapping[str, int]):
        super().__init__(title)
        self.name, self.area, self.places = name, area, places
        self.setObjectName(f"dock_{name}")
        self.setAccessibleName(title)
        self.setWidget(panel)

    def bring_up(self) -> None:
        """Show it in front of the tabs it shares a place with."""
        self.show()
        self.raise_()
