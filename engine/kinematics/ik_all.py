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
        Branches, those within limits first, then by nearness to q0; an empty tuple where the pose is out of reach, for which `ik`
        gives the nearest pose and the reason. For N targets a tuple of them. Of angles that differ by whole turns the one within
        limits and nearest to q0 is given.
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
    solver = solver_of(robot, q0, frame, fixed)
    found = tuple(named_branches(solver, X) for X in T)
    return found[0] if single else found
