"""External conditions, controller and state of a simulated arm as the events of a recording, and as commands again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from armature.engine.control.control_laws import NAMES
from armature.engine.control.controller import Controller
from armature.engine.control.own_law.kept_memory import described_memory, memory_of
from armature.engine.errors import EngineError
from armature.engine.model.payload import Payload
from armature.engine.model.robot import Robot
from armature.engine.model.robot_changes import described_model, fingerprint, with_changes
from armature.engine.simulation.commands import (
    ArmCommand,
    Hold,
    NoteKind,
    ReleasePull,
    Reset,
    SetController,
    SetDisturbance,
    SetIntegrator,
    SetModel,
    SetPayload,
    SetPull,
    SetSensors,
    SetState,
    SetTimeStep,
    SetTorque,
    SetTrajectory,
)
from armature.engine.simulation.recorded_code import WRITTEN, RecordedCode
from armature.engine.simulation.sensors.sensors import sensors_from
from armature.engine.simulation.stepper import Stepper
from armature.engine.trajectory.trajectory import Trajectory

CONTROLLERS = {name: kind for kind, name in NAMES.items()}
NOT_WHOLE = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError)
"""Exceptions of reading damaged metadata of a recording."""


def not_whole(error: Exception) -> str:
    """Return the message for an exception of `NOT_WHOLE`."""
    return "its metadata are incomplete" + (f": {str(error)[:40]} is missing" if isinstance(error, KeyError) else ", or damaged")


def condition(stepper: Stepper, kind: NoteKind) -> dict[str, Any]:
    """Return the present value of `kind` as plain values; `BEGIN`: all that the metadata of a recording do not have."""
    control = stepper.control
    state = {"q": stepper.q.tolist(), "qd": stepper.qd.tolist()}
    if kind in (NoteKind.STATE, NoteKind.RESET):
        return state
    if kind != NoteKind.BEGIN:
        return {kind.value: _value(stepper, kind)}
    held = {"hold": control.hold.tolist(), "memory": [None if np.isinf(x) else x for x in control.memory.tolist()]}
    held |= {"readings": control.sensing.memory.tolist()} if control.sensing.on else {}
    held |= control.disturbing.memory()
    own = {} if control.run is None else {"own_memory": described_memory(control.run.memory)}
    parts = {part.value: _value(stepper, part) for part in _BEGIN}
    return {"timing": list(stepper.clock.timing), **state, **held, **own, **parts}


_BEGIN = (NoteKind.TORQUE, NoteKind.PAYLOAD, NoteKind.PULL)


def _value(stepper: Stepper, kind: NoteKind) -> Any:
    match kind:
        case NoteKind.TORQUE:
            return stepper.tau.tolist()
        case NoteKind.HOLD:
            return stepper.control.hold.tolist()
        case NoteKind.PAYLOAD:
            return None if stepper.payload is None else stepper.payload.describe()
        case NoteKind.PULL:
            pull = {} if stepper.pull is None else vars(stepper.pull)
            return {name: x.tolist() if isinstance(x, np.ndarray) else x for name, x in pull.items()} or None
        case NoteKind.MODEL:
            return described_model(stepper.bare)
        case NoteKind.DT:
            return stepper.dt
        case NoteKind.INTEGRATOR:
            return stepper.integrator
    return stepper.describe()[kind]


def note_of(stepper: Stepper, kind: NoteKind) -> dict[str, Any]:
    """Return the event of a recording for the present value of `kind`."""
    return {"kind": kind.value, **condition(stepper, kind)}


def restore(stepper: Stepper, file: Robot, event: Mapping[str, Any], code: RecordedCode) -> None:
    """Apply a recorded event; `file`: the robot as in its file, `code`: source of user-defined code.

    Raises EngineError or one of `NOT_WHOLE` for an event that cannot be applied.
    """
    if event["kind"] != NoteKind.BEGIN:
        stepper.apply(recorded_command(file, event, code))
        return
    stepper.apply(SetState(event["q"], event["qd"]))
    for part in _BEGIN:
        stepper.apply(recorded_command(file, {**event, "kind": part}, code))
    control = stepper.control
    stepper.clock.timing = tuple(event["timing"])
    control.hold[:] = event["hold"]
    memory = [-np.inf if x is None else x for x in event["memory"]]
    control.memory[: len(memory)] = memory  # shorter in recordings of versions with another friction compensation
    control.sensing.memory[:] = event.get("readings", [])
    control.disturbing.restore_memory(event)
    if control.run is not None and "own_memory" in event:
        control.run.memory = memory_of(event["own_memory"])


def recorded_command(file: Robot, event: Mapping[str, Any], code: RecordedCode) -> ArmCommand:
    """Return the command that a recorded event notes. Raises as `restore`."""
    kind = event["kind"]
    if kind == NoteKind.STATE:
        return SetState(event["q"], event["qd"])
    if kind == NoteKind.RESET:
        return Reset(event["q"], event["qd"])
    if kind not in _COMMANDS:
        raise EngineError(f"unknown event {str(kind)[:40]!r}; it may come from a newer version")
    return _COMMANDS[kind](file, event[kind], code)


def recorded_controller(file: Robot, law: Mapping[str, Any] | None, code: RecordedCode) -> SetController:
    """Return the command for a controller as `ArmControl.describe` returns it; None and the kind "none" are no controller."""
    if law is None or law["kind"] == "none":
        return SetController(None)
    controller: Controller
    if law["kind"] in WRITTEN:
        controller = code.law(law)
    elif law["kind"] in CONTROLLERS:
        figures = {name: value for name, value in law.items() if name not in ("kind", "model", "knows_payload")}
        controller = CONTROLLERS[law["kind"]](**figures)
    else:
        raise EngineError(f"unknown controller {str(law['kind'])[:40]!r}; valid: {', '.join(CONTROLLERS)}")
    model = None if law["model"] is None else known_model(file, law["model"])
    return SetController(controller, model, law["knows_payload"])


def known_model(file: Robot, model: Mapping[str, Any]) -> Robot:
    """Return the robot of the file with recorded changes; raises EngineError if its parameters are not the recorded ones."""
    robot = with_changes(file, model["changes"])
    if fingerprint(robot) != model["model_sha256"]:
        raise EngineError(f"{file.name}: the recorded parameters differ from its file with the recorded changes")
    return robot


_COMMANDS: dict[str, Callable[[Robot, Any, RecordedCode], ArmCommand]] = {
    NoteKind.TORQUE: lambda file, value, code: SetTorque(value),
    NoteKind.CONTROLLER: recorded_controller,
    NoteKind.DISTURBANCE: lambda file, value, code: SetDisturbance(code.disturbance(value)),
    NoteKind.SENSORS: lambda file, value, code: SetSensors(sensors_from(value)),
    NoteKind.TRAJECTORY: lambda file, value, code: SetTrajectory(None if value is None else Trajectory.from_description(value)),
    NoteKind.HOLD: lambda file, value, code: Hold(value),
    NoteKind.PAYLOAD: lambda file, value, code: SetPayload(None if value is None else Payload(**value)),
    NoteKind.PULL: lambda file, value, code: ReleasePull() if value is None else SetPull(**value),
    NoteKind.MODEL: lambda file, value, code: SetModel(known_model(file, value)),
    NoteKind.DT: lambda file, value, code: SetTimeStep(value),
    NoteKind.INTEGRATOR: lambda file, value, code: SetIntegrator(value),
}
