"""`SingularityProblem`: robot, frame and task of a search for singular poses, and `Arm`, the same for the kernels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from armature.engine.kinematics.task import row_scale, singular_rows
from armature.engine.model.robot import Robot


class Arm(NamedTuple):
    """Arm, task and limits of the search for singular poses.

    `P`: the packed robot; `X_BF`: the frame on the body of index `body`; `rows` of the task and their `scale` S `(m,)`; `metric`
    diag Q `(n,)`; the characteristic `length` in m; the limits `low`, `high` `(n,)`.
    """

    P: np.ndarray
    body: int
    X_BF: np.ndarray
    rows: np.ndarray
    scale: np.ndarray
    metric: np.ndarray
    length: float
    low: np.ndarray
    high: np.ndarray


@dataclass(frozen=True)
class SingularityProblem:
    """Robot, frame and task of a search for singular poses."""

    robot: Robot
    frame: str | None
    rows: np.ndarray

    @classmethod
    def of(cls, robot: Robot, frame: str | None, task) -> SingularityProblem:
        return cls(robot, frame, singular_rows(robot, task))

    def arm(self, low: np.ndarray, high: np.ndarray) -> tuple:
        """The `Arm` within these limits `(n,)`, as a plain tuple for the kernels."""
        robot, F = self.robot, self.robot.frame(self.frame)
        arm = Arm(
            P=robot.packed,
            body=F.body,
            X_BF=F.X_BF,
            rows=self.rows,
            scale=row_scale(robot, self.rows),
            metric=joint_metric(robot),
            length=robot.characteristic_length,
            low=low,
            high=high,
        )
        return tuple(arm)

    def deciding(self) -> np.ndarray:
        """Indices of the joints on which the rank depends.

        With all six rows, the first of the chain moves the arm as a whole and the last one the frame alone: neither changes the
        rank, nor does any joint outside the chain. With fewer rows, all joints may.
        """
        robot = self.robot
        between = robot.chain(robot.frame(self.frame))[1:-1]
        return np.array(between if len(self.rows) == 6 else range(robot.n), np.int64)


def joint_metric(robot: Robot) -> np.ndarray:
    """diag Q `(n,)`: 1 for revolute joints, 1/L² for prismatic ones, L = `robot.characteristic_length`."""
    return np.where(robot.prismatic, robot.characteristic_length**-2.0, 1.0)
