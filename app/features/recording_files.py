"""Recordings from and to files, beside the window: hours of samples are read and written while it goes on."""

from __future__ import annotations

import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFileDialog

import engine
from app.files import with_format
from app.jobs import Job, JobRunner
from engine.recording.formats import FORMATS

if TYPE_CHECKING:
    from app.main_window import MainWindow

PATIENCE = 0.25  # s before progress is shown: most files are there sooner


class RecordingFilesFeature:
    """Reads what is asked for, the latest request alone; until it is there, and when it cannot be read, what was open stays."""

    def __init__(self, window: MainWindow):
        self.panels: dict = {}
        self._window = window
        self._reading, self._saving = JobRunner("read-recording", window), JobRunner("save-recording", window)
        self._texts: dict[JobRunner, tuple[str, float]] = {}  # what each does, and since when

    def connect(self) -> None:
        """Wire files, banner and the command that saves."""
        window = self._window
        window.files.recording_asked.connect(self.open)
        window.document.robot_changed.connect(lambda _: self._reading.cancel())  # asked for later than the recording
        window.actions_.on("save_recording", self.ask_save)
        for runner in (self._reading, self._saving):
            runner.progressed.connect(partial(self._show, runner))
            runner.busy_changed.connect(self._on_busy)
        self._reading.finished.connect(lambda found: window.files.show_recording(*found))
        self._reading.failed.connect(lambda text: self._complain("This recording cannot be opened", text))
        self._saving.finished.connect(lambda path: window.files.message.emit("info", f"Saved {path}"))
        self._saving.failed.connect(lambda text: self._complain("The recording was not saved", text))

    def shut_down(self) -> None:
        """End the threads; what is half written vanishes."""
        self._reading.stop()
        self._saving.stop()

    def open(self, path: Path) -> None:
        """Read a recording and show it; another one that is still being read is given up."""
        self._texts[self._reading] = f"Reading {path.name}…", time.monotonic()
        self._reading.start(lambda job: _read(path, job))

    def ask_save(self) -> None:
        """Let the user choose where to save the open or last recording; the suffix decides the format."""
        window = self._window
        recording, last = window.replay.recording, window.recordings.last_path
        if recording is None and last is None:
            window.files.message.emit("info", "There is no recording yet: Ctrl+R makes one, Ctrl+O opens one.")
            return
        robot = recording.robot_name if recording is not None else window.document.robot.name
        start = window.files.recording_folder() / f"{robot or 'recording'}.csv"
        kinds = ";;".join(f"{form.title} (*{form.suffix})" for form in FORMATS.values())
        path, kind = QFileDialog.getSaveFileName(window, "Save recording", str(start), kinds)
        if not path:
            return
        target = with_format(path, kind)
        if target != Path(path) and target.exists():  # the dialog asked about another name
            self._complain("The recording was not saved", f"{target} exists; choose another name")
        else:
            self.save(target)

    def save(self, target: Path) -> None:
        """Save the open recording, else the last one made, as `target`."""
        recording, last = self._window.replay.recording, self._window.recordings.last_path
        self._texts[self._saving] = f"Saving {target.name}…", time.monotonic()
        self._saving.start(lambda job: _save(last if recording is None else recording, target, job))

    def _show(self, runner: JobRunner, done: int, total: int):
        text, began = self._texts[runner]
        if time.monotonic() - began > PATIENCE:
            self._window.banner.show_progress(text, round(1000 * done / max(total, 1)), 1000, runner.cancel)

    def _on_busy(self, busy: bool):
        if not busy and self._window.banner.progress.isVisibleTo(self._window.banner):
            self._window.banner.hide()

    def _complain(self, what: str, why: str):
        self._window.files.message.emit("error", f"{what}: {why}")


def _read(path: Path, job: Job):
    try:
        return engine.load_recording(path, job.progress, job.cancelled), path
    except KeyboardInterrupt:  # the job was given up
        return None


def _save(source, target: Path, job: Job) -> Path | None:
    try:
        if isinstance(source, Path):
            return engine.convert_recording(source, target, True, cancelled=job.cancelled, progress=job.progress)
        return source.save(target, job.progress, job.cancelled)
    except KeyboardInterrupt:
        return None
