"""`ToolTime`: how long the tool needs for a path at least, by its own limits."""

from __future__ import annotations

import numpy as np

from armature.engine.errors import TrajectoryError
from armature.engine.kinematics.task import path_rows
from armature.engine.kinematics.task_axes import is_turned
from armature.engine.model.robot import Robot
from armature.engine.model.tool_limits import ToolLimits
from armature.engine.trajectory.task_path import TaskPath
from armature.engine.trajectory.task_space import timing
from armature.engine.trajectory.trajectory import Trajectory

_LOOKS = 2001  # at s(t) of a path, for its peaks
_SAME = 1e-9  # m or rad: no way to go
_LONGEST = 1e5  # s
_USUAL_SPEED, _USUAL_TURN, _SHORTEST = 0.25, 1.0, 0.1  # m/s, rad/s on average and s in which a path is worked out


class ToolTime:
    """Least path times by the tool's limits, over the coordinates in which the tool follows a path.

    `share` is the used part of the speed limit, its square and cube those of acceleration and jerk.
    """

    def __init__(self, robot: Robot, limits: ToolLimits, share: float = 1.0):
        whole = limits.whole()
        self._linear = np.array([whole.speed, whole.acceleration, whole.jerk])
        self._angular = np.array([whole.angular_speed, whole.angular_acceleration, whole.angular_jerk])
        rows = path_rows(robot)
        self._rows, self._share = (np.arange(6) if is_turned(robot, rows) else rows), share

    def least(self, path: TaskPath, law: str) -> float:
        """Seconds that the tool needs from rest to rest by a law of `LAWS`, 0 where it has nowhere to go.

        peak of |dᵏp/dtᵏ| = peak in one second / Tᵏ ≤ limit k. A trapezoidal law has no jerk to limit: its acceleration is sudden.
        Raises TrajectoryError where that is longer than 1e5 s.
        """
        s_of_t = timing(law, 1.0)
        t = np.unique(np.concatenate([np.linspace(0.0, 1.0, _LOOKS), s_of_t.breaks]))
        norms = self._norms(path, s_of_t, t, law)
        if norms[0].max() < _SAME:
            return 0.0
        nearest = np.unique(norms.argmax(axis=1))
        fine = [np.linspace(t[max(k - 1, 0)], t[min(k + 1, len(t) - 1)], _LOOKS) for k in nearest]
        peaks = np.maximum(norms.max(axis=1), self._norms(path, s_of_t, np.concatenate(fine), law).max(axis=1))
        power = 1.0 / np.arange(1, len(peaks) + 1)
        limits = np.stack([self._linear, self._angular], axis=1)[: len(peaks)]
        least = float(((peaks / limits) ** power[:, None]).max()) / self._share
        if least > _LONGEST:
            raise TrajectoryError(f"the tool limits give a duration of {least:.3g} s; at most 1e5 s are allowed")
        return least

    def _norms(self, path: TaskPath, s_of_t: Trajectory, t: np.ndarray, law: str) -> np.ndarray:
        """Norm of the linear and of the angular part of every derivative at times t `(N,)`, `(k, N, 2)`."""
        s, sd, sdd = (x[:, 0] for x in s_of_t.sample(t))
        motion = [*path.rate(s, sd, sdd)]
        if law == "quintic":
            motion.append(path.jerk(s, sd, sdd, s_of_t.jerk(t)[:, 0]))
        counted = np.where(np.isin(np.arange(6), self._rows), np.array(motion), 0.0)
        return np.linalg.norm(counted.reshape(*counted.shape[:2], 2, 3), axis=-1)


def worked_out_in(path: TaskPath, least: float) -> float:
    """Seconds in which to solve a path that takes `least` s, or longer by the joints' limits: neither in leaps nor endlessly."""
    usual = max(path.length / _USUAL_SPEED, float(np.linalg.norm(path.phi)) / _USUAL_TURN, _SHORTEST)
    return max(usual, min(least, 100.0 * usual), least / 500.0)
