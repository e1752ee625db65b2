"""`CloudVisibility`: workspace and singular surfaces are drawn where their dock is open, or where the user switches them on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from armature.app.widgets.dock import Dock

if TYPE_CHECKING:
    from armature.app.workbench import Workbench


class CloudVisibility(QObject):
    """Switches the overlay off when the dock closes, as with another perspective, and on again when it opens.

    An overlay that the user switches on while the dock is closed stays on until it is switched off.
    """

    def __init__(self, bench: Workbench, dock: Dock, parent: QObject):
        super().__init__(parent)
        self._bench, self._dock, self._action = bench, dock, bench.actions["show_workspace"]
        self._pinned = self._waits = False  # chosen for all perspectives; switched off until the dock opens
        self._later = QTimer(self, singleShot=True, interval=0)  # once all docks of a perspective are in place
        self._later.timeout.connect(self._follow_dock)
        dock.visibilityChanged.connect(lambda _: self._later.start())
        self._action.triggered.connect(self._on_user)

    def stop(self) -> None:
        """Follow the dock no more."""
        self._later.stop()

    def reveal(self) -> None:
        """Show new content: at once where the dock is open, else when it opens."""
        closed = self._dock.isHidden() and not self._pinned
        self._waits = closed
        self._action.setChecked(not closed)

    def _on_user(self, on: bool) -> None:
        self._pinned, self._waits = on and self._dock.isHidden(), False

    def _follow_dock(self) -> None:
        closed = self._dock.isHidden()
        if closed and self._action.isChecked() and not self._pinned and self._bench.scene.stage.has_workspace:
            self._waits = True
        elif closed or not self._waits:
            return
        else:
            self._waits = False
        self._action.setChecked(not closed)
        if self._bench.scene.is_fitted:
            self._bench.scene.fit()
