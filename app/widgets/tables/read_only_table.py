"""`ReadOnlyTable`: a table that is only read, in a fixed-width font, with a tooltip for each column."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableWidget, QTableWidgetItem

from armature.app.style.colour_tokens import Tokens
from armature.app.style.theme import fixed_font
from armature.app.widgets.controls import named

RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class ReadOnlyTable(QTableWidget):
    """`heads` gives the columns' titles and tooltips."""

    def __init__(self, name: str, title: str, heads: Mapping[str, str]):
        super().__init__(0, len(heads))
        named(self, name, title)
        for k, (head, tip) in enumerate(heads.items()):
            item = QTableWidgetItem(head)
            item.setToolTip(tip)
            self.setHorizontalHeaderItem(k, item)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setShowGrid(False)

    def fit_columns(self) -> None:
        """Share the width equally between the columns; nothing can be selected."""
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)

    def show_rows(self, rows: Mapping[str, Sequence[str]]) -> None:
        """Show texts by the names of the rows, aligned at the right."""
        self.setRowCount(len(rows))
        for k, (name, texts) in enumerate(rows.items()):
            self.setVerticalHeaderItem(k, QTableWidgetItem(name))
            for column, text in enumerate(texts):
                cell = QTableWidgetItem(text)
                cell.setTextAlignment(RIGHT)
                self.setItem(k, column, cell)
        self.fit()

    def set_theme(self, _tokens: Tokens) -> None:
        """Adapt to another size of text."""
        self.fit()

    def fit(self) -> None:
        """Make rows as high as the present font."""
        self.setFont(fixed_font(0.9))
        self.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 6)
