"""The dynamics of a replay: its samples as snapshots, reckoned with what acted on the arm when they were recorded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from armature.app.state.jobs import JobRunner

if TYPE_CHECKING:
    from armature.app.workbench import Workbench
    from armature.engine.simulation.runs.recorded_dynamics import RecordedDynamics, RecordedPart
    from armature.engine.simulation.snapshot import Snapshot

DOUBT = "Torques and energies are computed with the open robot, because the recorded conditions cannot be restored: {}."


class ReplayDynamics(QObject):
    """`changed` tells of another sample, or that there is none any more; `told(text)` what the numbers rest on, "" for facts."""

    changed = Signal()
    told = Signal(str)

    def __init__(self, bench: Workbench):
        super().__init__(bench.parent)
        self._bench, self._row = bench, -1
        self._dynamics: RecordedDynamics | None = None
        self._snapshot: Snapshot | None = None
        self._runner = JobRunner("replay-dynamics", bench.parent)
        self._runner.finished.connect(self._on_ready)
        bench.files.recording_opened.connect(self._on_opened)
        bench.replay.replaying_changed.connect(self._on_replaying)
        bench.replay.moved.connect(self._on_moved)

    def stop(self) -> None:
        """End the thread."""
        self._runner.stop()

    @property
    def snapshot(self) -> Snapshot | None:
        """The sample that is shown as a `Snapshot`, None until it can be told and where it is `unknown`."""
        replay, dynamics = self._bench.replay, self._of_the_open_one
        if dynamics is None:
            return None
        if replay.row != self._row:
            self._row, self._snapshot = replay.row, dynamics.snapshot(replay.row)
        return self._snapshot

    @property
    def unknown(self) -> bool:
        """Whether the sample that is shown holds what is not a number, so that nothing follows from it."""
        return self._of_the_open_one is not None and self.snapshot is None

    @property
    def _of_the_open_one(self) -> RecordedDynamics | None:
        """What is reckoned, where it is of the recording that is open."""
        dynamics = self._dynamics
        return dynamics if dynamics is not None and self._bench.replay.recording is dynamics.recording else None

    @property
    def part(self) -> RecordedPart | None:
        """What acted on the arm at the sample that is shown."""
        return None if self._dynamics is None else self._dynamics.part(self._bench.replay.row)

    def _on_moved(self, *_) -> None:
        if self._dynamics is not None:
            self.changed.emit()

    def _on_opened(self, recording, _path) -> None:
        from armature.engine.simulation.runs.recorded_dynamics import (
            RecordedDynamics,  # numba: not before the window is on screen
        )

        self._runner.cancel()
        self._dynamics, self._row = None, -1
        robot = self._bench.document.robot
        if robot.has_dynamics:
            self._runner.start(lambda job: RecordedDynamics(recording, robot, job.cancelled))

    def _on_ready(self, dynamics: RecordedDynamics) -> None:
        self._dynamics = dynamics
        self.told.emit(DOUBT.format(dynamics.doubt) if dynamics.doubt else "")
        self.changed.emit()

    def _on_replaying(self, on: bool) -> None:
        if not on:
            self._runner.cancel()
            self._dynamics, self._snapshot = None, None
            self.told.emit("")
            self.changed.emit()
