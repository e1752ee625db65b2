"""Docks are put where a saved layout has them, as QMainWindow itself would put them."""

from __future__ import annotations

import random

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMainWindow, QTabBar, QTabWidget, QTextEdit, QWidget

from armature.app.widgets.dock import BOTTOM, LEFT, RIGHT, TOP, Dock
from armature.app.window.docking.arrangement import Arrangement
from armature.app.window.docking.placement import Placement
from tests.app.kept_window import settle
from tests.chance import seeds

VERSION, COUNT = 3, 8
WAYS = Qt.Orientation.Horizontal, Qt.Orientation.Vertical


@pytest.fixture
def window(qtbot):
    """A window with eight docks, visible."""
    window = QMainWindow()
    qtbot.addWidget(window)
    window.setCentralWidget(QTextEdit())
    window.setTabPosition(Qt.DockWidgetArea.AllDockWidgetAreas, QTabWidget.TabPosition.North)
    window.setDockOptions(QMainWindow.DockOption.AllowTabbedDocks | QMainWindow.DockOption.AllowNestedDocks)
    for k in range(COUNT):
        panel = QWidget()
        panel.setMinimumSize(40 + 5 * k, 30)
        dock = Dock(f"d{k}", f"Dock {k}", panel, LEFT, {})
        window.addDockWidget(LEFT, dock)
    window.resize(1300, 900)
    window.show()
    yield window
    for dock in docks(window):
        dock.hide()  # also those that float
    window.hide()


def docks(window) -> list[Dock]:
    """Of the window, by their names."""
    return sorted(window.findChildren(Dock), key=lambda dock: dock.name)


def shuffle(window, rng) -> None:
    """As if a user had dragged docks anywhere: beside, below and behind each other, out of the window, closed."""
    ours = docks(window)
    for dock in ours:
        dock.setFloating(False)
        dock.show()
        window.addDockWidget(rng.choice((LEFT, RIGHT, TOP, BOTTOM)), dock, rng.choice(WAYS))
    for _ in range(8):
        window.splitDockWidget(*rng.sample(ours, 2), rng.choice(WAYS))
    for _ in range(5):
        window.tabifyDockWidget(*rng.sample(ours, 2))
    for dock in ours:
        lot = rng.random()
        if lot < 0.25:
            dock.hide()
        elif lot < 0.35:
            dock.setFloating(True)
            dock.setGeometry(rng.randrange(500), rng.randrange(400), 200, 150)
    settle()
    for dock in rng.sample(ours, 4):
        if dock.isVisible() and not dock.isFloating():
            window.resizeDocks([dock], [rng.randrange(60, 300)], rng.choice(WAYS))
        dock.raise_()
    settle()


def seen(window) -> tuple:
    """Where each dock is seen, and the tabs from left to right with the one in front."""
    boxes = {dock.name: dock.geometry().getRect() for dock in docks(window) if dock.isVisible() and dock.geometry().right() >= 0}
    bars = window.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly)
    tabs = [[bar.tabText(k) for k in range(bar.count())] + [bar.tabText(bar.currentIndex())] for bar in bars if bar.isVisible()]
    areas = {dock.name: (window.dockWidgetArea(dock), dock.isFloating(), dock.isHidden()) for dock in docks(window)}
    return boxes, areas, sorted(bar for bar in tabs if len(bar) > 2)


def saved(window) -> bytes:
    """The layout as it is now."""
    return bytes(window.saveState(VERSION).data())


def read(state: bytes) -> Arrangement:
    """A layout that can be read."""
    arrangement = Arrangement.read(state, VERSION)
    assert arrangement is not None
    return arrangement


def put(window, state: bytes) -> None:
    """As the program does it."""
    placement = Placement(window, docks(window))
    now, wanted = read(saved(window)), read(state)
    assert placement.fits(wanted)
    window.layout().setEnabled(False)
    placement.move(now, wanted)
    window.layout().setEnabled(True)
    window.layout().invalidate()
    window.layout().activate()
    settle()


@pytest.mark.parametrize("seed", seeds(6))
def test_docks_come_where_qt_itself_would_put_them(window, seed):
    rng = random.Random(seed)
    shuffle(window, rng)
    wanted, as_left = saved(window), seen(window)
    shuffle(window, rng)
    before = saved(window)
    put(window, wanted)
    ours, shapes = seen(window), [side.group.shape for side in read(saved(window)).sides]
    assert ours == as_left
    window.restoreState(before, VERSION)
    settle()
    window.restoreState(wanted, VERSION)
    settle()
    assert ours == seen(window)
    assert shapes == [side.group.shape for side in read(saved(window)).sides]


def test_tabs_that_stay_in_one_place_keep_their_bar(window):
    first, *others = docks(window)
    for dock in others:
        window.tabifyDockWidget(first, dock)
    settle()
    state = saved(window)
    (bar,) = (bar for bar in window.findChildren(QTabBar) if bar.isVisible())
    for dock in reversed(others):
        window.tabifyDockWidget(first, dock)
    settle()
    assert bar.tabText(1) == "Dock 7"
    put(window, state)
    assert bar.isVisible() and [bar.tabText(k) for k in range(COUNT)] == [dock.windowTitle() for dock in (first, *others)]


def test_what_is_no_layout_of_these_docks_is_not_taken_for_one(window):
    state = saved(window)
    arrangement = read(state)
    assert Arrangement.read(state, VERSION + 1) is None
    for length in range(state.index("dock_d7".encode("utf-16-be"))):
        assert Arrangement.read(state[:length], VERSION) is None
    assert Arrangement.read(b"\xff" * 400, VERSION) is None
    assert Placement(window, docks(window)).fits(arrangement)
    assert not Placement(window, docks(window)[1:]).fits(arrangement)
