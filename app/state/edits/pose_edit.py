"""Undo commands. Each holds the old and the new value and calls one setter."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count

import numpy as np
from PySide6.QtGui import QUndoCommand

_gestures = count(1)


def next_gesture() -> int:
    """A fresh number for one gesture: a drag, a typed value, a press of a key."""
    return next(_gestures) & 0x3FFFFFFF


class PoseEdit(QUndoCommand):
    """The pose went from `old` to `new`, both `(n,)`; edits of the same gesture become one step."""

    def __init__(self, set_q: Callable[[np.ndarray], None], old: np.ndarray, new: np.ndarray, gesture: int, text: str):
        super().__init__(text)
        self._set_q, self._old, self._new, self._gesture = set_q, old, new, gesture

    def id(self) -> int:
        """Qt merges neighbours of equal id: the gesture, never the time."""
        return self._gesture

    def mergeWith(self, other: QUndoCommand) -> bool:
        """Take over the end of the same gesture; a gesture that ends where it began leaves no step."""
        if not isinstance(other, PoseEdit):
            return False
        self._new = other._new
        self.setObsolete(np.array_equal(self._old, self._new))
        return True

    def redo(self):
        """Set the new pose."""
        self._set_q(self._new)

    def undo(self):
        """Set the old pose."""
        self._set_q(self._old)
