"""The page of the parameters: value with bars of σ beside the file's, what changed, and what no torque tells."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableWidget, QTableWidgetItem, QVBoxLayout, QWidget

from armature.app.identification.parameter_rows import ParameterRow, base_rows, full_rows
from armature.app.identification.sigma_bar import ROW, SigmaBar
from armature.app.state.units import significant
from armature.app.style.colour_tokens import LIGHT, Tokens
from armature.app.style.theme import fixed_font
from armature.app.widgets.controls import choice, named, row
from armature.app.widgets.section import note
from armature.app.widgets.tables.read_only_table import read_only_table

if TYPE_CHECKING:
    from armature.engine import Identification, Robot

SETS = {"base": "Base parameters with σ", "full": "Links and joints of the identified arm"}
HEADS = {
    "Parameter": "Inertial base parameters first, then friction, offsets and rotor inertias, in SI units",
    "Identified": "The estimate; for links, corrected to a physically consistent arm",
    "σ": "Standard deviation of the estimate",
    "File │ identified ± 2σ": "Vertical line: file value. Dot: identified value, with ±1σ (thick) and ±2σ (thin)",
    "File": "Value in the robot file",
    "Change": "Identified − file",
    "%": "Change in % of the file value",
    "Identifiable combination": "Combination that can be identified, for a parameter that cannot be identified alone",
}
NAME, SIGMA, BAR, INSTEAD = 0, 2, 3, 7
WORDS = {
    "": "Run “Identify” to see parameters.",
    "base": "Orange: differs from the file value by more than 2σ.  m in kg, mx in kg·m, I in kg·m², Fv in N·m·s/rad, Fc in N·m",
    "full": "Grey: not identifiable alone; the value nearest to the file that fits the identifiable combination is shown.",
}


class ParametersPage(QWidget):
    """A choice of what is shown, and the table."""

    def __init__(self) -> None:
        super().__init__()
        self._tokens: Tokens = LIGHT
        self._found: Identification | None = None
        self._file: Robot | None = None
        self.sets = choice("identify_parameters_of", "Parameters shown", SETS)
        self.sets.currentIndexChanged.connect(lambda _: self._show())
        self.words = named(note(), "identify_parameters_words")
        self._bars = SigmaBar(self)
        self.table = self._made_table()
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 6, 12, 8)
        column.setSpacing(4)
        column.addWidget(row(self.sets, self.words, stretch=self.words))
        column.addWidget(self.table, 1)
        self.show_found(None, None)

    def _made_table(self) -> QTableWidget:
        table = read_only_table("identify_parameters", "Identified and file parameters", HEADS)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setItemDelegateForColumn(BAR, self._bars)
        table.setWordWrap(False)
        table.setMinimumSize(200, 60)
        table.verticalHeader().hide()
        header = table.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        header.setSectionResizeMode(BAR, QHeaderView.ResizeMode.Stretch)
        return table

    def show_found(self, found: Identification | None, file: Robot | None) -> None:
        """The parameters that were identified beside those of the file; None for none."""
        self._found, self._file = found, file
        alone = found is not None and found.payload is not None  # of the arm nothing was identified
        if alone:
            self.sets.setCurrentIndex(0)
        self.sets.setEnabled(not alone)
        self._show()

    def rows(self) -> list[ParameterRow]:
        """What is shown."""
        if self._found is None or self._file is None:
            return []
        return base_rows(self._found) if self.sets.currentData() == "base" else full_rows(self._found, self._file)

    def _show(self) -> None:
        rows, full = self.rows(), self.sets.currentData() == "full"
        self.words.setText(WORDS[self.sets.currentData() if rows else ""])
        self.table.setRowCount(len(rows))
        for k, figures in enumerate(rows):
            self._fill(k, figures)
        self.table.setColumnHidden(SIGMA, full)
        self.table.setColumnHidden(INSTEAD, not any(figures.instead for figures in rows))
        self._fit()

    def _fill(self, k: int, figures: ParameterRow) -> None:
        numbers = (figures.value, figures.sigma, None, figures.prior, figures.change)
        texts = ["" if number is None else significant(number, 4) for number in numbers]
        texts = [figures.name, *texts, significant(figures.percent, 3), figures.instead]
        for column, text in enumerate(texts):
            cell = QTableWidgetItem(text)
            cell.setToolTip(text if column in (NAME, INSTEAD) else "")
            if column == BAR:
                cell.setData(ROW, figures)
            elif column not in (NAME, INSTEAD):
                cell.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            if figures.instead:
                cell.setForeground(QColor(self._tokens.muted))
            self.table.setItem(k, column, cell)

    def _fit(self) -> None:
        table = self.table
        table.setFont(fixed_font(0.9))
        letter = table.fontMetrics().horizontalAdvance("0")
        table.verticalHeader().setDefaultSectionSize(table.fontMetrics().height() + 6)
        for column, letters in enumerate((34, 11, 10, 24, 11, 11, 7, 40)):
            table.setColumnWidth(column, letters * letter)

    def set_theme(self, tokens: Tokens) -> None:
        """Colours of the bars, and another size of text."""
        self._tokens = self._bars.tokens = tokens
        self._show()
