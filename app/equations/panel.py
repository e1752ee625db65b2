"""The Equations dock: a bar of tabs, one of which is seen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QStackedWidget, QTabBar, QVBoxLayout, QWidget

from armature.app.equations.printed.slip_note import SlipNote
from armature.app.equations.tab import EquationTab
from armature.app.state.slices import Steps
from armature.app.style.colour_tokens import Tokens
from armature.app.widgets.controls import named
from armature.app.widgets.section import scrolled
from armature.engine import Robot


class EquationsPanel(QWidget):
    """Holds the tabs, each of which `make` makes when it is first wanted; `left` tells that the panel is hidden."""

    left = Signal()

    def __init__(self, kinds: Sequence[type[EquationTab]], make: Callable[[type[EquationTab]], EquationTab]):
        super().__init__()
        self._kinds, self._make = kinds, make
        self._tabs: dict[int, EquationTab] = {}
        self._robot: Robot | None = None
        self._tokens: Tokens | None = None
        self.bar = named(QTabBar(), "equations_tabs", "Equations")
        self.bar.setDrawBase(False)
        self.bar.setExpanding(False)
        self.bar.setUsesScrollButtons(False)
        self._pages, self.slips = QStackedWidget(), SlipNote()
        for kind in kinds:
            self.bar.setTabToolTip(self.bar.addTab(kind.title), kind.title)
            QVBoxLayout(empty := QWidget()).setContentsMargins(0, 0, 0, 0)
            self._pages.addWidget(empty)
        self.dressed = (self.bar, self.slips, *(self._pages.widget(k) for k in range(len(kinds))))
        self.bar.currentChanged.connect(self._on_tab)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.bar)
        column.addWidget(self.slips)
        column.addWidget(self._pages, 1)

    @property
    def tabs(self) -> tuple[EquationTab, ...]:
        """All tabs, made where they are not there yet."""
        return tuple(self._tab(k) for k in range(len(self._kinds)))

    @property
    def made(self) -> tuple[EquationTab, ...]:
        """Those that are there."""
        return tuple(self._tabs.values())

    @property
    def front(self) -> EquationTab:
        """The tab that is seen."""
        return self._tab(self._pages.currentIndex())

    def making(self) -> Steps:
        """The tabs that are not there yet, one after the other, the one in front first."""
        for k in (self._pages.currentIndex(), *range(len(self._kinds))):
            if k not in self._tabs:
                self._tab(k)
                yield

    def _tab(self, k: int) -> EquationTab:
        if k not in self._tabs:
            tab = self._tabs[k] = self._make(self._kinds[k])
            page = cast("QWidget", self._pages.widget(k))
            cast("QVBoxLayout", page.layout()).addWidget(scrolled(tab, tab.title))
            tab.connect_bench()
            if self._tokens is not None:
                tab.set_theme(self._tokens)
            if self._robot is not None:
                tab.set_robot(self._robot)
        return self._tabs[k]

    def _on_tab(self, index: int) -> None:
        self.front.leave()
        self._pages.setCurrentIndex(index)
        self.slips.show_tab(self.front.title)

    def set_robot(self, robot: Robot) -> None:
        """Other equations."""
        self._robot = robot
        for tab in self.made:
            tab.set_robot(robot)
        self.slips.set_robot(robot)
        self.slips.show_tab(self._kinds[self._pages.currentIndex()].title)

    def resizeEvent(self, event):
        super().resizeEvent(event)
        whole = self.bar.sizeHint().width() <= self.width()  # else titles are shortened, so that each can be reached
        self.bar.setElideMode(Qt.TextElideMode.ElideNone if whole else Qt.TextElideMode.ElideRight)

    def hideEvent(self, event):
        super().hideEvent(event)
        self.left.emit()

    def set_theme(self, tokens: Tokens) -> None:
        """Colours of all tabs."""
        self._tokens = tokens
        for tab in self.made:
            tab.set_theme(tokens)
