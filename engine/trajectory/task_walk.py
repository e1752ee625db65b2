"""`Walk`: a path of the tool made into joint positions, speed leading on and inverse kinematics correcting."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from armature.engine.errors import TrajectoryError
from armature.engine.kinematics.ik import ik
from armature.engine.kinematics.jacobian import jacobian, jacobian_dot
from armature.engine.kinematics.path_task import path_task
from armature.engine.kinematics.search.reason_words import without_pose
from armature.engine.kinematics.task import path_rows, row_scale
from armature.engine.kinematics.task_axes import axes_frame, in_axes, is_turned, task_axes_at
from armature.engine.model.robot import Robot
from armature.engine.trajectory.hermite import joined
from armature.engine.trajectory.task_path import TaskPath

_LEAP = 0.04  # rad or m that a joint may be off where its own speed leads it, within one grid step
_FAST = 30.0  # rad/s or m/s; a joint that would have to be faster is at a singularity
_TOLERANCE = 1e-9  # m and rad of a solved pose
_SINGULAR = 1e-9  # of the largest singular value
_STRIDE, _SHORT_STRIDE = 10, 5  # grid steps over which the walk leads at a time where the arm moves smoothly; if redundant
_AXES = "axes of the task"
_SMOOTH = 1e-3  # rad or m between where that leads and the solution
_Law = tuple[Any, Any, Any]  # s, s', s'' at one time or at several


@dataclass(frozen=True, eq=False)
class Leg:
    """A stretch of time with one polynomial c `(6,)` for s: from `begin`, `count` grid steps of h."""

    c: np.ndarray
    begin: float
    h: float
    count: int

    def law(self, k) -> _Law:
        """s, s', s'' after k grid steps, a number or an array of them."""
        c, u = self.c, k * self.h
        s = c[0] + u * (c[1] + u * (c[2] + u * (c[3] + u * (c[4] + u * c[5]))))
        sd = c[1] + u * (2 * c[2] + u * (3 * c[3] + u * (4 * c[4] + u * 5 * c[5])))
        return s, sd, 2 * c[2] + u * (6 * c[3] + u * (12 * c[4] + u * 20 * c[5]))


class Walk:
    """Follows a path in joint space: speed leads on, inverse kinematics corrects."""

    def __init__(self, robot: Robot, path: TaskPath):
        self.robot, self.path = robot, path
        self.rows, self._task = path_rows(robot), path_task(robot)
        self.scale = row_scale(robot, self.rows)

    def rates(self, q: np.ndarray, law: _Law) -> tuple[np.ndarray, np.ndarray]:
        """qd and qdd of least speed:  qd = A⁺ v,  qdd = A⁺ (v' − A' qd) + (1 − A⁺ A) A'ᵀ λ  with qd = Aᵀ λ."""
        twist, rate = self.path.rate(*law)
        R, A, inverse = self._task_jacobian(q)
        qd = _times(inverse, self.scale * in_axes(R, twist)[..., self.rows])
        J_dot = jacobian_dot(self.robot, q, qd)
        spin = self._spin(q, qd)
        if spin is None:
            A_dot, drift = self.scale[:, None] * J_dot[..., self.rows, :], rate
        else:  # the axes turn with the arm or the tool: (Rᵀ x)' = Rᵀ (x' − w × x)
            J = jacobian(self.robot, q)
            A_dot = self.scale[:, None] * in_axes(R, J_dot - _crossed(spin, J))[..., self.rows, :]
            drift = rate - _crossed(spin, twist[..., None])[..., 0]
        qdd = _times(inverse, self.scale * in_axes(R, drift)[..., self.rows] - _times(A_dot, qd))
        if len(self.rows) < self.robot.n:
            along = _times(A_dot.swapaxes(-1, -2), _times(inverse.swapaxes(-1, -2), qd))
            qdd = qdd + along - _times(inverse, _times(A, along))
        return qd, qdd

    def _task_jacobian(self, q: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The axes of the task, A and its pseudo-inverse."""
        R = task_axes_at(self.robot, q, None, self.rows)
        A = self.scale[:, None] * in_axes(R, jacobian(self.robot, q))[..., self.rows, :]
        return R, A, np.linalg.pinv(A, rcond=_SINGULAR)

    def _spin(self, q: np.ndarray, qd: np.ndarray) -> np.ndarray | None:
        """Angular velocity `(…, 3)` of the axes of the task; None where they stand still."""
        if not is_turned(self.robot, self.rows):
            return None
        F = axes_frame(self.robot, self.robot.tool_frame)
        if F.body < 0:
            return None
        carrier = replace(self.robot, frames={**self.robot.frames, _AXES: F})
        return _times(jacobian(carrier, q, _AXES)[..., 3:, :], qd)

    def _speed(self, q: np.ndarray, law: _Law) -> np.ndarray:
        twist, _ = self.path.rate(*law)
        R, _, inverse = self._task_jacobian(q)
        return inverse @ (self.scale * in_axes(R, twist)[self.rows])

    def in_strides(self, q: np.ndarray, leg: Leg) -> np.ndarray | None:
        """q at all grid points `(count + 1, n)`: the walk goes over several at a time, those between are solved together.

        None where the arm does not move smoothly enough for that.
        """
        stride = _SHORT_STRIDE if len(self.rows) < self.robot.n else _STRIDE
        stops = np.append(np.arange(0, leg.count, stride), leg.count)
        places = [q]
        for k0, k1 in pairwise(stops):
            led = self._led(places[-1], leg, k0, k1)
            found = ik(self.robot, self.path.pose(leg.law(k1)[0]), q0=led, task=self._task, restarts=0, tolerance=_TOLERANCE)
            if not found.success or np.abs(found.q - led).max() > _SMOOTH:
                return None
            places.append(found.q)
        ends = np.stack([places, *self.rates(np.array(places), leg.law(stops))], axis=1)
        between = joined(ends[:-1], ends[1:], leg.h * np.diff(stops))
        steps = np.arange(leg.count + 1)
        led = between.sample(leg.h * steps)[0]
        found = ik(self.robot, self.path.pose(leg.law(steps)[0]), q0=led, task=self._task, restarts=0, tolerance=_TOLERANCE)
        smooth = np.all(found.success) and np.abs(found.q - led).max() <= _SMOOTH
        return found.q if smooth else None

    def step_by_step(self, q: np.ndarray, leg: Leg) -> np.ndarray:
        """q at all grid points `(count + 1, n)`, one after the other. Raises TrajectoryError."""
        places = [q]
        for k in range(leg.count):
            q = places[-1]
            led, X = self._led(q, leg, k, k + 1), self.path.pose(leg.law(k + 1)[0])
            t = leg.begin + (k + 1) * leg.h
            where = f"at t = {t:.3f} s, x = {X[0, 3]:.4f}, y = {X[1, 3]:.4f}, z = {X[2, 3]:.4f} m"
            self._no_leap(led - q, _FAST * leg.h, X, where)
            found = ik(self.robot, X, q0=led, task=self._task, restarts=0, tolerance=_TOLERANCE)
            if not found.success:
                outside = np.flatnonzero((led < self.robot.q_min) | (led > self.robot.q_max))
                why = f"{self.robot.joint_names[outside[0]]} would pass its limit" if len(outside) else without_pose(found.reason)
                raise TrajectoryError(f"{self.robot.name}: the tool cannot follow its path {where}: {why}")
            self._no_leap(found.q - led, _LEAP, X, where)
            places.append(found.q)
        return np.array(places)

    def _led(self, q: np.ndarray, leg: Leg, k0: int, k1: int) -> np.ndarray:
        """q of grid point k1 from that of k0: a Runge–Kutta step of qd = A⁺ v."""
        h, half, whole = (k1 - k0) * leg.h, leg.law((k0 + k1) / 2), leg.law(k1)
        s1 = self._speed(q, leg.law(k0))
        s2 = self._speed(q + h / 2 * s1, half)
        s3 = self._speed(q + h / 2 * s2, half)
        s4 = self._speed(q + h * s3, whole)
        return q + h / 6 * (s1 + 2 * s2 + 2 * s3 + s4)

    def _no_leap(self, way: np.ndarray, most: float, X: np.ndarray, where: str) -> None:
        i = int(np.argmax(np.abs(way)))
        if abs(way[i]) <= most:
            return
        there = ik(self.robot, X, task=self._task)  # at the edge of the reach joints are as fast as at any singularity
        if not there.success:
            raise TrajectoryError(f"{self.robot.name}: the tool cannot follow its path {where}: {without_pose(there.reason)}")
        raise TrajectoryError(
            f"{self.robot.name}: the path passes through a singularity {where}: {self.robot.joint_names[i]} would jump. "
            "Choose another path or a joint move (PTP)"
        )


def _crossed(w: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """w × x of the linear and of the angular part of columns `(…, 6, k)`, w `(…, 3)`."""
    parts = columns.reshape(*columns.shape[:-2], 2, 3, columns.shape[-1])
    return np.cross(w[..., None, :, None], parts, axis=-2).reshape(columns.shape)


def _times(A: np.ndarray, x: np.ndarray) -> np.ndarray:
    """A x of matrices `(…, m, n)` and vectors `(…, n)`."""
    return (A @ x[..., None])[..., 0]
