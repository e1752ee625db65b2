"""Why a simulation cannot go on, in words: which joint, when, and what to try."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from armature.engine.dynamics.mass_matrix import mass_matrix
from armature.engine.dynamics.uncompiled import inertia_cause
from armature.engine.errors import DivergenceError
from armature.engine.model.robot import Robot
from armature.engine.simulation.gain_stability import UnstableGains

_POSES = 64  # random ones, for the inertia a joint usually moves
_NEXT_TO_NOTHING = 1e-3  # of that


@dataclass(frozen=True)
class Divergence:
    """A simulation that cannot go on: the joint, the time in s, and one line that says what happened and what to try."""

    joint: int
    t: float
    text: str

    def error(self) -> DivergenceError:
        """The exception for callers who did not ask to go on."""
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


def failed(robot: Robot, code: int, t: float, q: np.ndarray, method: Method, gains: UnstableGains | None = None) -> Divergence:
    """Explain a `code` of `advance` in the step after q `(n,)`.

    Unstable `gains` come first: the speeds that they build up make a mass matrix singular, too.
    """
    if gains is not None:
        name = robot.joint_names[gains.joint]
        text = f"{robot.name}: the simulation diverged at joint {name}, t = {t:.6g} s: {gains.text}"
        return Divergence(gains.joint, t, text)
    return singular(robot, -code - 2, t, q) if code <= -2 else diverged(robot, code, t, q, method)


def singular(robot: Robot, joint: int, t: float, q: np.ndarray) -> Divergence:
    """The mass matrix has no inverse at q `(n,)` because of `joint`."""
    cause = inertia_cause(robot)
    where = "" if cause else f" at {_pose(robot, q)}"
    text = (
        f"{cause}; give the link an inertia about it, or the joint a rotor inertia"
        if cause
        else f"joint {robot.joint_names[joint]} has no inertia in this pose; start from another pose, or give it a rotor inertia"
    )
    return Divergence(joint, t, f"{robot.name}: stopped at t = {t:.6g} s: the mass matrix is singular{where}: {text}")


def diverged(robot: Robot, joint: int, t: float, q: np.ndarray, method: Method) -> Divergence:
    """The state left the finite numbers at `joint` in the step after q `(n,)`."""
    name = robot.joint_names[joint]
    if _moves_next_to_nothing(robot, joint, q):
        text = (
            f"{robot.name}: the simulation diverged at t = {t:.6g} s: joint {name} has almost no inertia at "
            f"{_pose(robot, q)} (mass matrix nearly singular); start from another pose, or give it a rotor inertia"
        )
        return Divergence(joint, t, text)
    return Divergence(joint, t, f"{robot.name}: the simulation diverged at joint {name}, t = {t:.6g} s; try {method.advice()}")


def _moves_next_to_nothing(robot: Robot, joint: int, q: np.ndarray) -> bool:
    """Whether the inertia that `joint` moves at q is a tiny part of what it moves elsewhere."""
    poses = np.random.default_rng(0).uniform(-np.pi, np.pi, (_POSES, robot.n))
    usual = np.median(mass_matrix(robot, poses)[:, joint, joint])
    return bool(mass_matrix(robot, q)[joint, joint] < _NEXT_TO_NOTHING * usual)


def _pose(robot: Robot, q: np.ndarray) -> str:
    return ", ".join(f"{name} = {x:.4g}" for name, x in zip(robot.joint_names, q, strict=True))
