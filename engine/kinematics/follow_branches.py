"""Branches while their target moves: each keeps its name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import count

import numpy as np

from armature.engine.errors import EngineError
from armature.engine.kinematics.branch import Branch, apart, renamed
from armature.engine.kinematics.continuation.path_tracker import ARRIVED
from armature.engine.kinematics.named_branches import has_names, named_branches, solver_of
from armature.engine.kinematics.pose_branches import PoseBranches
from armature.engine.kinematics.targets import target_poses
from armature.engine.model.read_only import Matrix, Vector
from armature.engine.model.robot import Robot

_MET = 1e-4  # rad and m: how exactly a branch that is followed ends at one of the new ones


def follow_branches(
    robot: Robot,
    branches: Sequence[Branch],
    X_target: Matrix,
    q0: Vector | None = None,
    frame: str | None = None,
    fixed: Mapping[str, float] | None = None,
) -> tuple[Branch, ...]:
    """Return all IK solutions of a moved target, each with the name and the turns (multiples of 360°) of its branch.

    Every branch is followed along one screw motion from its pose X₀ to the target: X(t) = X₀ exp(t ξ) with the constant twist ξ
    and t from 0 to 1, q' = J⁻¹ ξ.

    Args:
        branches: branches of the previous pose, from `ik_all` or this function.
        X_target: pose of F in the world `(4, 4)`.
        q0, frame, fixed: as in `ik_all`; joints in `fixed` may have moved.

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
            followed.append(renamed(robot, there, there.name if named else before.name, before.q))
    if not branches:
        return tuple(fresh)
    taken = {b.name for b in followed}
    free = (name for name in (f"branch {k}" for k in count(1)) if name not in taken)
    return (*followed, *(replace(b, name=b.name if named else next(free)) for b in fresh))


def _led(solver: PoseBranches, branches: Sequence[Branch], T: np.ndarray) -> list[np.ndarray | None]:
    """Where each branch of one pose comes to when that moves to T `(n,)`, None where a singularity is on the way."""
    if not branches:
        return []
    joints, q = solver.joints, np.array([b.q for b in branches])
    start = joints.chain.at(joints.chain_positions(q[0])).with_solutions(joints.chain_positions(q))
    given = joints.chain_positions(solver.near)
    given[joints.moving] = 0.0
    ends, reached = joints.chain.led(start, joints.chain_pose(T).astype(complex), given)
    return [end if t == ARRIVED else None for end, t in zip(joints.positions(ends.real, solver.near), reached, strict=True)]
