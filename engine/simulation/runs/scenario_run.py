"""`ScenarioRun`: one run of a scenario as a whole, from its start to its recording."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from armature.engine.control.controller import Controller
from armature.engine.errors import Cancelled, EngineError, RecordingError
from armature.engine.model.frozen import Frozen
from armature.engine.model.read_only import read_only
from armature.engine.model.robot import Robot
from armature.engine.recording.derived_columns import Completer
from armature.engine.recording.recording_columns import Layout, column_names
from armature.engine.recording.recording_files import PartFile
from armature.engine.recording.recording_metadata import metadata_of
from armature.engine.recording.recording_notes import LoggedRows
from armature.engine.simulation.floor_watch import Contact, FloorWatch, contact_notes
from armature.engine.simulation.gain_stability import spread
from armature.engine.simulation.runs.arm_changes import ArmChanges, Change
from armature.engine.simulation.runs.run_outcome import RunOutcome
from armature.engine.simulation.runs.simulate import batches, settled, steps_in
from armature.engine.simulation.runs.tracking_error import TrackingError
from armature.engine.simulation.sensors.sensors import Sensors
from armature.engine.simulation.simulation_arguments import period_remark, start_remark
from armature.engine.simulation.stepper import Stepper
from armature.engine.trajectory.trajectory import Trajectory

_BATCH = 1000  # steps between two looks at whether to go on


@dataclass(frozen=True, eq=False)
class ScenarioRun(Frozen):
    """What is simulated, and the file it is recorded to, if any.

    `model` is the arm as the controller knows it, `robot` when None; `seed` is what the start was drawn with.
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

    def __post_init__(self):
        object.__setattr__(self, "q0", read_only(self.q0))
        object.__setattr__(self, "qd0", None if self.qd0 is None else read_only(self.qd0))

    def stepper(self) -> Stepper:
        """The arm at the start; raises EngineError for what does not fit together."""
        stepper = Stepper(self.robot, self.q0, self.qd0, self.dt, self.integrator)
        stepper.set_sensors(self.sensors)
        stepper.set_controller(settled(self.controller, self.duration, self.dt), self.model, self.knows_payload)
        stepper.set_trajectory(self.trajectory)
        steps_in(self.duration, stepper.dt)
        return stepper

    def perform(self, overwrite: bool, go_on: Callable[[float], bool]) -> RunOutcome:
        """Simulates and records, in bounded memory.

        Args:
            overwrite: whether a recording of that name is replaced.
            go_on: told the share that is done, 0 to 1; False ends the run, which leaves nothing.

        Raises:
            DivergenceError, with what came before it recorded; RecordingError, with what could be written left as `.part`;
            Cancelled: `go_on` returned False.
        """
        stepper = self.stepper()
        steps = steps_in(self.duration, stepper.dt)
        control = stepper.control.describe()
        metadata = metadata_of(self.robot, self.dt, self.integrator, seed=self.seed, **control)
        part = None
        if self.record is not None:
            part = PartFile(
                self.record.absolute(), column_names(self.robot.joint_names, self.sensors is not None), metadata, overwrite
            )
        walk = _Walk(self)
        try:
            self._take(walk, stepper, steps, part, go_on)
        except BaseException as stopped:
            if part is not None:
                self._close(part, stopped)
            raise
        if part is not None:
            part.finish(lambda: False)
        return walk.outcome(stepper)

    def _take(self, walk: _Walk, stepper: Stepper, steps: int, part: PartFile | None, go_on: Callable[[float], bool]) -> None:
        """All steps, recorded where there is a file."""
        completer, floor, row = Completer(self.robot), FloorWatch(self.robot), 0
        logged, changes, noted = LoggedRows(), ArmChanges(self.changes, self.dt), 0

        def keep(over: list[Contact]) -> None:
            walk.contacts.extend(over)
            if part is not None:
                for event in contact_notes(over, stepper.dt):
                    part.note(event)

        for batch in batches(stepper, steps, _BATCH, changes):
            if part is not None:
                for change in changes.notes[noted:]:
                    part.note(change)
                noted = len(changes.notes)
            if part is not None and len(batch.states):
                for arm, states in batch.parts(self.sensors is not None):
                    part.rows(completer.complete(states, arm))
                part.flush()
                for event in logged.take(batch.logs, len(batch.states)):
                    part.note({"row": row, **event})
            row += len(batch.states)
            walk.take(batch.states)
            keep(floor.look(batch.states)[1])
            if batch.divergence is not None:
                keep(floor.restart())
                raise batch.divergence.error()
            if not go_on(stepper.steps / steps):
                raise Cancelled
        keep(floor.restart())
        if part is not None:
            for event in logged.rest():
                part.note({"row": row, **event})

    @staticmethod
    def _close(part: PartFile, stopped: BaseException) -> None:
        """A run that diverged is worth looking at; what the disk broke off is not whole; what a person stopped goes."""
        if isinstance(stopped, RecordingError):
            part.close()
        elif isinstance(stopped, EngineError):
            part.finish(lambda: False)
        else:
            part.discard()


class _Walk:
    """What is gathered of a run while it goes on."""

    def __init__(self, run: ScenarioRun):
        self._run, self._digest, self._peak_tau = run, hashlib.sha256(), np.zeros(run.robot.n)
        self._tau = Layout(run.robot.n).group("tau")
        follows = run.trajectory is not None and run.controller is not None
        self._tracking = TrackingError(run.trajectory) if follows and run.trajectory is not None else None
        self.contacts: list[Contact] = []
        self._poses: list[np.ndarray] = []  # a few of those that were passed

    def take(self, states: np.ndarray) -> None:
        """Further states `(k, 1 + 4n)`."""
        self._digest.update(np.ascontiguousarray(states, dtype="<f8").tobytes())
        self._peak_tau = np.maximum(self._peak_tau, np.abs(states[:, self._tau]).max(axis=0, initial=0.0))
        self._poses.append(states[:1, 1 : self._run.robot.n + 1])
        if self._tracking is not None:
            self._tracking.take(states)

    def outcome(self, stepper: Stepper) -> RunOutcome:
        """Return the outcome of the finished run."""
        run, tracking = self._run, self._tracking
        tracked = "" if tracking is None else tracking.sentence(run.robot, [t for t, _ in run.changes])
        gains = stepper.unstable_gains(spread(np.concatenate(self._poses)))
        started = start_remark(run.robot, run.q0), period_remark(stepper.control.controller, stepper.dt)
        remarks = (tracked, _touched(self.contacts), *started, "" if gains is None else gains.text)
        return RunOutcome(
            joints=run.robot.joint_names,
            steps=stepper.steps,
            t=stepper.t,
            q=stepper.q.copy(),
            qd=stepper.qd.copy(),
            peak_tau=self._peak_tau,
            tracking=None if tracking is None else tracking.whole,
            contacts=len(self.contacts),
            remarks=tuple(filter(None, remarks)),
            digest=self._digest.hexdigest(),
        )


def _touched(contacts: list[Contact]) -> str:
    """What is said of the floor, which holds nothing."""
    if not contacts:
        return ""
    more = f" and {len(contacts) - 1:,} more" if len(contacts) > 1 else ""
    return f"passed through the floor: {min(contacts, key=lambda contact: contact.t).over().text}{more}"
