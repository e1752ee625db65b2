"""Checks of the arguments of a simulation: time step, integrator, duration, joint vectors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from armature.engine.batching import named_poses
from armature.engine.control.controller import Controller
from armature.engine.control.own_law.own_law import OwnLaw
from armature.engine.control.python_law import PythonLaw, law_of
from armature.engine.errors import DimensionError, EngineError
from armature.engine.model.joint_ranges import outside_limits
from armature.engine.model.read_only import read_only
from armature.engine.model.robot import Robot
from armature.engine.simulation.stepping.fixed_steps import INTEGRATORS, MAX_SPEED

DT_MIN, DT_MAX = 1e-7, 1.0
ADAPTIVE = "adaptive"
METHODS = (*INTEGRATORS, ADAPTIVE)


def check_dt(dt: float) -> float:
    """Return a time step in s; raises EngineError unless it is a number from 1e-7 to 1."""
    try:
        value = float(dt)
    except (TypeError, ValueError, OverflowError):
        value = float("nan")
    if not DT_MIN <= value <= DT_MAX:
        raise EngineError(f"the step must be from {DT_MIN:g} to {DT_MAX:g} s, not {dt!r}")
    return value


def check_integrator(name: str, controller: Controller | None, sensors: bool = False) -> str:
    """Return `name`; raises EngineError for an unknown integrator, or one that does not support controller or sensors."""
    if name not in METHODS:
        raise EngineError(f"unknown integrator {name!r}; valid: {', '.join(METHODS)}")
    if name == ADAPTIVE and not (controller is None or isinstance(controller, (PythonLaw, OwnLaw))):
        raise EngineError("the adaptive integrator does not support controllers; use rk4 or gauss6")
    if name == ADAPTIVE and sensors:
        raise EngineError("the adaptive integrator does not support sensors; use rk4 or gauss6")
    return name


def joint_vector(robot: Robot, name: str, values) -> np.ndarray:
    """Return `values` as `(n,)` finite numbers; q and q0 may be a named pose; raises DimensionError naming joints or poses."""
    values = named_poses(robot, name, values)
    try:
        vector = read_only(values)
    except (TypeError, ValueError, OverflowError):
        vector = np.empty(0)
    if vector.shape != (robot.n,) or not np.isfinite(vector).all():
        joints = ", ".join(robot.joint_names)
        raise DimensionError(f"{robot.name}: {name} must be {robot.n} finite numbers, one for each of {joints}")
    return vector


def start_speed(robot: Robot, qd) -> np.ndarray:
    """Return qd as `(n,)`, zero for None; raises DimensionError, and EngineError for a speed of a diverged run."""
    speed = np.zeros(robot.n) if qd is None else joint_vector(robot, "qd", qd)
    if np.abs(speed).max() >= MAX_SPEED:
        fast = robot.joint_names[int(np.argmax(np.abs(speed)))]
        raise EngineError(f"{robot.name}: the initial speed of {fast} exceeds {MAX_SPEED:g} rad/s or m/s")
    return speed


def start_remark(robot: Robot, q0: np.ndarray) -> str:
    """Return a remark on joints outside their limits at q0 `(n,)`, else an empty text."""
    outside = outside_limits(robot, q0)
    return f"the initial position is outside the joint limits: {outside}" if outside else ""


def period_remark(controller: Controller | None, dt: float) -> str:
    """Return a remark if the control period is not a whole number of steps of dt s, else an empty text."""
    period = (controller and controller.period) or dt
    if abs(period - round(period / dt) * dt) <= 1e-6 * period:
        return ""
    return f"the control period of {period:g} s is not a multiple of the step of {dt:g} s; each call is delayed to the next step"


def law_for_run(controller: Controller | Callable[..., Any] | None, duration: float, dt: float) -> Controller | None:
    """Return the controller for a run of `duration` s in steps of dt; a user-defined one is compiled where that saves time."""
    law = law_of(controller)
    return law.settled(int(steps_in(duration, dt) * dt / (law.period or dt))) if isinstance(law, OwnLaw) else law


def steps_in(duration: float, dt: float) -> int:
    """Return the number of whole steps of dt in `duration`, both in s; raises EngineError if it is 0."""
    try:
        seconds = float(duration)
    except (TypeError, ValueError, OverflowError):
        seconds = float("nan")
    if not (np.isfinite(seconds) and seconds > 0):
        raise EngineError(f"the duration must be above 0 s, not {duration!r}")
    steps = int(seconds / dt * (1 + 1e-12) + 1e-9)
    if steps < 1:
        raise EngineError(f"a duration of {seconds:g} s is shorter than one step of {dt:g} s")
    return steps
