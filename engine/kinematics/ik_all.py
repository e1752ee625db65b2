"""Inverse kinematics in full: every way six joints can take a pose, and each of these while the pose moves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import count
from typing import overload

import numpy as np

from armature.engine import batching
from armature.engine.errors import EngineError
from armature.engine.kinematics.branch import Branch, Solution, apart, branch, told_apart, wound
from armature.engine.kinematics.closed_form.branch_names import name_of
from armature.engine.kinematics.continuation.path_tracker import ARRIVED
from armature.engine.kinematics.pose_branches import PoseBranches
from armature.engine.kinematics.six_joints import held_joints
from armature.engine.kinematics.targets import target_poses
from armature.engine.model.read_only import Matrix, Vector
from armature.engine.model.robot import Robot

_WITH_NAMES = ([0, 1, 2, 3, 4, 5], [0, 1, 3, 4, 5, 6])
_MET = 1e-4  # rad and m: how exactly a branch that is followed ends at one of the new ones


@overload
def ik_all(
    robot: Robot,
    X_target: Matrix,
    q0: Vector | None = None,
    frame: str | None = None,
    fixed: Mapping[str, float] | None = None,
) -> tuple[Branch, ...]: ...
@overload
def ik_all(
    robot: Robot, X_target, q0=None, frame: str | None = None, fixed: Mapping[str, float] | None = None
) -> tuple[tuple[Branch, ...], ...]: ...
def ik_all(
    robot: Robot, X_target, q0=None, frame: str | None = None, fixed: Mapping[str, float] | None = None
) -> tuple[Branch, ...] | tuple[tuple[Branch, ...], ...]:
    """All joint positions that bring a frame F to a target, for any six joints that turn or slide: up to 16.

    Arms with three axes in succession that are parallel or meet in one point have a closed form with up to eight branches, and
    which it is, is read off the axes. For others all solutions, complex ones too, are followed to the target from poses where
    they are known (continuation). That takes some ms, and some tenths of a second once per arm.

    Args:
        X_target: pose(s) of F in the world `(4, 4)` or `(N, 4, 4)`.
        q0: the turn `(n,)` that angles are given near to, and the value of free joints; the limits' middle when None.
        frame: a name in `robot.frames`; the tool when None.
        fixed: joints to hold, by name, and at which value, rad or m, of arms where more than six move F, as {"joint3": 0.4}.

    Returns:
        Branches, those within limits first, then by nearness to q0; none where the pose is out of reach (`ik` finds the nearest).
        For N targets a tuple of them. Of angles that differ by whole turns the one within limits and nearest to q0 is given.
        Where joints can move while F stays, as the pose is singular, that family is one branch, at q0's value of `Branch.free`.
        Branches of arms without a shoulder, elbow and wrist are numbered in the order of their angles, the first joint's first;
        `follow_branches` keeps the numbers while a target moves.

    Raises:
        DimensionError, UnknownFrameError; EngineError where it is not six joints that move F, or these lose a direction
        everywhere; `ik` takes any arm.

    Source: Pieper 1968, The kinematics of manipulators under computer control; Hawkins 2013, Analytic inverse kinematics for the
    Universal Robots UR-5/UR-10 arms; Sommese, Wampler 2005, The numerical solution of systems of polynomials, 7.1 and 9.4.
    """
    T, single = target_poses(robot, X_target)
    solver = PoseBranches.of(robot, frame, _near(robot, q0), held_joints(robot, fixed))
    found = tuple(_sorted(_named(solver, X), solver.near) for X in T)
    return found[0] if single else found


def follow_branches(
    robot: Robot,
    branches: Sequence[Branch],
    X_target: Matrix,
    q0: Vector | None = None,
    frame: str | None = None,
    fixed: Mapping[str, float] | None = None,
) -> tuple[Branch, ...]:
    """All branches of a target that has moved, each under the name, and on the turn, of the branch that leads there.

    Every branch is followed along one screw motion, X(t) = X₀ exp(t ξ), from the pose it has to the target: q' = J⁻¹ ξ.

    Args:
        branches: those of the pose before, as `ik_all` or this function gave them.
        X_target: the pose of F in the world `(4, 4)`.
        q0, frame, fixed: as in `ik_all`; joints in `fixed` may have moved, too.

    Returns:
        First the branches that were there before, in their order, then new ones, under names that are free. A branch that met a
        singularity on the way, where two become one, is not among the first. Names that say shoulder, elbow and wrist go by
        these, whatever was there before.

    Raises:
        As `ik_all`.
    """
    T, single = target_poses(robot, X_target)
    if not single:
        raise EngineError(f"{robot.name}: follow_branches takes one target, not {len(T)} of them")
    solver = PoseBranches.of(robot, frame, _near(robot, q0), held_joints(robot, fixed))
    fresh = list(_sorted(_named(solver, T[0]), solver.near))
    if not branches or not fresh:
        return tuple(fresh)
    followed, ends = [], _led(solver, np.array([b.q for b in branches]), T[0])
    for before, end in zip(branches, ends, strict=True):
        off = apart(robot, end, np.array([b.q for b in fresh])) if fresh and end is not None else np.array([np.inf])
        if off.min() < _MET:
            there = fresh.pop(int(off.argmin()))
            q = wound(robot, there.q[None], before.q)[0]
            free = tuple(robot.joint_names.index(name) for name in there.free)
            name = there.name if _has_names(solver) else before.name
            followed.append(branch(robot, Solution(q, there.error, free), name))
    return (*followed, *_newly_numbered(robot, fresh, followed, _has_names(solver)))


def _newly_numbered(robot: Robot, fresh: list[Branch], followed: list[Branch], named: bool) -> list[Branch]:
    taken = {b.name for b in followed}
    free = (name for name in (f"branch {k}" for k in count(1)) if name not in taken)
    back = {name: i for i, name in enumerate(robot.joint_names)}
    return [
        branch(robot, Solution(b.q, b.error, tuple(back[name] for name in b.free)), b.name if named else next(free))
        for b in fresh
    ]


def _led(solver: PoseBranches, q: np.ndarray, T: np.ndarray) -> list[np.ndarray | None]:
    """Where positions q `(K, n)` of one pose come to when it moves to T, None where a singularity is on the way."""
    joints = solver.joints
    start = joints.chain.at(joints.chain_positions(q[0]))
    start = start.with_solutions(joints.chain_positions(q).astype(complex))
    given = joints.chain_positions(solver.near)
    given[joints.moving] = 0.0
    ends, reached = joints.chain.led(start, joints.chain_pose(T).astype(complex), given.astype(complex))
    return [end if t == ARRIVED else None for end, t in zip(joints.positions(ends.real, solver.near), reached, strict=True)]


def _near(robot: Robot, q0) -> np.ndarray:
    if q0 is None:
        bounded = np.isfinite(robot.q_min) & np.isfinite(robot.q_max)
        return np.where(bounded, (np.where(bounded, robot.q_min, 0) + np.where(bounded, robot.q_max, 0)) / 2, 0.0)
    (q,), single = batching.vectors(robot, q0=q0)
    if not single:
        raise EngineError(f"{robot.name}: ik_all takes one q0 of {robot.n} joints, not {len(q)} of them")
    return q[0]


def _has_names(solver: PoseBranches) -> bool:
    """Whether branches have names: with a joint held they do where that is the third of seven, the roll of the upper arm."""
    return solver.six is not None and solver.six.has_names and list(solver.joints.moving) in _WITH_NAMES


def _named(solver: PoseBranches, T: np.ndarray) -> list[Branch]:
    found, robot, joints = solver.at(T), solver.robot, solver.joints
    if solver.six is not None and _has_names(solver):
        X_W6 = T @ np.linalg.inv(solver.six.X_6F)
        names = told_apart([name_of(robot, solver.six, joints.six, s.q, X_W6) for s in found])
    else:
        main = [np.where(robot.prismatic, s.q, (s.q + np.pi) % (2 * np.pi) - np.pi)[joints.six].round(6) for s in found]
        order = sorted(range(len(found)), key=lambda k: tuple(main[k]))
        names = [f"branch {1 + order.index(k)}" for k in range(len(found))]
    return [branch(robot, s, name) for s, name in zip(found, names, strict=True)]


def _sorted(branches: list[Branch], near: np.ndarray) -> tuple[Branch, ...]:
    return tuple(sorted(branches, key=lambda b: (not b.within_limits, float(np.linalg.norm(b.q - near)))))
