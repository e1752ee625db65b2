"""`MotionLimits`: how fast, how suddenly and how jerkily joints may move."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from armature.engine.model.frozen import Frozen
from armature.engine.model.read_only import read_only
from armature.engine.model.robot import Robot
from armature.engine.trajectory.extremes import peaks
from armature.engine.trajectory.trajectory import Trajectory

TURN, SLIDE = 2.0, 0.5  # rad/s and m/s of joints whose file gives no limit
_RISE = 0.25  # s from rest to full speed
_ONSET = 0.1  # s from no to full acceleration


@dataclass(frozen=True, eq=False)
class MotionLimits(Frozen):
    """Limits of the joints: `velocity` rad/s or m/s, `acceleration` rad/s² or m/s², `jerk` rad/s³ or m/s³, `(n,)` each."""

    velocity: np.ndarray
    acceleration: np.ndarray
    jerk: np.ndarray

    def __post_init__(self):
        vars(self).update(velocity=read_only(self.velocity), acceleration=read_only(self.acceleration))
        vars(self).update(jerk=read_only(self.jerk))

    @classmethod
    def of(cls, robot: Robot, share: float = 1.0) -> MotionLimits:
        """Return the limits of a robot's joints, with a default for each limit that the robot does not have.

        Velocity: `qd_max`, by default 2 rad/s or 0.5 m/s. Acceleration: `qdd_max`, by default the value that reaches the velocity
        limit in 0.25 s. Jerk: the value that reaches the acceleration limit in 0.1 s. The limits are then multiplied by `share`
        (velocity), its square (acceleration) and its cube (jerk), so that the same path takes 1/share times as long.
        """
        usual = np.where(robot.prismatic, SLIDE, TURN)
        v = np.where(np.isfinite(robot.qd_max), robot.qd_max, usual)
        a = np.where(np.isfinite(robot.qdd_max), robot.qdd_max, v / _RISE)
        return cls(v * share, a * share**2, a / _ONSET * share**3)

    def stretch(self, trajectory: Trajectory, jerk: bool = True) -> float:
        """Return the factor on the duration with which a trajectory just meets the limits: above 1 if it exceeds them.

        `jerk`: whether the jerk limit is included.
        """
        bounds = (self.velocity, self.acceleration, self.jerk)[: 3 if jerk else 2]
        return max(float((peaks(trajectory, k) / bound).max()) ** (1 / k) for k, bound in enumerate(bounds, 1))
