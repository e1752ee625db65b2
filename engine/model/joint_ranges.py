"""The part of the joint space that is looked at, and what lies outside of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from armature.engine.errors import EngineError
from armature.engine.model.robot import Robot


def restricted(robot: Robot, limits: bool = True, joints: Sequence[int] | None = None, q=None) -> Robot:
    """The arm with the limits that are to be sampled. Raises EngineError for joints that it does not have."""
    low, high = np.array(robot.q_min), np.array(robot.q_max)
    if not limits:
        low[~robot.prismatic], high[~robot.prismatic] = -np.pi, np.pi
    if joints is not None:
        chosen = sorted({int(j) for j in joints})
        if not chosen or chosen[0] < 0 or chosen[-1] >= robot.n:
            raise EngineError(f"{robot.name}: joints must be indices from 0 to {robot.n - 1}, got {list(joints)!r}")
        pose = np.asarray(robot.configurations["home"] if q is None else q, float)
        if pose.shape != (robot.n,) or not np.isfinite(pose).all():
            raise EngineError(f"{robot.name}: q must be {robot.n} finite numbers")
        still = np.setdiff1d(np.arange(robot.n), chosen)
        low[still] = high[still] = pose[still]
    return replace(robot, q_min=low, q_max=high, configurations={}, task_axes="world")


def joint_ranges(robot: Robot) -> tuple[np.ndarray, np.ndarray]:
    """Finite lower and upper ends `(n,)` of the joint space: ±180° for a free revolute joint, ±reach for a free slide."""
    span = np.where(robot.prismatic, robot.reach, np.pi)
    return np.where(np.isfinite(robot.q_min), robot.q_min, -span), np.where(np.isfinite(robot.q_max), robot.q_max, span)


def outside_limits(robot: Robot, q: np.ndarray) -> str:
    """Which joints are outside their limits at q `(n,)`, each with value and limits; "" for none."""
    messages = []
    for k in np.flatnonzero((q < robot.q_min) | (q > robot.q_max)):
        x, low, high = (f"{value:.6g}".replace("-", "−").replace("inf", "∞") for value in (q[k], robot.q_min[k], robot.q_max[k]))
        unit = "m" if robot.prismatic[k] else "rad"
        messages.append(f"{robot.joint_names[k]} at {x} {unit} ({low} to {high} {unit})")
    return ", ".join(messages)
