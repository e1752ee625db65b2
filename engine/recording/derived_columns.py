"""Columns derived from the states: tool pose, distance from a singularity, energies."""

from __future__ import annotations

import numpy as np

from armature.engine.dynamics.energy import kinetic_energy, potential_energy
from armature.engine.kinematics.poses import frame_pose
from armature.engine.model.robot import Robot
from armature.engine.recording.recording_columns import Layout
from armature.engine.rotations import quaternion
from armature.engine.singularities.dexterity_measures import sigma_min_batch


def quaternions(R: np.ndarray, before: np.ndarray | None = None) -> np.ndarray:
    """Return unit quaternions (w, x, y, z) of rotation matrices along a path.

    q and −q are the same rotation; each sample has the sign nearest to the previous one, so that plots have no jumps.

    Args:
        R: rotation matrices `(N, 3, 3)` in the order of time.
        before: the quaternion `(4,)` before `R[0]`; None: the first has w ≥ 0.

    Returns:
        `(N, 4)`.
    """
    if not len(R):
        return np.empty((0, 4))
    Q = quaternion(R)
    return Q * _signs(Q, before)[:, None]


def _signs(Q: np.ndarray, before: np.ndarray | None) -> np.ndarray:
    start = np.array([1.0, 0, 0, 0]) if before is None else before
    previous = np.vstack([start, Q[:-1]])
    return np.cumprod(np.where((Q * previous).sum(axis=1) < 0, -1.0, 1.0))


class Completer:
    """Converts rows of states to rows of a recording; stores the last quaternion, so that signs do not jump between calls."""

    def __init__(self, robot: Robot):
        self._robot = robot
        self._width = Layout(robot.n).state_width
        self._last: np.ndarray | None = None

    def complete(self, states: np.ndarray, arm: Robot | None = None) -> np.ndarray:
        """Return rows `(k, 4n + 11)` from rows `(k, 1 + 4n)` of t, q, qd, qdd, tau; the result does not depend on the grouping of
        rows.

        Sensor readings `(k, 3n)` after the states are placed after the derived columns. The energies are those of `arm`, the
        robot with its payload and gravity at that time; None: the robot of the recording.
        """
        robot, readings = self._robot, states[:, self._width :]
        layout = Layout(robot.n, measured=readings.shape[1] > 0)
        arm = robot if arm is None else arm
        table = np.zeros((len(states), layout.width))
        table[:, : layout.state_width], table[:, layout.width - readings.shape[1] :] = states[:, : self._width], readings
        if not len(states):
            return table
        q, qd = (np.ascontiguousarray(states[:, layout.group(name)]) for name in ("q", "qd"))
        X_WT = frame_pose(robot, q)
        tool = table[:, layout.tool]
        tool[:, :3] = X_WT[:, :3, 3]
        tool[:, 3:] = quaternions(X_WT[:, :3, :3], self._last)
        self._last = tool[-1, 3:].copy()
        table[:, layout.scalar("sigma_min")] = sigma_min_batch(robot, q)
        if arm.has_dynamics:
            table[:, layout.scalar("kinetic")] = kinetic_energy(arm, q, qd)
            table[:, layout.scalar("potential")] = potential_energy(arm, q)
        return table
