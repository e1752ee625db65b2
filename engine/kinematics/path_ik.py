"""Inverse kinematics for paths: of arms with too few joints the position counts, and the orientation is as near as it gets."""

from __future__ import annotations

from armature.engine.kinematics.ik import IKResult, ik
from armature.engine.kinematics.path_task import path_task
from armature.engine.model.robot import Robot


def path_ik(
    robot: Robot,
    X_target,
    q0=None,
    wish: tuple[str, ...] | None = None,
    task: tuple[str, ...] | None = None,
    restarts: int = 100,
) -> IKResult:
    """Joints for one pose `(4, 4)` of the tool in all coordinates of `wish`, else in those of `task` only.

    These are then looked for from the pose next to q0 that is nearest in all coordinates.

    Args:
        X_target: pose of the tool in the world.
        q0: start `(n,)`, rad or m; a random pose when None.
        wish: coordinates to be met if possible; `robot.task` when None.
        task: coordinates that must be met; `path_task(robot)` when None.
        restarts: as for `ik`.

    Raises:
        As `ik`.
    """
    wish, task = robot.task if wish is None else wish, path_task(robot) if task is None else task
    if wish == task:
        return ik(robot, X_target, q0=q0, task=task, restarts=restarts)
    near = ik(robot, X_target, q0=q0, task=wish, restarts=0)
    found = ik(robot, X_target, q0=q0, task=wish, restarts=restarts) if restarts and not near.success else near
    return found if found.success else ik(robot, X_target, q0=near.q, task=task, restarts=restarts)
