"""`ik_all`: all solutions of a pose with names, and `follow_branches`: the same branches at another pose."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import count
from typing import overload

import numpy as np

from armature.engine import batching
from armature.engine.errors import EngineError
from armature.engine.kinematics.closed_form.wrist_branches import name_of
from armature.engine.kinematics.continuation.path_tracker import ARRIVED
from armature.engine.kinematics.obstacles import Obstacles
from armature.engine.kinematics.pose_branches import Branch, PoseBranches, apart, branch, distinct_names, rename_branch
from armature.engine.kinematics.six_joints import held_joints
from armature.engine.kinematics.targets import target_poses
from armature.engine.model.read_only import Matrix, Vector
from armature.engine.model.robot import Robot

_WITH_NAMES = ([0, 1, 2, 3, 4, 5], [0, 1, 3, 4, 5, 6])  # joints that move: all six, or of seven all but the upper arm's roll


def solver_of(robot: Robot, q0, frame: str | None, fixed: Mapping[str, float] | None) -> PoseBranches:
    """Return the solver for the poses of a frame, from the arguments of `ik_all`. Raises the same errors."""
    return PoseBranches.of(robot, frame, _near(robot, q0), held_joints(robot, fixed))


def has_names(solver: PoseBranches) -> bool:
    """Whether the arm has a shoulder, an elbow and a wrist that its branches are named after."""
    return solver.six is not None and solver.six.has_names and list(solver.joints.moving) in _WITH_NAMES


def named_branches(solver: PoseBranches, T: np.ndarray) -> tuple[Branch, ...]:
    """All branches of the pose T `(4, 4)`, those within limits first, then by nearness to the solver's `near`."""
    found, robot, joints = solver.at(T), solver.robot, solver.joints
    if solver.six is not None and has_names(solver):
        X_W6 = T @ np.linalg.inv(solver.six.X_6F)
        names = distinct_names([name_of(robot, solver.six, joints.six, s.q, X_W6) for s in found])
    else:
        main = [np.where(robot.prismatic, s.q, (s.q + np.pi) % (2 * np.pi) - np.pi)[joints.six].round(6) for s in found]
        order = sorted(range(len(found)), key=lambda k: tuple(main[k]))
        names = [f"branch {1 + order.index(k)}" for k in range(len(found))]
    branches = [branch(robot, s, name) for s, name in zip(found, names, strict=True)]
    return tuple(sorted(branches, key=lambda b: (not b.within_limits, float(np.linalg.norm(b.q - solver.near)))))


def _near(robot: Robot, q0) -> np.ndarray:
    if q0 is None:
        bounded = np.isfinite(robot.q_min) & np.isfinite(robot.q_max)
        return np.where(bounded, (np.where(bounded, robot.q_min, 0) + np.where(bounded, robot.q_max, 0)) / 2, 0.0)
    (q,), single = batching.vectors(robot, q0=q0)
    if not single:
        raise EngineError(f"{robot.name}: ik_all accepts one q0 of {robot.n} joints, not {len(q)}")
    return q[0]


@overload
def ik_all(
    robot: Robot,
    X_target: Matrix,
    q0: Vector | None = None,
    frame: str | None = None,
    fixed: Mapping[str, float] | None = None,
    cell: Obstacles | None = None,
) -> tuple[Branch, ...]: ...
@overload
def ik_all(
    robot: Robot,
    X_target,
    q0=None,
    frame: str | None = None,
    fixed: Mapping[str, float] | None = None,
    cell: Obstacles | None = None,
) -> tuple[tuple[Branch, ...], ...]: ...
def ik_all(
    robot: Robot,
    X_target,
    q0=None,
    frame: str | None = None,
    fixed: Mapping[str, float] | None = None,
    cell: Obstacles | None = None,
) -> tuple[Branch, ...] | tuple[tuple[Branch, ...], ...]:
    """Return all joint positions at which a frame F reaches a target, for any six revolute or prismatic joints: up to 16
    branches.

    Arms with three consecutive axes that are parallel or intersect at one point have a closed form with up to eight branches; the
    arm type is detected from the axes. For other arms all solutions, including complex ones, are followed to the target from
    poses with known solutions (continuation). That takes some ms, and some tenths of a second once per arm.

    Args:
        X_target: pose(s) of F in the world `(4, 4)` or `(N, 4, 4)`.
        q0: positions `(n,)`, rad or m, that select the turn (multiple of 360°) of each angle and the value of free joints; None:
            the middle of the limits.
        frame: a name in `robot.frames`; None: the tool.
        fixed: for arms with more than six joints that move F: fixed joints by name, in rad or m, as {"joint3": 0.4}.
        cell: `Cell` of objects around the arm; branches in contact with an object, the floor or the arm itself name the pair in
            `Branch.collides`. None: contacts are not tested.

    Returns:
        A tuple of `Branch`, those within limits first, without contact before others, then by distance from q0; empty if the pose
        is out of reach (`ik` then returns the nearest pose and the reason). For N targets a tuple of tuples. Angles are given at
        the turn within the limits nearest to q0. At a singular pose with self-motion, that family is one branch, with q0's value
        of the joints in `Branch.free`. Branches of arms without a shoulder, elbow and wrist are numbered in the order of their
        angles, first joint first; `follow_branches` preserves the numbers while a target moves.

    Raises:
        DimensionError, UnknownFrameError.
        EngineError: the number of joints that move F and are not fixed is not six, or these joints lose a direction in every
            pose; `ik` supports any arm.

    Source: Pieper 1968, The kinematics of manipulators under computer control; Hawkins 2013, Analytic inverse kinematics for the
    Universal Robots UR-5/UR-10 arms; Sommese, Wampler 2005, The numerical solution of systems of polynomials, 7.1 and 9.4.
    """
    T, single = target_poses(robot, X_target)
    solver = solver_of(robot, q0, frame, fixed)
    found = tuple(named_branches(solver, X) for X in T)
    if cell is not None:
        order = lambda one: (not one.within_limits, bool(one.collides))  # noqa: E731
        found = tuple(tuple(sorted(with_contacts(robot, branches, cell), key=order)) for branches in found)
    return found[0] if single else found


def with_contacts(robot: Robot, branches: Sequence[Branch], cell: Obstacles | None) -> tuple[Branch, ...]:
    """Return the branches with the pairs that touch in a cell; without any for None."""
    if cell is None or not branches:
        return tuple(replace(one, collides=()) for one in branches)
    pairs = cell.contact_pairs(robot, np.array([one.q for one in branches]))
    return tuple(replace(one, collides=pair or ()) for one, pair in zip(branches, pairs, strict=True))


_MET = 1e-4  # rad and m: how exactly a branch that is followed ends at one of the new ones


def follow_branches(
    robot: Robot,
    branches: Sequence[Branch],
    X_target: Matrix,
    q0: Vector | None = None,
    frame: str | None = None,
    fixed: Mapping[str, float] | None = None,
    cell: Obstacles | None = None,
) -> tuple[Branch, ...]:
    """Return all IK solutions of a moved target, each with the name and the turns (multiples of 360°) of its branch.

    Every branch is followed along one screw motion from its pose X₀ to the target: X(t) = X₀ exp(t ξ) with the constant twist ξ
    and t from 0 to 1, q' = J⁻¹ ξ.

    Args:
        branches: branches of the previous pose, from `ik_all` or this function.
        X_target: pose of F in the world `(4, 4)`.
        q0, frame, fixed, cell: as in `ik_all`; joints in `fixed` may have moved.

    Returns:
        First the previous branches in their order, then new solutions with unused names. A branch that meets a singularity, where
        two branches merge, is not among the first. Names of shoulder, elbow and wrist are computed from the new configuration.

    Raises:
        As `ik_all`.
    """
    T, single = target_poses(robot, X_target)
    if not single:
        raise EngineError(f"{robot.name}: follow_branches accepts one target, not {len(T)}")
    solver = solver_of(robot, q0, frame, fixed)
    fresh, named, followed = list(named_branches(solver, T[0])), has_names(solver), list[Branch]()
    for before, end in zip(branches, _led(solver, branches, T[0]), strict=True):
        off = np.inf if end is None else apart(robot, end, np.array([b.q for b in fresh]).reshape(-1, robot.n))
        if np.min(off, initial=np.inf) < _MET:
            there = fresh.pop(int(np.argmin(off)))
            followed.append(rename_branch(robot, there, there.name if named else before.name, before.q))
    if not branches:
        return with_contacts(robot, fresh, cell)
    taken = {b.name for b in followed}
    free = (name for name in (f"branch {k}" for k in count(1)) if name not in taken)
    return with_contacts(robot, [*followed, *(replace(b, name=b.name if named else next(free)) for b in fresh)], cell)


def _led(solver: PoseBranches, branches: Sequence[Branch], T: np.ndarray) -> list[np.ndarray | None]:
    """Positions `(n,)` of each branch after the pose moves to T; None if a singularity is on the path."""
    if not branches:
        return []
    joints, q = solver.joints, np.array([b.q for b in branches])
    start = joints.chain.at(joints.chain_positions(q[0])).with_solutions(joints.chain_positions(q))
    given = joints.chain_positions(solver.near)
    given[joints.moving] = 0.0
    ends, reached = joints.chain.led(start, joints.chain_pose(T).astype(complex), given)
    return [end if t == ARRIVED else None for end, t in zip(joints.positions(ends.real, solver.near), reached, strict=True)]
