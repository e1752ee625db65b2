"""The page of the result: what it is worth in sentences, findings, residuals per joint, and the new arm to work with."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QSizePolicy,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from armature.app.identification.result_words import largest, summary
from armature.app.state.units import UNKNOWN, number, significant
from armature.app.style.colour_tokens import LIGHT, Tokens
from armature.app.style.theme import fixed_font
from armature.app.widgets.controls import button, named, row
from armature.app.widgets.section import note, scrolled
from armature.app.widgets.tables.read_only_table import read_only_table

if TYPE_CHECKING:
    from armature.engine import Identification, Robot

HEADS = {
    "File": "RMS of torque: measured − file model",
    "Fit": "RMS of measured − identified model, on the fitted data",
    "Held out": "RMS of measured − identified model, on held-out data",
    "%": "Residual in % of the measured torque, on held-out data",
    "Consistent": "RMS of measured minus physically consistent model; “Use this arm” opens this model",
}
MENDED = {"coupling": " (“Coupled drives” under Recordings)"}
"""Hints where to set the options that a finding about one joint refers to."""
NOTHING = "No result yet. Choose recordings and press “Identify”."


class ResultPage(QWidget):
    """Tells `accepted()` and `save_wanted()`."""

    accepted = Signal()
    save_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.sentences, self.findings = named(note(NOTHING), "identify_sentences"), named(note(), "identify_findings")
        self.findings.setProperty("severity", "warning")
        self.findings.setProperty("role", "")
        self.accept = button(
            "identify_accept", "Use this arm", tip="Use the identified parameters for the open arm; Undo restores the old ones"
        )
        self.accept.setProperty("role", "primary")
        self.accept.clicked.connect(lambda _: self.accepted.emit())
        self.save = button(
            "identify_save",
            "Save as TOML…",
            tip="Save the identified arm as a robot file that lists its recordings and settings",
        )
        self.save.clicked.connect(lambda _: self.save_wanted.emit())
        self.told = named(note(), "identify_told")
        self.table = self._made_table()
        inside = QWidget()
        left = QVBoxLayout(inside)
        left.setContentsMargins(12, 6, 6, 8)
        left.setSpacing(6)
        for part in (row(self.accept, self.save, None), self.told, self.findings, self.sentences):
            left.addWidget(part)
        left.addStretch(1)
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 12, 8)
        line.setSpacing(8)
        line.addWidget(scrolled(inside, "Result"), 1)
        line.addWidget(self.table, 1)
        self.show_found(None, None)

    def _made_table(self) -> QTableWidget:
        table = read_only_table("identify_residuals", "Torque residuals by joint", HEADS)
        table.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        table.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        table.setMinimumSize(200, 60)
        return table

    def show_found(self, found: Identification | None, robot: Robot | None) -> None:
        """The result, of an arm; None for none."""
        for press in (self.accept, self.save):
            press.setEnabled(found is not None)
        self.told.setText("")
        self.told.hide()
        self.table.setVisible(found is not None)
        findings = () if found is None else found.findings
        self.findings.setText("\n".join(f"{one.sentence}{MENDED.get(one.kind, '') if one.joint else ''}." for one in findings))
        self.findings.setVisible(bool(findings))
        if found is None or robot is None:
            self.sentences.setText(NOTHING)
            return
        self.sentences.setText("\n".join(line for line in summary(found, robot) if line))
        self._show_residuals(found, robot)

    def _show_residuals(self, found: Identification, robot: Robot) -> None:
        residual = found.residual
        columns = residual.model, residual.training, residual.validation, residual.percent, residual.consistent
        self.table.setRowCount(robot.n)
        torque = largest(found)
        for k, name in enumerate(robot.joint_names):
            self.table.setVerticalHeaderItem(k, QTableWidgetItem(f"{name} [{'N' if robot.prismatic[k] else 'N·m'}]"))
            for column, values in enumerate(columns):
                value = float(values[k])
                text = number(value, 1) if column == 3 else significant(value, 3, float(torque[k]))
                cell = QTableWidgetItem(text if np.isfinite(value) else UNKNOWN)
                cell.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
                self.table.setItem(k, column, cell)
        self._fit()

    def _fit(self) -> None:
        self.table.setFont(fixed_font(0.9))
        self.table.verticalHeader().setDefaultSectionSize(self.table.fontMetrics().height() + 6)

    def show_working(self, on: bool) -> None:
        """Whether the arm on screen is the identified one."""
        self.accept.setEnabled(not on)
        self.tell("The open arm now uses the identified parameters; Undo (Ctrl+Z) restores the file's parameters." if on else "")

    def tell(self, text: str) -> None:
        """What came of a button."""
        self.told.setText(text)
        self.told.setVisible(bool(text))

    def set_theme(self, tokens: Tokens = LIGHT) -> None:
        """Another size of text."""
        self._fit()
