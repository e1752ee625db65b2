"""`double_click`: a double click that ends with the button released."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget


def double_click(widget: QWidget, button: Qt.MouseButton, modifier=Qt.KeyboardModifier.NoModifier, pos: QPoint | None = None):
    """Double-click a widget; `QTest.mouseDClick` alone leaves the button pressed for all tests that follow."""
    at = widget.rect().center() if pos is None else pos
    QTest.mouseDClick(widget, button, modifier, at)
    QTest.mouseRelease(widget, button, modifier, at)
