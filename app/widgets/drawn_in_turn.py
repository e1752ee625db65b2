"""`DrawnInTurn`: what changes all over the window is drawn a part at a time, and what nobody sees takes its shape after that."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QMainWindow, QWidget
from shiboken6 import isValid

from armature.app.state.slices import REST, Slices, Steps
from armature.app.widgets.on_screen import on_screen

Act = Callable[[], None]


class DrawnInTurn:
    """Of parts of a window; each keeps its picture until it is its turn, once all have changed."""

    def __init__(self, window: QMainWindow):
        self._slices = Slices(window)
        self._first: Act | None = None
        self._waiting: list[QWidget] = []
        self._unshaped: dict[QWidget, Act] = {}

    def hold(self, *parts: QWidget) -> None:
        """Those that can be seen are drawn from the next turn of the event loop on, in this order."""
        for part in parts:
            if part not in self._waiting and on_screen(part):
                part.setUpdatesEnabled(False)
                self._waiting.append(part)
        self._begin()

    def draw_after(self, act: Act) -> None:
        """Do `act`, on which the picture depends, in a turn of its own before anything is drawn."""
        self._first = act
        self._begin()

    def shape(self, part: QWidget, act: Act) -> None:
        """Do `act`, which `part` needs to be seen: now where it is seen, else when it comes into view, or after all is drawn."""
        self._unshaped[part] = act
        if on_screen(part):
            self.come_into_view(part)
        else:
            self._begin()

    def come_into_view(self, part: QWidget) -> None:
        """It takes its shape now."""
        act = self._unshaped.pop(part, None)
        if act is not None and isValid(part):
            act()

    def stop(self) -> None:
        """The window closes: give up what waits."""
        self._slices.stop()

    def _begin(self) -> None:
        if (self._first or self._waiting or self._unshaped) and not self._slices.busy:
            self._slices.start(self._steps())

    def _steps(self) -> Steps:
        while self._first or self._waiting or self._unshaped:
            if self._first is not None:
                act, self._first = self._first, None
                act()
            elif self._waiting:
                part = self._waiting.pop(0)
                if isValid(part):
                    part.setUpdatesEnabled(True)
                    QCoreApplication.sendEvent(part.window(), QEvent(QEvent.Type.UpdateRequest))  # not `repaint`: it may wait
            else:
                self.come_into_view(next(iter(self._unshaped)))
            yield REST
