"""The worker's side of a recording: every step while the arm moves, every pose while it is posed, on one time axis."""

from __future__ import annotations

from pathlib import Path

from engine.recording.clock import RecordingClock
from engine.recording.metadata import metadata_of
from engine.recording.writer import RecordingWriter, Report
from engine.simulation.batch import Batch
from engine.simulation.conditions import condition
from engine.simulation.stepper import Stepper


class Recorder:
    """Feeds one `RecordingWriter`; lives on the worker's thread and never waits."""

    def __init__(self, path: str | Path, stepper: Stepper, wall: float, report: Report, overwrite: bool = False):
        metadata = metadata_of(stepper.bare, stepper.dt, stepper.integrator, **stepper.controls.describe())
        self.writer = RecordingWriter(path, stepper.robot, metadata, report, overwrite)
        self.writer.note({"kind": "begin", "wall": wall, **condition(stepper, "begin")})
        self._clock = RecordingClock(wall)

    def note(self, kind: str, stepper: Stepper) -> None:
        """Something was done to the arm that its rows do not tell; `kind` as for `condition`."""
        self.writer.note({"kind": kind, **condition(stepper, kind)})

    def enter_simulation(self, t: float, wall: float) -> None:
        """The arm begins to move by itself at simulated time `t`."""
        self.writer.note({"kind": "enter", "t": t, "wall": wall})
        self._clock.enter_simulation(t, wall)

    def leave_simulation(self, last: Batch | None, t: float, wall: float) -> None:
        """The arm stops at simulated time `t`; `last` is the state it stops in, if that is known."""
        self.writer.note({"kind": "leave", "t": t, "wall": wall, "last": 0 if last is None else len(last.states)})
        if last is not None:
            self.steps(last)
        self._clock.leave_simulation(t, wall)

    def jump(self, before: float, after: float) -> None:
        """Simulated time was set back or forth while the arm moves."""
        self.writer.note({"kind": "jump", "before": before, "after": after})
        self._clock.jump(before, after)

    def steps(self, batch: Batch) -> None:
        """Rows at simulated times."""
        for arm, states in batch.parts():
            rows = states.copy()
            rows[:, 0] = self._clock.simulated(states[:, 0])
            if len(rows):
                self.writer.put(rows, arm=arm)

    def pose(self, state: Batch, held: bool, wall: float) -> None:
        """One row that holds from wall time `wall` on; `held` by motors that carry it, or with what acts on it."""
        self.writer.note({"kind": "pose", "held": held, "wall": wall})
        row = state.states.copy()
        row[:, 0] = self._clock.posed(wall)
        self.writer.put(row, arm=state.arms[0][0])
