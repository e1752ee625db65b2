"""`RecordedDynamics`: torque terms and energies of a recording's samples, under the recorded external conditions."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from armature.engine.dynamics.friction import friction_torque
from armature.engine.errors import EngineError, RecordingError, RerunError
from armature.engine.model.payload import Payload
from armature.engine.model.robot import Robot
from armature.engine.recording.recording import Recording
from armature.engine.recording.recording_metadata import EXCERPT
from armature.engine.simulation.commands import NoteKind, SetPayload
from armature.engine.simulation.energy_ledger import Ledger, mechanical_energy
from armature.engine.simulation.floor_watch import acting
from armature.engine.simulation.pull import Pull
from armature.engine.simulation.recorded_code import NoRecordedCode
from armature.engine.simulation.recorded_conditions import NOT_WHOLE, not_whole, restore
from armature.engine.simulation.runs.resimulate import initial_stepper
from armature.engine.simulation.snapshot import Snapshot, snapshot_of
from armature.engine.simulation.step_batch import StepBatch
from armature.engine.simulation.stepper import Stepper
from armature.engine.simulation.stepping.step_drive import FORCE

_ROWS = 1 << 15  # in one block
_STATUS = {"real_time_factor": 0.0, "running": False, "speed": 1.0, "recording": None, "rows": 0}


@dataclass(frozen=True, eq=False)
class RecordedPart:
    """External conditions from sample `first` on: `bare` arm, `robot` with its `payload`, `pull`.

    `moving`: by itself, else held. `brought`: energy added by payloads and other parameters since sample `began`, where the arm
    was placed, J.
    """

    first: int
    bare: Robot
    robot: Robot
    payload: Payload | None
    pull: Pull | None
    moving: bool
    began: int
    brought: float


class RecordedDynamics:
    """Torque terms and energies of samples.

    `doubt`: why the external conditions are unknown, then the robot file is used; empty if they are known.

    Args:
        recording: of `robot`, an arm with masses.
        robot: the robot of the file.
        cancelled: called repeatedly; if it returns True, the computation ends early, and the result is invalid.
    """

    def __init__(self, recording: Recording, robot: Robot, cancelled: Callable[[], bool] = lambda: False):
        self.recording, self.doubt = recording, ""
        try:
            walk = _Walk(recording, robot)
            self._parts, breaks = walk.parts, walk.breaks
        except (EngineError, *NOT_WHOLE) as error:
            self._parts, breaks = [RecordedPart(0, robot, robot, None, None, True, 0, 0.0)], []
            if isinstance(error, RerunError):
                self.doubt = error.reason
            else:
                self.doubt = str(error) if isinstance(error, EngineError) else not_whole(error)
        self._firsts = [part.first for part in self._parts]
        self._pulled = any(part.pull is not None for part in self._parts)
        self._work = np.zeros((len(recording), 2))
        self._stepper: Stepper | None = None
        self._add_up(breaks, cancelled)

    def part(self, row: int) -> RecordedPart:
        """Return the external conditions at a sample."""
        return self._parts[max(0, bisect_right(self._firsts, row) - 1)]

    def snapshot(self, row: int) -> Snapshot | None:
        """Return a sample as a snapshot of a simulation; unknown works in its ledger are NaN.

        None for a sample with NaN in q, qd, qdd or tau.
        """
        part, rec = self.part(row), self.recording
        if not all(np.isfinite(values[row]).all() for values in rec.joint_groups.values()):
            return None
        stepper = self._arm(part)
        stepper.q[:], stepper.qd[:] = rec.q[row], rec.qd[row]
        side = np.zeros((1, FORCE)) if part.pull is None else stepper.sample().side
        state = np.concatenate([[rec.t[row]], rec.q[row], rec.qd[row], rec.qdd[row], rec.tau[row]])[None]
        shown = snapshot_of(stepper, StepBatch(state, side=side), part.moving, **_STATUS)
        return replace(shown, ledger=self._ledger(row, part, shown))

    def _arm(self, part: RecordedPart) -> Stepper:
        """Return a stepper under the external conditions."""
        stepper = self._stepper
        if stepper is None or stepper.bare is not part.bare:
            stepper = self._stepper = Stepper(part.bare, np.zeros(part.bare.n))
        if stepper.payload is not part.payload:
            stepper.apply(SetPayload(part.payload))
        stepper.set_pull(part.pull)
        return stepper

    def _ledger(self, row: int, part: RecordedPart, shown: Snapshot) -> Ledger:
        rec, began = self.recording, part.began
        known = np.isfinite(rec.q[began]).all() and np.isfinite(rec.qd[began]).all()
        start = mechanical_energy(self.part(began).robot, rec.q[began], rec.qd[began]) if known else np.nan
        motor, friction = (self._work[row] - self._work[began]).tolist()
        hand = np.nan if self._pulled else 0.0
        return Ledger(shown.kinetic, shown.potential, start, motor, friction, hand, np.nan, part.brought)

    def _add_up(self, breaks: list[int], cancelled: Callable[[], bool]) -> None:
        """Sum the works of motors and friction up to every sample; NaN after a sample with NaN.

        Between a sample and the one after a break there is no work. The torque is constant during a step, so the work of the
        motors is Σ tau_k (q_k+1 − q_k); that of friction follows the trapezoidal rule.
        """
        rec, total, lost = self.recording, np.zeros(2), 0.0
        counts = np.ones(len(rec))
        counts[[0, *(row for row in breaks if row < len(rec))]] = 0.0
        arms = [part for last, part in zip([None, *self._parts], self._parts) if last is None or part.robot is not last.robot]
        for part, end in zip(arms, [*(part.first for part in arms[1:]), len(rec)], strict=True):
            for first in range(part.first, end, _ROWS):
                if cancelled():
                    return
                rows, before = slice(first, min(end, first + _ROWS)), max(first - 1, 0)
                qd = np.ascontiguousarray(rec.qd[rows])
                lost_torque = friction_torque(part.robot, np.where(np.isfinite(qd), qd, 0.0))
                power = np.einsum("ij,ij->i", lost_torque, qd)
                loss = 0.5 * np.diff(rec.t[rows], prepend=rec.t[before]) * (power + np.concatenate([[lost], power[:-1]]))
                steps = np.diff(rec.q[rows], axis=0, prepend=rec.q[before : before + 1])
                done = np.einsum("ij,ij->i", rec.tau[_before(rows)], steps)
                self._work[rows] = total + np.cumsum(counts[rows, None] * np.column_stack([done, -loss]), axis=0)
                lost, total = power[-1], self._work[rows][-1]


def _before(rows: slice) -> np.ndarray:
    """Return the indices of the samples before `rows`; 0 before the first."""
    return np.maximum(np.arange(rows.start, rows.stop) - 1, 0)


def recorded_arms(recording: Recording, robot: Robot) -> list[tuple[int, Robot]]:
    """Return pairs of a sample and the arm from there on, with its payload, gravity and friction; `robot` if unknown."""
    try:
        return [(part.first, part.robot) for part in _Walk(recording, robot).parts]
    except (EngineError, *NOT_WHOLE):
        return [(0, robot)]


class _Walk:
    """Applies the events of a recording in order, without taking a step."""

    def __init__(self, recording: Recording, robot: Robot):
        self._recording, self.parts = recording, list[RecordedPart]()
        excerpt = bool(recording.metadata.get(EXCERPT))
        if excerpt:
            recording = replace(recording, metadata={**recording.metadata, EXCERPT: None})
        self._file, self._stepper = initial_stepper(recording, robot, NoRecordedCode())
        self._row = self._began = 0
        self._brought = 0.0
        self.breaks: list[int] = []
        events = acting(recording.metadata["events"])
        live = bool(events) and events[0]["kind"] == NoteKind.BEGIN
        if excerpt:
            self._excerpt(events)
            return
        self._running = not live
        for event in events:
            self._advance(event["row"])
            self._carry_out(event)
        self._advance(len(recording))
        if not self.parts:
            self._begin_part(True)

    def _excerpt(self, events: list[Mapping[str, Any]]) -> None:
        """Begin the only part of an excerpt, to whose samples events do not refer; RecordingError if there were changes."""
        stepper = self._stepper
        if events and events[0]["kind"] == NoteKind.BEGIN:
            restore(stepper, self._file, events[0], NoRecordedCode())
        changed = any(event["kind"] in (NoteKind.MODEL, NoteKind.PAYLOAD, NoteKind.PULL, NoteKind.TRAJECTORY) for event in events)
        if changed or stepper.pull is not None or stepper.control.handles_payload:
            raise RecordingError("the recording is a part of a longer one, in which the external conditions change")
        self._begin_part(True)

    def _advance(self, row: int) -> None:
        """Advance to a sample; the trajectory may grasp and release before it."""
        stepper = self._stepper
        if not self._row <= row <= len(self._recording):
            raise RecordingError("its events and samples do not match")
        while self._running and self._row < row:
            stepper.handle_payload()
            self._begin_part(True)
            steps = min(row - self._row, stepper.control.steps_until_change(stepper.clock.driven, stepper.dt))
            stepper.clock.advance(steps)
            self._row += steps

    def _carry_out(self, event: Mapping[str, Any]) -> None:
        kind = event["kind"]
        if kind in (NoteKind.ENTER, NoteKind.JUMP, NoteKind.POSE, NoteKind.STATE, NoteKind.RESET):
            self.breaks.append(self._row)
        if kind == NoteKind.ENTER:
            self._running = True
        elif kind == NoteKind.LEAVE:
            self._running = False
            if event["last"]:
                self._begin_part(True)
                self._row += 1
        elif kind == NoteKind.POSE:
            self._begin_part(not event["held"])
            self._row += 1
        elif kind != NoteKind.JUMP:
            restore(self._stepper, self._file, event, NoRecordedCode())
            if kind in (NoteKind.STATE, NoteKind.RESET):
                self._began, self._brought = self._row, 0.0

    def _begin_part(self, moving: bool) -> None:
        """Begin a part at the present sample, unless the external conditions are unchanged."""
        stepper, row = self._stepper, self._row
        last = self.parts[-1] if self.parts else None
        if last is not None and last.began == self._began and last.robot is not stepper.robot:
            q, qd = self._recording.q[row], self._recording.qd[row]
            self._brought += mechanical_energy(stepper.robot, q, qd) - mechanical_energy(last.robot, q, qd)
        facts = (stepper.bare, stepper.robot, stepper.payload, stepper.pull, moving, self._began, self._brought)
        if last is None or facts != (last.bare, last.robot, last.payload, last.pull, last.moving, last.began, last.brought):
            self.parts.append(RecordedPart(row, *facts))
