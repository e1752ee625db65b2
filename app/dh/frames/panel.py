"""The Frames dock: *Assign frames* and *Rotations*."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget, QTabBar, QVBoxLayout, QWidget

from armature.app.dh.frames.assign_page import AssignPage
from armature.app.dh.frames.rotations_page import RotationsPage
from armature.app.state.units import Units
from armature.app.style.colour_tokens import Tokens
from armature.app.widgets.controls import named


class FramesPanel(QWidget):
    """Tells `turned_over()` where the other page is seen."""

    turned_over = Signal()

    def __init__(self, units: Units):
        super().__init__()
        self.assign, self.rotations = AssignPage(units), RotationsPage(units)
        self.bar = named(QTabBar(), "frames_tabs", "Frames")
        self.bar.setDrawBase(False)
        self.bar.setExpanding(False)
        pages = QStackedWidget()
        for title, one in (("Assign frames", self.assign), ("Rotations", self.rotations)):
            self.bar.addTab(title)
            pages.addWidget(one)
        self.bar.currentChanged.connect(pages.setCurrentIndex)
        self.bar.currentChanged.connect(lambda _: self.turned_over.emit())
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.bar)
        column.addWidget(pages, 1)

    def set_units(self, units: Units) -> None:
        """Angles and lengths in other units."""
        self.assign.set_units(units)
        self.rotations.set_units(units)

    def set_theme(self, tokens: Tokens) -> None:
        """Colours of both pages."""
        self.assign.set_theme(tokens)
        self.rotations.set_theme(tokens)
