"""The worker's side of a recording: every step while the arm moves, every pose while it is posed, on one time axis."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from engine.recording.clock import RecordingClock
from engine.recording.metadata import metadata_of
from engine.recording.writer import RecordingWriter, Report
from engine.simulation.stepper import Stepper


class Recorder:
    """Feeds one `RecordingWriter`; lives on the worker's thread and never waits."""

    def __init__(self, path: str | Path, stepper: Stepper, wall: float, report: Report, overwrite: bool = False):
        metadata = metadata_of(stepper.robot, stepper.dt, stepper.integrator, **stepper.controls.describe())
        self.writer = RecordingWriter(path, stepper.robot, metadata, report, overwrite)
        self._clock = RecordingClock(wall)

    def enter_simulation(self, t: float, wall: float) -> None:
        """The arm begins to move by itself at simulated time `t`."""
        self._clock.enter_simulation(t, wall)

    def leave_simulation(self, last: np.ndarray, t: float, wall: float) -> None:
        """The arm stops at simulated time `t`; `last` `(0 or 1, 1 + 4n)` is the state it stops in."""
        self.steps(last)
        self._clock.leave_simulation(t, wall)

    def jump(self, before: float, after: float) -> None:
        """Simulated time was set back or forth while the arm moves."""
        self._clock.jump(before, after)

    def steps(self, states: np.ndarray) -> None:
        """Rows at simulated times."""
        rows = states.copy()
        rows[:, 0] = self._clock.simulated(states[:, 0])
        if len(rows):
            self.writer.put(rows)

    def pose(self, state: np.ndarray, wall: float) -> None:
        """One row `(1, 1 + 4n)` that holds from wall time `wall` on."""
        row = state.copy()
        row[:, 0] = self._clock.posed(wall)
        self.writer.put(row)
