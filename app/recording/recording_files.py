"""Recordings from and to files, beside the window: hours of samples are read and written while it goes on."""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import shiboken6
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFileDialog, QLabel, QListWidget, QVBoxLayout, QWidget

from armature import engine
from armature.app.feature import Feature
from armature.app.recording.feature import RecordingFeature
from armature.app.recording.recording_owner import Owner, joints, owner_of
from armature.app.state.evented import on
from armature.app.state.files import with_format
from armature.app.state.jobs import Job, JobRunner
from armature.app.state.severity import Severity
from armature.app.state.units import megabytes
from armature.app.widgets.actions import Command, block
from armature.engine import Recording
from armature.engine.recording.recording_formats import FORMATS, Format

if TYPE_CHECKING:
    from armature.app.workbench import Workbench


class OwnerDialog(QDialog):
    """`chosen(k)` is the one of `names` on which the recording is shown; the window goes on meanwhile."""

    chosen = Signal(int)

    def __init__(self, text: str, names: Sequence[str], parent: QWidget | None = None):
        super().__init__(parent)
        self.setObjectName("owner_dialog")
        self.setWindowTitle("Robot of the recording")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        head = QLabel(text)
        head.setObjectName("owner_text")
        head.setWordWrap(True)
        self.names = QListWidget()
        self.names.setObjectName("owner_names")
        self.names.setAccessibleName("Robots with the same number of joints")
        self.names.addItems(list(names))
        self.names.setCurrentRow(0)
        self.names.itemActivated.connect(self.accept)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        show = buttons.button(QDialogButtonBox.StandardButton.Ok)
        show.setText("Show")
        show.setObjectName("owner_show")
        buttons.button(QDialogButtonBox.StandardButton.Cancel).setObjectName("owner_cancel")
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        self.accepted.connect(lambda: self.chosen.emit(self.names.currentRow()))
        layout = QVBoxLayout(self)
        for part in (head, self.names, buttons):
            layout.addWidget(part)
        self.names.setFocus()
        self.resize(420, 320)


PATIENCE = 0.25  # s before progress is shown: most files are there sooner


class RecordingFilesFeature(Feature):
    """Reads what is requested, the latest request alone; until it is there, and when it cannot be read, what was open stays."""

    commands = (
        *block(
            "File",
            2.0,
            Command("save_recording", "Save recording as…", "save", ("Ctrl+S",), "Save the open or last recording to a file"),
        ),
    )
    needs = (RecordingFeature,)

    def __init__(self, bench: Workbench, recording: RecordingFeature):
        self._bench, self._recordings = bench, recording.recordings
        self._reading, self._saving = JobRunner("read-recording", bench.parent), JobRunner("save-recording", bench.parent)
        self._question: OwnerDialog | None = None
        self._texts: dict[JobRunner, tuple[str, float]] = {}  # what each does, and since when

    def wire(self) -> None:
        """Wire files, banner and the command that saves."""
        bench = self._bench
        bench.files.recording_requested.connect(self.open)
        bench.document.robot_changed.connect(lambda _: self._reading.cancel())  # requested later than the recording
        bench.actions.on("save_recording", self.ask_save)
        for runner in (self._reading, self._saving):
            bench.views.bind(partial(self._show_progress, runner), on(runner.status, "is_busy", "progress"))

    def shut_down(self) -> None:
        """End the threads; what is half written vanishes."""
        self._reading.stop()
        self._saving.stop()

    def open(self, path: Path, of_open_robot: bool = False) -> None:
        """Read a recording and show it; another one that is still being read is given up.

        Where it does not tell its robot, or that one is not at hand, the user chooses, unless it is said to be `of_open_robot`.
        """
        self._close_question()
        self._bench.files.give_up()
        self._texts[self._reading] = f"Reading {path.name}…", time.monotonic()
        robot, recent = self._bench.document.robot, self._bench.preferences.now.recent_files
        fail = partial(self._complain, "open", "This recording cannot be opened")
        self._reading.start(lambda job: _read(path, robot, recent, of_open_robot, job), self._show_on_its_robot, fail)

    def _show_on_its_robot(self, found: tuple[Recording, Path, Owner]):
        recording, path, owner = found
        if owner.robot is not None:
            self._bench.files.show_recording(recording, path, owner.robot)
        elif owner.fit:
            self._ask_whose(recording, path, owner)
        else:
            why = f"{owner.why}. Its joints are {', '.join(recording.joint_names)}"
            self._complain("open", "This recording cannot be shown", f"{path.name}: {why}. Open its robot first.")

    def _ask_whose(self, recording, path: Path, owner: Owner):
        """The window goes on with what is open until an answer is given."""
        moving = joints(len(recording.joint_names))
        text = f"{path.name} cannot be shown: {owner.why}. Which robot with {moving} does it belong to?"
        self._question = question = OwnerDialog(text, [shown for shown, _ in owner.fit], self._bench.parent)
        question.chosen.connect(lambda k: self._bench.files.show_recording(recording, path, owner.fit[k][1]))
        question.open()

    def _close_question(self):
        if self._question is not None and shiboken6.isValid(self._question):
            self._question.reject()
        self._question = None

    def ask_save(self) -> None:
        """Let the user choose where to save the open or last recording; the suffix decides the format."""
        bench = self._bench
        recording = bench.replay.recording
        if self._source() is None:
            return
        robot = recording.robot_name if recording is not None else bench.document.robot.name
        usual = f".{bench.preferences.now.recording_format}"
        start = bench.files.recording_folder() / f"{robot or 'recording'}{usual}"
        kinds = {form.suffix: f"{form.title}{self._size(recording, form)} (*{form.suffix})" for form in FORMATS.values()}
        path, kind = QFileDialog.getSaveFileName(
            bench.parent, "Save recording", str(start), ";;".join(kinds.values()), kinds[usual]
        )
        if not path:
            return
        target = with_format(path, kind)
        if target != Path(path) and target.exists():  # the dialog confirmed another name
            self._complain("save", "The recording was not saved", f"{target} exists; choose another name")
        else:
            self.save(target)

    @staticmethod
    def _size(recording: Recording | None, form: Format) -> str:
        """Return about how large a file of this format becomes; "" where no recording is open."""
        return f", about {megabytes(form.size(len(recording), len(recording.columns)))}" if recording is not None else ""

    def save(self, target: Path) -> None:
        """Save the open recording, else the last one made, as `target`."""
        source = self._source()
        if source is None:
            return
        self._texts[self._saving] = f"Saving {target.name}…", time.monotonic()
        report, fail = self._bench.files.message_about.emit, partial(self._complain, "save", "The recording was not saved")
        self._saving.start(
            lambda job: _save(source, target, job), lambda path: report("save", Severity.INFO, f"Saved {path}"), fail
        )

    def _source(self) -> Recording | Path | None:
        """The open recording, else the file of the last one made; None, and it is told, where there is neither."""
        recording, last = self._bench.replay.recording, self._recordings.last_path
        if recording is None and last is None:
            self._bench.files.message.emit(Severity.INFO, "There is no recording yet. Ctrl+R records, Ctrl+O opens one.")
        return last if recording is None else recording

    def _show_progress(self, runner: JobRunner):
        """Show how much of a long file is done."""
        banner, status = self._bench.banner, runner.status
        text, began = self._texts.get(runner, ("", 0.0))
        (done, total) = status.progress
        if status.is_busy and total and time.monotonic() - began > PATIENCE:
            banner.show_progress(text, round(1000 * done / total), 1000, runner.cancel)
        elif text and not status.is_busy and banner.progress.isVisibleTo(banner):
            banner.dismiss()

    def _complain(self, subject: str, what: str, why: str):
        self._bench.files.message_about.emit(subject, Severity.ERROR, f"{what}: {why}")


def _read(path: Path, robot, recent: Sequence[str], of_open_robot: bool, job: Job):
    recording = engine.load_recording(path, job.progress, job.cancelled)
    return recording, path, owner_of(recording, path, robot, recent, of_open_robot)


def _save(source: Recording | Path, target: Path, job: Job) -> Path:
    if isinstance(source, Path):
        return engine.convert_recording(source, target, True, cancelled=job.cancelled, progress=job.progress)
    return source.save(target, job.progress, job.cancelled)
