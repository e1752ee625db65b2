"""`DraftKeeper`: what is not saved yet is kept beside, for the case that the program ends too early."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

if TYPE_CHECKING:
    from armature.app.workbench import Workbench

EVERY = 3000  # ms after a change


class DraftKeeper(QObject):
    """Tells `recovered(draft)` where a person wants back what a run has left."""

    recovered = Signal(object)

    def __init__(self, bench: Workbench):
        super().__init__(bench.parent)
        self._bench = bench
        self._soon = QTimer(self, singleShot=True, interval=EVERY)

    def connect(self) -> None:  # type: ignore[override]
        """Follow the document."""

    def forget(self) -> None:
        """x"""

    def put_aside(self, unsaved: bool) -> None:
        """x"""

    def stop(self) -> None:
        """x"""
