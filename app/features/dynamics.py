"""The dynamics lab: pull on the arm."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.features.pulling import Pulling

if TYPE_CHECKING:
    from app.main_window import MainWindow


class DynamicsFeature:
    """Joins what acts on the arm, and what comes of it, with simulation and scene."""

    def __init__(self, window: MainWindow):
        self._window = window
        self.panels: dict = {}

    def connect(self):
        """Wire scene and simulation."""
        self.pulling = Pulling(self._window)

    def shut_down(self):
        """Let go of the arm."""
        self._window.scene.pointer.drop()
