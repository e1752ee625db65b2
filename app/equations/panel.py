"""The Equations dock: a bar of tabs, one of which is seen."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QStackedWidget, QTabBar, QVBoxLayout, QWidget

from armature.app.equations.printed.slip_note import SlipNote
from armature.app.equations.tab import EquationTab
from armature.app.style.colour_tokens import Tokens
from armature.app.widgets.controls import named
from armature.app.widgets.section import scrolled
from armature.engine import Robot


class EquationsPanel(QWidget):
    """Holds the tabs; `left` tells that it is hidden."""

    left = Signal()

    def __init__(self, tabs: Sequence[EquationTab]):
        super().__init__()
        self.tabs = tuple(tabs)
        self.bar = named(QTabBar(), "equations_tabs", "Equations")
        self.bar.setDrawBase(False)
        self.bar.setExpanding(False)
        self.bar.setUsesScrollButtons(False)
        self._pages, self.slips = QStackedWidget(), SlipNote()
        for tab in self.tabs:
            self.bar.setTabToolTip(self.bar.addTab(tab.title), tab.title)
            self._pages.addWidget(scrolled(tab, tab.title))
        self.bar.currentChanged.connect(self._on_tab)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.bar)
        column.addWidget(self.slips)
        column.addWidget(self._pages, 1)

    @property
    def front(self) -> EquationTab:
        """The tab that is seen."""
        return self.tabs[self._pages.currentIndex()]

    def _on_tab(self, index: int) -> None:
        self.front.leave()
        self._pages.setCurrentIndex(index)
        self.slips.show_tab(self.front.title)

    def set_robot(self, robot: Robot) -> None:
        """Other equations."""
        for tab in self.tabs:
            tab.set_robot(robot)
        self.slips.set_robot(robot)
        self.slips.show_tab(self.front.title)

    def resizeEvent(self, event):
        super().resizeEvent(event)
        whole = self.bar.sizeHint().width() <= self.width()  # else titles are shortened, so that each can be reached
        self.bar.setElideMode(Qt.TextElideMode.ElideNone if whole else Qt.TextElideMode.ElideRight)

    def hideEvent(self, event):
        super().hideEvent(event)
        self.left.emit()

    def set_theme(self, tokens: Tokens) -> None:
        """Colours of all tabs."""
        for tab in self.tabs:
            tab.set_theme(tokens)
