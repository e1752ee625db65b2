"""The Equations dock: a bar of tabs, one of which is seen."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QStackedWidget, QTabBar, QVBoxLayout, QWidget

from armature.app.equations.printed.slip_note import SlipNote
from armature.app.equations.tab import EquationTab
from armature.app.equations.tab_page import TabPage
from armature.app.state.slices import REST, Slices, Steps
from armature.app.style.colour_tokens import Tokens
from armature.app.widgets.controls import named
from armature.app.widgets.on_screen import on_screen
from armature.engine import Robot


class TitleBar(QTabBar):
    """Titles of tabs; where they are shortened, that in front keeps its room, in the heavier letters that it has there."""

    def minimumTabSizeHint(self, index: int) -> QSize:
        return self.tabSizeHint(index) if index == self.currentIndex() else super().minimumTabSizeHint(index)


class EquationsPanel(QWidget):
    """Holds the tabs, which `make` makes."""

    def __init__(self, kinds: Sequence[type[EquationTab]], make: Callable[[type[EquationTab]], EquationTab]):
        super().__init__()
        self.bar = named(TitleBar(), "equations_tabs", "Equations")
        self.bar.setDrawBase(False)
        self.bar.setExpanding(False)
        self.bar.setUsesScrollButtons(False)
        self.slips, self._stack = SlipNote(), QStackedWidget()
        self._pages = [TabPage(kind, make) for kind in kinds]
        for page in self._pages:
            self.bar.setTabToolTip(self.bar.addTab(page.title), page.title)
            self._stack.addWidget(page)
        self.dressed = (self.bar, self.slips, *self._pages)
        self.bar.currentChanged.connect(self._on_tab)
        self._work = Slices(self)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.bar)
        column.addWidget(self.slips)
        column.addWidget(self._stack, 1)

    @property
    def tabs(self) -> tuple[EquationTab, ...]:
        """All tabs, made where they are not there yet."""
        return tuple(page.whole() for page in self._pages)

    @property
    def made(self) -> tuple[EquationTab, ...]:
        """Those that are there."""
        return tuple(page.tab for page in self._pages if page.tab is not None)

    @property
    def front(self) -> EquationTab:
        """The tab in front, made if it is not there yet."""
        return self._page.whole()

    @property
    def seen(self) -> EquationTab | None:
        """The tab in front, None while it is on its way."""
        return self._page.tab

    @property
    def _page(self) -> TabPage:
        return self._pages[self._stack.currentIndex()]

    def stop(self) -> None:
        """The tabs stay as they are."""
        self._work.stop()

    def _steps(self) -> Steps:
        """What the tabs lack, of the one in front first; the others can wait."""
        while behind := [page for page in (self._page, *self._pages) if page.behind]:
            behind[0].step()
            yield None if behind[0] is self._page else REST

    def catch_up(self) -> None:
        """The panel comes into view: with the robot and the colours of now."""
        if on_screen(self):
            self._page.catch_up()

    def _on_tab(self, index: int) -> None:
        if (before := self.seen) is not None:
            before.leave()
        self._stack.setCurrentIndex(index)
        self._page.catch_up()
        self.slips.show_tab(self._page.title)

    def set_robot(self, robot: Robot) -> None:
        """Other equations, at once in the tab that is seen; tabs that are not there yet come from now on."""
        for page in self._pages:
            page.set_robot(robot)
        self.catch_up()
        self._work.start(self._steps())
        self.slips.set_robot(robot)
        self.slips.show_tab(self._page.title)

    def resizeEvent(self, event):
        super().resizeEvent(event)
        whole = self.bar.sizeHint().width() <= self.width()  # else titles are shortened, so that each can be reached
        self.bar.setElideMode(Qt.TextElideMode.ElideNone if whole else Qt.TextElideMode.ElideRight)

    def set_theme(self, tokens: Tokens) -> None:
        """Colours of all tabs, at once of the one that is seen."""
        for page in self._pages:
            page.set_theme(tokens)
        self.catch_up()
        self._work.start(self._steps())
