"""Which keys belong to the widget in focus before any shortcut of the window, and where the focus goes when that is disabled."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QDockWidget, QWidget

NO_TEXT = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier


def belongs_to_focus(event: QEvent) -> bool:
    """Space presses the button in focus; in a list of choices letters and digits find an entry, and Space opens it."""
    if event.type() != QEvent.Type.ShortcutOverride or event.modifiers() & NO_TEXT:
        return False
    widget = QApplication.focusWidget()
    if isinstance(widget, QComboBox):
        return bool(event.text()) and event.text().isprintable()
    return isinstance(widget, QAbstractButton) and event.key() == Qt.Key.Key_Space


def left_behind(old: QWidget | None, now: QWidget | None) -> bool:
    """Whether the focus went on to another dock only because its widget was disabled: nobody would look for it there."""
    return old is not None and now is not None and not old.isEnabled() and _dock(old) is not _dock(now)


def _dock(widget: QWidget | None) -> QDockWidget | None:
    while widget is not None and not isinstance(widget, QDockWidget):
        widget = widget.parentWidget()
    return widget
