"""`TabPage`: where a tab of the Equations dock stands, empty until it is made."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QVBoxLayout, QWidget

from armature.app.equations.tab import EquationTab
from armature.app.state.slices import Steps
from armature.app.style.colour_tokens import Tokens
from armature.app.widgets.section import scrolled
from armature.engine import Robot


class TabPage(QWidget):
    """Has a `title`. The tab is made, and told of another robot and other colours, by as many calls of `step` as it takes."""

    def __init__(self, kind: type[EquationTab], make: Callable[[type[EquationTab]], EquationTab]):
        super().__init__()
        self.title = kind.title
        self._robot: Robot | None = None  # that the tab does not know yet
        self._tokens: Tokens | None = None  # likewise
        self._tab: EquationTab | None = None
        self._whole = False
        self._left: Steps | None = self._making(kind, make)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)

    @property
    def tab(self) -> EquationTab | None:
        """The tab, None while parts of it are missing."""
        return self._tab if self._whole else None

    @property
    def behind(self) -> bool:
        """Whether there is a step to be done."""
        return self._left is not None

    def step(self) -> None:
        """The next part of the tab, or what it does not know yet."""
        try:
            if self._left is not None:
                next(self._left)
        except StopIteration:
            self._left = None

    def whole(self) -> EquationTab:
        """The tab, made if it is not there yet, as it is now."""
        while self.behind:
            self.step()
        assert self._tab is not None
        return self._tab

    def set_robot(self, robot: Robot) -> None:
        """Another one, for the tab to learn of."""
        self._robot = robot
        self._tell()

    def set_theme(self, tokens: Tokens) -> None:
        """Other colours, or another size of text, for the tab to learn of."""
        self._tokens = tokens
        self._tell()

    def catch_up(self) -> None:
        """Tell the tab now, if it is there."""
        while self._whole and self.behind:
            self.step()

    def _tell(self) -> None:
        if self._left is None and self._tab is not None:
            self._left = self._telling(self._tab)

    def _telling(self, tab: EquationTab) -> Steps:
        while self._tokens is not None or self._robot is not None:
            if self._tokens is not None:
                tokens, self._tokens = self._tokens, None
                tab.set_theme(tokens)
            elif self._robot is not None:
                robot, self._robot = self._robot, None
                tab.set_robot(robot)
            yield

    def _making(self, kind: type[EquationTab], make: Callable[[type[EquationTab]], EquationTab]) -> Steps:
        tab = self._tab = make(kind)
        area = scrolled(tab, tab.title)
        area.hide()
        self._column.addWidget(area)
        yield
        yield from tab.making()
        tab.connect_bench()
        yield
        yield from self._telling(tab)
        area.show()
        self._whole = True
