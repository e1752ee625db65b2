"""`Startup`: how far the engine is."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal


class Startup(QObject):
    """`ready` says, once, that every kernel is compiled."""

    ready = Signal()
