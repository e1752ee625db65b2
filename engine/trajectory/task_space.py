"""Trajectories of the tool: straight lines, arcs, and their times."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Protocol

import numpy as np

from armature.engine.batching import vectors
from armature.engine.errors import EngineError, TrajectoryError
from armature.engine.kinematics.ik import ik
from armature.engine.kinematics.jacobian import jacobian, jacobian_dot, tool_rates
from armature.engine.kinematics.poses import frame_pose
from armature.engine.kinematics.search.reason_words import without_pose
from armature.engine.kinematics.targets import target_poses
from armature.engine.kinematics.task import axes_frame, in_axes, is_turned, path_rows, path_task, row_scale, task_axes_at
from armature.engine.model.robot import Robot
from armature.engine.model.tool_limits import ToolLimits
from armature.engine.trajectory.hermite import joined
from armature.engine.trajectory.joint_space import quintic, trapezoidal
from armature.engine.trajectory.task_path import TaskPath, arc_path, line_path
from armature.engine.trajectory.trajectory import Trajectory

_LEAP = 0.04  # rad or m, largest deviation of a joint from the prediction within one grid step
_FAST = 30.0  # rad/s or m/s; a faster joint indicates a singularity
_TOLERANCE = 1e-9  # m and rad of a solved pose
_SINGULAR = 1e-9  # of the largest singular value
_STRIDE, _SHORT_STRIDE = 10, 5  # grid steps predicted at once for smooth motion; of redundant arms
_AXES = "axes of the task"
_SMOOTH = 1e-3  # rad or m, largest deviation of the solution from that prediction
_Law = tuple[Any, Any, Any]  # s, s', s'' at one time or at several


@dataclass(frozen=True, eq=False)
class Leg:
    """Interval with one polynomial c `(6,)` for s: `count` grid steps of h s from `begin` s."""

    c: np.ndarray
    begin: float
    h: float
    count: int

    def law(self, k) -> _Law:
        """Return s, s', s'' after k grid steps, a number or an array."""
        c, u = self.c, k * self.h
        s = c[0] + u * (c[1] + u * (c[2] + u * (c[3] + u * (c[4] + u * c[5]))))
        sd = c[1] + u * (2 * c[2] + u * (3 * c[3] + u * (4 * c[4] + u * 5 * c[5])))
        return s, sd, 2 * c[2] + u * (6 * c[3] + u * (12 * c[4] + u * 20 * c[5]))


class PosesInTime(Protocol):
    """Poses of the tool over s, and their twist and its derivative, as `TaskPath` has them."""

    def pose(self, s) -> np.ndarray: ...
    def rate(self, s, sd, sdd) -> tuple[np.ndarray, np.ndarray]: ...


class Walk:
    """Follows a path in joint space: prediction by the joint speed, correction by inverse kinematics."""

    def __init__(self, robot: Robot, path: PosesInTime):
        self.robot, self.path = robot, path
        self.rows, self._task = path_rows(robot), path_task(robot)
        self.scale = row_scale(robot, self.rows)

    def rates(self, q: np.ndarray, law: _Law) -> tuple[np.ndarray, np.ndarray]:
        """Return qd and qdd with the least speed:  qd = A⁺ v,  qdd = A⁺ (v' − A' qd) + (1 − A⁺ A) A'ᵀ λ  with qd = Aᵀ λ."""
        twist, rate = self.path.rate(*law)
        R, A, inverse = self._task_jacobian(q)
        qd = _times(inverse, self.scale * in_axes(R, twist)[..., self.rows])
        J_dot = jacobian_dot(self.robot, q, qd)
        spin = self._spin(q, qd)
        if spin is None:
            A_dot, drift = self.scale[:, None] * J_dot[..., self.rows, :], rate
        else:  # the axes rotate with the arm or the tool: (Rᵀ x)' = Rᵀ (x' − w × x)
            J = jacobian(self.robot, q)
            A_dot = self.scale[:, None] * in_axes(R, J_dot - _cross_columns(spin, J))[..., self.rows, :]
            drift = rate - _cross_columns(spin, twist[..., None])[..., 0]
        qdd = _times(inverse, self.scale * in_axes(R, drift)[..., self.rows] - _times(A_dot, qd))
        if len(self.rows) < self.robot.n:
            along = _times(A_dot.swapaxes(-1, -2), _times(inverse.swapaxes(-1, -2), qd))
            qdd = qdd + along - _times(inverse, _times(A, along))
        return qd, qdd

    def _task_jacobian(self, q: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the axes of the task, the scaled Jacobian A and its pseudo-inverse."""
        R = task_axes_at(self.robot, q, None, self.rows)
        A = self.scale[:, None] * in_axes(R, jacobian(self.robot, q))[..., self.rows, :]
        return R, A, np.linalg.pinv(A, rcond=_SINGULAR)

    def _spin(self, q: np.ndarray, qd: np.ndarray) -> np.ndarray | None:
        """Angular velocity `(…, 3)` of the axes of the task; None if they are fixed."""
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

    def solve_in_strides(self, q: np.ndarray, leg: Leg) -> np.ndarray | None:
        """Return q at all grid points `(count + 1, n)`: solved every few steps, then all points between together.

        None if the arm does not move smoothly enough.
        """
        stride = _SHORT_STRIDE if len(self.rows) < self.robot.n else _STRIDE
        stops = np.append(np.arange(0, leg.count, stride), leg.count)
        places = [q]
        for k0, k1 in pairwise(stops):
            predicted = self._predict(places[-1], leg, k0, k1)
            found = ik(
                self.robot, self.path.pose(leg.law(k1)[0]), q0=predicted, task=self._task, restarts=0, tolerance=_TOLERANCE
            )
            if not found.success or np.abs(found.q - predicted).max() > _SMOOTH:
                return None
            places.append(found.q)
        ends = np.stack([places, *self.rates(np.array(places), leg.law(stops))], axis=1)
        between = joined(ends[:-1], ends[1:], leg.h * np.diff(stops))
        steps = np.arange(leg.count + 1)
        predicted = between.sample(leg.h * steps)[0]
        found = ik(self.robot, self.path.pose(leg.law(steps)[0]), q0=predicted, task=self._task, restarts=0, tolerance=_TOLERANCE)
        smooth = np.all(found.success) and np.abs(found.q - predicted).max() <= _SMOOTH
        return found.q if smooth else None

    def solve_stepwise(self, q: np.ndarray, leg: Leg) -> np.ndarray:
        """Return q at all grid points `(count + 1, n)`, solved one after the other. Raises TrajectoryError."""
        places = [q]
        for k in range(leg.count):
            q = places[-1]
            predicted, X = self._predict(q, leg, k, k + 1), self.path.pose(leg.law(k + 1)[0])
            t = leg.begin + (k + 1) * leg.h
            where = f"at t = {t:.3f} s, x = {X[0, 3]:.4f}, y = {X[1, 3]:.4f}, z = {X[2, 3]:.4f} m"
            self._no_leap(predicted - q, _FAST * leg.h, X, where)
            found = ik(self.robot, X, q0=predicted, task=self._task, restarts=0, tolerance=_TOLERANCE)
            if not found.success:
                outside = np.flatnonzero((predicted < self.robot.q_min) | (predicted > self.robot.q_max))
                why = f"{self.robot.joint_names[outside[0]]} would pass its limit" if len(outside) else without_pose(found.reason)
                raise TrajectoryError(f"{self.robot.name}: the tool cannot follow its path {where}: {why}")
            self._no_leap(found.q - predicted, _LEAP, X, where)
            places.append(found.q)
        return np.array(places)

    def _predict(self, q: np.ndarray, leg: Leg, k0: int, k1: int) -> np.ndarray:
        """Predict q at grid point k1 from q at k0: a Runge–Kutta step of qd = A⁺ v."""
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
        there = ik(self.robot, X, task=self._task)  # at the edge of the reach, joints are as fast as at other singularities
        if not there.success:
            raise TrajectoryError(f"{self.robot.name}: the tool cannot follow its path {where}: {without_pose(there.reason)}")
        raise TrajectoryError(
            f"{self.robot.name}: the path passes through a singularity {where}: {self.robot.joint_names[i]} would jump. "
            "Choose another path or a joint move (PTP)"
        )


def _cross_columns(w: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """Return w × x of the linear and the angular part of columns `(…, 6, k)`, w `(…, 3)`."""
    parts = columns.reshape(*columns.shape[:-2], 2, 3, columns.shape[-1])
    return np.cross(w[..., None, :, None], parts, axis=-2).reshape(columns.shape)


def _times(A: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Return A x of matrices `(…, m, n)` and vectors `(…, n)`."""
    return (A @ x[..., None])[..., 0]


LAWS = ("quintic", "trapezoidal")
_GRID = 0.01  # s between two exactly solved poses; q is quintic in between
_RISE = 0.25  # of a trapezoidal law's duration


def straight_line(robot: Robot, q0, X_target, duration: float, law: str = "quintic") -> Trajectory:
    """Return the trajectory that moves the tool on a straight line in the world from its pose at q0 to a target pose.

    p(s) = p_0 + s (p_1 − p_0),  R(s) = exp(s φ) R_0,  with s(t) from 0 to 1 by the timing law and q(t) by inverse kinematics. p
    and R are position and rotation of the tool; the rotation is about one fixed axis, with rotation vector φ (slerp).

    Args:
        q0: joint positions at the start `(n,)`, rad or m.
        X_target: pose of the tool in the world `(4, 4)`; coordinates outside `robot.task` are ignored. If the arm has too few
            joints for all six coordinates and its file names no task, only the position is followed.
        duration: s.
        law: "quintic" or "trapezoidal" (a quarter of the time accelerating, a quarter decelerating).

    Returns:
        A joint `Trajectory` that moves the tool on the line within 1e-6 m.

    Raises:
        DimensionError.
        TrajectoryError: invalid `duration` or `law`, or a point of the line that the arm cannot reach or at which a joint would
            jump; the message names the time and the point.

    Source: Siciliano et al., Robotics: Modelling, Planning and Control, section 4.3.
    """
    q0 = _start(robot, q0)
    return follow(robot, path_to(robot, q0, X_target), q0, duration, law)


def arc(robot: Robot, q0, p_via, X_target, duration: float, law: str = "quintic") -> Trajectory:
    """Return the trajectory that moves the tool on a circular arc from its pose at q0 through a point to a target pose.

    The orientation changes as in `straight_line`: about one fixed axis, from the start to the target.

    Args:
        q0: joint positions at the start `(n,)`, rad or m.
        p_via: point on the arc between start and target, `(3,)`, m in the world frame.
        X_target: pose of the tool in the world `(4, 4)`.
        duration: s.
        law: timing, "quintic" or "trapezoidal", as in `straight_line`.

    Returns:
        A joint `Trajectory`.

    Raises:
        DimensionError; TrajectoryError: three points on one line, or as for `straight_line`.

    Source: Siciliano et al., Robotics: Modelling, Planning and Control, section 4.3.
    """
    q0 = _start(robot, q0)
    return follow(robot, path_to(robot, q0, X_target, p_via), q0, duration, law)


def tool_motion(robot: Robot, trajectory: Trajectory, t) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the tool's pose X_WT in the world, its twist J qd, and its acceleration J qdd + Jdot qd along a trajectory.

    Args:
        trajectory: motion of the robot's joints.
        t: s, a number or `(N,)`.

    Returns:
        Pose `(…, 4, 4)` in m, twist `(…, 6)` in m/s and rad/s, and acceleration `(…, 6)` in m/s² and rad/s²; world axes, linear
        before angular, at the tool's origin.

    Raises:
        DimensionError.
    """
    q, qd, qdd = trajectory.sample(t)
    return frame_pose(robot, q), *tool_rates(robot, q, qd, qdd)


def path_to(robot: Robot, q0: np.ndarray, X_target, p_via=None) -> TaskPath:
    """Return the line, or the arc through a point `(3,)`, from the tool's pose at q0 to X_target. Raises TrajectoryError."""
    X_0, X_1 = frame_pose(robot, q0), _pose(robot, X_target)
    if p_via is None:
        return line_path(X_0, X_1)
    through = np.asarray(p_via, float)
    if through.shape != (3,) or not np.isfinite(through).all():
        raise TrajectoryError("the through point of an arc must be three finite numbers [x, y, z] in m")
    return arc_path(X_0, through, X_1)


def timing(law: str, duration: float) -> Trajectory:
    """Return s(t) from 0 to 1 in `duration` s. Raises TrajectoryError."""
    if law == "quintic":
        return quintic([0.0], [1.0], duration)
    if law != "trapezoidal":
        raise TrajectoryError(f"unknown timing law {law!r}; valid are {', '.join(LAWS)}")
    if not (isinstance(duration, (int, float, np.number)) and 0 < duration < np.inf):
        raise TrajectoryError(f"a duration must be a number of seconds above 0, got {duration!r}")
    v = 1.0 / (duration * (1.0 - _RISE))
    return trapezoidal([0.0], [1.0], v, v / (_RISE * duration))


def follow(robot: Robot, path: TaskPath, q0: np.ndarray, duration: float, law: str) -> Trajectory:
    """Return the joint trajectory along a path whose start pose is that of q0 `(n,)`. Raises TrajectoryError."""
    return follow_timed(robot, path, q0, timing(law, duration))


def follow_timed(robot: Robot, path: PosesInTime, q0: np.ndarray, s_of_t: Trajectory) -> Trajectory:
    """Return the joint trajectory along a path with its s over time, from q0 `(n,)`. Raises TrajectoryError."""
    walk = Walk(robot, path)
    q, first, last, lengths = q0, [], [], []
    for i, (begin, end) in enumerate(zip(s_of_t.breaks[:-1], s_of_t.breaks[1:], strict=True)):
        count = max(2, int(np.ceil((end - begin) / _GRID)))
        leg = Leg(s_of_t.coefficients[i, 0], begin, (end - begin) / count, count)
        places = walk.solve_in_strides(q, leg)
        if places is None:
            places = walk.solve_stepwise(q, leg)
        nodes = np.stack([places, *walk.rates(places, leg.law(np.arange(count + 1)))], axis=1)
        first.append(nodes[:-1])
        last.append(nodes[1:])
        lengths.append(np.full(count, leg.h))
        q = places[-1]
    return joined(np.concatenate(first), np.concatenate(last), np.concatenate(lengths))


def _start(robot: Robot, q0) -> np.ndarray:
    (q,), _ = vectors(robot, q0=q0)
    return q[0]


def _pose(robot: Robot, X_target) -> np.ndarray:
    try:
        return target_poses(robot, X_target)[0][0]
    except EngineError as error:
        raise TrajectoryError(str(error).replace("X_target", "the target")) from None


_LOOKS = 2001  # samples of s(t) for its peaks
_SAME = 1e-9  # m or rad: length of an empty path
_LONGEST = 1e5  # s
_USUAL_SPEED, _USUAL_TURN, _SHORTEST = 0.25, 1.0, 0.1  # m/s, rad/s and s: average speeds and least time for solving a path


class ToolTime:
    """Shortest path times within the limits of the tool, for the coordinates in which the tool follows a path.

    `share` is the used part of the speed limit; its square and cube apply to acceleration and jerk.
    """

    def __init__(self, robot: Robot, limits: ToolLimits, share: float = 1.0):
        whole = limits.whole()
        self._linear = np.array([whole.speed, whole.acceleration, whole.jerk])
        self._angular = np.array([whole.angular_speed, whole.angular_acceleration, whole.angular_jerk])
        rows = path_rows(robot)
        self._rows, self._share = (np.arange(6) if is_turned(robot, rows) else rows), share

    def least(self, path: TaskPath, law: str) -> float:
        """Return the shortest time from rest to rest with a timing of `LAWS`, s; 0 for an empty path.

        Peak of |dᵏp/dtᵏ| = peak in one second / Tᵏ ≤ limit k. A trapezoidal timing has no jerk limit: its acceleration jumps.
        Raises TrajectoryError above 1e5 s.
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
        """Norms of the linear and the angular part of all derivatives at times t `(N,)`, `(k, N, 2)`."""
        s, sd, sdd = (x[:, 0] for x in s_of_t.sample(t))
        motion = [*path.rate(s, sd, sdd)]
        if law == "quintic":
            motion.append(path.jerk(s, sd, sdd, s_of_t.jerk(t)[:, 0]))
        counted = np.where(np.isin(np.arange(6), self._rows), np.array(motion), 0.0)
        return np.linalg.norm(counted.reshape(*counted.shape[:2], 2, 3), axis=-1)


def solving_time(path: TaskPath, least: float) -> float:
    """Return the time in s with which a path is solved, if its shortest time is `least` s: neither too coarse nor too fine."""
    usual = max(path.length / _USUAL_SPEED, float(np.linalg.norm(path.phi)) / _USUAL_TURN, _SHORTEST)
    return max(usual, min(least, 100.0 * usual), least / 500.0)
