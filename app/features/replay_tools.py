"""What can be done with an open recording: a part of it saved, others laid over it, simulated again."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtWidgets import QFileDialog

import engine
from app.files import RECORDINGS, with_format
from app.jobs import Job, JobRunner
from app.panels.replay_tools import ghost_colour
from app.plot_signals import OVERVIEW, RecordingSource
from app.units import grouped
from engine.recording.formats import FORMATS

if TYPE_CHECKING:
    from app.main_window import MainWindow

MOST = 3  # recordings over another one: as many as there are kinds of line


class ReplayToolsFeature:
    """Wires the buttons below the timeline."""

    def __init__(self, window: MainWindow):
        self.panels: dict = {}
        self._window, self._path = window, Path()
        self.compared: list[tuple[str, object]] = []
        self.marks: list[float] = [0.0, 1.0]  # fractions of the whole
        self._trims, self._runs = JobRunner("trim", window), JobRunner("resimulate", window)
        self._thinning, self._reading = JobRunner("thin", window), JobRunner("compare", window)
        self._wanted: list[Path] = []

    def connect(self) -> None:
        """Wire the panel, the replay, the plots and the view."""
        window, tools = self._window, self._window.recording.tools
        window.files.recording_opened.connect(self._on_opened)
        window.recordings.replaying_changed.connect(self._on_replaying)
        window.replay.moved.connect(lambda *_: self._show_ghosts())
        window.themed.connect(lambda _: self._show_ghosts())
        acts = {
            "mark_start": lambda: self.mark(0),
            "mark_end": lambda: self.mark(1),
            "trim": self._ask_trim,
            "compare": self._ask_compare,
            "verify": self.verify,
        }
        tools.asked.connect(lambda name: acts[name]() if name in acts else None)
        tools.remove_asked.connect(self.take_away)
        window.recording.slider.mark_asked.connect(self.mark)
        self._trims.finished.connect(lambda path: path and window.files.message.emit("info", f"Saved {path}"))
        self._trims.failed.connect(lambda text: window.files.message.emit("error", f"The part was not saved: {text}"))
        self._thinning.finished.connect(window.plots.show_recordings)
        self._reading.finished.connect(self._on_read)
        self._reading.failed.connect(self._on_unread)
        self._runs.finished.connect(self._on_verified)
        self._runs.progressed.connect(lambda done, total: tools.show_result(f"Simulating again… {100 * done // total} %"))
        self._runs.failed.connect(tools.show_result)
        self._runs.busy_changed.connect(lambda busy: tools.show_busy("verify", busy))

    def shut_down(self) -> None:
        """End the threads."""
        self._trims.stop()
        self._runs.stop()
        self._thinning.stop()
        self._reading.stop()

    def _on_opened(self, recording, path: Path):
        self._path, self.compared, self._wanted = path, [], []
        self._reading.cancel()
        self._set_marks([0.0, 1.0])
        self._window.recording.tools.show_result("")
        self._show()

    def _on_replaying(self, on: bool):
        if not on:
            self._runs.cancel()
            self._thinning.cancel()
            self._reading.cancel()
            self.compared, self._wanted = [], []
            self._set_marks([0.0, 1.0])
            self._window.recording.tools.show_compared([])
            self._show_ghosts()

    # A part

    def mark(self, end: int) -> None:
        """Put the start (0) or the end (1) of the part to keep where the replay is."""
        replay = self._window.replay
        if replay.recording is None or replay.recording.duration <= 0:
            return
        marks = [*self.marks]
        marks[end] = replay.t / replay.recording.duration
        if marks[0] >= marks[1]:  # the other mark makes way
            marks[1 - end] = float(1 - end)
        self._set_marks(marks)

    def _set_marks(self, marks: list[float]):
        self.marks = marks
        self._window.recording.slider.set_marks(*marks)

    def _ask_trim(self):
        start = self._path.with_name(f"{self._path.stem.removesuffix('.csv')} part{self._path.suffix}")
        kinds = ";;".join(f"{form.title} (*{form.suffix})" for form in FORMATS.values())
        path, kind = QFileDialog.getSaveFileName(self._window, "Save the part between the marks", str(start), kinds)
        target = with_format(path, kind)
        if target != Path(path) and target.exists():  # the dialog asked about another name
            self._window.files.message.emit("error", f"The part was not saved: {target} exists; choose another name")
        elif path:
            self.trim(target)

    def trim(self, target: Path) -> None:
        """Save the part between the marks as `target`."""
        recording, source = self._window.replay.recording, self._path
        if target.exists() and target.samefile(source):
            self._window.files.message.emit("error", "The part was not saved: choose another name than that of the whole.")
            return
        first, last = (float(recording.t[0]) + mark * recording.duration for mark in self.marks)
        self._trims.start(lambda job: _trimmed(source, target, first, last, job))

    # Others over it

    def _ask_compare(self):
        kinds = f"Recordings ({' '.join(f'*{suffix}' for suffix in RECORDINGS)})"
        paths, _ = QFileDialog.getOpenFileNames(self._window, "Compare with", str(self._path.parent), kinds)
        for path in paths:
            self.lay_over(Path(path))

    def lay_over(self, path: Path) -> None:
        """Lay another recording of the same joints over the open one, once it is read; says why it cannot be."""
        if len(self.compared) + len(self._wanted) >= MOST:
            self._refuse(path, f"at most {MOST} recordings lie over another one", "warning")
            return
        self._wanted.append(path)
        self._read_next()

    def _read_next(self):
        if self._wanted and not self._reading.busy:
            path = self._wanted[0]
            self._reading.start(lambda job: _loaded(path, job))

    def _on_read(self, recording):
        path, robot = self._wanted.pop(0), self._window.document.robot
        if tuple(recording.joint_names) != tuple(robot.joint_names):
            self._refuse(path, f"its joints are {', '.join(recording.joint_names)}, those of {robot.name} others")
        else:
            self.compared.append((path.name, recording))
            self._show()
        self._read_next()

    def _on_unread(self, text: str):
        self._wanted.pop(0)
        self._window.files.message.emit("error", f"This recording cannot be compared: {text}")
        self._read_next()

    def _refuse(self, path: Path, why: str, kind: str = "error"):
        self._window.files.message.emit(kind, f"{path.name} is not laid over: {why}.")

    def take_away(self, k: int) -> None:
        """Take the k-th laid-over recording away."""
        del self.compared[k]
        self._show()

    def _show(self):
        window, names = self._window, [name for name, _ in self.compared]
        recording = window.replay.recording
        window.recording.tools.show_compared(names)
        if recording is not None:
            runs = [(self._path.name, recording), *self.compared]
            if max(len(run) for _, run in runs) > OVERVIEW:
                self._thinning.start(lambda _: [RecordingSource(run, name).prepared() for name, run in runs])
            else:
                self._thinning.cancel()
                window.plots.show_recordings([RecordingSource(run, name) for name, run in runs])
        self._show_ghosts()

    def _show_ghosts(self):
        window, replay = self._window, self._window.replay
        if not self.compared or replay.recording is None:
            window.scene.clear_ghosts(self)
            return
        t = replay.recording.t[0] + replay.t
        rows = [run.q[min(max(int(np.searchsorted(run.t, t, side="right")) - 1, 0), len(run) - 1)] for _, run in self.compared]
        colours = [ghost_colour(window.tokens, k) for k in range(len(rows))]
        window.scene.show_ghosts(self, engine.link_poses(window.document.robot, np.array(rows)), colours)

    # Again

    def verify(self) -> None:
        """Simulate the open recording again and compare."""
        recording = self._window.replay.recording
        if recording is not None:
            self._window.recording.tools.show_result("Simulating again…")
            self._runs.start(lambda job: _verified(recording, job))

    def _on_verified(self, result):
        if result.identical:
            text = f"Simulated again, it is the same to the last bit: all numbers of {grouped(result.samples)} samples."
        else:
            t = self._window.replay.recording.t[result.sample]
            text = (
                f"Simulated again, it differs first in sample {result.sample + 1:,} (t = {t:.4g} s):"
                f" {result.column}, by {result.difference:.3g}."
            )
        self._window.recording.tools.show_result(text)


def _verified(recording, job: Job):
    try:
        return engine.verify_recording(recording, None, job.progress, job.cancelled)
    except KeyboardInterrupt:  # the job was given up
        return None


def _loaded(path: Path, job: Job):
    try:
        return engine.load_recording(path, cancelled=job.cancelled)
    except KeyboardInterrupt:  # the job was given up
        return None


def _trimmed(source: Path, target: Path, first: float, last: float, job: Job) -> Path | None:
    try:
        return engine.convert_recording(source, target, True, start=first, end=last, cancelled=job.cancelled)
    except KeyboardInterrupt:  # the job was given up
        return None
