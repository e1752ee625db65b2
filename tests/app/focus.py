"""Who gets the keys."""

from __future__ import annotations

import time

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from tests.time_limits import WAIT


def focused() -> QWidget:
    """The widget with the focus, once there is one: a key sent to none ends the process."""
    end = time.monotonic() + WAIT
    while (widget := QApplication.focusWidget()) is None and time.monotonic() < end:
        QTest.qWait(10)
    assert widget is not None, "nothing has the focus"
    return widget


def type_into(field, text: str) -> None:
    """By a click into a number field, keys, and Return."""
    QTest.mouseClick(field.lineEdit(), Qt.MouseButton.LeftButton)
    field.selectAll()
    QTest.keyClicks(field.lineEdit(), text)
    QTest.keyClick(field.lineEdit(), Qt.Key.Key_Return)
    QApplication.processEvents()
