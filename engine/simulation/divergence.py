"""Causes of a diverged simulation as messages: joint, time, and advice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from armature.engine.dynamics.mass_matrix import mass_matrix
from armature.engine.dynamics.uncompiled import inertia_cause
from armature.engine.errors import DivergenceError
from armature.engine.model.robot import Robot
from armature.engine.simulation.gain_stability import UnstableGains

_POSES = 64  # random poses for the usual inertia about a joint
_ALMOST_NONE = 1e-3  # of the usual inertia


@dataclass(frozen=True)
class Divergence:
    """Diverged simulation: the joint, the time in s, and a message of one line with cause and advice."""

    joint: int
    t: float
    text: str

    def error(self) -> DivergenceError:
        """Return the exception for it."""
        return DivergenceError(self.text)


class Method(NamedTuple):
    """Step in s, integrator, control period in s (0 for every step), and `driven` if there is torque to take away."""

    dt: float
    integrator: str
    period: float
    driven: bool

    def advice(self) -> str:
        """Return changes that may keep the state finite; a shorter step does not shorten a control period."""
        held = self.period > self.dt * (1 + 1e-6)
        ways = [f"a control period shorter than {self.period:g} s" if held else f"a step smaller than {self.dt:g} s"]
        ways += ["the rk4 integrator"] * (self.integrator != "rk4") + ["less torque"] * self.driven
        return " or ".join(ways)


def divergence_of(
    robot: Robot, code: int, t: float, q: np.ndarray, method: Method, gains: UnstableGains | None = None
) -> Divergence:
    """Explain a `code` of `advance` in the step after q `(n,)`.

    Unstable `gains` come first: the speeds that they build up make a mass matrix singular, too.
    """
    if gains is not None:
        name = robot.joint_names[gains.joint]
        text = f"{robot.name}: the simulation diverged at joint {name}, t = {t:.6g} s: {gains.text}"
        return Divergence(gains.joint, t, text)
    return singular(robot, -code - 2, t, q) if code <= -2 else not_finite(robot, code, t, q, method)


def singular(robot: Robot, joint: int, t: float, q: np.ndarray) -> Divergence:
    """Return the divergence for a mass matrix that is singular at q `(n,)` because of `joint`."""
    cause = inertia_cause(robot)
    where = "" if cause else f" at {_pose(robot, q)}"
    text = (
        f"{cause}; give the link an inertia about it, or the joint a rotor inertia"
        if cause
        else f"joint {robot.joint_names[joint]} has no inertia in this pose; start from another pose, or give it a rotor inertia"
    )
    return Divergence(joint, t, f"{robot.name}: stopped at t = {t:.6g} s: the mass matrix is singular{where}: {text}")


def not_finite(robot: Robot, joint: int, t: float, q: np.ndarray, method: Method) -> Divergence:
    """Return the divergence for a state that is not finite at `joint` in the step after q `(n,)`."""
    name = robot.joint_names[joint]
    if _has_almost_no_inertia(robot, joint, q):
        text = (
            f"{robot.name}: the simulation diverged at t = {t:.6g} s: joint {name} has almost no inertia at "
            f"{_pose(robot, q)} (mass matrix nearly singular); start from another pose, or give it a rotor inertia"
        )
        return Divergence(joint, t, text)
    return Divergence(joint, t, f"{robot.name}: the simulation diverged at joint {name}, t = {t:.6g} s; try {method.advice()}")


def _has_almost_no_inertia(robot: Robot, joint: int, q: np.ndarray) -> bool:
    """Return True if the inertia about `joint` at q is a tiny part of the usual one."""
    poses = np.random.default_rng(0).uniform(-np.pi, np.pi, (_POSES, robot.n))
    usual = np.median(mass_matrix(robot, poses)[:, joint, joint])
    return bool(mass_matrix(robot, q)[joint, joint] < _ALMOST_NONE * usual)


def _pose(robot: Robot, q: np.ndarray) -> str:
    return ", ".join(f"{name} = {x:.4g}" for name, x in zip(robot.joint_names, q, strict=True))
