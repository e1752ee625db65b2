"""What acts on a simulated arm, as plain values for a recording, and put into a stepper again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import numpy as np

from armature.engine.control.control_laws import NAMES
from armature.engine.control.controller import Controller
from armature.engine.control.own_law.kept_memory import described_memory, memory_of
from armature.engine.errors import EngineError
from armature.engine.model.payload import Payload
from armature.engine.model.robot import Robot
from armature.engine.model.robot_changes import described_model, fingerprint, with_changes
from armature.engine.simulation.note_kind import NoteKind
from armature.engine.simulation.own_code import WRITTEN, OwnCode
from armature.engine.simulation.pull import Pull
from armature.engine.simulation.sensors.sensors import sensors_from
from armature.engine.simulation.stepper import Stepper
from armature.engine.trajectory.trajectory import Trajectory

CONTROLLERS = {name: kind for kind, name in NAMES.items()}
NOT_WHOLE = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError)
"""What reading the metadata of a recording raises where they do not hold what a recording writes."""


def not_whole(error: Exception) -> str:
    """What one of `NOT_WHOLE` tells about the metadata, without Python's own words for it."""
    return "its metadata are incomplete" + (f": {str(error)[:40]} is missing" if isinstance(error, KeyError) else ", or damaged")


def condition(stepper: Stepper, kind: NoteKind) -> dict[str, Any]:
    """One thing that acts on the arm now.

    `kind` is what is set, or `BEGIN` for all that a stepper has besides what the metadata of a recording tell.
    """
    control = stepper.control
    state = {"q": stepper.q.tolist(), "qd": stepper.qd.tolist()}
    if kind in (NoteKind.CONTROLLER, NoteKind.DISTURBANCE, NoteKind.SENSORS, NoteKind.TRAJECTORY):
        return {kind.value: control.describe()[kind]}
    if kind == NoteKind.BEGIN:
        held = {"hold": control.hold.tolist(), "memory": [None if np.isinf(x) else x for x in control.memory.tolist()]}
        held |= {"readings": control.sensing.memory.tolist()} if control.sensing.on else {}
        held |= control.disturbing.memory()
        own = {} if control.run is None else {"own_memory": described_memory(control.run.memory)}
        parts = {part.value: _plain(stepper, part) for part in _BEGIN}
        return {"timing": list(stepper.clock.timing), **state, **held, **own, **parts}
    return state if kind in (NoteKind.STATE, NoteKind.RESET) else {kind.value: _plain(stepper, kind)}


_BEGIN = (NoteKind.TORQUE, NoteKind.PAYLOAD, NoteKind.PULL)


def _plain(stepper: Stepper, kind: NoteKind) -> Any:
    if kind == NoteKind.TORQUE:
        return stepper.tau.tolist()
    if kind == NoteKind.HOLD:
        return stepper.control.hold.tolist()
    if kind == NoteKind.PAYLOAD:
        return None if stepper.payload is None else stepper.payload.describe()
    if kind == NoteKind.PULL:
        return None if stepper.pull is None else _values(stepper.pull)
    if kind == NoteKind.MODEL:
        return described_model(stepper.bare)
    return {"dt": stepper.dt, "integrator": stepper.integrator}[kind]


def _values(pull: Pull) -> dict[str, Any]:
    values = {item.name: vars(pull)[item.name] for item in fields(pull)}
    return {name: value.tolist() if isinstance(value, np.ndarray) else value for name, value in values.items()}


def put_back(stepper: Stepper, file: Robot, event: Mapping[str, Any], code: OwnCode) -> None:
    """Sets what `condition` told; `file` is the robot as its file gives it, `code` what becomes of laws that the user wrote.

    Raises EngineError or one of `NOT_WHOLE` for what cannot be set.
    """
    kind = event["kind"]
    if kind == NoteKind.BEGIN:
        stepper.set_state(event["q"], event["qd"])
        for part in _BEGIN:
            put_back(stepper, file, {"kind": part, part.value: event[part.value]}, code)
        stepper.clock.timing = tuple(event["timing"])
        stepper.control.hold[:] = event["hold"]
        memory = [-np.inf if x is None else x for x in event["memory"]]
        stepper.control.memory[: len(memory)] = memory  # shorter in recordings of versions that made up for friction otherwise
        stepper.control.sensing.memory[:] = event.get("readings", [])
        stepper.control.disturbing.remember(event)
        if stepper.control.run is not None and "own_memory" in event:
            stepper.control.run.memory = memory_of(event["own_memory"])
    elif kind == NoteKind.STATE:
        stepper.set_state(event["q"], event["qd"])
    elif kind == NoteKind.RESET:
        stepper.reset(event["q"], event["qd"])
    elif kind == NoteKind.TORQUE:
        stepper.set_torque(event["torque"])
    elif kind == NoteKind.CONTROLLER:
        put_controller(stepper, file, event["controller"], code)
    elif kind == NoteKind.DISTURBANCE:
        stepper.set_disturbance(code.disturbance(event["disturbance"]))
    elif kind == NoteKind.SENSORS:
        stepper.set_sensors(sensors_from(event["sensors"]))
    elif kind == NoteKind.TRAJECTORY:
        stepper.set_trajectory(_trajectory(event["trajectory"]))
    elif kind == NoteKind.HOLD:
        stepper.control.hold[:] = event["hold"]
    elif kind == NoteKind.PAYLOAD:
        stepper.set_payload(None if event["payload"] is None else Payload(**event["payload"]))
    elif kind == NoteKind.PULL:
        stepper.set_pull(None if event["pull"] is None else Pull(**event["pull"]))
    elif kind == NoteKind.MODEL:
        stepper.set_model(known_model(file, event["model"]))
    elif kind == NoteKind.DT:
        stepper.set_dt(event["dt"])
    elif kind == NoteKind.INTEGRATOR:
        stepper.set_integrator(event["integrator"])
    else:
        raise EngineError(f"unknown event {str(kind)[:40]!r}; it may come from a newer version")


def put_controller(stepper: Stepper, file: Robot, law: Mapping[str, Any] | None, code: OwnCode) -> None:
    """Sets the controller that `ArmControl.describe` told; None and the kind "none" are none."""
    if law is None or law["kind"] == "none":
        stepper.set_controller(None)
        return
    made: Controller
    if law["kind"] in WRITTEN:
        made = code.law(law)
    elif law["kind"] in CONTROLLERS:
        figures = {name: value for name, value in law.items() if name not in ("kind", "model", "knows_payload")}
        made = CONTROLLERS[law["kind"]](**figures)
    else:
        raise EngineError(f"unknown controller {str(law['kind'])[:40]!r}; valid: {', '.join(CONTROLLERS)}")
    model = None if law["model"] is None else known_model(file, law["model"])
    stepper.set_controller(made, model, law["knows_payload"])


def _trajectory(description: Mapping[str, Any] | None) -> Trajectory | None:
    return None if description is None else Trajectory.from_description(description)


def known_model(file: Robot, model: Mapping[str, Any]) -> Robot:
    """The robot that changes make of the one in the file; raises EngineError unless it has the figures it had."""
    robot = with_changes(file, model["changes"])
    if fingerprint(robot) != model["model_sha256"]:
        raise EngineError(f"{file.name} had other parameters than its file with the recorded changes")
    return robot
