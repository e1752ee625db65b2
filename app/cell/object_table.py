"""The objects of a cell as a table: name, shape with sizes, position."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QAbstractTableModel, QModelIndex, Qt, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QHeaderView, QTableView

from armature.app.style.icons import icon
from armature.app.widgets.tables.entry_table import EntryTable

ROOT = QModelIndex()
NAME, SHAPE, PLACE = range(3)
SHOWN = 6  # rows
TIPS = ("Name of the object; F2 renames it", "Shape and sizes", "Position of the centre; of a half-space, a point on its surface")


@dataclass(frozen=True)
class ObjectRow:
    """One line of the table; `colour` is "#rrggbb"."""

    name: str
    shape: str
    place: str
    colour: str
    is_hidden: bool


class ObjectModel(QAbstractTableModel):
    """Emits `renamed(old, new)`."""

    renamed = Signal(str, str)

    def __init__(self):
        super().__init__()
        self.rows: list[ObjectRow] = []
        self._unit = "m"

    def set_rows(self, rows: list[ObjectRow], unit: str) -> None:
        """Show other objects, with lengths in `unit`; the table is not reset while there are as many."""
        if unit != self._unit:
            self._unit = unit
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, PLACE)
        if len(rows) != len(self.rows):
            self.beginResetModel()
            self.rows = rows
            self.endResetModel()
        elif rows != self.rows:
            self.rows = rows
            self.dataChanged.emit(self.index(0, 0), self.index(len(rows) - 1, PLACE))

    def rowCount(self, parent=ROOT):
        """Rows of the table."""
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent=ROOT):
        """Columns of the table."""
        return 0 if parent.isValid() else len(TIPS)

    def flags(self, index):
        """Names can be edited."""
        editable = Qt.ItemFlag.ItemIsEditable if index.column() == NAME else Qt.ItemFlag.NoItemFlags
        return super().flags(index) | editable

    def data(self, index, role=Qt.ItemDataRole.DisplayRole):
        """Text of a cell, and the colour of the object before its name."""
        row, column = self.rows[index.row()], index.column()
        text = (row.name, row.shape, row.place)[column]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole):
            return f"({text})" if row.is_hidden and column == NAME and role == Qt.ItemDataRole.DisplayRole else text
        if role == Qt.ItemDataRole.ToolTipRole:
            return f"{text}, hidden in the view" if row.is_hidden else text
        if role == Qt.ItemDataRole.DecorationRole and column == NAME:
            return icon("block", QColor(row.colour).name())
        return None

    def setData(self, index, value, role=Qt.ItemDataRole.EditRole):
        """Rename an object."""
        old, new = self.rows[index.row()].name, str(value).strip()
        if new != old:
            self.renamed.emit(old, new)
        return True

    def headerData(self, section, orientation, role=Qt.ItemDataRole.DisplayRole):
        """Titles of the columns."""
        if orientation == Qt.Orientation.Vertical:
            return "" if role == Qt.ItemDataRole.DisplayRole else None
        if role == Qt.ItemDataRole.DisplayRole:
            return ("Object", f"Shape, size [{self._unit}]", f"Position [{self._unit}]")[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        return TIPS[section] if role == Qt.ItemDataRole.ToolTipRole else None


class ObjectTable(EntryTable):
    """Rows are selected as a whole."""

    def __init__(self, model: ObjectModel):
        super().__init__("cell_objects", "Objects of the cell", model, SHOWN, SHOWN)
        self.setSelectionBehavior(QTableView.SelectionBehavior.SelectRows)
        self.setEditTriggers(QTableView.EditTrigger.DoubleClicked | QTableView.EditTrigger.EditKeyPressed)
        self.verticalHeader().hide()

    def refit(self):
        """Give name and position the width of usual texts, and the shape the rest."""
        super().refit()
        header, metrics = self.horizontalHeader(), self.fontMetrics()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header.setSectionResizeMode(SHAPE, QHeaderView.ResizeMode.Stretch)
        for column, text in ((NAME, "◼ conveyor_2"), (PLACE, "0.65, 0.2, 0.29")):
            header.resizeSection(column, metrics.horizontalAdvance(text) + 12)

    def select(self, row: int) -> None:
        """Make a row the current one; -1 for none."""
        if row < 0:
            self.clearSelection()
            self.setCurrentIndex(QModelIndex())
        elif self.currentIndex().row() != row:
            self.setCurrentIndex(self.model().index(row, NAME))
