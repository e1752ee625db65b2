"""The comparison in the crossing dock: what each of the three ways costs, and a sentence about it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QVBoxLayout, QWidget

from armature.app.singularity.crossing.crossing_runs import METHODS, CrossingRuns, rounded
from armature.app.state.units import Units
from armature.app.style.icons import pixmap
from armature.app.widgets.controls import named
from armature.app.widgets.section import note

COLUMNS = ("Peak speed", "× limit", "Path error")
HEADS = {
    "Peak speed": "Largest speed of the fastest joint",
    "× limit": "Largest speed divided by the joint's speed limit",
    "Path error": "Largest error of the path",
}


class CrossingTable(QWidget):
    """The table's first column is the legend of the curves and of the see-through arms."""

    def __init__(self):
        super().__init__()
        inside = QVBoxLayout(self)
        inside.setContentsMargins(0, 0, 0, 0)
        self._table = QWidget()
        grid = QGridLayout(self._table)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(10)
        grid.setVerticalSpacing(2)
        self._cells: dict[tuple[str, int], QLabel] = {}
        self._swatches: dict[str, QLabel] = {}
        self._heads: dict[str, QLabel] = {}
        for column, title in enumerate(COLUMNS):
            head = self._heads[title] = note(title)
            head.setWordWrap(False)
            head.setToolTip(HEADS[title])
            grid.addWidget(head, 0, column + 2, Qt.AlignmentFlag.AlignRight)
        for row, (key, title) in enumerate(METHODS.items(), 1):
            self._swatches[key] = QLabel()
            grid.addWidget(self._swatches[key], row, 0)
            grid.addWidget(QLabel(title), row, 1)
            for column in range(len(COLUMNS)):
                cell = self._cells[key, column] = named(QLabel(), f"crossing_{key}_{column}", f"{title}: {COLUMNS[column]}")
                grid.addWidget(cell, row, column + 2, Qt.AlignmentFlag.AlignRight)
        grid.setColumnStretch(1, 1)
        inside.addWidget(self._table)
        self._sentence = named(QLabel(), "crossing_sentence")
        self._sentence.setWordWrap(True)
        self._sentence.setMinimumWidth(250)
        self._sentence.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        inside.addWidget(self._sentence)

    def say(self, text: str):
        """A sentence instead of the one about the runs."""
        self._sentence.setText(text)

    def show_colours(self, colours: tuple[str, ...]):
        """The colours of the three ways."""
        for swatch, colour in zip(self._swatches.values(), colours, strict=True):
            swatch.setPixmap(pixmap("swatch", colour, 14))

    def show_runs(self, runs: CrossingRuns | None, units: Units):
        """Numbers and sentence in these units; None for no table."""
        self._table.setVisible(runs is not None)
        if runs is None:
            return
        for k, key in enumerate(METHODS):
            texts = runs.peak_words(k, units), rounded(runs.peaks[k]), runs.error_words(k, units)
            for column, text in enumerate(texts):
                self._cells[key, column].setText(text)
            self._cells[key, 1].setVisible(runs.limited)
        self._heads["× limit"].setVisible(runs.limited)
        self.say(runs.sentence(units))
