"""The import sheet: content of a log, its column mapping, and a preview of the recording."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import numpy as np
from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtGui import QColor
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QFileDialog,
    QLabel,
    QLineEdit,
    QSplitter,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from armature.app.plots.curves import Curves, thinned
from armature.app.plots.plot_signals import title
from armature.app.plots.plot_view import PlotView
from armature.app.recording.importing.import_model import ImportModel
from armature.app.recording.importing.mapping_form import MappingForm
from armature.app.state.evented import Binder, on
from armature.app.state.shared_sentences import sentence
from armature.app.state.units import Units, significant
from armature.app.style.colour_tokens import Tokens
from armature.app.style.theme import fixed_font
from armature.app.widgets.computing.progress_bar import ProgressBar
from armature.app.widgets.controls import (
    Act,
    OptionForm,
    button,
    check,
    choice,
    column,
    fill,
    form,
    named,
    number,
    primary,
    row,
)
from armature.app.widgets.section import Section, note, scrolled, warning
from armature.engine.recording.measured.log_mapping import GROUPS
from armature.engine.recording.measured.log_table import LogTable
from armature.engine.recording.measured.text_form import DECIMALS, SEPARATORS
from armature.engine.recording.measured.text_log import first_rows
from armature.engine.recording.recording_formats import FORMATS

ROWS, COLUMNS = 12, 60
_CELLS = 1500  # of the time axis
_SHOWN = {"q": "Position", "qd": "Speed", "qdd": "Acceleration", "tau": "Torque"}


class Preview(QWidget):
    """Curves above, rows below."""

    def __init__(self, model: ImportModel, units: Units, tokens: Tokens):
        super().__init__()
        self._model, self._units, self._tokens, self._heads = model, units, tokens, list[str]()
        self.signal = choice("import_preview_signal", "Curves shown", _SHOWN)
        self.signal.currentIndexChanged.connect(lambda _: self._draw())
        self._legend = note("")
        self._legend.setTextFormat(Qt.TextFormat.RichText)
        self.plot = PlotView("import_preview", "Position")
        self.plot.setMinimumHeight(110)
        self.plot.set_theme(tokens)
        self.rows = named(QTableWidget(), "import_rows", "First rows of the file")
        self.rows.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.rows.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.rows.verticalHeader().hide()
        self.rows.setWordWrap(False)
        self.rows.setMinimumHeight(90)
        self._words = "Preview of the recording"
        self.title = named(note(self._words), "import_preview_title")
        head = row(self.title, self.signal, stretch=self.title)
        fill(self, head, self.plot, self._legend, self.rows, stretches=(0, 3, 0, 2))

    def bind(self, views: Binder) -> None:
        """Bind the views."""
        model = self._model
        views.bind(self._draw, on(model, "found"))
        views.bind(self._show_title, on(model, "found", "is_slow"))
        views.bind(self._show_rows, on(model, "table"))
        views.bind(self._show_uses, on(model, "table", "robot", "mapping"))

    def _show_title(self) -> None:
        self.title.setText("Computing the curves…" if self._model.is_slow else self._words)

    def _draw(self) -> None:
        found, group = self._model.found, str(self.signal.currentData())
        if found is None:
            return
        motion, robot = found.motion, found.robot
        words = title(group, "actual", robot, self._units)
        self.plot.set_title(words)
        self._words = f"Preview of the recording: {words}"
        self._show_title()
        factors = np.array([1.0 if group == "tau" else self._units.factor(bool(slides)) for slides in robot.prismatic])
        span = max(float(motion.t[-1]), 1e-3)
        t, values = thinned(motion.t, getattr(motion, group) * factors, span / _CELLS)
        colours = tuple(self._tokens.colour(str(k)) for k in range(robot.n))
        self.plot.show_curves([Curves(t, values, robot.joint_names, colours)], span)
        names = (f"<span style='color:{c}'>●</span>&nbsp;{name}" for c, name in zip(colours, robot.joint_names, strict=True))
        self._legend.setText(" &nbsp;".join(names))

    def _show_rows(self) -> None:
        """Show the first rows as text where the file is text, else as numbers."""
        table = self._model.table
        if table is None:
            return
        self._heads, body = _first_lines(table)
        self.rows.clear()
        self.rows.setColumnCount(len(self._heads))
        self.rows.setRowCount(min(ROWS, len(body)))
        self.rows.setFont(fixed_font(0.85))
        for k, line in enumerate(body[:ROWS]):
            for j, text in enumerate(line[: len(self._heads)]):
                item = QTableWidgetItem(text[:40])
                item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
                self.rows.setItem(k, j, item)

    def _show_uses(self) -> None:
        """Show the use of each column above its name."""
        mapping, joints = self._model.mapping, self._model.robot.joint_names
        uses = dict.fromkeys((mapping.time, *mapping.time.split(" + ")), "t") if mapping.time else {}  # a clock in two columns
        for group in GROUPS:
            for joint, name in zip(joints, mapping.columns(group)):
                if name:
                    uses[name] = f"{uses[name]}, {group} {joint}" if name in uses else f"{group} {joint}"
        for k, name in enumerate(self._heads):
            use = uses.get(name, "")
            head = QTableWidgetItem(f"{use or '·'}\n{name[:24]}")
            head.setToolTip(f"{name}: {use or 'not used'}")
            head.setForeground(QColor(self._tokens.text if use else self._tokens.muted))
            self.rows.setHorizontalHeaderItem(k, head)
        self.rows.resizeColumnsToContents()
        self.rows.resizeRowsToContents()


def _first_lines(table: LogTable) -> tuple[list[str], list[list[str]]]:
    """Return the names of the columns, and the texts of the first rows."""
    form = table.form
    if form is not None and form.names_line:
        fields = [list(line) for line in first_rows(table.path, form, ROWS + 1)]
        if fields:
            return fields[0][:COLUMNS], fields[1:]
    numbers = [[significant(float(value), 6) for value in line] for line in table.values[:ROWS]]
    return [str(name) for name in table.names][:COLUMNS], numbers


SIZE = QSize(1180, 760)
RATE = "Sampling rate of the recording; rows at irregular times are resampled"
CUTOFF = (
    "Low-pass cut-off, applied before positions are differentiated.\n"
    "Second-order Butterworth filter, run forwards and backwards (zero phase)."
)


class ImportSheet(QDialog):
    """Views of the model. `acts` are import, guess and read; `choose_robot(name)` another robot.

    Its binder ends with it.
    """

    def __init__(
        self, model: ImportModel, robots: Mapping[str, str], look: tuple[Units, Tokens], acts: Mapping[str, Act], parent: QWidget
    ):
        super().__init__(parent)
        self.setObjectName("import_sheet")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._model, (_, tokens) = model, look
        self.form, self.preview = MappingForm(model), Preview(model, *look)
        self.robot = choice("import_robot", "Measured robot", robots)
        self._head, self._origin = named(note(), "import_head"), named(note(""), "import_origin")
        tip = "Discard the saved settings for these columns and detect the columns again"
        self._guess = button("import_guess", "Detect again", tip=tip, act=acts["guess"])
        self.notes = named(note(), "import_notes", "Conversion steps")
        self._missing = check("import_missing", "Treat cells that are not numbers as missing")
        self._cells = OptionForm({"skips_cells": self._missing}, partial(setattr, model))
        self.problem, self.warning = named(QLabel(), "import_problem"), named(warning(), "import_warning")
        self.problem.setWordWrap(True)
        self.problem.setStyleSheet(f"color: {tokens.danger}; font-weight: 600;")
        self.target = named(QLineEdit(), "import_target", "File of the recording")
        self._file = OptionForm({"target": self.target}, lambda _, value: model.set_target(value))
        self.progress = ProgressBar("import_progress", "Progress of the import")
        self.go = primary(button("import_go", "Import", act=acts["import"]))
        browse = button("import_browse", "Choose…", "Choose the file of the recording", act=self._browse)
        cancel = button("import_cancel", "Cancel", act=self.reject)
        for press in (cancel, self.go, self._guess, browse):
            press.setAutoDefault(False)  # Return ends the entry in a field
        target = row(QLabel("Save as"), self.target, browse, stretch=self.target)
        self._text = self._text_section(acts["read"])
        self._last_time = row(self._origin, self._guess, stretch=self._origin)
        mapping = Section("Column mapping")
        mapping.add(self.form)
        left = column(
            self._head,
            self._missing,
            row(QLabel("Robot"), self.robot, stretch=self.robot),
            self._last_time,
            self._text,
            mapping,
            self._recording_section(),
            self.notes,
            None,
            margins=(12, 10, 12, 10),
            spacing=8,
        )
        parts = QSplitter(Qt.Orientation.Horizontal)
        parts.setChildrenCollapsible(False)
        parts.addWidget(scrolled(left, "Column mapping"))
        parts.addWidget(column(self.preview, margins=(4, 10, 12, 10)))
        parts.setStretchFactor(0, 4)
        parts.setStretchFactor(1, 5)
        bottom = column(
            self.problem,
            self.warning,
            target,
            row(self.progress, cancel, self.go, stretch=self.progress),
            margins=(12, 0, 12, 0),
        )
        fill(self, parts, bottom, margins=(0, 0, 0, 12), spacing=8, stretches=(1, 0))
        self._changed = self._text, self.form, self._making, self.robot, target, self._guess, self._missing
        self._fit(parent)
        self._bind(Binder(lambda flush: QTimer.singleShot(0, self, flush)))

    def _text_section(self, read: Act) -> Section:
        """Controls that choose how a text file is read."""
        section, model = Section("Text format", open_=False), self._model
        section.header.setObjectName("import_text_format")
        separator = choice("import_separator", "Separator", SEPARATORS)
        decimal = choice("import_decimal", "Decimal mark", DECIMALS)
        first = number("import_first_line", "First line with numbers", (1, 1e6), 1)
        section.add(form((("Separator", separator), ("Decimal mark", decimal), ("First data line", first))))

        def enter(name: str, value: object) -> None:
            setattr(model, name, value)
            read()

        self._reading = OptionForm({"separator": separator, "decimal": decimal, "first_line": first}, enter)
        return section

    def _recording_section(self) -> Section:
        """Controls of rate, filter and gaps; 0 is the usual value."""
        rate = number("import_rate", "Samples per second", (0.0, 1e5), 0.0, decimals=3, suffix=" Hz", tip=RATE)
        cutoff = number("import_cutoff", "Cut-off of the filter", (0.0, 1e5), 0.0, decimals=3, suffix=" Hz", tip=CUTOFF)
        title, tip = "Longest gap to interpolate", "Longer gaps are left empty"
        gap = number("import_gap", title, (0.0, 1e6), 0.0, decimals=3, suffix=" s", tip=tip)
        turns = check("import_turns", "Unwrap angles", "Remove jumps of a full turn where an angle passes ±180°")
        self._numbers = rate, cutoff, gap
        for field in self._numbers:
            field.setSpecialValueText("usual")
        self._making = column(form((("Rate", rate), ("Filter cut-off", cutoff), ("Interpolate gaps up to", gap))), turns)
        self._processing = OptionForm({"rate": rate, "cutoff": cutoff, "max_gap": gap, "unwrap": turns}, self._model.change)
        section = Section("Recording")
        section.add(self._making)
        return section

    def _fit(self, parent: QWidget) -> None:
        room = parent.screen().availableSize()
        size = QSize(SIZE.width() * self.fontMetrics().height() // 16, SIZE.height())
        self.resize(size.boundedTo(QSize(max(parent.width(), 640), max(parent.height(), 480))).boundedTo(room))

    def _browse(self) -> None:
        kinds = ";;".join(f"{form.title} (*{form.suffix})" for form in FORMATS.values())
        path, _ = QFileDialog.getSaveFileName(self, "Save the recording as", self._model.target, kinds)
        if path:
            self._model.overwritten = path
            self._model.set_target(path)

    def _bind(self, views: Binder) -> None:
        model = self._model
        self.form.bind(views)
        self.preview.bind(views)
        views.bind(self._show_table, on(model, "table"))
        views.bind(self._show_origin, on(model, "remembered"))
        views.bind(lambda: self._reading.show(vars(model)), on(model, "separator", "decimal", "first_line"))
        views.bind(lambda: self._processing.show(vars(model.mapping)), on(model, "mapping"))
        views.bind(lambda: self._file.show(vars(model)), on(model, "target"))
        views.bind(lambda: self._cells.show(vars(model)), on(model, "skips_cells"))
        views.bind(self._show_motion, on(model, "found"))
        views.bind(self._show_problem, on(model, "problem", "fault"))
        views.bind(self._show_importing, on(model, "is_importing"))
        views.bind(self._show_progress, on(model, "progress"))
        views.bind(lambda: self.go.setEnabled(model.is_possible), on(model, "is_possible"))

    def _show_table(self) -> None:
        table = self._model.table
        if table is not None:
            self.setWindowTitle(f"Import {table.path.name}")
            self._head.setText(self._model.head)
            self._text.setVisible(table.form is not None)
            self._missing.setVisible(bool(table.wrong))

    def _show_origin(self) -> None:
        robot = self._model.remembered
        self._last_time.setVisible(robot is not None)
        self._origin.setText(f"Using the saved settings for these columns{f' ({robot})' if robot else ''}.")

    def _show_motion(self) -> None:
        found = self._model.found
        warnings = () if found is None else found.motion.warnings
        self.warning.setText("\n".join(map(sentence, warnings)))
        self.warning.setVisible(bool(warnings))
        if found is not None:
            motion = found.motion
            lines = [*self._model.guesses, *(line for line in motion.notes if line not in warnings)]
            self.notes.setText("\n".join(map(sentence, lines)))
            sampling = motion.facts["sampling"]
            usual = (sampling["rate"], "Hz"), (motion.facts["filter"]["cutoff"], "Hz"), (sampling["max_gap"], "s")
            for field, (value, unit) in zip(self._numbers, usual):
                field.setSpecialValueText(f"{value:.4g} {unit}")

    def _show_problem(self) -> None:
        text = self._model.problem or self._model.fault
        self.problem.setText(text)
        self.problem.setVisible(bool(text))

    def _show_importing(self) -> None:
        for part in self._changed:
            part.setEnabled(not self._model.is_importing)

    def _show_progress(self) -> None:
        done, total = self._model.progress
        self.progress.setVisible(total > 0)
        self.progress.show_done(done, total)
