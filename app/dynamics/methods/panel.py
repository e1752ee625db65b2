"""The dock that compares methods: integrators, and the cost of algorithms."""

from __future__ import annotations

from PySide6.QtWidgets import QStackedWidget, QTabBar, QVBoxLayout, QWidget

from armature.app.dynamics.methods.cost_page import CostPage
from armature.app.dynamics.methods.integrators_page import IntegratorsPage
from armature.app.style.colour_tokens import Tokens
from armature.app.widgets.controls import named


class MethodsPanel(QWidget):
    """A bar of two tabs."""

    def __init__(self):
        super().__init__()
        self.integrators, self.cost = IntegratorsPage(), CostPage()
        self.bar = named(QTabBar(), "methods_tabs", "Methods")
        self.bar.setDrawBase(False)
        self.bar.setExpanding(False)
        pages = QStackedWidget()
        for title, part in (("Integrators", self.integrators), ("Cost of algorithms", self.cost)):
            self.bar.addTab(title)
            pages.addWidget(part)
        self.bar.currentChanged.connect(pages.setCurrentIndex)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.bar)
        column.addWidget(pages, 1)

    def set_theme(self, tokens: Tokens) -> None:
        """Colours of both."""
        for part in (self.integrators, self.cost):
            part.set_theme(tokens)
