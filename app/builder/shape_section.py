"""Mass, centre and inertia of a link made of a shape and a material."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from armature.app.builder.live_edit import LiveEdit
from armature.app.state.units import Units

if TYPE_CHECKING:
    from armature.engine import RobotDraft


class ShapeSection(QWidget):
    """x"""

    def __init__(self, edit: LiveEdit):
        super().__init__()

    def show_draft(self, draft: RobotDraft, joint: int, units: Units) -> None:
        """x"""
