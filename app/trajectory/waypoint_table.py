"""The waypoints of a trajectory as a table: where, by which way, in what time, how long to stay."""

from __future__ import annotations

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPoint, Qt, Signal
from PySide6.QtWidgets import QComboBox, QHeaderView, QStyledItemDelegate, QTableView

from armature.app.state.severity import Severity
from armature.app.state.units import seconds, significant
from armature.app.trajectory.trajectory_model import TrajectoryModel, WaypointRow
from armature.app.widgets.tables.entry_table import EntryTable
from armature.app.widgets.typed_number import typed_number

ROOT = QModelIndex()
WAYS = {
    "cubic": "cubic",
    "quintic": "quintic",
    "trapezoidal": "trapezoidal",
    "minimum-jerk": "minimum jerk",
    "spline": "spline",
    "time-optimal": "time-optimal",
    "line": "straight line",
    "arc": "arc",
}
COLUMNS = ("Target", "Motion type", "Time [s]", "Dwell [s]")
PLACE, WAY, TIME, STAY = range(4)
TIPS = (
    "Joint positions, tool pose or named pose",
    "Motion type of the path to this waypoint; the first waypoint has none",
    "Duration of the motion in seconds; empty: as short as the limits allow",
    "Pause at the waypoint in seconds; grasp and release happen in the middle of it",
)
LONGEST = 1e5


class WaypointModel(QAbstractTableModel):
    """Table of the waypoints in `rows`; a typed value is an edit of the trajectory."""

    def __init__(self, trajectory: TrajectoryModel):
        super().__init__()
        self._trajectory = trajectory
        self.rows: list[WaypointRow] = []

    def set_rows(self, rows: list[WaypointRow]):
        """Other waypoints; a cell being edited stays open where their number is the same."""
        if len(rows) != len(self.rows):
            self.beginResetModel()
            self.rows = rows
            self.endResetModel()
        elif rows != self.rows:
            self.rows = rows
            self.dataChanged.emit(self.index(0, 0), self.index(len(rows) - 1, len(COLUMNS) - 1))

    def rowCount(self, parent=ROOT):
        """Rows of the table."""
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent=ROOT):
        """Columns of the table."""
        return 0 if parent.isValid() else len(COLUMNS)

    def flags(self, index):
        """Way, time and stay can be edited; nothing leads to the first waypoint."""
        editable = index.column() == STAY or (index.column() in (WAY, TIME) and index.row() > 0)
        return super().flags(index) | (Qt.ItemFlag.ItemIsEditable if editable else Qt.ItemFlag.NoItemFlags)

    def data(self, index, role=Qt.ItemDataRole.DisplayRole):
        """Text of a cell, and what is edited in it."""
        row, column = self.rows[index.row()], index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return (row.place, WAYS[row.kind] if index.row() else "–", self._time(index.row()), significant(row.dwell))[column]
        if role == Qt.ItemDataRole.EditRole:
            given = "" if row.duration is None else significant(row.duration, 10)
            return (row.place, row.kind, given, significant(row.dwell, 10))[column]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if column in (TIME, STAY) else Qt.AlignmentFlag.AlignLeft
            return int(side | Qt.AlignmentFlag.AlignVCenter)
        if role == Qt.ItemDataRole.ToolTipRole:
            return row.place if column == PLACE else TIPS[column]
        return None

    def _time(self, row: int) -> str:
        """The given time, or in brackets the one it takes."""
        if row == 0:
            return "–"
        given, needed = self.rows[row].duration, self.rows[row].needed
        return significant(given) if given is not None else "auto" if needed is None else f"({seconds(needed)})"

    def setData(self, index, value, role=Qt.ItemDataRole.EditRole):
        """Enter a motion type or a time in s; an invalid text becomes a message."""
        row, column, text = index.row(), index.column(), str(value).strip()
        number = typed_number(text)
        if column == WAY:
            if value != self.rows[row].kind:
                self._trajectory.set_waypoint(row, kind=value)
        elif column == TIME and text in ("", "auto"):
            self._trajectory.set_waypoint(row, duration=None)
        elif number is None or not 0 <= number <= LONGEST or (column == TIME and number == 0):
            low = "above 0" if column == TIME else "from 0"
            why = f"Waypoint {row + 1}: {text[:30]!r} is not a time; enter seconds, {low} to 1e5."
            self._trajectory.report(why, Severity.WARNING)
            return False
        else:
            self._trajectory.set_waypoint(row, **{"duration" if column == TIME else "dwell": number})
        return True

    def headerData(self, section, orientation, role=Qt.ItemDataRole.DisplayRole):
        """Names of the columns and numbers of the rows."""
        horizontal = orientation == Qt.Orientation.Horizontal
        if role == Qt.ItemDataRole.DisplayRole:
            return COLUMNS[section] if horizontal else str(section + 1)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            right = horizontal and section in (TIME, STAY)
            return int((Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft) | Qt.AlignmentFlag.AlignVCenter)
        return TIPS[section] if horizontal and role == Qt.ItemDataRole.ToolTipRole else None


class WayDelegate(QStyledItemDelegate):
    """A box with all ways to move."""

    def createEditor(self, parent, option, index):
        """The box."""
        box = QComboBox(parent)
        box.setObjectName("waypoint_way")
        box.setAccessibleName("Motion type to this waypoint")
        for kind, title in WAYS.items():
            box.addItem(title, kind)
        box.activated.connect(lambda _: self.commitData.emit(box))
        box.activated.connect(lambda _: self.closeEditor.emit(box))
        return box

    def setEditorData(self, box, index):
        """Show the present way."""
        box.setCurrentIndex(box.findData(index.data(Qt.ItemDataRole.EditRole)))

    def setModelData(self, box, model, index):
        """Take the chosen way."""
        model.setData(index, box.currentData())

    def updateEditorGeometry(self, box, option, index):
        """A little larger than the cell, which is low."""
        box.setGeometry(option.rect.adjusted(-4, -3, 4, 3))


SHOWN = 5  # rows, however many there are: what stands below must not move


class WaypointTable(EntryTable):
    """Rows are selected as a whole; `menu_requested(row, place)` tells where on the screen the menu of a waypoint is wanted."""

    menu_requested = Signal(int, QPoint)

    def __init__(self, model: WaypointModel):
        super().__init__("trajectory_waypoints", "Waypoints", model, SHOWN, SHOWN)
        self.setSelectionBehavior(QTableView.SelectionBehavior.SelectRows)
        self.setEditTriggers(self.editTriggers() | QTableView.EditTrigger.SelectedClicked)
        self.setItemDelegateForColumn(WAY, WayDelegate(self))

    def refit(self):
        """Columns as wide as their words, the place takes the rest."""
        super().refit()
        header, metrics = self.horizontalHeader(), self.fontMetrics()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header.setSectionResizeMode(PLACE, QHeaderView.ResizeMode.Stretch)
        for column, text in ((WAY, "straight line"), (TIME, "(88.888)"), (STAY, "Dwell [s]")):
            header.resizeSection(column, metrics.horizontalAdvance(text) + 12)

    def contextMenuEvent(self, event):
        """Of the row under the cursor; by its key, of the current one."""
        by_key = event.reason() == event.Reason.Keyboard
        index = self.currentIndex() if by_key else self.indexAt(self.viewport().mapFromGlobal(event.globalPos()))
        if index.isValid():
            place = self.viewport().mapToGlobal(self.visualRect(index).center()) if by_key else event.globalPos()
            self.menu_requested.emit(index.row(), place)

    def select(self, row: int):
        """Make a row the current one; -1 for none."""
        if row < 0 or row >= self.model().rowCount():
            self.clearSelection()
            self.setCurrentIndex(QModelIndex())
        elif self.currentIndex().row() != row:
            self.setCurrentIndex(self.model().index(row, max(self.currentIndex().column(), 0)))
