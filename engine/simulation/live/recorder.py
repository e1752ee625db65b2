"""The worker's side of a recording: every step while the arm moves, every pose while it is posed, on one time axis."""

from __future__ import annotations

from pathlib import Path

from engine.recording.clock import RecordingClock
from engine.recording.metadata import metadata_of
from engine.recording.report import Report
from engine.recording.writer import RecordingWriter
from engine.simulation.batch import Batch
from engine.simulation.conditions import condition
from engine.simulation.note_kind import NoteKind
from engine.simulation.stepper import Stepper


class Recorder:
    """Feeds one `RecordingWriter`; lives on the worker's thread and never waits."""

    def __init__(self, path: str | Path, stepper: Stepper, wall: float, report: Report, overwrite: bool = False):
        metadata = metadata_of(stepper.bare, stepper.dt, stepper.integrator, **stepper.controls.describe())
        self.writer = RecordingWriter(path, stepper.robot, metadata, report, overwrite)
        self.writer.note({"kind": NoteKind.BEGIN.value, "wall": wall, **condition(stepper, NoteKind.BEGIN)})
        self._clock = RecordingClock(wall)
        self._began = wall
        self._opening: tuple[Batch, bool] | None = None  # the pose it begins in, as for `pose`: no row where a run begins there

    def note(self, kind: NoteKind, stepper: Stepper) -> None:
        """Something was done to the arm that its rows do not tell; `kind` as for `condition`."""
        if kind in (NoteKind.STATE, NoteKind.RESET):
            self._keep_opening()
        self.writer.note({"kind": kind.value, **condition(stepper, kind)})
        if self._opening is not None:
            held = self._opening[1]
            self._opening = stepper.at_rest() if held else stepper.probe(), held

    def enter_simulation(self, t: float, wall: float) -> None:
        """The arm begins to move by itself at simulated time `t`; the first time at once: the wait for it is not recorded."""
        wall, self._opening = wall if self._opening is None else self._began, None
        self.writer.note({"kind": NoteKind.ENTER.value, "t": t, "wall": wall})
        self._clock.enter_simulation(t, wall)

    def leave_simulation(self, last: Batch | None, t: float, wall: float) -> None:
        """The arm stops at simulated time `t`; `last` is the state it stops in, if that is known."""
        self.writer.note({"kind": NoteKind.LEAVE.value, "t": t, "wall": wall, "last": 0 if last is None else len(last.states)})
        if last is not None:
            self.steps(last)
        self._clock.leave_simulation(t, wall)

    def jump(self, before: float, after: float) -> None:
        """Simulated time was set back or forth while the arm moves."""
        self.writer.note({"kind": NoteKind.JUMP.value, "before": before, "after": after})
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
        self._keep_opening()
        if wall == self._began:
            self._opening = state, held
        else:
            self._keep_pose(state, held, wall)

    def close(self) -> None:
        """Nothing more comes; the file is finished meanwhile."""
        self._keep_opening()
        self.writer.close()

    def _keep_opening(self) -> None:
        opening, self._opening = self._opening, None
        if opening is not None:
            self._keep_pose(*opening, self._began)

    def _keep_pose(self, state: Batch, held: bool, wall: float) -> None:
        self.writer.note({"kind": NoteKind.POSE.value, "held": held, "wall": wall})
        row = state.states.copy()
        row[:, 0] = self._clock.posed(wall)
        self.writer.put(row, arm=state.arms[0][0])
