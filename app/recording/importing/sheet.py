"""The import sheet: content of a log, its column mapping, and a preview of the recording."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtWidgets import QDialog, QFileDialog, QLabel, QLineEdit, QSplitter, QWidget

from armature.app.recording.importing.import_model import ImportModel
from armature.app.recording.importing.mapping_form import MappingForm
from armature.app.recording.importing.preview import Preview
from armature.app.state.evented import Binder, on
from armature.app.state.shared_sentences import sentence
from armature.app.state.units import Units
from armature.app.style.colour_tokens import Tokens
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
from armature.engine.recording.measured.text_form import DECIMALS, SEPARATORS
from armature.engine.recording.recording_formats import FORMATS

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
