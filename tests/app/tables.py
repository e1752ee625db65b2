"""Tables typed into as a person does."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QTableView

from tests.app.focus import focused


def type_cell(table: QTableView, row: int, column: int, text: str) -> None:
    """Type over a cell, which Return opens for what begins with no digit, and press Return."""
    table.setFocus()
    table.setCurrentIndex(table.model().index(row, column))
    typed = text[:1].isdigit()
    QTest.keyClicks(table, text[:1]) if typed else QTest.keyClick(table, Qt.Key.Key_Return)
    editor = focused()
    assert isinstance(editor, QLineEdit)
    if not typed:
        editor.selectAll()
    QTest.keyClicks(editor, text[1:] if typed else text)
    QTest.keyClick(editor, Qt.Key.Key_Return)
    QApplication.processEvents()  # the editor hands its text over once the key is done
