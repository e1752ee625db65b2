"""Tables typed into as a person does."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QTableView


def type_cell(table: QTableView, row: int, column: int, text: str) -> None:
    """Type over a cell and press Return."""
    table.setFocus()
    table.setCurrentIndex(table.model().index(row, column))
    QTest.keyClicks(table, text[:1])
    editor = QApplication.focusWidget()
    assert isinstance(editor, QLineEdit)
    QTest.keyClicks(editor, text[1:])
    QTest.keyClick(editor, Qt.Key.Key_Return)
    QApplication.processEvents()  # the editor hands its text over once the key is done
