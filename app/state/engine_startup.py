"""`Startup`: how far the engine is."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal


class Startup(QObject):
    """Says, once each, that poses and singularities are fast, that inverse kinematics is, and that every kernel is."""

    drawable = Signal()
    draggable = Signal()
    ready = Signal()
    is_ready = False

    def set_ready(self) -> None:
        """Every kernel is there."""
        self.is_ready = True
        self.ready.emit()

    def when_ready(self, slot: Callable[[], object]) -> None:
        """Call it then, or now if that was before."""
        if self.is_ready:
            slot()
        else:
            self.ready.connect(slot)
