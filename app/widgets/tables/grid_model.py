"""Numbers with names on both edges, as Qt's table views ask for them."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, Qt

ROOT = QModelIndex()
RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)


class GridModel(QAbstractTableModel):
    """`values` `(rows, columns)`; what their texts are is up to the table."""

    def __init__(self):
        super().__init__()
        self.rows: tuple[str, ...] = ()
        self.columns: tuple[str, ...] = ()
        self.values = np.zeros((0, 0))

    def set_table(self, rows, columns, values: np.ndarray):
        """Other names and numbers `(rows, columns)`."""
        self.beginResetModel()
        self.rows, self.columns, self.values = tuple(rows), tuple(columns), np.array(values, float)
        self.endResetModel()

    def rowCount(self, parent=ROOT):
        """Rows of the table."""
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent=ROOT):
        """Columns of the table."""
        return 0 if parent.isValid() else len(self.columns)

    def data(self, index, role=Qt.ItemDataRole.DisplayRole):
        """Numbers stand at the right of their cells."""
        return RIGHT if role == Qt.ItemDataRole.TextAlignmentRole else None

    def headerData(self, section, orientation, role=Qt.ItemDataRole.DisplayRole):
        """Names on the edges; a long one above a narrow column is told in full by its tool tip."""
        across = orientation == Qt.Orientation.Horizontal
        names = self.columns if across else self.rows
        shown = role == Qt.ItemDataRole.DisplayRole or (across and role == Qt.ItemDataRole.ToolTipRole)
        if shown and section < len(names):
            return names[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return RIGHT if across else LEFT
        return None
