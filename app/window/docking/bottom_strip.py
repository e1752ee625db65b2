"""`BottomStrip`: the docks at the bottom, unfolded or folded to the strip of their tabs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QRect, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMainWindow, QTabBar, QToolButton
from shiboken6 import isValid

from armature.app.style.colour_tokens import Tokens
from armature.app.style.icons import icon
from armature.app.widgets.dock import BOTTOM, Dock
from armature.app.widgets.on_screen import on_screen

LOW = 760  # px; in a window less high they fold by themselves
MOST = 0.4  # of the window's height, to which they unfold
GAP = 3  # px around the button
ANY_HEIGHT = 16777215  # Qt's own, for "as high as you like"


class BottomStrip(QObject):
    """Follows the window's height until the user folds or unfolds, and again from the next change between low and high.

    `tabs_came` tells that Qt has made another bar of tabs, which nobody watches yet.
    """

    tabs_came = Signal()

    def __init__(self, window: QMainWindow, docks: Sequence[Dock], action: QAction):
        super().__init__(window)
        self._window, self._docks, self._action = window, docks, action
        self._low: bool | None = None  # whether the window is
        self._height = 0  # of the docks when they were folded
        self._bars: list[QTabBar] = []
        self._placing = False  # the button, before the next picture
        self._double_clicked = False  # and not released yet
        self._tokens: Tokens | None = None
        self._button = QToolButton(window)
        self._button.setObjectName("button_fold_bottom")
        self._button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._button.setAutoRaise(True)
        self._button.clicked.connect(lambda _: action.trigger())
        self._button.hide()
        window.installEventFilter(self)
        action.toggled.connect(self._fold)
        for dock in docks:
            dock.placed.connect(self._place_soon)
            dock.requested.connect(self._on_asked_for)
        self._fold(self.folded)

    @property
    def folded(self) -> bool:
        """Whether the tabs alone are to be seen."""
        return self._action.isChecked()

    def follow(self, height: int) -> None:
        """The window has another height."""
        low = height < LOW
        if low != self._low:
            self._low = low
            self._action.setChecked(low)
        self.settle()

    def usual_height(self) -> int:
        """Of a bottom dock that nobody gave another height."""
        return min(self._window.height() * 27 // 100, 16 * self._window.fontMetrics().height())

    def settle(self) -> None:
        """What stands at the bottom is as high as it should be; nothing else is bounded."""
        for dock in self._docks:
            flat = self.folded and self._is_here(dock)
            tabbed = bool(self._window.tabifiedDockWidgets(dock))
            highest = ANY_HEIGHT if not flat else 0 if tabbed else _title_height(dock)
            if dock.maximumHeight() != highest:
                dock.setMaximumHeight(highest)
            if flat and dock.minimumHeight() > highest:  # which its panel has given it, and which counts for more
                dock.setMinimumHeight(highest)
        self._place()

    def _is_here(self, dock: Dock) -> bool:
        return not dock.isFloating() and self._window.dockWidgetArea(dock) == BOTTOM

    def _here(self) -> list[Dock]:
        return [dock for dock in self._docks if not dock.isHidden() and self._is_here(dock)]

    def _fold(self, on: bool) -> None:
        here = self._here()
        if on:
            self._height = max((dock.height() for dock in here if on_screen(dock)), default=0)  # others keep what they had once
            if any(dock.isAncestorOf(self._window.focusWidget() or self._window) for dock in here):
                self._button.setFocus()
        self.settle()
        if not on:
            self._rise(here)
        words = "Unfold bottom panels" if on else "Fold bottom panels"
        self._button.setToolTip(words)
        self._button.setAccessibleName(words)
        self._draw()

    def set_theme(self, tokens: Tokens) -> None:
        """Colour of the button."""
        self._tokens = tokens
        self._draw()

    def _draw(self) -> None:
        if self._tokens is not None:
            self._button.setIcon(icon("unfold" if self.folded else "expanded", self._tokens.text))

    def _rise(self, here: Sequence[Dock]) -> None:
        if here:
            least = max(dock.minimumSizeHint().height() for dock in here)
            height = min(self._height, round(MOST * self._window.height()))  # the window may have been higher then
            self._window.resizeDocks(here[:1], [max(height, self.usual_height(), least)], Qt.Orientation.Vertical)

    @contextmanager
    def unfolded(self) -> Iterator[None]:
        """For a moment in which nothing is painted: what is saved of the layout must have the height of the panels."""
        here = self._here() if self.folded else []
        for dock in here:
            dock.setMaximumHeight(ANY_HEIGHT)
        self._rise(here)
        yield
        self.settle()

    def _on_asked_for(self, dock: Dock) -> None:
        if self._is_here(dock):
            self._action.setChecked(False)

    # -- the button and the tabs -----------------------------------------------------------------------------------------------

    def watch(self, bars: Sequence[QTabBar]) -> None:
        """A click on a tab of the strip unfolds what stands under it; a double click on one folds it."""
        for bar in bars:
            if bar not in self._bars:
                bar.installEventFilter(self)
                bar.tabBarDoubleClicked.connect(partial(self._on_double_click, bar))
        self._bars = list(bars)
        self._place()

    def eventFilter(self, watched, event) -> bool:
        """A click is one when the mouse button comes up: before, it may become a drag."""
        if watched is self._window:
            if event.type() == QEvent.Type.ChildPolished and isinstance(event.child(), QTabBar):
                self.tabs_came.emit()
        elif event.type() in (QEvent.Type.Resize, QEvent.Type.Move):
            self._place_soon()  # of tabs; docks tell it themselves
        elif event.type() == QEvent.Type.MouseButtonRelease:
            if self.folded and watched is self._bar() and not self._double_clicked:
                self._action.setChecked(False)
            self._double_clicked = False
        return False

    def _place_soon(self) -> None:
        """Once for all docks that move, before anything is painted: events that are posted come first."""
        if not self._placing:
            self._placing = True
            QCoreApplication.postEvent(self, QEvent(QEvent.Type.LayoutRequest))

    def event(self, event) -> bool:
        """What was posted to itself."""
        if event.type() != QEvent.Type.LayoutRequest:
            return super().event(event)
        self._place()
        return True

    def _on_double_click(self, bar: QTabBar, _tab: int) -> None:
        if bar is self._bar():
            self._double_clicked = True  # the release of the second click does not unfold it again
            self._action.setChecked(True)

    def _bar(self) -> QTabBar | None:
        """The tabs of the strip; None where one dock stands there under its title."""
        titles = {dock.windowTitle() for dock in self._here()}
        shown = (
            bar for bar in self._bars if isValid(bar) and bar.isVisible() and bar.count() > 1
        )  # Qt keeps one for a dock alone
        return next((bar for bar in shown if bar.tabText(0) in titles), None)

    def _place(self) -> None:
        """The button at the right end of the strip."""
        self._placing = False
        bar, here = self._bar(), self._here()
        self._button.setVisible(bool(here))
        if here:
            head = bar.geometry() if bar is not None else max((dock.geometry() for dock in here), key=QRect.right)
            side = self._button.sizeHint().height()
            self._button.setGeometry(head.right() - side - GAP, head.top() + GAP, side, side)
            self._button.raise_()


def _title_height(dock: Dock) -> int:
    """Of a dock that stands alone; what it asks for is bounded by the height that it may have now, which counts for nothing."""
    now, content = dock.maximumHeight(), dock.widget()
    dock.setMaximumHeight(ANY_HEIGHT)
    title = dock.minimumSizeHint().height() - max(content.minimumSizeHint().height(), content.minimumHeight())
    dock.setMaximumHeight(now)
    return max(0, title)  # a hidden one may have none yet
