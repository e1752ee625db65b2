"""The dock of what was measured: torques beside the model's, singularities that were met, and what can be done with the way."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QListWidget, QTableWidgetItem, QWidget

from armature.app.state.shared_sentences import sentence
from armature.app.state.units import measured, significant
from armature.app.style.colour_tokens import Tokens
from armature.app.style.theme import fixed_font
from armature.app.widgets.controls import button, named, row
from armature.app.widgets.section import Section, note, page, warning
from armature.app.widgets.tables.read_only_table import ReadOnlyTable

if TYPE_CHECKING:
    from armature.engine import Robot, SingularityMet, TorqueResiduals

HEADS = {
    "Measured": "Root mean square of the measured torque",
    "Residual": "Root mean square of measured − model",
    "Largest": "Largest absolute value of measured − model; click to go to that time",
    "at [s]": "Time of the largest residual; click to go to that time",
}
NOTHING = "Open a recording, or import the log of a real robot: File ▸ Import log…"


class MeasuredPanel(QWidget):
    """`requested(name)` is "follow", "beside" or "torques"; `sought(t)` wants the replay at a time of the recording."""

    requested = Signal(str)
    sought = Signal(float)

    def __init__(self) -> None:
        super().__init__()
        self._times: list[float] = []
        self._met: list[float] = []
        content = page(self, "Measured")
        self.about = named(note(NOTHING), "measured_about")
        content.addWidget(self.about)
        self.warned = named(warning(), "measured_warning")
        content.addWidget(self.warned)
        words = (
            (
                "follow",
                "Follow",
                "Run the measured motion, or the part between the marks, with the arm in the view and the current controller",
            ),
            (
                "beside",
                "Simulate and compare",
                "Simulate this run in the background and show it next to the measurement, as curves and as a ghost",
            ),
        )
        self.buttons = {name: button(f"measured_{name}", text, tip=tip) for name, text, tip in words}
        for name, press in self.buttons.items():
            press.clicked.connect(lambda _=False, name=name: self.requested.emit(name))
        content.addWidget(row(*self.buttons.values(), None))
        self.told = named(note(), "measured_told")
        content.addWidget(self.told)
        torques = Section("Measured and model torques")
        self.why = torques.add(named(note(), "measured_why"))
        self.table = torques.add(self._table())
        self.show_plots = button("measured_torques", "Show the curves", tip="Show both torques and the residual in Plots")
        self.show_plots.clicked.connect(lambda _: self.requested.emit("torques"))
        torques.add(row(self.show_plots, None))
        content.addWidget(torques)
        singular = Section("Singular poses crossed")
        self.none = singular.add(named(note(), "measured_none"))
        self.list = singular.add(named(QListWidget(), "measured_singularities", "Singular poses crossed; click to go there"))
        self.list.itemClicked.connect(lambda item: self.sought.emit(self._met[self.list.row(item)]))
        self.list.itemActivated.connect(lambda item: self.sought.emit(self._met[self.list.row(item)]))
        content.addWidget(singular)
        content.addStretch(1)
        self.show_nothing()

    def _table(self) -> ReadOnlyTable:
        table = ReadOnlyTable("measured_residuals", "Residuals of the torques by joint", HEADS)
        table.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        table.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        table.cellClicked.connect(self._on_cell)
        return table

    def _on_cell(self, joint: int, column: int) -> None:
        if column >= 2 and joint < len(self._times) and np.isfinite(self._times[joint]):
            self.sought.emit(self._times[joint])

    def show_nothing(self) -> None:
        """No recording is open."""
        self.about.setText(NOTHING)
        self.warned.hide()
        self.told.setText("")
        self.show_residuals(None, "", None)
        self.show_met(())
        self.none.setText("")
        for press in self.buttons.values():
            press.setEnabled(False)

    def show_recording(self, lines: Sequence[str], warnings: Sequence[str]) -> None:
        """A recording is open; what is known about it, and what tells against it, a line each."""
        self.about.setText("\n".join(lines))
        self.warned.setText("\n".join(warnings))
        self.warned.setVisible(bool(warnings))
        for press in self.buttons.values():
            press.setEnabled(True)

    def show_residuals(self, found: TorqueResiduals | None, why: str, robot: Robot | None) -> None:
        """Numbers per joint, and what is remarked of them; None with the reason why there are none."""
        words = why or "\n".join(map(sentence, found.remarks if found is not None else ()))
        self.why.setText(words)
        self.why.setVisible(bool(words))
        self.table.setVisible(found is not None)
        self.show_plots.setVisible(found is not None)
        self._times = []
        if found is None or robot is None:
            return
        self._times = found.at.tolist()
        self.table.setRowCount(robot.n)
        for k, name in enumerate(robot.joint_names):
            unit = "N" if robot.prismatic[k] else "N·m"
            self.table.setVerticalHeaderItem(k, QTableWidgetItem(f"{name} [{unit}]"))
            for j, values in enumerate((found.measured_rms, found.rms, found.largest, found.at)):
                text = significant(float(values[k]), 3 if j < 3 else 4) if np.isfinite(values[k]) else "–"
                cell = QTableWidgetItem(text)
                cell.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
                self.table.setItem(k, j, cell)
        self._fit()

    def _fit(self) -> None:
        self.table.setFont(fixed_font(0.9))
        self.table.resizeRowsToContents()
        heights = sum(self.table.rowHeight(k) for k in range(self.table.rowCount()))
        self.table.setFixedHeight(heights + self.table.horizontalHeader().sizeHint().height() + 4)

    def show_met(self, met: Sequence[SingularityMet], threshold: float = 0.0) -> None:
        """Stretches near a singularity."""
        self._met = [one.t for one in met]
        self.list.clear()
        for one in met:
            when = f"{one.start:.2f} s" if one.end - one.start < 0.01 else f"{one.start:.2f} to {one.end:.2f} s"
            worst = "singular" if one.condition > 1e8 else f"condition up to {measured(one.condition)}"
            self.list.addItem(f"{when}: {worst}, σ min {measured(one.sigma_min)}")
        self.list.setVisible(bool(met))
        self.none.setVisible(not met)
        self.none.setText(f"None: the condition number is always below {threshold:g}.")
        lines = min(max(len(met), 1), 5)
        self.list.setFixedHeight(lines * (self.list.fontMetrics().height() + 8) + 6)

    def set_theme(self, tokens: Tokens) -> None:
        """Another size of text."""
        self._fit()
