"""`MotionEdit`: the undo step of a typed speed or acceleration."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtGui import QUndoCommand

from armature.app.state.posed_motion import PosedMotion


class MotionEdit(QUndoCommand):
    """The motion of the arm, which stands, went from `old` to `new`."""

    def __init__(self, set_motion: Callable[[PosedMotion], None], old: PosedMotion, new: PosedMotion, text: str):
        super().__init__(text)
        self._set_motion, self._old, self._new = set_motion, old, new

    def redo(self):
        """Set the new motion."""
        self._set_motion(self._new)

    def undo(self):
        """Set the old motion."""
        self._set_motion(self._old)
