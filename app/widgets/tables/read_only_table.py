"""A table that is only read: heads with a sentence each, no grid."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtWidgets import QAbstractItemView, QTableWidget, QTableWidgetItem

from armature.app.widgets.controls import named


def read_only_table(name: str, accessible: str, heads: Mapping[str, str]) -> QTableWidget:
    """An empty one; `heads` gives the columns' titles and tooltips."""
    table = named(QTableWidget(0, len(heads)), name, accessible)
    for k, (head, tip) in enumerate(heads.items()):
        item = QTableWidgetItem(head)
        item.setToolTip(tip)
        table.setHorizontalHeaderItem(k, item)
    table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    table.setShowGrid(False)
    return table
