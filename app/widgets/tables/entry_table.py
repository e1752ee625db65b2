"""Tables whose cells are typed into."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QEvent, Qt, Signal
from PySide6.QtWidgets import QFrame, QHeaderView, QSizePolicy, QTableView

from armature.app.state.units import number, significant
from armature.app.style.theme import fixed_font
from armature.app.widgets.pop_up import pop_up, table_lines
from armature.app.widgets.tables.grid_model import GridModel
from armature.app.widgets.typed_number import typed_number
from armature.engine.control.controller import LARGEST, SINGLE, Gain

MOVING = {Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down}
OPENING = {Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_F2}


class EntryTable(QTableView):
    """As high as its rows, from `least` to `most` of them; digits and Return are for its cells, arrow keys move between them,
    and every other key is the window's."""

    typed_characters = frozenset("0123456789.,")  # that begin to edit a cell

    def __init__(self, name: str, accessible: str, model: QAbstractTableModel, most: int, least: int = 1):
        super().__init__()
        self.setObjectName(name)
        self.setAccessibleName(accessible)
        self.setModel(model)
        self._least, self._most = least, most
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setAlternatingRowColors(False)
        triggers = QTableView.EditTrigger
        self.setEditTriggers(triggers.DoubleClicked | triggers.EditKeyPressed | triggers.AnyKeyPressed)
        self.setSelectionMode(QTableView.SelectionMode.SingleSelection)
        self.setTabKeyNavigation(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        for header in (self.horizontalHeader(), self.verticalHeader()):
            header.setSectionsClickable(False)
            header.setHighlightSections(False)
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        model.modelReset.connect(self.refit)

    def refit(self):
        """Fit rows to the present font and height to the rows."""
        self.setFont(fixed_font(0.9))
        metrics, model = self.fontMetrics(), self.model()
        self.verticalHeader().setDefaultSectionSize(metrics.height() + 8)
        self.horizontalHeader().setFixedHeight(metrics.height() + 8)
        rows = range(model.rowCount())
        names = [str(model.headerData(row, Qt.Orientation.Vertical) or "") for row in rows]
        self.verticalHeader().setFixedWidth(max(map(metrics.horizontalAdvance, names), default=0) + 14)
        count = min(max(model.rowCount(), self._least), self._most)
        self.setFixedHeight(count * self.verticalHeader().defaultSectionSize() + self.horizontalHeader().height() + 4)

    def dataChanged(self, first, last, roles=()):
        """New values leave alone what is being typed; Qt would write them over it."""
        if self.state() == QTableView.State.EditingState:
            self.viewport().update()
        else:
            super().dataChanged(first, last, roles)

    def event(self, event):
        """What is typed here is not for the window."""
        if event.type() == QEvent.Type.ShortcutOverride and self.is_own(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event):
        if self.state() == QTableView.State.EditingState:
            event.accept()  # of the cell, which keeps to itself what it makes nothing of: the Return that ends it
        elif event.key() in OPENING and not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            if self.currentIndex().flags() & Qt.ItemFlag.ItemIsEditable:
                self.edit(self.currentIndex())
        elif self.is_own(event) or not event.text().isprintable():
            super().keyPressEvent(event)
        else:
            event.ignore()

    def is_own(self, event) -> bool:
        """Whether a key is for the table, not for the window."""
        shift = Qt.KeyboardModifier.ShiftModifier if event.text() in self.typed_characters else Qt.KeyboardModifier.NoModifier
        bare = not event.modifiers() & ~(Qt.KeyboardModifier.KeypadModifier | shift)
        return bare and (event.text() in self.typed_characters or event.key() in MOVING | OPENING)


class GainTable(EntryTable):
    """A table of gains; its menu copies them."""

    def contextMenuEvent(self, event):
        """Copy the gains."""
        gains = self.model()
        if isinstance(gains, GainModel):
            pop_up(self, self.accessibleName(), event.globalPos(), table_lines("gains", gains.values, gains.rows, gains.columns))


class GainModel(GridModel):
    """Numbers of 0 or more with titles; emits `entered(row, column, value)` or `refused(message)`."""

    entered = Signal(int, int, float)
    refused = Signal(str)

    def __init__(self, largest: float = LARGEST):
        super().__init__()
        self._largest = largest
        self._gains: tuple[Gain, ...] = ()

    def set_gains(self, rows, gains: Iterable[Gain], values: np.ndarray):
        """Show gains `(rows, columns)`; a column title has the unit if all rows have the same."""
        self._gains = tuple(gains)
        titles = [f"{gain.label}  {gain.unit}" if gain.per == SINGLE else gain.label for gain in self._gains]
        self.set_table(rows, titles, values)

    def headerData(self, section, orientation, role=Qt.ItemDataRole.DisplayRole):
        """Title of a row or column; the tool tip of a column explains its gain."""
        if role == Qt.ItemDataRole.ToolTipRole and orientation == Qt.Orientation.Horizontal and section < len(self._gains):
            gain = self._gains[section]
            return f"{gain.explanation}, {gain.unit}"
        return super().headerData(section, orientation, role)

    def flags(self, index):
        """Every cell can be typed into."""
        return super().flags(index) | Qt.ItemFlag.ItemIsEditable

    def data(self, index, role=Qt.ItemDataRole.DisplayRole):
        """Text of a cell, in full where it is edited."""
        if role == Qt.ItemDataRole.DisplayRole:
            value = float(self.values[index.row(), index.column()])
            return number(value, 0) if 1e4 <= value < 1e7 else significant(value)
        if role == Qt.ItemDataRole.EditRole:
            return significant(float(self.values[index.row(), index.column()]), 10)
        return super().data(index, role)

    def setData(self, index, value, role=Qt.ItemDataRole.EditRole):
        """Take a typed number, or say what is valid."""
        row, column, typed = index.row(), index.column(), typed_number(str(value))
        low, high = (self._gains[column].low, self._gains[column].high) if self._gains else (0.0, self._largest)
        if typed is None or not low <= typed <= high:
            what = f"{self.columns[column].split()[0]} of {self.rows[row]}"
            valid = f"{significant(low)} to {significant(high)}"
            self.refused.emit(f"{what}: {str(value)[:30]!r} is not a number from {valid}; the value is unchanged.")
            return False
        self.values[row, column] = typed
        self.dataChanged.emit(index, index)
        self.entered.emit(row, column, typed)
        return True
