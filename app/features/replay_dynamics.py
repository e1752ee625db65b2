"""The dynamics of a replay: its samples as snapshots, reckoned with what acted on the arm when they were recorded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.jobs import JobRunner

if TYPE_CHECKING:
    from app.main_window import MainWindow

DOUBT = "Reckoned with the open robot, for {}."


class ReplayDynamics(QObject):
    """`changed` tells of another sample, or that there is none any more; `told(text)` what the numbers rest on, "" for facts."""

    changed = Signal()
    told = Signal(str)

    def __init__(self, window: MainWindow):
        super().__init__(window)
        self._window, self._dynamics, self._row, self._snapshot = window, None, -1, None
        self._runner = JobRunner("replay-dynamics", window)
        self._runner.finished.connect(self._on_ready)
        window.files.recording_opened.connect(self._on_opened)
        window.recordings.replaying_changed.connect(self._on_replaying)
        window.replay.moved.connect(lambda *_: self._dynamics and self.changed.emit())

    def stop(self) -> None:
        """End the thread."""
        self._runner.stop()

    @property
    def snapshot(self):
        """The sample that is shown as a `Snapshot`, None until it can be told."""
        replay = self._window.replay
        if self._dynamics is None or replay.recording is not self._dynamics.recording:
            return None
        if replay.row != self._row:
            self._row, self._snapshot = replay.row, self._dynamics.snapshot(replay.row)
        return self._snapshot

    @property
    def part(self):
        """What acted on the arm at the sample that is shown."""
        return self._dynamics.part(self._window.replay.row)

    def _on_opened(self, recording, _path) -> None:
        from engine.simulation.recorded_dynamics import RecordedDynamics  # numba: not before the window is on screen

        self._dynamics, self._row = None, -1
        robot = self._window.document.robot
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
