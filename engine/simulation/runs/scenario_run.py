"""`ScenarioRun`: one run of a scenario, from its start to its recording and outcome."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from armature.engine.contact.arm_contacts import cell_contacts
from armature.engine.contact.cell import Cell
from armature.engine.control.controller import Controller
from armature.engine.errors import Cancelled, DivergenceError, EngineError, RecordingError
from armature.engine.model.frozen import Frozen
from armature.engine.model.read_only import read_only
from armature.engine.model.robot import Robot
from armature.engine.recording.derived_columns import Completer
from armature.engine.recording.recording_columns import Layout, column_names
from armature.engine.recording.recording_files import PartFile
from armature.engine.recording.recording_metadata import metadata_of
from armature.engine.simulation.commands import SetCell, SetController, SetSensors, SetTrajectory
from armature.engine.simulation.contact_stop import RunContact
from armature.engine.simulation.floor_watch import FloorContact, FloorWatch, contact_notes
from armature.engine.simulation.gain_stability import spread
from armature.engine.simulation.recording_feed import RecordingFeed
from armature.engine.simulation.run_clearance import Clearance, RunClearance, contact_texts
from armature.engine.simulation.run_loop import Change, Schedule, run
from armature.engine.simulation.sensors.sensors import Sensors
from armature.engine.simulation.simulation_arguments import law_for_run, period_remark, start_remark, steps_in
from armature.engine.simulation.step_batch import StepBatch
from armature.engine.simulation.stepper import Stepper
from armature.engine.trajectory.trajectory import Trajectory

_BATCH = 1000  # steps between two calls of `go_on`


@dataclass(frozen=True, eq=False)
class RunOutcome:
    """Result of a run: `q`, `qd` `(n,)` at its end, rad or m (per s), after `steps` to time `t`, s.

    `peak_tau` `(n,)`: largest |tau| of each joint, N·m or N. `tracking`: tracking error over the trajectory, None without one.
    `contacts`: number with the floor. `clearance`: smallest clearance and first contact, None without a cell. `digest`: SHA-256
    of t, q, qd, qdd, tau of every step as little-endian doubles.
    """

    joints: tuple[str, ...]
    steps: int
    t: float
    q: np.ndarray
    qd: np.ndarray
    peak_tau: np.ndarray
    tracking: Tracking | None
    contacts: int
    clearance: Clearance | None
    remarks: tuple[str, ...]
    digest: str

    def sentence(self, record: Path | None) -> str:
        """Return the result in one line."""
        done = f"{self.steps:,} steps" if record is None else f"{self.steps + 1:,} samples in {record}"
        return "; ".join((f"{done}, ends at q ({', '.join(f'{x:.5f}' for x in self.q)})", *self.remarks))


class Tracking(NamedTuple):
    """RMS of |q − q_d| over the `revolute` joints in rad and over the `prismatic` joints in m, None without such joints."""

    revolute: float | None
    prismatic: float | None

    def __str__(self) -> str:
        parts = zip(self, ("mrad", "mm"), strict=True)
        return ", ".join(f"{1e3 * error:.3g} {unit} RMS" for error, unit in parts if error is not None)


class TrackingError:
    """RMS of |q − q_d|, per round of a trajectory that loops; each norm is that over the joints of one type."""

    def __init__(self, trajectory: Trajectory, prismatic: np.ndarray):
        self._trajectory, self._types = trajectory, (~prismatic, prismatic)
        self._sums: dict[int, np.ndarray] = {}  # squares by type, and number of states

    def add(self, states: np.ndarray) -> None:
        """Add states, rows t, q, … of a run that begins at time 0."""
        trajectory, t = self._trajectory, states[:, 0]
        squares = (states[:, 1 : trajectory.n + 1] - trajectory.sample(t)[0]) ** 2
        off = np.column_stack([*(squares[:, joints].sum(axis=1) for joints in self._types), np.ones(len(t))])
        rounds = (t // trajectory.duration).astype(int) if trajectory.loops else np.zeros(len(t), int)
        for k in np.unique(rounds):
            self._sums[int(k)] = self._sums.get(int(k), np.zeros(3)) + off[rounds == k].sum(axis=0)

    @property
    def rounds(self) -> list[Tracking]:
        """Tracking error of each round."""
        return [self._of(total) for total in self._sums.values() if total[2] > 1]  # the last sample may begin another round

    @property
    def whole(self) -> Tracking:
        """Tracking error of all states; 0 without states."""
        return self._of(sum(self._sums.values(), np.zeros(3)))

    def _of(self, total: np.ndarray) -> Tracking:
        errors = np.sqrt(total[:2] / max(total[2], 1.0))
        return Tracking(*(float(x) if joints.any() else None for x, joints in zip(errors, self._types, strict=True)))

    def sentence(self, changes: Sequence[float] = ()) -> str:
        """Return the error of every round in one line, with | where the arm changed."""
        if not self._trajectory.loops:
            return f"tracking error {self.whole}"
        marks, parts = {int(t // self._trajectory.duration) for t in changes}, []
        for errors, unit in zip(zip(*self.rounds, strict=True), ("mrad", "mm"), strict=False):
            shown = [f"{'| ' if k in marks else ''}{1e3 * x:.3g}" for k, x in enumerate(errors) if x is not None]
            parts += [f"{' '.join(shown)} {unit} RMS"] if shown else []
        return f"tracking error by round: {', '.join(parts)}"


@dataclass(frozen=True, eq=False)
class ScenarioRun(Frozen):
    """One run, recorded to `record` if given.

    `model`: the controller's model of the arm, None for `robot`; `seed`: of the random start. `stop_at_contact`: end the run at
    the first contact of the arm with itself, its floor or the objects of the cell.
    """

    name: str
    robot: Robot
    q0: np.ndarray
    qd0: np.ndarray | None
    duration: float
    dt: float = 1e-3
    integrator: str = "rk4"
    controller: Controller | Callable[..., Any] | None = None
    model: Robot | None = None
    knows_payload: bool = True
    trajectory: Trajectory | None = None
    sensors: Sensors | None = None
    seed: int | None = None
    record: Path | None = None
    changes: tuple[Change, ...] = ()
    cell: Cell | None = None
    stop_at_contact: bool = False

    def __post_init__(self):
        object.__setattr__(self, "q0", read_only(self.q0))
        object.__setattr__(self, "qd0", None if self.qd0 is None else read_only(self.qd0))

    def stepper(self) -> Stepper:
        """Return the arm at the start; raises EngineError for values that do not fit together."""
        stepper = Stepper(self.robot, self.q0, self.qd0, self.dt, self.integrator)
        stepper.apply(SetSensors(self.sensors))
        law = law_for_run(self.controller, self.duration, self.dt)
        stepper.apply(SetController(law, self.model, self.knows_payload))
        stepper.apply(SetTrajectory(self.trajectory))
        stepper.apply(SetCell(self.cell, cell_contacts(self.robot, self.cell) if self.stop_at_contact else None))
        steps_in(self.duration, stepper.dt)
        return stepper

    def perform(self, overwrite: bool, go_on: Callable[[float], bool]) -> RunOutcome:
        """Simulate and record, in bounded memory.

        Args:
            overwrite: replace an existing recording.
            go_on: called with the completed share, 0 to 1; False cancels the run and discards its recording.

        Raises:
            DivergenceError after recording the states before it; RecordingError, with the written samples in the `.part`;
            Cancelled: `go_on` returned False.
        """
        stepper = self.stepper()
        steps = steps_in(self.duration, stepper.dt)
        metadata = metadata_of(self.robot, self.dt, self.integrator, stepper.describe(), self.seed)
        part = None
        if self.record is not None:
            part = PartFile(
                self.record.absolute(), column_names(self.robot.joint_names, self.sensors is not None), metadata, overwrite
            )
        result = _Statistics(self)
        try:
            self._simulate(result, stepper, steps, part, go_on)
        except BaseException as stopped:
            if part is not None:
                self._close(part, stopped)
            raise
        if part is not None:
            part.finish(lambda: False)
        return result.outcome(stepper)

    def _simulate(
        self, result: _Statistics, stepper: Stepper, steps: int, file: PartFile | None, go_on: Callable[[float], bool]
    ) -> None:
        """Take all steps, and record them into `file`."""
        floor, schedule, row, noted = FloorWatch(self.robot), Schedule(self.changes, self.dt), 0, 0
        completer, feed = Completer(self.robot), None
        if file is not None:
            feed = RecordingFeed(
                lambda states, arm: file.rows(completer.complete(states, arm)),
                lambda event: file.note({"row": row, **event}),
                self.sensors is not None,
            )

        def add_contacts(ended: list[FloorContact]) -> None:
            result.contacts.extend(ended)
            if file is not None:
                for event in contact_notes(ended, stepper.dt):
                    file.note(event)

        try:
            for batch in run(stepper, steps, _BATCH, schedule=schedule):
                if file is not None and feed is not None:
                    for event in schedule.notes[noted:]:
                        file.note(event)
                    noted = len(schedule.notes)
                    feed.steps(batch)
                    file.flush()
                row += len(batch.states)
                result.add(batch)
                if file is not None and batch.contact is not None:
                    file.note({"row": row, **batch.contact.note()})
                add_contacts(floor.look(batch.states)[1])
                if batch.divergence is None and not go_on(stepper.steps / steps):
                    raise Cancelled
        except DivergenceError:
            add_contacts(floor.restart())
            raise
        add_contacts(floor.restart())
        if feed is not None:
            feed.close()

    @staticmethod
    def _close(part: PartFile, stopped: BaseException) -> None:
        """Complete the file of a run that diverged, leave what the disk refused as `.part`, discard a cancelled run."""
        if isinstance(stopped, RecordingError):
            part.close()
        elif isinstance(stopped, EngineError):
            part.finish(lambda: False)
        else:
            part.discard()


class _Statistics:
    """Statistics of a run, batch by batch."""

    def __init__(self, run: ScenarioRun):
        self._run, self._digest, self._peak_tau = run, hashlib.sha256(), np.zeros(run.robot.n)
        self._tau = Layout(run.robot.n).group("tau")
        follows = run.trajectory is not None and run.controller is not None
        self._tracking = TrackingError(run.trajectory, run.robot.prismatic) if follows and run.trajectory is not None else None
        self.contacts: list[FloorContact] = []
        self._clearance = None if run.cell is None else RunClearance(cell_contacts(run.robot, run.cell))
        self._stop: RunContact | None = None
        self._poses: list[np.ndarray] = []  # a few of the run

    def add(self, batch: StepBatch) -> None:
        """Add steps."""
        states, self._stop = batch.states, batch.contact or self._stop
        if self._clearance is not None:
            self._clearance.add(states)
        self._digest.update(np.ascontiguousarray(states, dtype="<f8").tobytes())
        self._peak_tau = np.maximum(self._peak_tau, np.abs(states[:, self._tau]).max(axis=0, initial=0.0))
        self._poses.append(states[:1, 1 : self._run.robot.n + 1])
        if self._tracking is not None:
            self._tracking.add(states)

    def outcome(self, stepper: Stepper) -> RunOutcome:
        """Return the outcome of the finished run."""
        run, tracking = self._run, self._tracking
        tracked = "" if tracking is None else tracking.sentence([t for t, _ in run.changes])
        gains = stepper.unstable_gains(spread(np.concatenate(self._poses)))
        started = start_remark(run.robot, run.q0), period_remark(stepper.control.controller, stepper.dt)
        found = None if self._clearance is None else self._clearance.result
        remarks = (
            tracked,
            *contact_texts(self._stop, found),
            _touched(self.contacts) if found is None else "",
            *started,
            "" if gains is None else gains.text,
        )
        return RunOutcome(
            joints=run.robot.joint_names,
            steps=stepper.steps,
            t=stepper.t,
            q=stepper.q.copy(),
            qd=stepper.qd.copy(),
            peak_tau=self._peak_tau,
            tracking=None if tracking is None else tracking.whole,
            contacts=len(self.contacts),
            clearance=found,
            remarks=tuple(filter(None, remarks)),
            digest=self._digest.hexdigest(),
        )


def _touched(contacts: list[FloorContact]) -> str:
    """Return the remark on contacts with the floor."""
    if not contacts:
        return ""
    more = f" and {len(contacts) - 1:,} more" if len(contacts) > 1 else ""
    return f"passed through the floor: {min(contacts, key=lambda contact: contact.t).end_event().text}{more}"
