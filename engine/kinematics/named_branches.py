"""The branches of a pose as users get them: named, and in order."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from armature.engine import batching
from armature.engine.errors import EngineError
from armature.engine.kinematics.branch import Branch, branch, told_apart
from armature.engine.kinematics.closed_form.branch_names import name_of
from armature.engine.kinematics.pose_branches import PoseBranches
from armature.engine.kinematics.six_joints import held_joints
from armature.engine.model.robot import Robot

_WITH_NAMES = ([0, 1, 2, 3, 4, 5], [0, 1, 3, 4, 5, 6])  # joints that move: all six, or of seven all but the upper arm's roll


def solver_of(robot: Robot, q0, frame: str | None, fixed: Mapping[str, float] | None) -> PoseBranches:
    """What solves the poses of a frame, from arguments as users give them. Raises as `ik_all`."""
    return PoseBranches.of(robot, frame, _near(robot, q0), held_joints(robot, fixed))


def has_names(solver: PoseBranches) -> bool:
    """Whether the arm has a shoulder, an elbow and a wrist that its branches are named after."""
    return solver.six is not None and solver.six.has_names and list(solver.joints.moving) in _WITH_NAMES


def named_branches(solver: PoseBranches, T: np.ndarray) -> tuple[Branch, ...]:
    """All branches of the pose T `(4, 4)`, those within limits first, then by nearness to the solver's `near`."""
    found, robot, joints = solver.at(T), solver.robot, solver.joints
    if solver.six is not None and has_names(solver):
        X_W6 = T @ np.linalg.inv(solver.six.X_6F)
        names = told_apart([name_of(robot, solver.six, joints.six, s.q, X_W6) for s in found])
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
