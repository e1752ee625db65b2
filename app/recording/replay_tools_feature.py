"""What can be done with an open recording: a part of it saved, others laid over it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtWidgets import QFileDialog

from armature import engine
from armature.app.feature import Feature
from armature.app.plots.feature import PlotsFeature
from armature.app.plots.plot_signals import BESIDE, RecordingSource
from armature.app.recording.feature import RecordingFeature
from armature.app.recording.replay_tools_panel import ghost_colour
from armature.app.scene.arm.ghost_item import GhostLook
from armature.app.state.files import RECORDINGS, with_format
from armature.app.state.jobs import Job, JobRunner
from armature.app.state.severity import Severity
from armature.engine.recording.recording import Recording
from armature.engine.recording.recording_formats import FORMATS
from armature.engine.recording.recording_metadata import import_notes

if TYPE_CHECKING:
    from armature.app.workbench import Workbench

MOST = 3  # recordings over another one: as many as there are kinds of line


class ReplayToolsFeature(Feature):
    """Wires the buttons below the timeline."""

    needs = (RecordingFeature, PlotsFeature)

    def __init__(self, bench: Workbench, recording: RecordingFeature, plots: PlotsFeature):
        self._bench, self._path = bench, Path()
        self._panel, self._dock, self._plots = recording.panel, recording.dock, plots.panel
        self.compared: list[tuple[str, Recording]] = []
        self.marks: list[float] = [0.0, 1.0]  # fractions of the whole
        self._trims, self._thinning = JobRunner("trim", bench.parent), JobRunner("thin", bench.parent)
        self._reading = JobRunner("compare", bench.parent)
        self._wanted: list[Path] = []
        self._files: dict[str, Path] = {}  # of compared recordings, by name

    @property
    def files(self) -> tuple[Path, ...]:
        """Files of the open recording and of the compared ones; empty without an open recording."""
        if self._bench.replay.recording is None:
            return ()
        return self._path, *(self._files[name] for name, _ in self.compared if name in self._files)

    def wire(self) -> None:
        """Wire the panel, the replay, the plots and the view."""
        bench, tools = self._bench, self._panel.tools
        bench.files.recording_opened.connect(self._on_opened)
        bench.replay.replaying_changed.connect(self._on_replaying)
        bench.replay.moved.connect(lambda *_: self._show_ghosts())
        bench.look.changed.connect(lambda _: self._show_ghosts())
        bench.scene.ghosts_dismissed.connect(self._on_dismissed)
        self._dock.visibilityChanged.connect(lambda _: self._show_ghosts())
        acts = {
            "mark_start": lambda: self.mark(0),
            "mark_end": lambda: self.mark(1),
            "trim": self._ask_trim,
            "compare": self._ask_compare,
        }
        tools.requested.connect(lambda name: acts[name]() if name in acts else None)
        tools.remove_requested.connect(self.take_away)
        self._panel.slider.mark_requested.connect(self.mark)
        self._trims.finished.connect(self._on_trimmed)
        self._trims.failed.connect(
            lambda text: bench.files.message_about.emit("part", Severity.ERROR, f"The part was not saved: {text}")
        )
        self._thinning.finished.connect(self._plots.show_recordings)
        self._reading.finished.connect(self._on_read)
        self._reading.failed.connect(self._on_unread)

    def _on_trimmed(self, path: Path | None):
        if path is not None:
            self._bench.files.message_about.emit("part", Severity.INFO, f"Saved {path}")

    def shut_down(self) -> None:
        """End the threads."""
        self._trims.stop()
        self._thinning.stop()
        self._reading.stop()

    def _on_opened(self, recording, path: Path):
        self._path, self.compared, self._wanted = path, [], []
        self._reading.cancel()
        self._set_marks([0.0, 1.0])
        self._show()

    def _on_replaying(self, on: bool):
        if not on:
            self._thinning.cancel()
            self._reading.cancel()
            self.compared, self._wanted = [], []
            self._set_marks([0.0, 1.0])
            self._panel.tools.show_compared([])
            self._plots.show_recordings([])
            self._show_ghosts()

    # A part

    def mark(self, end: int) -> None:
        """Put the start (0) or the end (1) of the part to keep where the replay is."""
        replay = self._bench.replay
        if replay.recording is None or replay.recording.duration <= 0:
            return
        marks = [*self.marks]
        marks[end] = replay.t / replay.recording.duration
        if marks[0] >= marks[1]:  # the other mark makes way
            marks[1 - end] = float(1 - end)
        self._set_marks(marks)

    def _set_marks(self, marks: list[float]):
        self.marks = marks
        self._panel.slider.set_marks(*marks)

    def _ask_trim(self):
        start = self._path.with_name(f"{self._path.stem.removesuffix('.csv')} part{self._path.suffix}")
        kinds = ";;".join(f"{form.title} (*{form.suffix})" for form in FORMATS.values())
        path, kind = QFileDialog.getSaveFileName(self._bench.parent, "Save the part between the marks", str(start), kinds)
        target = with_format(path, kind)
        if target != Path(path) and target.exists():  # the dialog confirmed another name
            self._bench.files.message_about.emit(
                "part", Severity.ERROR, f"The part was not saved: {target} exists; choose another name"
            )
        elif path:
            self.trim(target)

    def trim(self, target: Path) -> None:
        """Save the part between the marks as `target`."""
        recording, source = self._bench.replay.open, self._path
        if target.exists() and target.samefile(source):
            self._bench.files.message_about.emit(
                "part", Severity.ERROR, "The part was not saved: choose a name other than that of the open recording."
            )
            return
        first, last = (float(recording.t[0]) + mark * recording.duration for mark in self.marks)
        self._trims.start(lambda job: _trimmed(source, target, first, last, job))

    # Others over it

    def _ask_compare(self):
        kinds = f"Recordings ({' '.join(f'*{suffix}' for suffix in RECORDINGS)})"
        paths, _ = QFileDialog.getOpenFileNames(self._bench.parent, "Compare with", str(self._path.parent), kinds)
        for path in paths:
            self.lay_over(Path(path))

    def lay_over(self, path: Path) -> None:
        """Lay another recording of the same joints over the open one, once it is read; says why it cannot be."""
        if len(self.compared) + len(self._wanted) >= MOST:
            self._refuse(path, f"at most {MOST} recordings can be compared", Severity.WARNING)
            return
        self._wanted.append(path)
        self._read_next()

    def lay_beside(self, name: str, recording: Recording) -> None:
        """Lay a recording that is in no file over the open one, in place of one of the same name; the first makes room."""
        self.compared = [one for one in self.compared if one[0] != name][-(MOST - 1) :]
        self.compared.append((name, recording))
        self._show()

    def _read_next(self):
        if self._wanted and not self._reading.busy:
            path = self._wanted[0]
            self._reading.start(lambda job: _loaded(path, job))

    def _on_read(self, recording):
        path, robot = self._wanted.pop(0), self._bench.document.robot
        if tuple(recording.joint_names) != tuple(robot.joint_names):
            self._refuse(path, f"its joints ({', '.join(recording.joint_names)}) do not match {robot.name}")
        else:
            self.compared.append((path.name, recording))
            self._files[path.name] = path
            self._bench.banner.settle("compare")
            self._show()
            known = import_notes(recording.metadata)  # the import sheet told them
            for remark in recording.remarks:
                if remark not in known:
                    self._bench.files.message.emit(Severity.WARNING, f"{path.name}: {remark}.")
        self._read_next()

    def _on_unread(self, text: str):
        self._wanted.pop(0)
        self._bench.files.message_about.emit("compare", Severity.ERROR, f"This recording cannot be compared: {text}")
        self._read_next()

    def _refuse(self, path: Path, why: str, severity: Severity = Severity.ERROR):
        self._bench.files.message_about.emit("compare", severity, f"{path.name} cannot be compared: {why}.")

    def take_away(self, k: int) -> None:
        """Take the k-th laid-over recording away."""
        del self.compared[k]
        self._show()

    def _show(self):
        bench, names = self._bench, [name for name, _ in self.compared]
        recording, robot = bench.replay.recording, bench.document.robot
        self._panel.tools.show_compared(names)
        if recording is not None:
            runs = [(self._path.name, recording), *self.compared]
            if max(len(run) for _, run in runs) > BESIDE:
                self._thinning.start(lambda _: [RecordingSource(run, name, robot).prepared() for name, run in runs])
            else:
                self._thinning.cancel()
                self._plots.show_recordings([RecordingSource(run, name, robot) for name, run in runs])
        self._show_ghosts()

    def _show_ghosts(self):
        bench, replay = self._bench, self._bench.replay
        if not self.compared or replay.recording is None or self._dock.isHidden():
            bench.scene.clear_ghosts(self)
            return
        t = replay.recording.t[0] + replay.t
        rows = [run.q[min(max(int(np.searchsorted(run.t, t, side="right")) - 1, 0), len(run) - 1)] for _, run in self.compared]
        colours = [ghost_colour(bench.look.tokens, k) for k in range(len(rows))]
        poses = np.where(np.isfinite(rows), rows, bench.document.q)  # where there is no number, as the arm of the open one
        names = ", ".join(name for name, _ in self.compared)
        X_WL = engine.link_poses(bench.document.robot, poses)
        bench.scene.show_ghosts(self, X_WL, colours, GhostLook.COMPARED, f"Compared: {names}")

    def _on_dismissed(self, owner: object):
        """As if each had been taken away."""
        if owner is self:
            for k in reversed(range(len(self.compared))):
                self.take_away(k)


def _loaded(path: Path, job: Job):
    return engine.load_recording(path, cancelled=job.cancelled)


def _trimmed(source: Path, target: Path, first: float, last: float, job: Job) -> Path:
    return engine.convert_recording(source, target, True, start=first, end=last, cancelled=job.cancelled)
