"""`Startup`: how far the engine is."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal


class Startup(QObject):
    """Says, once each, that poses and singularities are fast, that inverse kinematics is, and that every kernel is."""

    drawable = Signal()
    draggable = Signal()
    ready = Signal()
