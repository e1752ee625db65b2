"""`Dressing`: theme and size of text put on, one part of the window after the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication, QDialogButtonBox, QMainWindow, QTabBar, QWidget
from shiboken6 import isValid

from armature.app.state.slices import REST, Slices, Steps
from armature.app.style.colour_tokens import Tokens
from armature.app.style.look import Look
from armature.app.style.stylesheet import FRAME, SHEET
from armature.app.widgets.dock import Dock
from armature.app.widgets.on_screen import on_screen
from armature.app.widgets.restyle import restyle
from armature.app.window.still_picture import StillPicture

DIRECT = Qt.FindChildOption.FindDirectChildrenOnly


class Dressing(QObject):
    """The style sheet takes its colours from the palette, so it stays, and every widget looks at it again.

    Each part has a sheet of its own, because Qt goes at one go through every widget under a new one. While the parts on screen
    change, the picture stands still.
    """

    def __init__(self, window: QMainWindow, look: Look, others: Callable[[Tokens], Steps], picture: StillPicture):
        super().__init__(window)
        self._window, self._look, self._others, self._picture = window, look, others, picture
        self._slices = Slices(window)
        self._waiting: list[QWidget] = []  # for what is put on
        self._is_resized = False  # by it
        self._holds = 0  # of the picture

    def change(self, theme: str, text_scale: int) -> None:
        """Put on this theme and size of text; a window that nobody sees yet has it at once."""
        steps = self._steps(theme, text_scale)
        next(steps)  # holds the picture before earlier work that is given up lets go
        self._slices.start(steps)
        if not self._window.isVisible():
            self._slices.finish()

    def on_polished(self, child: QObject) -> None:
        """A widget of the main window is about to be seen for the first time; dialogs and menus have no sheet yet."""
        if isinstance(child, QWidget) and child.isWindow() and not child.styleSheet():
            child.setStyleSheet(SHEET)
            for box in child.findChildren(QDialogButtonBox):
                for button in box.buttons():
                    button.setIcon(QIcon())  # Qt's own, which came before the sheet that has none

    def on_seen(self, dock: Dock) -> None:
        """A panel comes into view: not in the colours of before. Behind the picture it has its turn."""
        if not self._holds:
            for _ in self._dress(dock):
                pass

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """A dialog or menu that is opened before its turn takes the new colours before it is drawn."""
        if event.type() == QEvent.Type.Show and isinstance(watched, QWidget) and watched in self._waiting:
            for _ in self._dress(watched):
                pass
        return False

    def stop(self) -> None:
        """Leave it as it is."""
        self._waiting = []
        self._slices.stop()

    def _steps(self, theme: str, text_scale: int) -> Steps:
        self._hold(1)
        try:
            self._look.take(theme, text_scale)
            self._is_resized = self._window.property("text_scale") != text_scale
            self._window.setProperty("text_scale", text_scale)
            if not self._window.styleSheet():
                self._window.setStyleSheet(FRAME)
            self._waiting = self._parts()
            for part in self._waiting:
                if part.isWindow():
                    part.installEventFilter(self)
            yield
            yield from self._dress_what_is_seen()
            restyle(self._window)
            for bar in self._window.findChildren(QTabBar, options=DIRECT):
                for part in (bar, *bar.findChildren(QWidget)):  # with the arrows that scroll it
                    restyle(part)
            yield
            yield from self._others(self._look.tokens)
            yield from self._dress_what_is_seen()  # since docks have moved
        finally:
            self._hold(-1)
        yield REST
        yield REST  # it is drawn in a turn of its own
        while self._waiting:
            yield from self._dress(self._waiting[0])
        for part in self._parts() if self._is_resized else ():
            if isValid(part):
                _measure_anew(part)
            yield
        self._look.changed.emit(self._look.tokens)

    def _hold(self, change: int) -> None:
        self._holds += change
        (self._picture.hold if change > 0 else self._picture.let_go)()

    def _dress_what_is_seen(self) -> Steps:
        while part := next((part for part in self._waiting if isValid(part) and on_screen(part)), None):
            yield from self._dress(part)

    def _parts(self) -> list[QWidget]:
        """Bars, view, docks, dialogs and menus."""
        return [part for part in self._window.findChildren(QWidget, options=DIRECT) if not isinstance(part, QTabBar)]

    def _dress(self, part: QWidget) -> Steps:
        """The style sheet for what is new, the new colours for all else; given up once it is done elsewhere."""
        for piece in _pieces(part):
            if not piece.styleSheet():
                piece.setStyleSheet(SHEET)
                yield
                continue
            for widget in (piece, *piece.findChildren(QWidget)):
                if part not in self._waiting:
                    return
                if isValid(widget):
                    restyle(widget)
                    if self._is_resized:
                        QApplication.sendEvent(widget, QEvent(QEvent.Type.StyleChange))  # it asks for its margins only then
                yield
        if part not in self._waiting:
            return
        self._waiting.remove(part)
        if isValid(part):
            part.removeEventFilter(self)
        if isinstance(part, Dock):
            restyle(part)
            part.set_theme(self._look.tokens)
            yield


def _pieces(part: QWidget) -> Sequence[QWidget]:
    """What has a style sheet of its own in a part of the window; nothing of a dialog that was closed."""
    if not isValid(part):
        return ()
    return part.dressed if isinstance(part, Dock) else (part,)


def _measure_anew(part: QWidget) -> None:
    """Layouts of pages that nobody sees would keep what they needed before."""
    for widget in reversed(part.findChildren(QWidget)):
        widget.updateGeometry()
        layout = widget.layout()
        if layout is not None:
            layout.invalidate()
