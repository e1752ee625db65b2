"""The three runs with their colours, and what each asks of a joint."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from armature.app.state.units import Units, significant
from armature.app.style.colour_tokens import Tokens
from armature.app.style.icons import pixmap
from armature.app.trajectory.comparison.plots import RUNS, run_colours
from armature.app.widgets.controls import named
from armature.app.widgets.section import note

if TYPE_CHECKING:
    from armature.engine import LoadComparison

COLUMNS = {"torque": ("Torque", "Largest torque of the joint"), "error": ("Error", "Largest tracking error of the joint")}


class ComparisonTable(QWidget):
    """The legend of the curves."""

    def __init__(self):
        super().__init__()
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(1)
        grid.setColumnStretch(1, 1)
        self._swatches = [QLabel() for _ in RUNS]
        self._cells: dict[tuple[int, str], QLabel] = {}
        for column, (title, tip) in enumerate(COLUMNS.values(), 2):
            head = note(title)
            head.setWordWrap(False)
            head.setToolTip(tip)
            grid.addWidget(head, 0, column, Qt.AlignmentFlag.AlignRight)
        for k, (run, title) in enumerate(RUNS.items()):
            grid.addWidget(self._swatches[k], k + 1, 0)
            grid.addWidget(QLabel(title), k + 1, 1)
            for column, key in enumerate(COLUMNS, 2):
                cell = self._cells[k, key] = named(QLabel("–"), f"load_{run}_{key}", f"{title}: {COLUMNS[key][0]}")
                grid.addWidget(cell, k + 1, column, Qt.AlignmentFlag.AlignRight)

    def show_colours(self, tokens: Tokens) -> None:
        """Those of the curves."""
        for swatch, colour in zip(self._swatches, run_colours(tokens), strict=True):
            swatch.setPixmap(pixmap("swatch", colour, 14))

    def show_runs(self, found: LoadComparison | None, joint: int, slides: bool, units: Units) -> None:
        """The numbers of a joint; None for none."""
        for k in range(len(RUNS)):
            torque = error = "–"
            if found is not None:
                torque = f"{significant(found.peak_torque[k, joint], 3)} {'N' if slides else 'N·m'}"
                error = f"{significant(found.peak_error[k, joint] * units.factor(slides), 3)}{units.suffix(slides)}"
            self._cells[k, "torque"].setText(torque)
            self._cells[k, "error"].setText(error)
