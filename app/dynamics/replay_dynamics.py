"""The dynamics of a replay: its samples as snapshots, reckoned with what acted on the arm when they were recorded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.state.jobs import JobRunner

if TYPE_CHECKING:
    from app.workbench import Workbench

DOUBT = "Reckoned with the open robot, for {}."


class ReplayDynamics(QObject):
    """`changed` tells of another sample, or that there is none any more; `told(text)` what the numbers rest on, "" for facts."""

    changed = Signal()
    told = Signal(str)

    def __init__(self, bench: Workbench):
        super().__init__(bench.parent)
        self._bench, self._dynamics, self._row, self._snapshot = bench, None, -1, None
        self._runner = JobRunner("replay-dynamics", bench.parent)
        self._runner.finished.connect(self._on_ready)
        bench.files.recording_opened.connect(self._on_opened)
        bench.replay.replaying_changed.connect(self._on_replaying)
        bench.replay.moved.connect(lambda *_: self._dynamics and self.changed.emit())

    def stop(self) -> None:
        """End the thread."""
        self._runner.stop()

    @property
    def snapshot(self):
        """The sample that is shown as a `Snapshot`, None until it can be told and where it is `unknown`."""
        replay = self._bench.replay
        if not self._ready:
            return None
        if replay.row != self._row:
            self._row, self._snapshot = replay.row, self._dynamics.snapshot(replay.row)
        return self._snapshot

    @property
    def unknown(self) -> bool:
        """Whether the sample that is shown holds what is not a number, so that nothing follows from it."""
        return self._ready and self.snapshot is None

    @property
    def _ready(self) -> bool:
        return self._dynamics is not None and self._bench.replay.recording is self._dynamics.recording

    @property
    def part(self):
        """What acted on the arm at the sample that is shown."""
        return self._dynamics.part(self._bench.replay.row)

    def _on_opened(self, recording, _path) -> None:
        from engine.simulation.runs.recorded_dynamics import RecordedDynamics  # numba: not before the window is on screen

        self._runner.cancel()
        self._dynamics, self._row = None, -1
        robot = self._bench.document.robot
        if robot.has_dynamics:
            self._runner.start(lambda job: RecordedDynamics(recording, robot, job.cancelled))

    def _on_ready(self, dynamics) -> None:
        self._dynamics = dynamics
        self.told.emit(DOUBT.format(dynamics.doubt) if dynamics.doubt else "")
        self.changed.emit()

    def _on_replaying(self, on: bool) -> None:
        if not on:
            self._runner.cancel()
            self._dynamics, self._snapshot = None, None
            self.told.emit("")
            self.changed.emit()
