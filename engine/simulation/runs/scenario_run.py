"""`ScenarioRun`: one run of a scenario as a whole, from its start to its recording."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from armature.engine.control.controllers import Controller
from armature.engine.errors import EngineError, RecordingError
from armature.engine.model.robot import Robot
from armature.engine.recording.derived_columns import Completer
from armature.engine.recording.logged_values import LoggedRows
from armature.engine.recording.part_file import PartFile
from armature.engine.recording.recording_columns import column_names
from armature.engine.recording.recording_metadata import metadata_of
from armature.engine.simulation.floor_watch import Contact, FloorWatch
from armature.engine.simulation.runs.arm_changes import ArmChanges, Change
from armature.engine.simulation.runs.simulate import batches, settled, steps_in
from armature.engine.simulation.runs.tracking_error import TrackingError
from armature.engine.simulation.sensors.sensors import Sensors
from armature.engine.simulation.simulation_arguments import start_remark
from armature.engine.simulation.stepper import Stepper
from armature.engine.trajectory.trajectory import Trajectory

_BATCH = 1000  # steps between two looks at whether to go on


@dataclass(frozen=True, eq=False)
class ScenarioRun:
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

    def stepper(self) -> Stepper:
        """The arm at the start; raises EngineError for what does not fit together."""
        stepper = Stepper(self.robot, self.q0, self.qd0, self.dt, self.integrator)
        stepper.set_sensors(self.sensors)
        stepper.set_controller(settled(self.controller, self.duration, self.dt), self.model, self.knows_payload)
        stepper.set_trajectory(self.trajectory)
        steps_in(self.duration, stepper.dt)
        return stepper

    def perform(self, overwrite: bool, go_on: Callable[[float], bool]) -> str:
        """Simulates and records, in bounded memory.

        Args:
            overwrite: whether a recording of that name is replaced.
            go_on: told the share that is done, 0 to 1; False ends the run, which leaves nothing.

        Returns:
            What was done, in one line.

        Raises:
            DivergenceError, with what came before it recorded; RecordingError, with what could be written left as `.part`;
            KeyboardInterrupt when it was not to go on.
        """
        stepper = self.stepper()
        steps = steps_in(self.duration, stepper.dt)
        told = stepper.control.describe()
        metadata = metadata_of(self.robot, self.dt, self.integrator, seed=self.seed, **told)
        part = None
        if self.record is not None:
            part = PartFile(
                self.record.absolute(), column_names(self.robot.joint_names, self.sensors is not None), metadata, overwrite
            )
        try:
            contacts, tracking = self._walk(stepper, steps, part, go_on)
        except BaseException as stopped:
            if part is not None:
                self._close(part, stopped)
            raise
        remarks = "".join(f"; {remark}" for remark in (tracking, _touched(contacts), start_remark(self.robot, self.q0)) if remark)
        ends = f"ends at q ({', '.join(f'{x:.5f}' for x in stepper.q)}){remarks}"
        if part is None:
            return f"{stepper.steps:,} steps, {ends}"
        part.finish(lambda: False)
        return f"{stepper.steps + 1:,} samples in {self.record}, {ends}"

    def _walk(
        self, stepper: Stepper, steps: int, part: PartFile | None, go_on: Callable[[float], bool]
    ) -> tuple[list[Contact], str]:
        """Contacts with the floor, and how far off its trajectory the arm was."""
        completer, floor, row, contacts = Completer(self.robot), FloorWatch(self.robot), 0, list[Contact]()
        logged, changes, noted = LoggedRows(), ArmChanges(self.changes, self.dt), 0
        tracking = None if self.trajectory is None or self.controller is None else TrackingError(self.trajectory)

        def keep(over: list[Contact]) -> None:
            contacts.extend(over)
            if part is not None:
                for contact in over:
                    part.note({"row": row, **contact.note()})

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
            if tracking is not None:
                tracking.take(batch.states)
            keep(floor.look(batch.states)[1])
            if batch.divergence is not None:
                keep(floor.restart())
                raise batch.divergence.error()
            if not go_on(stepper.steps / steps):
                raise KeyboardInterrupt
        keep(floor.restart())
        if part is not None:
            for event in logged.rest():
                part.note({"row": row, **event})
        return contacts, "" if tracking is None else tracking.sentence(self.robot, [t for t, _ in self.changes])

    @staticmethod
    def _close(part: PartFile, stopped: BaseException) -> None:
        """A run that diverged is worth looking at; what the disk broke off is not whole; what a person stopped goes."""
        if isinstance(stopped, RecordingError):
            part.close()
        elif isinstance(stopped, EngineError):
            part.finish(lambda: False)
        else:
            part.discard()


def _touched(contacts: list[Contact]) -> str:
    """What is said of the floor, which holds nothing."""
    if not contacts:
        return ""
    more = f" and {len(contacts) - 1:,} more" if len(contacts) > 1 else ""
    return f"went through the floor: {min(contacts, key=lambda contact: contact.t).over().text}{more}"
