"""`WrappedLines`: lines of a tree are as high as their text is when it wraps."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtWidgets import QStyledItemDelegate, QTreeWidget

BESIDE = 12  # pixels of a column that its text does not get


class WrappedLines(QStyledItemDelegate):
    """Of the lines of `tree` within groups, whose own titles span all columns."""

    def __init__(self, tree: QTreeWidget):
        super().__init__(tree)
        self._tree = tree

    def sizeHint(self, option, index) -> QSize:
        """As Qt has it, or as high as the text."""
        usual = super().sizeHint(option, index)
        if not index.parent().isValid():
            return QSize(0, usual.height())
        indent = self._tree.indentation() if index.column() == 0 else 0
        room = QRect(0, 0, max(40, self._tree.columnWidth(index.column()) - indent - BESIDE), 10_000)
        metrics = self._tree.fontMetrics()
        text = metrics.boundingRect(room, Qt.TextFlag.TextWordWrap, str(index.data() or ""))
        return QSize(usual.width(), max(usual.height(), usual.height() - metrics.height() + text.height()))
