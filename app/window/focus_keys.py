"""Which keys belong to the widget in focus before any shortcut of the window, and where the focus goes when one is done."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QDockWidget,
    QLineEdit,
    QWidget,
)
from shiboken6 import isValid

from armature.app.widgets.on_screen import on_screen

NO_TEXT = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier
DONE = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


def belongs_to_focus(event: QEvent) -> bool:
    """Space presses the button in focus; in a list of choices letters and digits find an entry, and Space opens it.

    A letter with Shift is the window's also there: the search does not need it.
    """
    if event.type() != QEvent.Type.ShortcutOverride or not isinstance(event, QKeyEvent) or event.modifiers() & NO_TEXT:
        return False
    widget = QApplication.focusWidget()
    if isinstance(widget, QComboBox):
        shifted = event.modifiers() & Qt.KeyboardModifier.ShiftModifier and event.text().isalpha()
        return bool(event.text()) and event.text().isprintable() and not shifted
    return isinstance(widget, QAbstractButton) and event.key() == Qt.Key.Key_Space


def ends_entry(event: QKeyEvent, widget: QWidget | None) -> bool:
    """Whether a key without another use means that a field is done with: Escape anywhere, Return where something is entered."""
    done = event.key() in DONE and isinstance(widget, QAbstractSpinBox | QComboBox | QLineEdit)
    return done or event.key() == Qt.Key.Key_Escape


def better_place(old: QWidget | None, now: QWidget | None, view: QWidget) -> QWidget | None:
    """Where the focus, which went from `old` to `now`, should be instead; None where it is right.

    It stays in nothing that a person is done with or did not choose: a button that the mouse pressed, a list that was chosen
    from, whatever comes next after a widget that was disabled or hidden.
    """
    if now is None or now is view or now.window() is not view.window():
        return None
    if isinstance(now, QAbstractButton) and QApplication.mouseButtons():
        return _keeper(now) or view
    if isinstance(now, QComboBox) and old is not None and old is now.view():
        return None if _in_table(now) else _keeper(now) or view
    return view if _left_behind(old, now) or _vanished(old, now) else None


def behind_a_tab(widget: QWidget | None) -> bool:
    """Whether a widget is in a dock that nobody can see, although the keys of Tab lead there."""
    dock = _dock(widget)
    return dock is not None and not on_screen(dock)


def _left_behind(old: QWidget | None, now: QWidget) -> bool:
    """Whether the focus went on to another dock only because its widget was disabled: it is not expected there."""
    return old is not None and isValid(old) and not old.isEnabled() and _dock(old) is not _dock(now)


def _vanished(old: QWidget | None, now: QWidget) -> bool:
    """Whether the focus went on only because its widget was hidden."""
    return old is not None and isValid(old) and not old.isVisible() and old.window() is now.window() and not _in_table(old)


def _keeper(widget: QWidget) -> QWidget | None:
    """What around a widget takes the focus by a click, to have keys of its own."""
    around = widget.parentWidget()
    while around is not None and not (around.focusPolicy() & Qt.FocusPolicy.ClickFocus and around.isEnabled()):
        around = around.parentWidget()
    return around


def _in_table(widget: QWidget) -> bool:
    """Whether it is the editor of a cell, which the table itself ends."""
    viewport = widget.parentWidget()
    return viewport is not None and isinstance(viewport.parentWidget(), QAbstractItemView)


def _dock(widget: QWidget | None) -> QDockWidget | None:
    while widget is not None and not isinstance(widget, QDockWidget):
        widget = widget.parentWidget()
    return widget
