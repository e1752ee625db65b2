"""`DrawnInTurn`: what changes all over the window is drawn a part at a time."""

from __future__ import annotations

from PySide6.QtWidgets import QMainWindow, QWidget
from shiboken6 import isValid

from armature.app.state.slices import Slices, Steps
from armature.app.widgets.on_screen import on_screen


class DrawnInTurn:
    """Of parts of a window; each keeps its picture until it is its turn, once all have changed."""

    def __init__(self, window: QMainWindow):
        self._slices = Slices(window)
        self._waiting: list[QWidget] = []

    def hold(self, *parts: QWidget) -> None:
        """Those that anybody can see are drawn from the next turn of the event loop on, in this order."""
        for part in parts:
            if part not in self._waiting and on_screen(part):
                part.setUpdatesEnabled(False)
                self._waiting.append(part)
        if self._waiting and not self._slices.busy:
            self._slices.start(self._steps())

    def _steps(self) -> Steps:
        while self._waiting:
            part = self._waiting.pop(0)
            if isValid(part):
                part.setUpdatesEnabled(True)
                part.repaint()
            yield
