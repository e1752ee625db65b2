"""The task: which coordinates of a frame count."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from armature.engine.errors import EngineError
from armature.engine.kinematics.path_task import path_task, singular_task
from armature.engine.model.robot import TASK_AXES, Robot
from armature.engine.rounding import cleared

RANK_TOLERANCE = 1e-10
"""Of the largest singular value of a scaled Jacobian; a direction with a smaller one counts as lost."""


def task_rows(robot: Robot, task=None) -> np.ndarray:
    """Row indices of the Jacobian that count: of `task`, or of the robot's own task when None. Raises EngineError."""
    wanted = robot.task if task is None else task_axes(task)
    return np.array(sorted(TASK_AXES.index(axis) for axis in wanted), dtype=np.int64)


def singular_rows(robot: Robot, task=None) -> np.ndarray:
    """Row indices of the Jacobian that lose rank at a singular pose: of `task`, or of `singular_task` when None.

    Raises EngineError.
    """
    return task_rows(robot, singular_task(robot) if task is None else task)


def path_rows(robot: Robot) -> np.ndarray:
    """Row indices of the Jacobian that count while the tool follows a path; see `path_task`."""
    return task_rows(robot, path_task(robot))


def row_scale(robot: Robot, rows: np.ndarray) -> np.ndarray:
    """S `(m,)` that makes rows of a Jacobian comparable: 1 for lengths, `robot.characteristic_length` in m for angles."""
    return np.where(rows >= 3, robot.characteristic_length, 1.0)


def kept_rank(robot: Robot, sigma: np.ndarray) -> int:
    """How many of the singular values of a scaled Jacobian, largest first, are no loss: not small beside the largest, nor noise.

    What is below the rounding of the arm's own size is noise, also where no larger value stands beside it.
    """
    clear = cleared(sigma, robot.characteristic_length)
    return int(np.sum(clear > RANK_TOLERANCE * max(clear[0], np.finfo(float).tiny)))


def task_axes(task) -> tuple[str, ...]:
    """The axes of a task as the caller gave them, checked. Raises EngineError."""
    wanted = tuple(task) if isinstance(task, Iterable) else (task,)
    if not wanted or any(axis not in TASK_AXES for axis in wanted) or len(set(wanted)) != len(wanted):
        raise EngineError(f"task {wanted!r} is not a non-empty subset of {TASK_AXES}")
    return wanted
