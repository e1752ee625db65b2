"""Why a simulation cannot go on, in words: which joint, when, and what to try."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from armature.engine.dynamics.mass_matrix import mass_matrix
from armature.engine.dynamics.uncompiled.without_inertia import inertia_cause
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


def failed(
    robot: Robot, code: int, t: float, q: np.ndarray, dt: float, integrator: str, driven: bool, gains: UnstableGains | None = None
) -> Divergence:
    """Explain a `code` of `advance` in the step after q `(n,)`; `driven` if there is torque to take away.

    Unstable `gains` come first: the speeds that they build up make a mass matrix singular, too.
    """
    if gains is not None:
        name = robot.joint_names[gains.joint]
        text = f"{robot.name}: the simulation diverged at joint {name}, t = {t:.6g} s: {gains.text}"
        return Divergence(gains.joint, t, text)
    return singular(robot, -code - 2, t, q) if code <= -2 else diverged(robot, code, t, q, dt, integrator, driven)


def singular(robot: Robot, joint: int, t: float, q: np.ndarray) -> Divergence:
    """The mass matrix has no inverse at q `(n,)` because of `joint`."""
    cause = inertia_cause(robot)
    where = "" if cause else f" at {_pose(robot, q)}"
    text = (
        f"{cause}; give the link an inertia about it, or the joint a rotor inertia"
        if cause
        else f"joint {robot.joint_names[joint]} moves no inertia here; start from another pose, or give it a rotor inertia"
    )
    return Divergence(joint, t, f"{robot.name}: stopped at t = {t:.6g} s: the mass matrix is singular{where}: {text}")


def diverged(robot: Robot, joint: int, t: float, q: np.ndarray, dt: float, integrator: str, driven: bool) -> Divergence:
    """The state left the finite numbers at `joint` in the step after q `(n,)`; `driven` if there is torque to take away."""
    name = robot.joint_names[joint]
    if _moves_next_to_nothing(robot, joint, q):
        text = (
            f"{robot.name}: the simulation diverged at t = {t:.6g} s: joint {name} moves next to no inertia at "
            f"{_pose(robot, q)}, where the mass matrix is all but singular; start from another pose, or give it a rotor inertia"
        )
        return Divergence(joint, t, text)
    advice = [f"a step smaller than {dt:g} s"]
    if integrator != "rk4":
        advice.append("the integrator rk4")
    if driven:
        advice.append("less torque")
    return Divergence(
        joint, t, f"{robot.name}: the simulation diverged at joint {name}, t = {t:.6g} s; try {' or '.join(advice)}"
    )


def _moves_next_to_nothing(robot: Robot, joint: int, q: np.ndarray) -> bool:
    """Whether the inertia that `joint` moves at q is a tiny part of what it moves elsewhere."""
    poses = np.random.default_rng(0).uniform(-np.pi, np.pi, (_POSES, robot.n))
    usual = np.median(mass_matrix(robot, poses)[:, joint, joint])
    return bool(mass_matrix(robot, q)[joint, joint] < _NEXT_TO_NOTHING * usual)


def _pose(robot: Robot, q: np.ndarray) -> str:
    return ", ".join(f"{name} = {x:.4g}" for name, x in zip(robot.joint_names, q, strict=True))
