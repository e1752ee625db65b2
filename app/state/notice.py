"""`Notice`: what is told with every frame: a signal of Qt takes ten times as long, and most of it with cold caches."""

from __future__ import annotations

import sys
from collections.abc import Callable


class Notice:
    """As a signal of Qt within one thread, without its blocking: listeners are called in the order in which they were connected,
    and one that fails is reported to sys.excepthook and keeps none of the others from being told."""

    def __init__(self):
        self._listeners: tuple[Callable[..., object], ...] = ()

    def connect(self, listener: Callable[..., object]) -> None:
        """Tell it from the next time on."""
        self._listeners += (listener,)

    def disconnect(self, listener: Callable[..., object]) -> None:
        """Tell it no more; ValueError where it was not connected."""
        kept = list(self._listeners)
        kept.remove(listener)
        self._listeners = tuple(kept)

    def emit(self, *args) -> None:
        """Tell all that are connected now."""
        for listener in self._listeners:
            try:
                listener(*args)
            except Exception:
                sys.excepthook(*sys.exc_info())
