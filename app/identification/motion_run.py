"""The exciting motion: looked for on a thread, run by the simulated arm, and recorded."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from armature import engine
from armature.app.identification.identify_run import fraction
from armature.app.state.jobs import Job, JobRunner
from armature.app.trajectory.trajectory_model import RunMode, TrajectoryModel
from armature.engine.recording.recording_notes import RecordingEvent

if TYPE_CHECKING:
    from armature.app.trajectory.trajectory_run import TrajectoryRun
    from armature.app.workbench import Workbench
    from armature.engine import Excitation, Robot, Trajectory
    from armature.engine.simulation.simulation_event import Event


@dataclass(frozen=True, eq=False)
class Motion:
    """A motion for a robot, and what it excites."""

    robot: Robot
    trajectory: Trajectory
    excitation: Excitation


class MotionRun(QObject):
    """`found(motion)` once one was made, `recorded(path)` once its run is in a file."""

    found = Signal(object)
    recorded = Signal(object)

    def __init__(self, bench: Workbench, model: TrajectoryModel, run: TrajectoryRun):
        super().__init__(bench.parent)
        self._bench, self._model, self._run = bench, model, run
        self.runner = JobRunner("exciting-motion", bench.parent)
        self.runner.finished.connect(self._on_finished)
        self._trajectory: Trajectory | None = None  # to be recorded
        self._recording = False

    def wire(self) -> None:
        """Follow the run and the recordings."""
        self._run.changed.connect(self._on_run)
        self._run.moved.connect(self._on_moved)
        self._bench.simulation.event_arrived.connect(self._on_event)

    def _on_finished(self, motion: Motion | None) -> None:
        if motion is not None:
            self.found.emit(motion)

    def make(self, robot: Robot, duration: float, harmonics: int) -> None:
        """Look for a motion."""
        self.runner.start(lambda job: made(robot, duration, harmonics, job))

    def start(self, trajectory: Trajectory, record: bool) -> None:
        """Let the arm run it, as it runs a trajectory of that dock."""
        self._trajectory = trajectory if record else None
        self._bench.files.follow_requested.emit(trajectory)

    def _on_run(self) -> None:
        followed = self._model.followed
        if followed is not None and followed.trajectory is self._trajectory and self._model.mode is RunMode.SIMULATED:
            self._recording, self._trajectory = True, None
            self._bench.actions["record"].setChecked(True)
        elif followed is None and self._recording:
            self._bench.actions["record"].setChecked(False)

    def _on_moved(self) -> None:
        if self._recording and self._run.arrived:
            self._bench.simulation.pause()

    def _on_event(self, event: Event) -> None:
        if self._recording and event.kind is RecordingEvent.STOPPED and isinstance(event.path, Path):
            self._recording = False
            self.recorded.emit(event.path)
        elif event.kind is RecordingEvent.FAILED:
            self._recording = False


def made(robot: Robot, duration: float, harmonics: int, job: Job) -> Motion:
    """Return an excitation trajectory of a robot; raises Cancelled."""
    trajectory = engine.exciting_trajectory(robot, duration=duration, harmonics=harmonics, progress=fraction(job))
    return Motion(robot, trajectory, engine.excitation(robot, trajectory))
