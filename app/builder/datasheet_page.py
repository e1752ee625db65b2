"""A new arm from the lengths that a datasheet tells."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from armature import engine
from armature.app.state.units import Units


class DatasheetPage(QWidget):
    """x"""

    def set_units(self, units: Units) -> None:
        """x"""

    def draft(self, name: str) -> engine.RobotDraft:
        """x"""
        return engine.empty_draft(name)
