"""Inverse kinematics in closed form: every way an arm of six joints can take a pose, by name."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from typing import overload

import numpy as np

from armature.engine import batching
from armature.engine.errors import EngineError
from armature.engine.kinematics.closed_form.branch_names import name_of
from armature.engine.kinematics.closed_form.six_axes import SPHERICAL, SixAxes, six_axes
from armature.engine.kinematics.closed_form.wrist_branches import parallel_branches, spherical_branches
from armature.engine.kinematics.search.search_problem import Problem
from armature.engine.kinematics.targets import target_poses
from armature.engine.model.frozen import Frozen
from armature.engine.model.read_only import Matrix, Vector, read_only
from armature.engine.model.robot import TASK_AXES, Robot

_EXACT = 1e-9  # error, m and rad, that a branch may have
_SAME = 1e-6  # rad and m: branches nearer than this are one
_EDGE = 1e-9  # rad and m past a limit that are rounding


@dataclass(frozen=True, eq=False)
class Branch(Frozen):
    """One way to take a pose.

    `q` `(n,)`; `name` such as "shoulder left, elbow up, wrist no flip"; `within_limits`, and `beyond` the joints that are not;
    `free` the joints that could take any value here, others making up for it (the pose is singular), and have that of q0; `error`
    of the pose, m and rad.
    """

    q: np.ndarray
    name: str
    within_limits: bool
    beyond: tuple[str, ...]
    free: tuple[str, ...]
    error: float


@overload
def ik_all(robot: Robot, X_target: Matrix, q0: Vector | None = None, frame: str | None = None) -> tuple[Branch, ...]: ...
@overload
def ik_all(robot: Robot, X_target, q0=None, frame: str | None = None) -> tuple[tuple[Branch, ...], ...]: ...
def ik_all(robot: Robot, X_target, q0=None, frame: str | None = None) -> tuple[Branch, ...] | tuple[tuple[Branch, ...], ...]:
    """All joint positions that bring a frame F to a target, for arms of six joints whose geometry allows a closed form.

    That is a spherical wrist (the last three axes turn and meet in one point) behind any three joints, or axes 2, 3, 4 parallel
    and axes 5, 6 crossing, as on Universal Robots' arms. Which it is, is read off the axes. Poses have up to eight branches.

    Args:
        X_target: pose(s) of F in the world `(4, 4)` or `(N, 4, 4)`.
        q0: the turn `(n,)` that angles are given near to, and the value of free joints; the limits' middle when None.
        frame: a name in `robot.frames`; the tool when None.

    Returns:
        Branches, those within limits first, then by nearness to q0; none where the pose is out of reach (`ik` finds the nearest).
        For N targets a tuple of them. Of angles that differ by whole turns the one within limits and nearest to q0 is given.

    Raises:
        DimensionError, UnknownFrameError; EngineError for arms of other geometry, which `ik` takes.

    Source: Pieper 1968, The kinematics of manipulators under computer control; Hawkins 2013, Analytic inverse kinematics for the
    Universal Robots UR-5/UR-10 arms.
    """
    six = _six_axes(robot, frame)
    T, single = target_poses(robot, X_target)
    near = _near(robot, q0)
    found = tuple(_branches(robot, six, frame, X, near) for X in T)
    return found[0] if single else found


@lru_cache(maxsize=32)
def _six_axes(robot: Robot, frame: str | None) -> SixAxes:
    return six_axes(robot, frame)


def _near(robot: Robot, q0) -> np.ndarray:
    if q0 is None:
        bounded = np.isfinite(robot.q_min) & np.isfinite(robot.q_max)
        return np.where(bounded, (np.where(bounded, robot.q_min, 0) + np.where(bounded, robot.q_max, 0)) / 2, 0.0)
    (q,), single = batching.vectors(robot, q0=q0)
    if not single:
        raise EngineError(f"{robot.name}: ik_all takes one q0 of {robot.n} joints, not {len(q)} of them")
    return q[0]


def _branches(robot: Robot, six: SixAxes, frame: str | None, T: np.ndarray, near: np.ndarray) -> tuple[Branch, ...]:
    X_W6 = T @ np.linalg.inv(six.X_6F)
    solve = spherical_branches if six.kind == SPHERICAL else parallel_branches
    own = {body: i for i, body in enumerate(robot.joint_bodies)}
    joints = [own[body] for body in six.bodies]
    parts = solve(six, X_W6, near[joints])
    if not parts:
        return ()
    q = np.repeat(near[None], len(parts), axis=0)
    q[:, joints] = [part.q for part in parts]
    q, error = _sharpened(robot, frame, T, q)
    q = _wound(robot, q, near)
    kept: list[tuple[np.ndarray, float, tuple[int, ...]]] = []
    for k in np.flatnonzero(error <= _EXACT):
        if not any(_apart(robot, q[k], other) < _SAME for other, _, _ in kept):
            kept.append((q[k], float(error[k]), tuple(joints[i] for i in parts[k].free)))
    return _named(robot, six, kept, X_W6, near)


def _sharpened(robot: Robot, frame: str | None, T: np.ndarray, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Branches `(N, n)` led onto the target from where rounding left them, or axes that are not quite as parallel or crossing as
    the closed form takes them to be; and their errors `(N,)`."""
    problem = Problem.of(robot, frame, TASK_AXES).without_limits()
    found = problem.search(np.repeat(T[None], len(q), axis=0), q, _EXACT / 10, 0, 0)
    return found.q, found.error


def _wound(robot: Robot, q: np.ndarray, near: np.ndarray) -> np.ndarray:
    """q `(N, n)` with every angle on the turn that is within limits, or least beyond them, and of those the nearest to `near`."""
    first = q + 2 * np.pi * np.round((near - q) / (2 * np.pi))
    turns = first + 2 * np.pi * np.arange(-3, 4)[:, None, None]
    past = np.maximum(np.maximum(robot.q_min - turns, turns - robot.q_max), 0.0)
    cost = np.where(past < _EDGE, 0.0, 1e6 * past) + np.abs(turns - near)
    out = np.where(robot.prismatic, q, np.take_along_axis(turns, cost.argmin(axis=0)[None], axis=0)[0])
    inside = np.clip(out, robot.q_min, robot.q_max)
    return np.where(np.abs(out - inside) < _EDGE, inside, out)


def _apart(robot: Robot, q: np.ndarray, other: np.ndarray) -> float:
    d = q - other
    return float(np.abs(np.where(robot.prismatic, d, (d + np.pi) % (2 * np.pi) - np.pi)).max())


def _named(robot: Robot, six: SixAxes, kept, X_W6: np.ndarray, near: np.ndarray) -> tuple[Branch, ...]:
    names = [name_of(robot, six, q, X_W6) for q, _, _ in kept]
    several, seen = Counter(names), Counter[str]()
    branches = []
    for (q, error, free), name in zip(kept, names, strict=True):
        seen[name] += 1
        beyond = tuple(j for j, a, x, b in zip(robot.joint_names, robot.q_min, q, robot.q_max, strict=True) if not a <= x <= b)
        branches.append(
            Branch(
                q=read_only(q),
                name=f"{name} ({seen[name]})" if several[name] > 1 else name,
                within_limits=not beyond,
                beyond=beyond,
                free=tuple(robot.joint_names[i] for i in free),
                error=error,
            )
        )
    return tuple(sorted(branches, key=lambda b: (not b.within_limits, float(np.linalg.norm(b.q - near)))))
