"""`Placement`: puts docks where an arrangement has them.

QMainWindow.restoreState does the same in one piece, after it has gone four times through every object in the window.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from PySide6.QtCore import QPoint, QRect, QSignalBlocker, Qt
from PySide6.QtWidgets import QLayout, QMainWindow, QTabBar

from armature.app.widgets.dock import BOTTOM, LEFT, RIGHT, TOP, Dock
from armature.app.window.docking.arrangement import Arrangement, Group, Place

SIDES = (LEFT, RIGHT, TOP, BOTTOM)  # as an arrangement numbers them
ACROSS, DOWN = Qt.Orientation.Horizontal, Qt.Orientation.Vertical
DIRECT = Qt.FindChildOption.FindDirectChildrenOnly


class Placement:
    """Of these docks in a window, by their object names."""

    def __init__(self, window: QMainWindow, docks: Sequence[Dock]):
        self._window = window
        self._docks: Mapping[str, Dock] = {dock.objectName(): dock for dock in docks}

    def fits(self, arrangement: Arrangement) -> bool:
        """Whether it has a place for each of them."""
        return sorted(place.name for place in arrangement.places()) == sorted(self._docks)

    def move(self, now: Arrangement | None, wanted: Arrangement) -> None:
        """From the arrangement of now to another one, in a window that is not laid out meanwhile."""
        for place in wanted.places():
            dock = self._docks[place.name]
            if not place.shown or place.floating:
                dock.hide()
            if dock.isFloating() != bool(place.floating):
                dock.setFloating(bool(place.floating))
        before = {} if now is None else {side.number: side.group for side in now.sides}
        for side in wanted.sides:
            if side.number not in before or before[side.number].shape != side.group.shape:
                self._put(SIDES[side.number], side.group, before.get(side.number))
        for place in wanted.places():
            if place.shown:
                self._show(place)
        for side in wanted.sides:
            self._resize(side.group, *side.size)
        self._window.minimumSizeHint()  # for which Qt puts tabs into its bars
        for side in wanted.sides:
            self._bring_forward(side.group)
        cast("QLayout", self._window.layout()).invalidate()  # it does not hear of tabs in front

    def _show(self, place: Place) -> None:
        dock = self._docks[place.name]
        if place.floating:
            dock.setGeometry(_on_screen(QRect(*place.floating), dock.screen().availableGeometry()))
        dock.show()

    # -- where they belong -----------------------------------------------------------------------------------------------------

    def _put(self, area: Qt.DockWidgetArea, group: Group, before: Group | None) -> None:
        """Everything of a side; where all share one place as before, its bar of tabs is kept."""
        tabs = group.tabs
        if tabs and before and before.tabs and next(tabs.places()).name in {place.name for place in before.tabs.places()}:
            self._fill(tabs)
            return
        rows = group.items if group.front is None else (group,)
        for item in rows:
            self._window.addDockWidget(area, self._first(item), ACROSS if group.across else DOWN)
        for item in rows:
            self._fill(item)

    def _fill(self, item: Place | Group) -> None:
        """What stands with the first dock of a group, which has its place."""
        if isinstance(item, Place):
            return
        first = self._first(item)
        for other in item.items[1:]:
            if item.front is not None:
                self._window.tabifyDockWidget(first, self._first(other))
            else:
                self._window.splitDockWidget(first, self._first(other), ACROSS if item.across else DOWN)
                first = self._first(other)
        for other in item.items:
            self._fill(other)

    def _first(self, item: Place | Group) -> Dock:
        return self._docks[next(item.places()).name]

    # -- how large they are, and which is in front -----------------------------------------------------------------------------

    def _resize(self, item: Place | Group, width: int, height: int) -> None:
        """As wide and high as these, where they once had a size."""
        if isinstance(item, Group) and item.front is None:
            for part, size in zip(item.items, item.sizes):
                if any(_docked(place) for place in part.places()):
                    self._resize(part, *((size, height) if item.across else (width, size)))
                elif len(item.items) == 1:  # Qt adds up what is shown along a row, here nothing
                    self._resize(part, *((-1, height) if item.across else (width, -1)))
            return
        place = next(filter(_docked, item.places()), next(item.places()))
        for size, along in ((width, ACROSS), (height, DOWN)):
            if size > 0:
                self._window.resizeDocks([self._docks[place.name]], [size], along)

    def _bring_forward(self, item: Place | Group) -> None:
        """The tab in front of each group, without the turning of pages that follows a click on it."""
        if isinstance(item, Place):
            return
        for part in item.items:
            self._bring_forward(part)
        if item.front is not None and item.front >= 0:
            title = self._docks[next(item.items[item.front].places()).name].windowTitle()
            for bar in self._window.findChildren(QTabBar, options=DIRECT):
                at = next((k for k in range(bar.count()) if bar.tabText(k) == title), None)
                if at is not None:
                    with QSignalBlocker(bar):
                        bar.setCurrentIndex(at)


def _docked(place: Place) -> bool:
    return place.shown and not place.floating


def _on_screen(box: QRect, screen: QRect) -> QRect:
    """A box no larger than the screen, and inside of it."""
    box.setSize(box.size().boundedTo(screen.size()))
    box.moveRight(min(box.right(), screen.right()))
    box.moveBottom(min(box.bottom(), screen.bottom()))
    box.moveTopLeft(QPoint(max(box.left(), screen.left()), max(box.top(), screen.top())))
    return box
