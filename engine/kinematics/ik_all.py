"""Inverse kinematics in full: every way six joints can take a pose."""

from __future__ import annotations

from collections.abc import Mapping
from typing import overload

from armature.engine.kinematics.branch import Branch
from armature.engine.kinematics.named_branches import named_branches, solver_of
from armature.engine.kinematics.targets import target_poses
from armature.engine.model.read_only import Matrix, Vector
from armature.engine.model.robot import Robot


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

    Returns:
        A tuple of `Branch`, those within limits first, then by distance from q0; empty if the pose is out of reach (`ik` then
        returns the nearest pose and the reason). For N targets a tuple of tuples. Angles are given at the turn within the limits
        nearest to q0. At a singular pose with self-motion, that family is one branch, with q0's value of the joints in
        `Branch.free`. Branches of arms without a shoulder, elbow and wrist are numbered in the order of their angles, first joint
        first; `follow_branches` preserves the numbers while a target moves.

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
    return found[0] if single else found
