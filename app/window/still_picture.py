"""`StillPicture`: what is on screen stays until all that change behind it are done."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget


class StillPicture:
    """Of a window; drawn once when everybody who holds it has let go."""

    def __init__(self, window: QWidget):
        self._window, self._holders, self._frozen = window, 0, False

    def hold(self) -> None:
        """Nothing is drawn from now on."""
        if not self._holders:
            self._frozen = not self._window.updatesEnabled()  # by others, who let it go themselves
            self._window.setUpdatesEnabled(False)
        self._holders += 1

    def let_go(self) -> None:
        """It is drawn unless somebody else holds it."""
        self._holders -= 1
        if not self._holders and not self._frozen:
            self._window.setUpdatesEnabled(True)
