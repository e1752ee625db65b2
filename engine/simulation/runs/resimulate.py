"""`resimulate`: a recording done again from what it says about itself; `verify_recording`: whether the same numbers come out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from armature.engine.control.controller import Controller
from armature.engine.control.own_law.own_disturbance import OwnDisturbance
from armature.engine.control.python_law import FUNCTION, law_of
from armature.engine.errors import EngineError, LawError, RecordingError, RerunError
from armature.engine.kernel_target import target_name
from armature.engine.model.robot import Robot
from armature.engine.recording.recording import Recording
from armature.engine.simulation.floor_watch import acting
from armature.engine.simulation.note_kind import NoteKind
from armature.engine.simulation.own_code import AnotherLaw, OwnCode
from armature.engine.simulation.recorded_conditions import NOT_WHOLE, condition, not_whole
from armature.engine.simulation.runs.rerun import BLOCK, Rerun, started
from armature.engine.simulation.stepper import Stepper
from armature.engine.version import VERSION


@dataclass(frozen=True)
class Reproduction:
    """Whether a recording came out the same to the last bit; else the first `sample`, from 0, and `column` that did not.

    `version` is that of the program that made it, where that is another one than this: its sums may be done in another way.
    `target` is the processor that its kernels were compiled for, where these are compiled for another one: then products are
    added with other roundings, and sums in another order.
    `unknown` samples hold NaN, which cannot be compared; where that is all that differs, the `difference` is NaN.
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
    other, code = law_of(controller), OwnCode(law, allow_code, disturbance)
    try:
        return _again(recording, robot, progress, cancelled, code, other, model, knows_payload)
    except NOT_WHOLE as error:
        raise RerunError(not_whole(error)) from None
    except RecordingError:
        raise
    except EngineError as error:
        if other is not None or isinstance(error, LawError):  # it is the law's fault, more likely than the recording's
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
        before[:, 0], after[:, 0] = (np.round(rows[:, 0], 9) for rows in (before, after))  # earlier versions kept their noise
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
    """The first sample that differs, its column and by how much, in a block of rows that begins at `start`."""
    if not differs.any():
        return None
    row, column = (int(k) for k in np.argwhere(differs)[0])
    return start + row, column, float(abs(before[row, column] - after[row, column]))


def _again(
    recording: Recording,
    robot: Robot | None,
    progress: Callable[[int, int], None],
    cancelled: Callable[[], bool],
    code: OwnCode,
    law: Controller | None,
    model: Robot | None,
    knows_payload: bool,
) -> Recording:
    data, remarks = recording.metadata, tuple[str, ...]()
    file, stepper = started(recording, robot, code if law is None else AnotherLaw(code))
    if data["controller"]["kind"] == "none":
        stepper.set_torque(recording.tau[0])
    if law is not None:
        stepper.set_controller(law, model, knows_payload)
        data, remarks = _under(stepper, data)
    data = {**data, "version": VERSION, "target": target_name()}  # what these numbers were made with
    table = Rerun(stepper, file, len(recording), recording.measured, code, progress, cancelled).table(acting(data["events"]))
    return Recording.from_table(table, recording.joint_names, data, remarks)


def _under(stepper: Stepper, data: Mapping[str, Any]) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The metadata of a run under the stepper's controller instead of the recorded ones, and what is left out, if anything."""
    law = stepper.control.describe()["controller"]
    recorded = acting(data["events"])
    events = [event for event in recorded if event["kind"] != NoteKind.CONTROLLER]
    if events and events[0]["kind"] == NoteKind.BEGIN:
        begin = {**events[0], "memory": condition(stepper, NoteKind.BEGIN)["memory"]}
        if data["controller"]["kind"] in ("none", FUNCTION):  # nothing held the arm that could say where
            begin["hold"] = begin["q"]
        events[0] = begin
    left_out = len(recorded) - len(events)
    changes = (
        "one recorded change of the controller is" if left_out == 1 else f"{left_out} recorded changes of the controller are"
    )
    remark = f"{changes} ignored; {law['kind']} runs all the time"
    return {**data, "controller": law, "events": events}, (remark,) if left_out else ()
