"""Pages of the result: texts and residuals, torques over time, and parameters with their standard deviations."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, QSignalBlocker, Qt
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QLabel,
    QSizePolicy,
    QStyledItemDelegate,
    QTableWidgetItem,
    QWidget,
)

from armature.app.identification.identification_model import IdentificationModel
from armature.app.identification.identification_texts import (
    ACCEPTED,
    NO_RESULT,
    SURE,
    ParameterRow,
    base_rows,
    findings_text,
    full_rows,
    residual_rows,
    summary,
)
from armature.app.plots.curves import Curves
from armature.app.plots.titled_plot import link_plots, time_plot
from armature.app.state.evented import Binder, on
from armature.app.state.units import significant
from armature.app.style.colour_tokens import LIGHT, Tokens
from armature.app.widgets.controls import Act, button, choice, column, fill, named, primary, row
from armature.app.widgets.section import note, scrolled
from armature.app.widgets.tables.read_only_table import RIGHT, ReadOnlyTable

RESIDUALS = {
    "File": "RMS of torque: measured − file model",
    "Fit": "RMS of measured − identified model, on the fitted data",
    "Held out": "RMS of measured − identified model, on held-out data",
    "%": "Residual in % of the measured torque, on held-out data",
    "Consistent": "RMS of measured minus physically consistent model; “Use this arm” opens this model",
}
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
WIDTHS = (34, 11, 10, 24, 11, 11, 7, 40)  # of the columns, digits
NAME, SIGMA, BAR, INSTEAD = 0, 2, 3, 7
WORDS = {
    "": "Run “Identify” to see parameters.",
    "base": "Orange: differs from the file value by more than 2σ.  m in kg, mx in kg·m, I in kg·m², Fv in N·m·s/rad, Fc in N·m",
    "full": "Grey: not identifiable alone; the value nearest to the file that fits the identifiable combination is shown.",
}
CURVES = {"measured": "muted", "file": "1", "identified": "0"}
ROW = Qt.ItemDataRole.UserRole
EDGE = 6  # pixels left free at either end of a bar
DOT = 3.0


class ResultPage(QWidget):
    """Texts, findings and residuals; the identified arm can be used and saved."""

    def __init__(self, model: IdentificationModel, acts: Mapping[str, Act]):
        super().__init__()
        self._model = model
        self.sentences, self.findings = named(note(), "identify_sentences"), named(note(), "identify_findings")
        self.findings.setProperty("severity", "warning")
        self.findings.setProperty("role", "")
        tip = "Use the identified parameters for the open arm; Undo restores the old ones"
        self.accept = primary(button("identify_accept", "Use this arm", tip=tip, act=acts["accept"]))
        tip = "Save the identified arm as a robot file that lists its recordings and settings"
        self.save = button("identify_save", "Save as TOML…", tip=tip, act=acts["save"])
        self.text = named(note(ACCEPTED), "identify_told")
        self.table = ReadOnlyTable("identify_residuals", "Torque residuals by joint", RESIDUALS)
        self.table.fit_columns()
        self.table.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.table.setMinimumSize(200, 60)
        parts = row(self.accept, self.save, None), self.text, self.findings, self.sentences, None
        area = scrolled(column(*parts, margins=(12, 6, 6, 8)), "Result")
        fill(self, area, self.table, margins=(0, 0, 12, 8), spacing=8, stretches=(1, 1), across=True)

    def bind(self, views: Binder) -> None:
        """Bind the views."""
        views.bind(self._show_outcome, on(self._model, "outcome"))
        views.bind(self._show_accepted, on(self._model, "outcome", "is_accepted"))

    def _show_outcome(self) -> None:
        outcome = self._model.outcome
        self.save.setEnabled(outcome is not None)
        self.table.setVisible(outcome is not None)
        self.findings.setVisible(outcome is not None and bool(outcome.found.findings))
        if outcome is None:
            self.sentences.setText(NO_RESULT)
            return
        self.findings.setText(findings_text(outcome.found))
        self.sentences.setText("\n".join(line for line in summary(outcome.found, outcome.file) if line))
        self.table.show_rows(residual_rows(outcome.found, outcome.file))

    def _show_accepted(self) -> None:
        self.accept.setEnabled(self._model.outcome is not None and not self._model.is_accepted)
        self.text.setVisible(self._model.is_accepted)


class CurvesPage(QWidget):
    """Torque of one joint in one recording, and the residuals where a sample was used for the estimate."""

    def __init__(self, model: IdentificationModel):
        super().__init__()
        self._model = model
        self.joint = choice("identify_joint", "Joint shown", {})
        self.recording = choice("identify_recording", "Recording shown", {})
        for box in (self.joint, self.recording):
            box.currentIndexChanged.connect(lambda _: self._draw())
        self._titled = time_plot("identify_torque", "Torque"), time_plot("identify_residual", "Residual")
        self.torque, self.left = (titled.view for titled in self._titled)
        link_plots(self.torque, self.left)
        plots = row(*self._titled, spacing=8)
        plots.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        choices = row(QLabel("Joint"), self.joint, QLabel("Recording"), self.recording, None)
        fill(self, choices, plots, margins=(12, 6, 12, 8), spacing=4, stretches=(0, 1))

    def bind(self, views: Binder) -> None:
        """Bind the view."""
        views.bind(self._show, on(self._model, "outcome"))

    def _show(self) -> None:
        outcome = self._model.outcome
        with QSignalBlocker(self.joint), QSignalBlocker(self.recording):
            joint = self.joint.currentIndex()
            self.joint.clear()
            self.recording.clear()
            if outcome is not None:
                self.joint.addItems(outcome.file.joint_names)
                self.joint.setCurrentIndex(joint if 0 <= joint < outcome.file.n else 0)
                self.recording.addItems(list(outcome.names))
        self._draw()

    def _draw(self) -> None:
        outcome, k, joint = self._model.outcome, self.recording.currentIndex(), self.joint.currentIndex()
        if outcome is None or not 0 <= k < len(outcome.found.curves) or joint < 0:
            for titled in self._titled:
                titled.show_title()
                titled.view.show_curves([], 1.0, "Run “Identify” to see curves")
            return
        curve, unit = outcome.found.curves[k], "N" if outcome.file.prismatic[joint] else "N·m"
        for titled, title in zip(self._titled, ("Torque", "Residual")):
            titled.show_title(f"{title}, {self.joint.currentText()}  [{unit}] over time  [s]")
        values = np.column_stack([values[:, joint] for values in (curve.measured, curve.model, curve.identified)])
        left = np.where(curve.used[:, [joint]], values[:, :1] - values[:, 1:], np.nan)
        names, colours, span = tuple(CURVES), tuple(CURVES.values()), float(curve.t[-1] - curve.t[0])
        self.torque.show_curves([Curves(curve.t, values, names, colours)], span)
        self.left.show_curves([Curves(curve.t, left, tuple(f"measured − {name}" for name in names[1:]), colours[1:])], span)


class SigmaBar(QStyledItemDelegate):
    """Draws the `ParameterRow` of a cell: a thick line for ±σ, a thin one for ±2σ, a dot for the value, a mark for the file's."""

    tokens: Tokens = LIGHT

    def paint(self, painter: QPainter, option, index):
        """Draw one bar."""
        row = index.data(ROW)
        if not isinstance(row, ParameterRow):
            return
        frame = QRectF(option.rect).adjusted(EDGE, 2, -EDGE, -2)
        low, high = row.span
        middle = frame.center().y()

        def x(value: float) -> float:
            return frame.left() + (value - low) / (high - low) * frame.width()

        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colour = QColor(self.tokens.muted if row.instead else self.tokens.series[1] if row.sure else self.tokens.series[0])
        if isfinite(row.sigma):
            painter.setPen(QPen(colour, 1.5))
            painter.drawLine(QLineF(x(row.value - SURE * row.sigma), middle, x(row.value + SURE * row.sigma), middle))
            thick = QPen(colour, 5.0)
            thick.setCapStyle(Qt.PenCapStyle.FlatCap)
            painter.setPen(thick)
            painter.drawLine(QLineF(x(row.value - row.sigma), middle, x(row.value + row.sigma), middle))
        painter.setPen(QPen(QColor(self.tokens.text), 1.5))
        painter.drawLine(QLineF(x(row.prior), frame.top(), x(row.prior), frame.bottom()))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        painter.drawEllipse(QPointF(x(row.value), middle), DOT, DOT)
        painter.restore()


class ParametersPage(QWidget):
    """Table of the base parameters, or of all parameters of links and joints."""

    def __init__(self, model: IdentificationModel):
        super().__init__()
        self._model = model
        self.sets = choice("identify_parameters_of", "Parameters shown", SETS)
        self.sets.currentIndexChanged.connect(lambda _: self._show())
        self.text, self._bars = named(note(), "identify_parameters_words"), SigmaBar(self)
        self.table = table = ReadOnlyTable("identify_parameters", "Identified and file parameters", HEADS)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setItemDelegateForColumn(BAR, self._bars)
        table.setWordWrap(False)
        table.setMinimumSize(200, 60)
        table.verticalHeader().hide()
        header = table.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        header.setSectionResizeMode(BAR, QHeaderView.ResizeMode.Stretch)
        head = row(self.sets, self.text, stretch=self.text)
        fill(self, head, table, margins=(12, 6, 12, 8), spacing=4, stretches=(0, 1))

    def bind(self, views: Binder) -> None:
        """Bind the view."""
        views.bind(self._show_outcome, on(self._model, "outcome"))

    def rows(self) -> list[ParameterRow]:
        """Return the rows that are shown."""
        outcome = self._model.outcome
        if outcome is None:
            return []
        return base_rows(outcome.found) if self.sets.currentData() == "base" else full_rows(outcome.found, outcome.file)

    def _show_outcome(self) -> None:
        outcome = self._model.outcome
        is_payload = outcome is not None and outcome.found.payload is not None  # no parameter of the arm was identified
        if is_payload:
            self.sets.setCurrentIndex(0)
        self.sets.setEnabled(not is_payload)
        self._show()

    def _show(self) -> None:
        rows, shown = self.rows(), self.sets.currentData()
        self.text.setText(WORDS[shown if rows else ""])
        self.table.setRowCount(len(rows))
        for k, parameter in enumerate(rows):
            self._fill(k, parameter)
        self.table.setColumnHidden(SIGMA, shown == "full")
        self.table.setColumnHidden(INSTEAD, not any(parameter.instead for parameter in rows))
        self.table.fit()
        digit = self.table.fontMetrics().horizontalAdvance("0")
        for k, digits in enumerate(WIDTHS):
            self.table.setColumnWidth(k, digits * digit)

    def _fill(self, k: int, parameter: ParameterRow) -> None:
        numbers = (parameter.value, parameter.sigma, None, parameter.prior, parameter.change)
        texts = ["" if number is None else significant(number, 4) for number in numbers]
        texts = [parameter.name, *texts, significant(parameter.percent, 3), parameter.instead]
        for place, text in enumerate(texts):
            cell = QTableWidgetItem(text)
            cell.setToolTip(text if place in (NAME, INSTEAD) else "")
            if place == BAR:
                cell.setData(ROW, parameter)
            elif place not in (NAME, INSTEAD):
                cell.setTextAlignment(RIGHT)
            if parameter.instead:
                cell.setForeground(QColor(self._bars.tokens.muted))
            self.table.setItem(k, place, cell)

    def set_theme(self, tokens: Tokens) -> None:
        """Use other colours of bars and texts, and another size of text."""
        self._bars.tokens = tokens
        self._show()
