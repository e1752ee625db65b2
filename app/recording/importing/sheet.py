"""The import sheet: what a log holds, what is taken for what, and what would become of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker, QSize, Qt, QTimer, Signal
from PySide6.QtWidgets import QDialog, QLabel, QPushButton, QSplitter, QVBoxLayout, QWidget

from armature.app.recording.importing.form_fields import MakingFields, TextFields
from armature.app.recording.importing.mapping_form import MappingForm
from armature.app.recording.importing.preview import ROWS, Preview
from armature.app.recording.importing.target_row import TargetRow
from armature.app.state.shared_sentences import sentence
from armature.app.state.units import Units, grouped
from armature.app.style.colour_tokens import Tokens
from armature.app.widgets.computing.progress_bar import ProgressBar
from armature.app.widgets.controls import button, check, choice, named, row
from armature.app.widgets.section import Section, note, scrolled, warning
from armature.engine.model.robot import Robot
from armature.engine.recording.measured.log_mapping import LogMapping
from armature.engine.recording.measured.log_table import LogTable
from armature.engine.recording.measured.text_log import first_rows

if TYPE_CHECKING:
    from armature.engine.recording.measured.log_motion import LogMotion

SOON = 150  # ms after the last change
PATIENCE = 250  # ms before progress is shown
SIZE = QSize(1180, 760)


class ImportSheet(QDialog):
    """`read_requested()` wants the file read as `text.chosen` says, `motion_requested()` the motion of `mapping`,
    `import_requested(path)` the recording; `robot_chosen(name)` another arm, `guess_requested()` a guess in place of what was
    remembered."""

    read_requested = Signal()
    motion_requested = Signal()
    import_requested = Signal(object)
    robot_chosen = Signal(str)
    guess_requested = Signal()

    def __init__(self, robots: Mapping[str, str], units: Units, tokens: Tokens, parent: QWidget):
        super().__init__(parent)
        self.setObjectName("import_sheet")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._motion_is_there, self._joints = False, tuple[str, ...]()
        self._soon = QTimer(self, singleShot=True, interval=SOON)
        self._soon.timeout.connect(self.motion_requested)
        self._patience = QTimer(self, singleShot=True, interval=PATIENCE)
        self._patience.timeout.connect(self._on_patience)
        self.text, self.form, self.making = TextFields(), MappingForm(), MakingFields()
        self.preview = Preview(units, tokens)
        self.robot = choice("import_robot", "Measured robot", robots)
        self.robot.currentIndexChanged.connect(lambda _: self.robot_chosen.emit(str(self.robot.currentData())))
        self.text.changed.connect(self.read_requested)
        self.form.changed.connect(self._on_change)
        self.making.changed.connect(self._on_change)
        self._head = named(note(), "import_head")
        self._remembered = button(
            "import_guess", "Detect again", tip="Discard the saved settings for these columns and detect the columns again"
        )
        self._remembered.clicked.connect(lambda _: self.guess_requested.emit())
        self._remembered_words = note("")
        self.notes = named(note(), "import_notes", "Conversion steps")
        self.missing = check("import_missing", "Treat cells that are not numbers as missing")
        self.missing.hide()
        self.missing.toggled.connect(lambda _: self.motion_requested.emit())
        self.problem, self.warning = named(QLabel(), "import_problem"), named(warning(), "import_warning")
        self.problem.setWordWrap(True)
        self.problem.hide()
        self.problem.setStyleSheet(f"color: {tokens.danger}; font-weight: 600;")
        self._build()
        self._fit(parent)

    # Laid out

    def _build(self) -> None:
        left = QWidget()
        inside = QVBoxLayout(left)
        inside.setContentsMargins(12, 10, 12, 10)
        inside.setSpacing(8)
        inside.addWidget(self._head)
        inside.addWidget(self.missing)
        inside.addWidget(row(QLabel("Robot"), self.robot, stretch=self.robot))
        self._last_time = row(self._remembered_words, self._remembered, stretch=self._remembered_words)
        inside.addWidget(self._last_time)
        self._text_section = Section("Text format", open_=False)
        self._text_section.add(self.text)
        inside.addWidget(self._text_section)
        what = Section("Column mapping")
        what.add(self.form)
        inside.addWidget(what)
        made = Section("Recording")
        made.add(self.making)
        inside.addWidget(made)
        inside.addWidget(self.notes)
        inside.addStretch(1)
        right = QWidget()
        beside = QVBoxLayout(right)
        beside.setContentsMargins(4, 10, 12, 10)
        beside.addWidget(self.preview)
        parts = QSplitter(Qt.Orientation.Horizontal)
        parts.setChildrenCollapsible(False)
        parts.addWidget(scrolled(left, "Column mapping"))
        parts.addWidget(right)
        parts.setStretchFactor(0, 4)
        parts.setStretchFactor(1, 5)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 12)
        whole.setSpacing(8)
        whole.addWidget(parts, 1)
        whole.addWidget(self._bottom())

    def _bottom(self) -> QWidget:
        self.target = TargetRow()
        self.target.changed.connect(self._allow)
        self.progress = ProgressBar("import_progress", "Progress of the import")
        self.cancel = button("import_cancel", "Cancel")
        self.cancel.clicked.connect(self.reject)
        self.go = QPushButton("Import")
        self.go.setObjectName("import_go")
        self.go.setProperty("role", "primary")
        self.go.setEnabled(False)
        self.go.clicked.connect(self._on_go)
        for press in (self.cancel, self.go, self._remembered):
            press.setAutoDefault(False)  # Return ends what is typed in a field
        bottom = QWidget()
        column = QVBoxLayout(bottom)
        column.setContentsMargins(12, 0, 12, 0)
        column.setSpacing(6)
        column.addWidget(self.problem)
        column.addWidget(self.warning)
        column.addWidget(self.target)
        column.addWidget(row(self.progress, self.cancel, self.go, stretch=self.progress))
        return bottom

    def _fit(self, parent: QWidget) -> None:
        room = parent.screen().availableSize()
        size = QSize(SIZE.width() * self.fontMetrics().height() // 16, SIZE.height())
        self.resize(size.boundedTo(QSize(max(parent.width(), 640), max(parent.height(), 480))).boundedTo(room))

    # Shown

    def show_table(self, table: LogTable, robot: Robot, mapping: LogMapping, remembered: str | None) -> None:
        """A file that was read, and what its columns are taken for; `remembered` names the robot they were chosen for before."""
        self.setWindowTitle(f"Import {table.path.name}")
        form = table.form
        words = f"{grouped(len(table))} rows of {grouped(len(table.names))} columns of numbers"
        self._head.setText(f"{words}: {form.words}." if form is not None else f"{words}.")
        self._text_section.setVisible(form is not None)
        if form is not None:
            self.text.show_form(form)
        self.missing.setVisible(bool(table.wrong))
        self.preview.show_rows(table, first_rows(table.path, form, ROWS + 1) if form is not None and form.names_line else ())
        self._last_time.setVisible(remembered is not None)
        whose = f" ({remembered})" if remembered else ""
        self._remembered_words.setText(f"Using the saved settings for these columns{whose}.")
        self.show_mapping(table, robot, mapping)

    def show_robot(self, name: str) -> bool:
        """Choose another arm than the open one by its name; False where there is none."""
        at = self.robot.findData(name) if name else -1
        with QSignalBlocker(self.robot):
            self.robot.setCurrentIndex(max(at, 0))
        return at >= 0

    def show_mapping(self, table: LogTable, robot: Robot, mapping: LogMapping) -> None:
        """What the columns of a log are taken for."""
        self.form.show_mapping(table, robot, mapping)
        self.making.show_mapping(mapping)
        self.preview.show_roles(mapping, robot.joint_names)
        self._joints = robot.joint_names

    @property
    def mapping(self) -> LogMapping:
        """What is chosen."""
        return self.making.put_in(self.form.mapping)

    def show_motion(self, motion: LogMotion, robot: Robot, guesses: tuple[str, ...]) -> None:
        """What would become of it; `guesses` tell what these rest on."""
        self._complain("")
        self.preview.show_motion(motion, robot)
        lines = [
            *map(sentence, guesses),
            *(sentence(line) for line in motion.notes if line not in motion.warnings),
        ]
        self._warn(motion.warnings)
        self.notes.setText("\n".join(lines))
        sampling = motion.facts["sampling"]
        self.making.show_usual(sampling["rate"], motion.facts["filter"]["cutoff"], sampling["max_gap"])
        self._motion_is_there = True
        self._allow()

    def set_looking(self, busy: bool) -> None:
        """Whether the curves are being computed, which a long log takes a while for."""
        if busy:
            self._patience.start()
        else:
            self._patience.stop()
            self.preview.set_waiting(False)
            self.show_progress(0, 0)

    def show_looking(self, done: int, total: int) -> None:
        """How far the curves are, once somebody would wonder."""
        if not self._patience.isActive():
            self.show_progress(done, total)

    def _on_patience(self) -> None:
        self.preview.set_waiting(True)
        self.show_progress(0, 1)

    def show_problem(self, text: str) -> None:
        """Why nothing becomes of it."""
        self._complain(text)
        self._warn(())
        self._motion_is_there = False
        self._allow()

    def show_progress(self, done: int, total: int) -> None:
        """How far something is; a total of 0 says that nothing is under way."""
        self.progress.setVisible(total > 0)
        self.progress.show_done(done, total)

    def set_busy(self, busy: bool) -> None:
        """While the recording is made nothing is changed."""
        for part in (self.text, self.form, self.making, self.robot, self.target, self._remembered, self.missing):
            part.setEnabled(not busy)
        self._motion_is_there = not busy and self._motion_is_there
        self._allow()
        if not busy:
            self.show_progress(0, 0)

    # What is requested

    def _on_change(self) -> None:
        self.preview.show_roles(self.mapping, self._joints)
        self._soon.start()

    def _allow(self) -> None:
        self.go.setEnabled(self._motion_is_there and self.target.is_named)

    def _complain(self, text: str) -> None:
        self.problem.setText(text)
        self.problem.setVisible(bool(text))

    def _warn(self, lines: Sequence[str]) -> None:
        self.warning.setText("\n".join(map(sentence, lines)))
        self.warning.setVisible(bool(lines))

    def _on_go(self) -> None:
        if self.target.fault:
            self._complain(self.target.fault)
        else:
            self.import_requested.emit(self.target.path)
