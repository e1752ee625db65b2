"""Where the panels stand: docks, tabs and the default layout."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import cast

from PySide6.QtCore import QByteArray, Qt, QTimer
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QLayout, QMainWindow, QTabBar, QTabWidget, QWidget
from shiboken6 import isValid

from armature.app.state.slices import REST, Steps
from armature.app.widgets.dock import TOP, Dock
from armature.app.window.docking.arrangement import Arrangement, Place
from armature.app.window.docking.bottom_strip import BottomStrip
from armature.app.window.docking.placement import SIDES, Placement
from armature.app.window.docking.room import Room
from armature.app.window.still_picture import StillPicture

AREAS = Qt.DockWidgetArea


class Docks:
    """The docks in their places. Where docks share a place their tabs are the titles."""

    def __init__(self, window: QMainWindow, docks: Sequence[Dock], fold: QAction, picture: StillPicture):
        self._window, self._picture = window, picture
        self._docks = {dock.name: dock for dock in docks}
        self.room, self.strip = Room(window, docks), BottomStrip(window, docks, fold)
        self._placement = Placement(window, docks)
        self._wanted: Dock | None = None  # the dock to bring up, once it has its place
        self._soon = QTimer(window, singleShot=True, interval=0)
        self._soon.timeout.connect(self.fit)
        self.strip.tabs_came.connect(self._fit_soon)
        for dock in docks:
            dock.setParent(window)
            for signal in (dock.topLevelChanged, dock.dockLocationChanged, dock.visibilityChanged):
                signal.connect(self._fit_soon)
            dock.requested.connect(self._on_asked_for)
        window.setTabPosition(AREAS.AllDockWidgetAreas, QTabWidget.TabPosition.North)
        window.setDockOptions(QMainWindow.DockOption.AllowTabbedDocks | QMainWindow.DockOption.AllowNestedDocks)
        window.setCorner(Qt.Corner.BottomLeftCorner, AREAS.BottomDockWidgetArea)
        self.arrange()

    def __getitem__(self, name: str) -> Dock:
        return self._docks[name]

    def all(self) -> list[Dock]:
        """Every dock, in the order of the panels."""
        return list(self._docks.values())

    def bring_up(self, name: str):
        """Show a dock in front of the tabs it shares a place with."""
        self._docks[name].bring_up()

    def of(self, perspective: str) -> tuple[str, ...] | None:
        """The docks that a perspective shows, in the order of their tabs; None where it shows all."""
        shown = [dock for dock in self._docks.values() if perspective in dock.places]
        return tuple(dock.name for dock in sorted(shown, key=lambda dock: dock.places[perspective])) or None

    def main(self, perspective: str) -> Dock | None:
        """The panel that a perspective is about: its first on the right; None where it shows all."""
        shown = (self._docks[name] for name in self.of(perspective) or ())
        return next((dock for dock in shown if dock.area == AREAS.RightDockWidgetArea), None)

    @property
    def version(self) -> int:
        """Another number for another set of docks: a layout saved for one does not fit the other."""
        return zlib.crc32(" ".join(self._docks).encode()) & 0x7FFFFFFF

    def arrange(self, names: tuple[str, ...] | None = None):
        """The default layout of these docks, or of all, for the window's present size; the first of each area is in front."""
        self.expect(names)
        names = tuple(self._docks) if names is None else names
        places: dict[int, list[Place]] = {}
        first: dict[Qt.DockWidgetArea, Dock] = {}
        for name in (*names, *(name for name in self._docks if name not in names)):
            dock = self._docks[name]
            area = self.room.area(dock)
            places.setdefault(SIDES.index(area), []).append(Place(dock.objectName(), name in names))
            first.setdefault(area, dock)
        self._move(Arrangement.tabbed(places))
        self.room.spread([first[area] for area in (AREAS.LeftDockWidgetArea, AREAS.RightDockWidgetArea) if area in first])
        height = [self.strip.usual_height()]
        self._window.resizeDocks([first[AREAS.BottomDockWidgetArea]], height, Qt.Orientation.Vertical)
        self.fit()

    def restore(self, state: QByteArray, now: QByteArray | None = None) -> bool:
        """The layout that was saved as `state`, instead of the one of `now`; returns whether it is known."""
        wanted = self._read(state)
        if wanted is None or not self._placement.fits(wanted):
            return False
        self._move(wanted, now)
        self._settle()
        return True

    def _read(self, state: QByteArray) -> Arrangement | None:
        return Arrangement.read(bytes(state.data()), self.version)

    def _move(self, wanted: Arrangement, now: QByteArray | None = None) -> None:
        """All of them at once: the window is laid out at the end, and not each time that a dock moves, is shown or hidden."""
        before = self._read(now or self._window.saveState(self.version))
        with self._laid_out_once():
            self._placement.move(before, wanted)
            self._share_room()

    @contextmanager
    def _laid_out_once(self) -> Iterator[None]:
        """What changes is laid out at the end."""
        layout = cast("QLayout", self._window.layout())
        layout.setEnabled(False)
        try:
            yield
        finally:
            layout.setEnabled(True)
            layout.activate()

    def expect(self, names: tuple[str, ...] | None) -> bool:
        """These docks, or all, are about to be shown, the first in front; returns whether they must share a side."""
        return self.room.expect([self._docks[name] for name in (names or self._docks)])

    def fit_in_turns(self) -> Steps:
        """As `fit`, of which moving docks takes a turn of its own."""
        with self._laid_out_once():
            self._retitle()
            self.room.take_sides()
        yield REST
        self.fit()

    def fit(self):
        """Everything in the room that it has: after another size of the window or of the text, and when docks come and go."""
        with self._laid_out_once():
            self._share_room()
        self._settle()

    def _share_room(self) -> None:
        """Titles and widths for what is shown now."""
        self._retitle()
        self.room.fit()

    def _settle(self) -> None:
        """What follows once the docks have their places: the one to bring up in front, and the strip below."""
        wanted, self._wanted = self._wanted, None
        if wanted is not None:
            wanted.raise_()  # also where it has moved to another side
        self.strip.follow(self._window.height())
        if wanted is not None:
            self._picture.let_go()

    def _on_asked_for(self, dock: Dock):
        if self._wanted is None:
            self._picture.hold()  # until it has its place: then the view is drawn, and after it the rest
        self._wanted = dock
        self._fit_soon()

    def _fit_soon(self, *_):
        if isValid(self._soon):  # docks still speak while their window is being destroyed
            self._soon.start()

    def _retitle(self):
        """Hide the title of a strip, and of a dock whose tab already names it; a floating one needs its title back."""
        for dock in self._docks.values():
            if dock.isHidden():  # it has most likely the same neighbours when it comes back
                continue
            tabbed = bool(self._window.tabifiedDockWidgets(dock)) or dock.area == TOP
            bare = tabbed and not dock.isFloating()
            if bare != (dock.titleBarWidget() is not None):
                old = dock.titleBarWidget()
                dock.setTitleBarWidget(QWidget(dock) if bare else None)  # type: ignore[arg-type]  # None gives it back
                if old is not None:
                    old.deleteLater()
        bars = self._window.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly)
        for bar in bars:
            bar.setDrawBase(False)
            bar.setExpanding(False)
            if bar.elideMode() != Qt.TextElideMode.ElideNone:  # else its tabs are laid out anew for nothing
                bar.setElideMode(Qt.TextElideMode.ElideNone)
            bar.setAccessibleName("Panels")
        self.strip.watch(bars)
