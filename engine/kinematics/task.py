"""The task: which coordinates of a frame count."""

from __future__ import annotations

import numpy as np

from engine.errors import EngineError
from engine.model.robot import TASK_AXES, Robot


def task_rows(robot: Robot, task=None) -> np.ndarray:
    """Row indices of the Jacobian that count: of `task`, or of the robot's own task when None. Raises EngineError."""
    wanted = robot.task if task is None else tuple(task)
    unknown = [axis for axis in wanted if axis not in TASK_AXES]
    if unknown or not wanted or len(set(wanted)) != len(wanted):
        raise EngineError(f"task {wanted!r} is not a non-empty subset of {TASK_AXES}")
    return np.array(sorted(TASK_AXES.index(axis) for axis in wanted), dtype=np.int64)
