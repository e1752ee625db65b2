"""`FieldEdit`: an undo step that assigns a value of a model."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtGui import QUndoCommand

from armature.app.state.edits.edit_in_flight import EditInFlight
from armature.app.state.edits.pose_edit import next_gesture


class FieldEdit(EditInFlight):
    """Call `put(new)`, and `put(old)` on undo. Edits of the same gesture become one step, also while the simulation runs."""

    def __init__(self, put: Callable[[Any], None], old: object, new: object, text: str, gesture: int | None = None):
        super().__init__(text)
        self._put, self._old, self._new = put, old, new
        self._gesture = next_gesture() if gesture is None else gesture

    def id(self) -> int:
        """Return the gesture: Qt merges neighbours with equal ids."""
        return self._gesture

    def mergeWith(self, other: QUndoCommand) -> bool:
        """Replace the new value by that of a later edit; a gesture that returns to the old value leaves no step."""
        if not isinstance(other, FieldEdit):
            return False
        self._new = other._new
        self.setObsolete(self._new is self._old)
        return True

    def redo(self):
        """Assign the new value."""
        self._put(self._new)

    def undo(self):
        """Assign the old value."""
        self._put(self._old)
