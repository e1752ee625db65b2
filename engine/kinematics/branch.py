"""`Branch`: one way to take a pose."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from armature.engine.model.frozen import Frozen
from armature.engine.model.read_only import read_only
from armature.engine.model.robot import Robot

_EDGE = 1e-9  # rad and m past a limit that are rounding


@dataclass(frozen=True, eq=False)
class Branch(Frozen):
    """One IK solution of a pose.

    `q` `(n,)`: joint positions, rad or m. `name`: such as "shoulder left, elbow up, wrist no flip", or "branch 3" for other arms.
    `within_limits`: True if all joints are within their limits; `beyond`: names of the joints that are not. `free`: names of the
    joints that can vary at this singular pose while others compensate, empty at other poses; they have the value of q0 or the
    nearest possible one. `error`: remaining error of the pose, as in `IKResult`: a norm with 1 rad counted as 1 m.
    """

    q: np.ndarray
    name: str
    within_limits: bool
    beyond: tuple[str, ...]
    free: tuple[str, ...]
    error: float


@dataclass(frozen=True, eq=False)
class Solution:
    """A branch in the making: q `(n,)`, its error, m and rad, and the indices of joints that are free."""

    q: np.ndarray
    error: float
    free: tuple[int, ...] = ()


def branch(robot: Robot, found: Solution, name: str) -> Branch:
    """The solution as users get it, under a name."""
    beyond = tuple(j for j, a, x, b in zip(robot.joint_names, robot.q_min, found.q, robot.q_max, strict=True) if not a <= x <= b)
    free = tuple(robot.joint_names[i] for i in found.free)
    return Branch(read_only(found.q), name, not beyond, beyond, free, found.error)


def renamed(robot: Robot, given: Branch, name: str, near: np.ndarray) -> Branch:
    """The branch under another name, on the turn next to `near` `(n,)`."""
    free = tuple(robot.joint_names.index(joint) for joint in given.free)
    return branch(robot, Solution(wound(robot, given.q[None], near)[0], given.error, free), name)


def told_apart(names: Sequence[str]) -> list[str]:
    """The names, those that are there more than once with a number."""
    several, seen = Counter(names), Counter[str]()
    out = []
    for name in names:
        seen[name] += 1
        out.append(f"{name} ({seen[name]})" if several[name] > 1 else name)
    return out


def wound(robot: Robot, q: np.ndarray, near: np.ndarray) -> np.ndarray:
    """q `(N, n)` with every angle on the turn that is within limits, or least beyond them, and of those the nearest to `near`."""
    first = q + 2 * np.pi * np.round((near - q) / (2 * np.pi))
    turns = first + 2 * np.pi * np.arange(-3, 4)[:, None, None]
    past = np.maximum(np.maximum(robot.q_min - turns, turns - robot.q_max), 0.0)
    cost = np.where(past < _EDGE, 0.0, 1e6 * past) + np.abs(turns - near)
    out = np.where(robot.prismatic, q, np.take_along_axis(turns, cost.argmin(axis=0)[None], axis=0)[0])
    inside = np.clip(out, robot.q_min, robot.q_max)
    return np.where(np.abs(out - inside) < _EDGE, inside, out)


def difference(robot: Robot, q: np.ndarray, others: np.ndarray) -> np.ndarray:
    """The shortest way of every joint from q `(n,)` to others `(…, n)`, rad and m."""
    d = others - q
    return np.where(robot.prismatic, d, (d + np.pi) % (2 * np.pi) - np.pi)


def apart(robot: Robot, q: np.ndarray, others: np.ndarray) -> np.ndarray:
    """How far q is from each of the others `(K, n)`, rad and m, whole turns apart counting as none."""
    return np.abs(difference(robot, q, others)).max(axis=1, initial=0.0)
