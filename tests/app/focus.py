"""Who gets the keys."""

from __future__ import annotations

from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget


def focused() -> QWidget:
    """The widget with the focus, once there is one: a key sent to none ends the process."""
    assert QTest.qWaitFor(lambda: QApplication.focusWidget() is not None, 5000), "nothing has the focus"
    return QApplication.focusWidget()
