"""`TrackingError`: how far off its trajectory an arm is, round by round."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from armature.engine.model.robot import Robot
from armature.engine.trajectory.trajectory import Trajectory


class TrackingError:
    """Root of the mean square of |q − q_d| over each round of a trajectory that loops, over all of another.

    |q − q_d| is the norm over all joints, rad and m as they come.
    """

    def __init__(self, trajectory: Trajectory):
        self._trajectory = trajectory
        self._sums: dict[int, np.ndarray] = {}

    def take(self, states: np.ndarray) -> None:
        """Further states, t and then q in each row, of a run that begins at time 0."""
        way, t = self._trajectory, states[:, 0]
        off = ((states[:, 1 : way.n + 1] - way.sample(t)[0]) ** 2).sum(axis=1)
        rounds = (t // way.duration).astype(int) if way.loops else np.zeros(len(t), int)
        for k in np.unique(rounds):
            inside = off[rounds == k]
            self._sums[int(k)] = self._sums.get(int(k), np.zeros(2)) + (inside.sum(), len(inside))

    @property
    def rounds(self) -> np.ndarray:
        """One for each round that was begun."""
        least = [total for total in self._sums.values() if total[1] > 1]  # the last sample may begin another round
        return np.array([np.sqrt(square / count) for square, count in least])

    @property
    def whole(self) -> float:
        """Over everything that was taken, rad and m as they come; 0 before anything was."""
        square, count = sum(self._sums.values(), np.zeros(2))
        return float(np.sqrt(square / count)) if count else 0.0

    def sentence(self, robot: Robot, changes: Sequence[float] = ()) -> str:
        """All of them; | where the arm changed."""
        unit, scale = ("mrad", 1e3) if not robot.prismatic.any() else ("(rad, m)", 1.0)
        marks = {int(t // self._trajectory.duration) for t in changes} if self._trajectory.loops else set()
        told = [f"{'| ' if k in marks else ''}{scale * off:.3g}" for k, off in enumerate(self.rounds)]
        by = "by round: " if self._trajectory.loops else ""
        return f"tracking error {by}{' '.join(told)} {unit} RMS"
