"""`ValueEdit`: an undo step between two values of one thing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from PySide6.QtGui import QUndoCommand

from armature.app.state.edits.edit_in_flight import EditInFlight

Value = TypeVar("Value")


class ValueEdit(EditInFlight, Generic[Value]):
    """The value went from `old` to `new`, and `put` sets it; edits of the same gesture become one step."""

    def __init__(self, put: Callable[[Value], None], old: Value, new: Value, gesture: int, text: str):
        super().__init__(text)
        self._put, self._old, self._new, self._gesture = put, old, new, gesture

    def id(self) -> int:
        """Qt merges neighbours of equal id."""
        return self._gesture

    def mergeWith(self, other: QUndoCommand) -> bool:
        """Accept the end of the same gesture; a gesture that ends at its start leaves no step."""
        if not isinstance(other, ValueEdit):
            return False
        self._new = other._new
        self.setObsolete(self._new is self._old)
        return True

    def redo(self):
        """Set the new value."""
        self._put(self._new)

    def undo(self):
        """Set the old value."""
        self._put(self._old)
