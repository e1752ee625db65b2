"""The Identify dock: a bar of tabs, from the motion over the recordings to what came of them."""

from __future__ import annotations

from typing import cast

from PySide6.QtWidgets import QStackedWidget, QTabBar, QVBoxLayout, QWidget

from armature.app.identification.curves_page import CurvesPage
from armature.app.identification.example_page import ExamplePage
from armature.app.identification.motion_page import MotionPage
from armature.app.identification.parameters_page import ParametersPage
from armature.app.identification.recordings_page import RecordingsPage
from armature.app.identification.result_page import ResultPage
from armature.app.state.units import Units
from armature.app.style.colour_tokens import Tokens
from armature.app.widgets.controls import named
from armature.app.widgets.dock import Panel


class IdentificationPanel(QWidget):
    """One page per tab, in the order in which they are used."""

    def __init__(self, units: Units):
        super().__init__()
        self.motion, self.recordings, self.result = MotionPage(units), RecordingsPage(), ResultPage()
        self.curves, self.parameters, self.example = CurvesPage(), ParametersPage(), ExamplePage()
        self.bar = named(QTabBar(), "identify_tabs", "Identification")
        self.bar.setDrawBase(False)
        self.bar.setExpanding(False)
        self._pages = QStackedWidget()
        self._parts: dict[str, Panel] = {
            "Motion": self.motion,
            "Recordings": self.recordings,
            "Result": self.result,
            "Torques": self.curves,
            "Parameters": self.parameters,
            "Example": self.example,
        }
        for title, part in self._parts.items():
            self.bar.addTab(title)
            self._pages.addWidget(cast("QWidget", part))
        self.bar.currentChanged.connect(self._pages.setCurrentIndex)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.bar)
        column.addWidget(self._pages, 1)

    def show_page(self, page: QWidget) -> None:
        """Bring one of the pages to the front."""
        self.bar.setCurrentIndex(self._pages.indexOf(page))

    def set_theme(self, tokens: Tokens) -> None:
        """Colours of all pages."""
        for part in self._parts.values():
            part.set_theme(tokens)
