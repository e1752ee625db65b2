"""`EditInFlight`: an undo step that may be taken and undone while the simulation moves the arm, too."""

from __future__ import annotations

from PySide6.QtGui import QUndoCommand


class EditInFlight(QUndoCommand):
    """It leaves the pose to whatever moves the arm; every other edit waits for a pause."""
