"""`Rerun`: a recorded run done again row by row, from the state it began in and the events between its rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from armature.engine.errors import Cancelled, ModelError, RerunError
from armature.engine.model.load_robot import load_robot
from armature.engine.model.robot import Robot
from armature.engine.model.toml.toml_kind import companion_of
from armature.engine.recording.derived_columns import Completer
from armature.engine.recording.recording import Recording
from armature.engine.recording.recording_columns import Layout
from armature.engine.recording.recording_metadata import EXCERPT, IMPORTED
from armature.engine.recording.recording_writer import RecordingClock
from armature.engine.simulation.note_kind import NoteKind
from armature.engine.simulation.own_code import OwnCode
from armature.engine.simulation.recorded_conditions import known_model, put_back, put_controller
from armature.engine.simulation.sensors.sensors import sensors_from
from armature.engine.simulation.step_batch import StepBatch
from armature.engine.simulation.stepper import Stepper

BLOCK = 20_000  # samples at a time


def started(recording: Recording, robot: Robot | None, code: OwnCode) -> tuple[Robot, Stepper]:
    """The robot's file as it was, and the arm as it stood at the first sample; `code`: what becomes of laws that the user wrote.

    Raises EngineError or one of `NOT_WHOLE` where the recording does not say enough.
    """
    data = recording.metadata
    reasons = {IMPORTED: "it was measured, not simulated", EXCERPT: "it is a part of a longer one"}
    for name, why in (*reasons.items(), ("dt", None), ("integrator", None), ("controller", None)):
        if (why is not None) == bool(data.get(name)):
            raise RerunError(why or f"its {name} is missing")
    file = _file(data, robot)
    stepper = Stepper(known_model(file, data), recording.q[0], recording.qd[0], data["dt"], data["integrator"])
    stepper.set_sensors(sensors_from(data["sensors"]))
    stepper.set_disturbance(code.disturbance(data["disturbance"]))
    put_controller(stepper, file, data["controller"], code)
    put_back(stepper, file, {"kind": NoteKind.TRAJECTORY, "trajectory": data["trajectory"]}, code)
    return file, stepper


def _file(data: Mapping[str, Any], robot: Robot | None) -> Robot:
    """The robot's file, as it was."""
    if not data["file_sha256"]:
        raise RerunError("the hash of its robot file is missing")
    try:
        found = robot if robot is not None else load_robot(data["source"])
    except ModelError as error:
        raise RerunError(str(error)) from None
    if found.file_hash != data["file_sha256"]:
        raise RerunError(f"{found.source} differs from the recorded robot file")
    if found.companion_hash != data["companion_sha256"]:
        raise RerunError(_other_companion(found, data))
    return found


def _other_companion(found: Robot, data: Mapping[str, Any]) -> str:
    """What is wrong with the file beside the robot's."""
    place = companion_of(Path(found.source or ""))
    if not found.companion_hash:
        return f"its file {place} is missing"
    return f"{place} differs from the recorded file" if data["companion_sha256"] else f"it was recorded without {place}"


class Rerun:
    """Rows as they were recorded, from the events between them; `measured`: with what sensors say."""

    def __init__(
        self,
        stepper: Stepper,
        file: Robot,
        rows: int,
        measured: bool,
        code: OwnCode,
        progress: Callable[[int, int], None],
        cancelled: Callable[[], bool],
    ):
        self._stepper, self._file, self._total, self._code = stepper, file, rows, code
        self._progress, self._cancelled = progress, cancelled
        self._measured = measured
        self._table = np.empty((rows, Layout(stepper.robot.n, measured).width))
        self._clock: RecordingClock | None = None  # of a live recording, whose time goes on while the arm is posed
        self._running = True
        self._count = 0

    def table(self, events: list[Mapping[str, Any]]) -> np.ndarray:
        """All rows with what is derived from them."""
        first, rest = (events[:1], events[1:]) if events and events[0]["kind"] == NoteKind.BEGIN else ([], events)
        for event in first:
            self._clock, self._running = RecordingClock(event["wall"]), False
            put_back(self._stepper, self._file, event, self._code)
        self._completer = Completer(self._stepper.robot)
        for event in rest:
            self._advance(event["row"] - self._count)
            self._do(event)
        if self._clock is None:
            self._advance(self._total - 1 - self._count)
            self._put(self._stepper.probe())
        self._advance(self._total - self._count)
        return self._table

    def _advance(self, steps: int) -> None:
        if steps == 0:
            return
        if steps < 0 or not self._running or self._count + steps > self._total:
            raise RerunError("its events and samples do not match")
        until = self._count + steps
        while self._count < until:
            if self._cancelled():
                raise Cancelled
            batch = self._stepper.advance(min(BLOCK, until - self._count))
            self._put(batch)
            self._progress(self._count, self._total)
            if batch.divergence is not None:
                raise batch.divergence.error()

    def _do(self, event: Mapping[str, Any]) -> None:
        clock, kind = self._clock, event["kind"]
        if clock is None or kind not in (NoteKind.ENTER, NoteKind.LEAVE, NoteKind.JUMP, NoteKind.POSE):
            put_back(self._stepper, self._file, event, self._code)
        elif kind == NoteKind.ENTER:
            clock.enter_simulation(event["t"], event["wall"])
            self._running = True
            self._stepper.control.go_on()
        elif kind == NoteKind.LEAVE:
            if event["last"]:
                self._put(self._stepper.standing())
            clock.leave_simulation(event["t"], event["wall"])
            self._running = False
        elif kind == NoteKind.JUMP:
            clock.jump(event["before"], event["after"])
        else:
            batch = self._stepper.at_rest() if event["held"] else self._stepper.standing()
            self._keep(batch, clock.posed(event["wall"]))

    def _put(self, batch: StepBatch) -> None:
        times = batch.states[:, 0]
        self._keep(batch, times if self._clock is None else self._clock.simulated(times))

    def _keep(self, batch: StepBatch, times: np.ndarray) -> None:
        rows = batch.states.copy()
        rows[:, 0] = times
        for arm, states in replace(batch, states=rows).parts(self._measured):
            self._table[self._count : self._count + len(states)] = self._completer.complete(states, arm)
            self._count += len(states)
