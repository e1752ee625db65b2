"""`resimulate`: a recorded run, computed again; `verify_recording`: a comparison of the two, bit for bit."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from armature.engine.control.controller import Controller
from armature.engine.control.own_law.own_disturbance import OwnDisturbance
from armature.engine.control.python_law import FUNCTION, law_of
from armature.engine.errors import EngineError, LawError, ModelError, RecordingError, RerunError
from armature.engine.kernel_target import target_name
from armature.engine.model.load_robot import load_robot
from armature.engine.model.robot import Robot
from armature.engine.model.toml.toml_kind import companion_of
from armature.engine.recording.recording import Recording
from armature.engine.recording.recording_metadata import EXCERPT, IMPORTED
from armature.engine.recording.recording_writer import RecordingClock
from armature.engine.simulation.commands import NoteKind, SetController, SetDisturbance, SetSensors, SetTorque
from armature.engine.simulation.floor_watch import acting
from armature.engine.simulation.recorded_code import RecordedCode, RecordedDisturbances
from armature.engine.simulation.recorded_conditions import (
    NOT_WHOLE,
    condition,
    known_model,
    not_whole,
    recorded_controller,
    restore,
)
from armature.engine.simulation.recording_feed import RecordedTable, RecordingFeed
from armature.engine.simulation.run_loop import run
from armature.engine.simulation.sensors.sensors import sensors_from
from armature.engine.simulation.stepper import Stepper
from armature.engine.version import VERSION

BLOCK = 20_000  # samples at a time


@dataclass(frozen=True)
class Reproduction:
    """Comparison of a recording with its repetition: `identical`, or the first `sample`, from 0, and `column` that differ.

    `version` of the program and `target` processor of the kernels that made the recording, "" if they are the same here: others
    round differently. `unknown`: samples with NaN, which cannot be compared; `difference` is NaN if there is no other.
    """

    identical: bool
    samples: int
    sample: int | None = None
    column: str = ""
    difference: float = 0.0
    version: str = ""
    unknown: int = 0
    target: str = ""


def resimulate(
    recording: Recording,
    robot: Robot | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
    cancelled: Callable[[], bool] = lambda: False,
    *,
    controller: Controller | Callable[..., Any] | None = None,
    model: Robot | None = None,
    knows_payload: bool = True,
    law: Controller | Callable[..., Any] | None = None,
    disturbance: OwnDisturbance | Callable[..., Any] | None = None,
    allow_code: bool = False,
) -> Recording:
    """Repeat a recorded run: the same robot, initial state, controller, trajectory and recorded events.

    Another `controller` replaces the recorded controllers, or the recorded motor torques, for the whole run; the recorded
    trajectory, payloads and external forces are used.

    Args:
        recording: a whole recording of this version of the program, not a part of one.
        robot: the recorded robot, for a robot file that was moved; its content must be unchanged. None: read from the recorded
            path.
        progress: called repeatedly with the samples done and the total.
        cancelled: called repeatedly; if it returns True, Cancelled is raised.
        controller: another controller, or a function, as for `simulate`; None: the recorded one.
        model, knows_payload: only for another `controller`: its model of the arm, as for `simulate`.
        law: for a recording with a user-defined controller: the controller, as `load_law` returns it, or the function. It
            replaces the recorded one, with the recorded parameter values.
        disturbance: for a recording with a user-defined disturbance: the disturbance, as `load_disturbance` returns it, or the
            function.
        allow_code: permit running the Python code stored in the recording. Read it first, in
            `recording.metadata["controller"]["text"]`: it runs with your permissions.

    Returns:
        The new `Recording`; bit-identical with the same kernels on the same machine, unless another controller is given. Its
        `remarks` list the events that another controller replaced.

    Raises:
        RecordingError: incomplete metadata, a missing or different robot file, or a user-defined controller without `law`,
            `allow_code` or `controller`; DivergenceError and the errors of `simulate` for another controller.
    """
    if not isinstance(recording, Recording):
        raise RecordingError(f"recording must be a Recording, such as load_recording returns, not {recording!r:.60}")
    other, code = law_of(controller), RecordedCode(law, allow_code, disturbance)
    try:
        return _again(recording, robot, progress, cancelled, code, other, model, knows_payload)
    except NOT_WHOLE as error:
        raise RerunError(not_whole(error)) from None
    except RecordingError:
        raise
    except EngineError as error:
        if other is not None or isinstance(error, LawError):  # more likely an error of the controller than of the recording
            raise
        raise RerunError(str(error)) from None


def verify_recording(
    recording: Recording,
    robot: Robot | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
    cancelled: Callable[[], bool] = lambda: False,
    *,
    law: Controller | Callable[..., Any] | None = None,
    disturbance: OwnDisturbance | Callable[..., Any] | None = None,
    allow_code: bool = False,
) -> Reproduction:
    """Simulate a recording again and compare every column bit for bit.

    Arguments and errors as for `resimulate`.

    Returns:
        An object with `identical`, True if all samples agree, and their number `samples`. If they differ: `sample`, the index of
        the first different sample, `column`, the name of its column, and the absolute `difference` there. `unknown` is the number
        of samples with NaN, which cannot be compared. `version` and `target` are the version of the program and the processor of
        the recording, "" if they are the same as here; rounding can differ between them.
    """
    again = resimulate(recording, robot, progress, cancelled, law=law, disturbance=disturbance, allow_code=allow_code)
    made_by = str(recording.metadata.get("version") or "")
    other = made_by if made_by != VERSION else ""
    made_for = str(recording.metadata.get("target") or "")
    target = made_for if made_for != target_name() else ""
    unknown, found, blank = 0, None, None
    for first in range(0, len(recording), BLOCK):
        before, after = (run.table(first, first + BLOCK).copy() for run in (recording, again))
        before[:, 0], after[:, 0] = (np.round(rows[:, 0], 9) for rows in (before, after))  # earlier versions did not round
        differs = (before.view(np.uint64) != after.view(np.uint64)) & (before != after)
        missing = differs & np.isnan(before)
        unknown += int(missing.any(axis=1).sum())
        found = found or _first(differs & ~missing, first, before, after)
        blank = blank or _first(missing, first, before, after)
    place = found or blank
    if place is None:
        return Reproduction(True, len(recording), version=other, target=target)
    sample, column, by = place
    return Reproduction(False, len(recording), sample, recording.columns[column], by, other, unknown, target)


def _first(differs: np.ndarray, start: int, before: np.ndarray, after: np.ndarray) -> tuple[int, int, float] | None:
    """Return the first sample that differs, its column and the difference, in a block of rows that begins at `start`."""
    if not differs.any():
        return None
    row, column = (int(k) for k in np.argwhere(differs)[0])
    return start + row, column, float(abs(before[row, column] - after[row, column]))


def _again(
    recording: Recording,
    robot: Robot | None,
    progress: Callable[[int, int], None],
    cancelled: Callable[[], bool],
    code: RecordedCode,
    law: Controller | None,
    model: Robot | None,
    knows_payload: bool,
) -> Recording:
    data, remarks = recording.metadata, tuple[str, ...]()
    file, stepper = initial_stepper(recording, robot, code if law is None else RecordedDisturbances(code))
    if data["controller"]["kind"] == "none":
        stepper.apply(SetTorque(recording.tau[0]))
    if law is not None:
        stepper.apply(SetController(law, model, knows_payload))
        data, remarks = _under(stepper, data)
    data = {**data, "version": VERSION, "target": target_name()}
    table = _Rerun(stepper, file, recording, code, progress, cancelled).table(acting(data["events"]))
    return Recording.from_table(table, recording.joint_names, data, remarks)


def _under(stepper: Stepper, data: Mapping[str, Any]) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return the metadata of a run under the stepper's controller instead of the recorded ones, and remarks on ignored events."""
    law = stepper.control.describe()["controller"]
    recorded = acting(data["events"])
    events = [event for event in recorded if event["kind"] != NoteKind.CONTROLLER]
    if events and events[0]["kind"] == NoteKind.BEGIN:
        begin = {**events[0], "memory": condition(stepper, NoteKind.BEGIN)["memory"]}
        if data["controller"]["kind"] in ("none", FUNCTION):  # the recorded arm was not held
            begin["hold"] = begin["q"]
        events[0] = begin
    left_out = len(recorded) - len(events)
    changes = (
        "one recorded change of the controller is" if left_out == 1 else f"{left_out} recorded changes of the controller are"
    )
    remark = f"{changes} ignored; {law['kind']} runs from start to end"
    return {**data, "controller": law, "events": events}, (remark,) if left_out else ()


def initial_stepper(recording: Recording, robot: Robot | None, code: RecordedCode) -> tuple[Robot, Stepper]:
    """Return the robot of the recorded file, and the arm at the first sample; `code`: source of user-defined code.

    Raises EngineError or one of `NOT_WHOLE` for an incomplete recording.
    """
    data = recording.metadata
    reasons = {IMPORTED: "it was measured, not simulated", EXCERPT: "it is only a part of a recording; open the whole recording"}
    for name, why in (*reasons.items(), ("dt", None), ("integrator", None), ("controller", None)):
        if (why is not None) == bool(data.get(name)):
            raise RerunError(why or f"its {name} is missing")
    file = _file(data, robot)
    stepper = Stepper(known_model(file, data), recording.q[0], recording.qd[0], data["dt"], data["integrator"])
    stepper.apply(SetSensors(sensors_from(data["sensors"])))
    stepper.apply(SetDisturbance(code.disturbance(data["disturbance"])))
    stepper.apply(recorded_controller(file, data["controller"], code))
    restore(stepper, file, {"kind": NoteKind.TRAJECTORY, "trajectory": data["trajectory"]}, code)
    return file, stepper


def _file(data: Mapping[str, Any], robot: Robot | None) -> Robot:
    """Return the robot of the recorded file."""
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
    """Return how the companion file of the robot file differs."""
    place = companion_of(Path(found.source or ""))
    if not found.companion_hash:
        return f"its file {place} is missing"
    return f"{place} differs from the recorded file" if data["companion_sha256"] else f"it was recorded without {place}"


class _Rerun:
    """Samples of a recording, computed again from the events between them."""

    def __init__(
        self,
        stepper: Stepper,
        file: Robot,
        recording: Recording,
        code: RecordedCode,
        progress: Callable[[int, int], None],
        cancelled: Callable[[], bool],
    ):
        self._stepper, self._file, self._code = stepper, file, code
        self._rows, self._measured = len(recording), recording.measured
        self._progress, self._cancelled = progress, cancelled
        self._clock: RecordingClock | None = None  # of a live recording, in which the arm is also posed
        self._running = True

    def table(self, events: list[Mapping[str, Any]]) -> np.ndarray:
        """Return all samples with their derived columns."""
        if events and events[0]["kind"] == NoteKind.BEGIN:
            self._clock, self._running = RecordingClock(events[0]["wall"]), False
            restore(self._stepper, self._file, events[0], self._code)
            events = events[1:]
        self._table = RecordedTable(self._stepper.robot, self._rows, self._measured)
        self._feed = RecordingFeed(self._table.put, self._table.note, self._measured, self._clock)
        for event in events:
            self._advance(event["row"])
            self._carry_out(event)
        self._advance(self._rows, last=self._clock is None)
        return self._table.values

    def _advance(self, row: int, last: bool = False) -> None:
        """Compute the samples before `row`, one per step; with `last` the last one is the state after the last step."""
        samples = row - self._table.count
        if samples == 0 and not last:
            return
        if samples < last or not self._running or row > self._rows:
            raise RerunError("its events and samples do not match")
        for batch in run(self._stepper, samples - last, BLOCK, cancelled=self._cancelled):
            self._feed.steps(batch)
            self._progress(self._table.count, self._rows)
            if self._table.count == row:
                break

    def _carry_out(self, event: Mapping[str, Any]) -> None:
        clock, kind = self._clock, event["kind"]
        if clock is None or kind not in (NoteKind.ENTER, NoteKind.LEAVE, NoteKind.JUMP, NoteKind.POSE):
            restore(self._stepper, self._file, event, self._code)
        elif kind == NoteKind.ENTER:
            clock.enter_simulation(event["t"], event["wall"])
            self._running = True
            self._stepper.control.clear_fault()
        elif kind == NoteKind.LEAVE:
            if event["last"]:
                self._feed.steps(self._stepper.sample_or_hold())
            clock.leave_simulation(event["t"], event["wall"])
            self._running = False
        elif kind == NoteKind.JUMP:
            clock.jump(event["before"], event["after"])
        else:
            self._feed.pose(self._stepper.static_sample() if event["held"] else self._stepper.sample_or_hold(), event["wall"])
