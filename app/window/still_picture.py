"""`StillPicture`: what is on screen stays until all that change behind it are done."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QWidget


class StillPicture(QObject):
    """Of a window; drawn once when everybody who holds it has let go: first `draw_ahead()`, and the rest a turn later."""

    def __init__(self, window: QWidget, draw_ahead: Callable[[], None]):
        super().__init__(window)
        self._window, self._draw_ahead, self._holders, self._frozen = window, draw_ahead, 0, False
        self._drawing = QTimer(self, singleShot=True, interval=0)
        self._drawing.timeout.connect(self._draw)

    def hold(self) -> None:
        """Nothing is drawn from now on."""
        if self._drawing.isActive():
            self._drawing.stop()
        elif not self._holders:
            self._frozen = not self._window.updatesEnabled()  # by others, who let it go themselves
            self._window.setUpdatesEnabled(False)
        self._holders += 1

    def let_go(self) -> None:
        """It is drawn unless something else holds it."""
        self._holders -= 1
        if self._holders or self._frozen:
            return
        if self._window.isVisible():
            self._draw_ahead()
            self._drawing.start()
        else:
            self._draw()

    def _draw(self) -> None:
        self._window.setUpdatesEnabled(True)
