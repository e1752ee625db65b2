"""`Room`: how the width of the window is shared. The view keeps its part; panels that find no room beside it share one side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QFontMetrics
from PySide6.QtWidgets import QMainWindow, QWidget

from armature.app.style.stylesheet import TAB
from armature.app.widgets.dock import BOTTOM, LEFT, RIGHT, Dock
from armature.app.widgets.on_screen import on_screen

VIEW = 0.45  # of the window's width is the view's at least
WIDE = 1250  # px; of what a window has more, the sides get a third each
ROUNDED = 1  # px: text has widths between two pixels, and a tab has the next whole one
SEPARATORS = 2  # px, between the view and a side each


class Room:
    """Moves the panels of the left side behind the tabs of the right one where the window is narrow, and back where it is not."""

    def __init__(self, window: QMainWindow, docks: Sequence[Dock]):
        self._window, self._docks = window, docks
        self.stacked = False
        self._order: Sequence[Dock] = ()
        self._titles: dict[tuple[str, str], tuple[int, int]] = {}  # px, of titles in the size of text

    def fit(self) -> None:
        """Follow the window's width and what its panels need."""
        view = round(VIEW * self._window.width())
        cast("QWidget", self._window.centralWidget()).setMinimumWidth(view)
        left, right = self.take_sides()
        most = self._window.width() - view - SEPARATORS
        needs = {dock: _need(dock) for dock in (*left, *right)}
        sides = [self._tabbed(side) for side in (([*left, *right],) if self.stacked else (left, right))]
        tabs = {place[0]: self._tabs(place) for places in sides for place in places}
        widths = [max((max(needs[dock], tabs.get(dock, 0)) for place in places for dock in place), default=0) for places in sides]
        with_tabs = sum(widths) + SEPARATORS <= most
        for dock, need in needs.items():
            least = tabs[dock] if with_tabs and tabs.get(dock, 0) > need else 0  # as wide as the tabs, if the view keeps its part
            dock.widget().setMinimumWidth(most if need > most else least)

    def take_sides(self) -> list[list[Dock]]:
        """Panels to the side where they belong at the present width; those of the left and of the right in a window with room."""
        docked = [dock for dock in self._docks if not dock.isHidden() and not dock.isFloating()]
        left, right = ([dock for dock in docked if self._side(dock) == side] for side in (LEFT, RIGHT))
        self._set_stacked(self._is_narrow(left, right))
        astray = [dock for dock in left if self._window.dockWidgetArea(dock) != (RIGHT if self.stacked else LEFT)]
        if astray:
            self._move(astray, left, right)
        return [left, right]

    def _tabbed(self, side: Sequence[Dock]) -> list[list[Dock]]:
        """The docks of a side by the places that they share."""
        places: list[list[Dock]] = []
        for dock in side:
            if not any(dock in place for place in places):
                others = self._window.tabifiedDockWidgets(dock)
                places.append([dock, *(other for other in side if other in others)])
        return places

    def expect(self, docks: Sequence[Dock]) -> bool:
        """These docks are about to be shown where they belong, the first in front; returns whether they must share a side."""
        self._order = docks
        left, right = ([dock for dock in docks if dock.area == side] for side in (LEFT, RIGHT))
        self._set_stacked(self._is_narrow(left, right))
        return self.stacked

    def _set_stacked(self, stacked: bool) -> None:
        """Where both sides share a place, the bottom has the whole width."""
        self.stacked = stacked
        self._window.setCorner(Qt.Corner.BottomRightCorner, BOTTOM if stacked else RIGHT)

    def area(self, dock: Dock) -> Qt.DockWidgetArea:
        """Where a dock belongs at the present width."""
        return RIGHT if self.stacked and dock.area == LEFT else dock.area

    def spread(self, fronts: Sequence[Dock]) -> None:
        """The widths of the sides, given a dock of each: what they need and, in a wide window, some of what is left."""
        needs = [_need(dock) for dock in fronts]
        left = (1 - VIEW) * self._window.width() - sum(needs)
        spare = max(0, min(int(left) // 2, (self._window.width() - WIDE) // 3))
        self._window.resizeDocks(fronts, [need + spare for need in needs], Qt.Orientation.Horizontal)

    def _tabs(self, place: Sequence[Dock]) -> int:
        """The width of all tabs of a place."""
        widths = [self._tab(dock.windowTitle()) for dock in place]
        return sum(plain + 2 * TAB + ROUNDED for plain, _ in widths) + max(bold - plain for plain, bold in widths)

    def _tab(self, title: str) -> tuple[int, int]:
        """The width of a title, and that of the one in front."""
        font = self._window.font()
        key = (title, font.key())
        if key not in self._titles:
            plain = QFontMetrics(font).horizontalAdvance(title)
            font.setWeight(QFont.Weight.DemiBold)
            self._titles[key] = plain, QFontMetrics(font).horizontalAdvance(title)
        return self._titles[key]

    def _is_narrow(self, left: Sequence[Dock], right: Sequence[Dock]) -> bool:
        needs = [max(map(_need, side)) + SEPARATORS for side in (left, right) if side]
        return len(needs) == 2 and sum(needs) + VIEW * self._window.width() > self._window.width()

    def _side(self, dock: Dock) -> Qt.DockWidgetArea:
        """The side of a dock in a window with room for both."""
        at = self._window.dockWidgetArea(dock)
        return LEFT if self.stacked and at == RIGHT and dock.area == LEFT else at

    def _move(self, astray: Sequence[Dock], left: Sequence[Dock], right: Sequence[Dock]) -> None:
        """Panels of the left side to where they belong now; what was seen stays in front, the first of the perspective."""
        front = [dock for dock in (*left, *right) if on_screen(dock)]
        if right and not self.stacked and not any(dock in front for dock in right):  # one of the left side was in front of them
            front.append(next((dock for dock in self._order if dock in right), right[0]))
        for k, dock in enumerate(astray):
            self._window.addDockWidget(RIGHT if self.stacked else LEFT, dock)
            if self.stacked or k:
                self._window.tabifyDockWidget(right[-1] if self.stacked else astray[0], dock)
        for dock in sorted(front, key=lambda dock: -self._order.index(dock) if dock in self._order else -len(self._order)):
            dock.raise_()
        if not self.stacked:
            self._window.resizeDocks([left[0]], [max(map(_need, left))], Qt.Orientation.Horizontal)


def _need(dock: Dock) -> int:
    """The least width of a panel that shows all of it; a pixel of one that is still to come, because Qt refuses less."""
    return max(1, dock.widget().minimumSizeHint().width())
