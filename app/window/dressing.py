"""`Dressing`: theme and size of text put on, one part of the window after the other."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QDialogButtonBox, QMainWindow, QTabBar, QWidget
from shiboken6 import isValid

from armature.app.state.slices import Slices, Steps
from armature.app.style.colour_tokens import Tokens
from armature.app.style.look import Look
from armature.app.style.stylesheet import FRAME
from armature.app.widgets.dock import Dock
from armature.app.widgets.on_screen import on_screen
from armature.app.widgets.restyle import restyle
from armature.app.window.still_picture import StillPicture

DIRECT = Qt.FindChildOption.FindDirectChildrenOnly


class Dressing(QObject):
    """Each part has a style sheet of its own, because Qt goes at one go through every widget under a sheet that changes.

    What the window itself draws follows the palette. While the parts on screen change, the picture stands still.
    """

    def __init__(self, window: QMainWindow, look: Look, others: Callable[[Tokens], None], picture: StillPicture):
        super().__init__(window)
        self._window, self._look, self._others, self._picture = window, look, others, picture
        self._slices = Slices(window)
        self._waiting: list[QWidget] = []  # for the colours that are put on

    def change(self, theme: str, text_scale: int) -> None:
        """Put on this theme and size of text; a window that nobody sees yet has it at once."""
        self._slices.start(self._steps(theme, text_scale))
        if not self._window.isVisible():
            self._slices.finish()

    def on_polished(self, child: QObject) -> None:
        """A widget of the main window is about to be seen for the first time; dialogs and menus have no sheet yet."""
        if self._look.sheet and isinstance(child, QWidget) and child.isWindow() and not child.styleSheet():
            child.setStyleSheet(self._look.sheet)
            for box in child.findChildren(QDialogButtonBox):
                for button in box.buttons():
                    button.setIcon(QIcon())  # Qt's own, which came before the sheet that has none

    def on_seen(self, dock: Dock) -> None:
        """A panel comes into view: not in the colours of before."""
        for _ in self._dress(dock):
            pass

    def stop(self) -> None:
        """Leave it as it is."""
        self._waiting = []
        self._slices.stop()

    def _steps(self, theme: str, text_scale: int) -> Steps:
        self._picture.hold()
        try:
            self._look.take(theme, text_scale)
            if not self._window.styleSheet():
                self._window.setStyleSheet(FRAME)
            yield
            self._waiting = self._parts()
            for part in [part for part in self._waiting if on_screen(part)]:
                yield from self._dress(part)
            for part in (self._window, *self._window.findChildren(QTabBar, options=DIRECT)):
                restyle(part)
            self._others(self._look.tokens)
        finally:
            self._picture.let_go()
        yield
        while self._waiting:
            yield from self._dress(self._waiting[0])
        self._look.changed.emit(self._look.tokens)

    def _parts(self) -> list[QWidget]:
        """Bars, view, docks, dialogs and menus."""
        return [part for part in self._window.findChildren(QWidget, options=DIRECT) if not isinstance(part, QTabBar)]

    def _dress(self, part: QWidget) -> Steps:
        if part not in self._waiting:  # somebody wanted to see it meanwhile
            return
        self._waiting.remove(part)
        if not isValid(part):  # a dialog that was closed
            return
        for piece in part.dressed if isinstance(part, Dock) else (part,):
            piece.setStyleSheet(self._look.sheet)
            yield
        if isinstance(part, Dock):
            restyle(part)
            part.set_theme(self._look.tokens)
            yield
