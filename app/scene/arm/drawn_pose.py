"""`Pose`: one pose of a robot and what the items of the scene derive from it, each at most once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np

from armature import engine
from armature.engine import Robot
from armature.engine.kinematics.task import movable_task


@dataclass(eq=False)
class Pose:
    """`q` `(n,)` in rad or m; `slots` X_WS `(n_bodies + 1, 4, 4)`, the world first; X_WT `(4, 4)` of the tool frame."""

    robot: Robot
    q: np.ndarray
    slots: np.ndarray
    X_WT: np.ndarray

    @property
    def tool(self) -> np.ndarray:
        """Origin of the tool frame in W, `(3,)` in m."""
        return self.X_WT[:3, 3]

    @cached_property
    def J_v(self) -> np.ndarray:
        """Linear rows of the tool's Jacobian, world axes, `(3, n)`."""
        return engine.jacobian(self.robot, self.q)[:3]

    @cached_property
    def principal(self) -> tuple[np.ndarray, np.ndarray]:
        """`principal_axes` of J_v in the robot's task."""
        return principal_axes(self.J_v, movable_task(self.robot))


class ShownPose:
    """The pose that is shown now, and the one whose numbers are told: the same, or while the arm moves by itself one of the last
    tenth of a second. None before the first."""

    pose: Pose | None = None
    told: Pose | None = None


def principal_axes(J_v: np.ndarray, task: tuple[str, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Columns U `(3, 3)`, right-handed, and singular values `(m,)`, the largest first, of the rows of J_v that count in `task`.

    J_t J_tᵀ = U S² Uᵀ. Directions outside the task come last and have no singular value.
    """
    rows = _rows(task)
    order, many = [*rows, *({0, 1, 2} - set(rows))], len(rows)
    U, found, _ = np.linalg.svd(J_v[rows])
    axes, sigma = np.eye(3)[:, order], np.zeros(many)
    axes[rows, :many], sigma[: len(found)] = U, found
    axes[:, 2] = np.cross(axes[:, 0], axes[:, 1])
    return axes, sigma


@cache
def _rows(task: tuple[str, ...]) -> list[int]:
    return [k for k, axis in enumerate("xyz") if axis in task] or [0, 1, 2]
