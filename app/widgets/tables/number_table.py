"""A table of live numbers, drawn by Qt's item view from one array."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QColor, QKeySequence, QPalette
from PySide6.QtWidgets import QApplication, QFrame, QHeaderView, QScrollArea, QSizePolicy, QStyledItemDelegate, QTableView

from armature.app.state.units import number
from armature.app.style.theme import fixed_font
from armature.app.widgets.copied_text import tabbed
from armature.app.widgets.pop_up import pop_up, table_lines
from armature.app.widgets.tables.grid_model import RIGHT, GridModel

PADDING = 3  # pixels right of a number
MOST = 8  # columns that there is room for; where there are more, they scroll


class NumberModel(GridModel):
    """Numbers `(rows, columns)` with names on both edges; cells of `marked` stand out, and the one `active` cell most.

    `decimals` are the same everywhere, or one number per column.
    """

    def __init__(self, decimals: int | tuple[int, ...]):
        super().__init__()
        self.marked: frozenset[tuple[int, int]] = frozenset()
        self.decimals, self.mark_colour = decimals, ""
        self.active: tuple[int, int] | None = None
        self.active_colours = ("#000000", "#ffffff")  # ground and text

    def set_shape(self, rows, columns, marked=()):
        """Other names and another size, all unknown."""
        self.marked, self.active = frozenset(marked), None
        self.set_table(rows, columns, np.full((len(rows), len(columns)), np.nan))

    def set_values(self, values: np.ndarray):
        """New numbers in the same table."""
        self.values = np.asarray(values)
        if self.rows and self.columns:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self.rows) - 1, len(self.columns) - 1))

    def text(self, row: int, column: int) -> str:
        """One number as it is shown."""
        decimals = self.decimals if isinstance(self.decimals, int) else self.decimals[column]
        return number(float(self.values[row, column]), decimals)

    def data(self, index, role=Qt.ItemDataRole.DisplayRole):
        """Text, alignment and colour of a cell."""
        if role == Qt.ItemDataRole.DisplayRole:
            return self.text(index.row(), index.column())
        if role == Qt.ItemDataRole.BackgroundRole and (index.row(), index.column()) == self.active:
            return QColor(self.active_colours[0])
        if role == Qt.ItemDataRole.BackgroundRole and (index.row(), index.column()) in self.marked and self.mark_colour:
            return QColor(self.mark_colour)
        return super().data(index, role)


class NumberPainter(QStyledItemDelegate):
    """Writes a number without asking the style sheet or the model's many roles: live tables are painted 10 times a second."""

    def __init__(self, numbers: NumberModel, parent: QTableView):
        super().__init__(parent)
        self._numbers = numbers

    def paint(self, painter, option, index):
        """Mark and number of one cell."""
        numbers, row, column = self._numbers, index.row(), index.column()
        ground, ink = numbers.mark_colour, option.palette.color(QPalette.ColorRole.Text)
        if (row, column) == numbers.active:
            ground, ink = numbers.active_colours
            painter.fillRect(option.rect, QColor(ground))
        elif (row, column) in numbers.marked and ground:
            painter.fillRect(option.rect, QColor(ground))
        painter.setPen(QColor(ink))
        painter.drawText(option.rect.adjusted(0, 0, -PADDING, 0), RIGHT, numbers.text(row, column))


class NumberTable(QTableView):
    """As high as its rows, and as wide as `most` columns at least; Ctrl+C copies it as text for a spreadsheet, its menu also as
    Python, where it is called `symbol`.

    Tells `left()` when the mouse goes; `entered(index)` comes where it is tracked.
    """

    left = Signal()

    def __init__(self, name: str, symbol: str, decimals: int = 4, whole: int = 2, most: int = MOST):
        super().__init__()
        self.numbers = NumberModel(decimals)
        self._page: QScrollArea | None = None
        self._symbol, self._whole, self._most = symbol, whole, most
        self.setModel(self.numbers)
        self.setItemDelegate(NumberPainter(self.numbers, self))
        self.setAccessibleName(name)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setSelectionMode(QTableView.SelectionMode.NoSelection)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollMode(QTableView.ScrollMode.ScrollPerPixel)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        for header in (self.horizontalHeader(), self.verticalHeader()):
            header.setSectionsClickable(False)
            header.setHighlightSections(False)
        self.horizontalHeader().setTextElideMode(
            Qt.TextElideMode.ElideMiddle
        )  # names differ at their ends: left_roll, right_roll
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)

    def set_shape(self, rows, columns, marked=(), decimals: int | tuple[int, ...] | None = None):
        """Other names and another size, and as many `decimals`; with None as many as before."""
        self.numbers.decimals = self.numbers.decimals if decimals is None else decimals
        self.numbers.set_shape(rows, columns, marked)
        self.refit()

    def set_active(self, cell: tuple[int, int] | None):
        """Let one cell stand out from all; None for none."""
        if cell != self.numbers.active:
            self.numbers.active = cell
            self.viewport().update()

    def refit(self):
        """Fit rows and the least width of columns to the present font."""
        self.setFont(fixed_font(0.9))
        self.viewport().setFont(self.font())  # under a style sheet it keeps the font it had
        metrics = self.fontMetrics()
        self.verticalHeader().setDefaultSectionSize(metrics.height() + 6)
        self.horizontalHeader().setFixedHeight(metrics.height() + 8)
        decimals = self.numbers.decimals if isinstance(self.numbers.decimals, int) else max(self.numbers.decimals)
        cell = metrics.horizontalAdvance(f"-{'8' * self._whole}.{'8' * decimals}") + 9
        edge = max((metrics.horizontalAdvance(str(row)) for row in self.numbers.rows), default=0) + 12
        self.verticalHeader().setFixedWidth(edge)
        self.horizontalHeader().setMinimumSectionSize(cell)
        columns = len(self.numbers.columns)
        self.setMinimumWidth(edge + cell * min(columns, self._most) + 4)
        rows = len(self.numbers.rows) * self.verticalHeader().defaultSectionSize()
        bar = self.horizontalScrollBar().sizeHint().height() if columns > self._most else 0
        self.setFixedHeight(rows + self.horizontalHeader().height() + bar + 6)

    def set_theme(self, tokens):
        """Colours of marked cells."""
        self.numbers.mark_colour = tokens.accent_soft
        self.numbers.active_colours = (tokens.series[3], tokens.on_accent)
        self.viewport().update()

    def showEvent(self, event):
        """Where a page scrolls, other cells come under a pointer that stands still."""
        super().showEvent(event)
        page = self.parentWidget()
        while page is not None and self._page is None:
            if isinstance(page, QScrollArea):
                self._page = page
                page.verticalScrollBar().valueChanged.connect(self.left)
            page = page.parentWidget()

    def viewportEvent(self, event):
        if event.type() == QEvent.Type.Leave:
            self.left.emit()
        return super().viewportEvent(event)

    def keyPressEvent(self, event):
        if event.matches(QKeySequence.StandardKey.Copy):
            QApplication.clipboard().setText(self.as_text())
            return
        super().keyPressEvent(event)

    def as_text(self) -> str:
        """Tab-separated text with full precision."""
        return tabbed(self.numbers.values, self.numbers.rows, self.numbers.columns)

    def contextMenuEvent(self, event):
        """Copy the number there, or all of them."""
        numbers, at = self.numbers, self.indexAt(self.viewport().mapFromGlobal(event.globalPos()))
        cell = (numbers.text(at.row(), at.column()), float(numbers.values[at.row(), at.column()])) if at.isValid() else None
        lines = table_lines(self._symbol, numbers.values, numbers.rows, numbers.columns, cell)
        pop_up(self, self.accessibleName(), event.globalPos(), lines)
