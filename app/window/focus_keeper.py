"""`FocusKeeper`: the focus, sent on from where it is not expected."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QApplication, QMainWindow, QWidget
from shiboken6 import isValid

from armature.app.style.running_application import running
from armature.app.window.focus_keys import behind_a_tab, better_place


class FocusKeeper(QObject):
    """Of one window; `view` is where the focus goes that has no better place."""

    def __init__(self, window: QMainWindow, view: QWidget):
        super().__init__(window)
        self._window, self._view, self._moves = window, view, False
        running().focusChanged.connect(self._on_focus)

    def leave(self, dock: QWidget):
        """Nobody sees a dock any more: what had the focus there must not get the keys."""
        if isValid(self._window) and dock.isAncestorOf(self._window.focusWidget() or self._view):
            self._view.setFocus()

    def _on_focus(self, old: QWidget | None, now: QWidget | None):
        place = None if self._moves else better_place(old, now, self._view)
        if place is not None:
            self._moves = True  # where that place hands the focus on, it stays
            place.setFocus()
            self._moves = False
        elif now is not None and now.window() is self._window and behind_a_tab(now):
            self._window.focusNextPrevChild(not QApplication.keyboardModifiers() & Qt.KeyboardModifier.ShiftModifier)
