"""Paths in space made into joint motion: inverse kinematics that never leaves its branch."""

from __future__ import annotations

import numpy as np

from engine.batching import vectors
from engine.errors import EngineError, TrajectoryError
from engine.kinematics.ik import ik
from engine.kinematics.jacobian import jacobian, jacobian_dot
from engine.kinematics.poses import frame_pose
from engine.kinematics.targets import target_poses
from engine.kinematics.task import row_scale, task_rows
from engine.model.robot import Robot
from engine.trajectory.hermite import joined
from engine.trajectory.joint_space import quintic, trapezoidal
from engine.trajectory.task_path import TaskPath, arc_path, line_path
from engine.trajectory.trajectory import Trajectory

LAWS = ("quintic", "trapezoidal")
_GRID = 0.01  # s between two poses that are solved exactly; between them q is a quintic
_LEAP = 0.04  # rad or m that a joint may be off where its own speed leads it, within one grid step
_FAST = 30.0  # rad/s or m/s; a joint that would have to be faster is at a singularity
_TOLERANCE = 1e-9  # m and rad of a solved pose
_SINGULAR = 1e-9  # of the largest singular value
_RISE = 0.25  # of a trapezoidal law's duration
_Law = tuple[float, float, float]  # s, s', s'' at one time


def straight_line(robot: Robot, q0, X_target, duration: float, law: str = "quintic") -> Trajectory:
    """The tool moves straight from where it is at q0 to a pose, turning at the same pace about one axis (slerp).

    p(s) = p_0 + s (p_1 − p_0),  R(s) = exp(s φ) R_0,  s(t) from 0 to 1 by the law;  q(t) by inverse kinematics

    Args:
        q0: `(n,)`, rad or m.
        X_target: pose of the tool in the world `(4, 4)`; coordinates outside `robot.task` do not count.
        duration: s.
        law: "quintic" or "trapezoidal" (a quarter of the time up, a quarter down).

    Returns:
        A `Trajectory` whose tool is on the line within 1e-6 m.

    Raises:
        DimensionError; TrajectoryError that names the time and the place where the arm does not reach or would leap.

    Source: Siciliano et al., Robotics: Modelling, Planning and Control, section 4.3.
    """
    q0, X_0 = _start(robot, q0)
    return follow(robot, line_path(X_0, _pose(robot, X_target)), q0, duration, law)


def arc(robot: Robot, q0, p_via, X_target, duration: float, law: str = "quintic") -> Trajectory:
    """The tool moves on the circle from where it is at q0 through a point to a pose; it turns as in `straight_line`.

    Args:
        q0: `(n,)`, rad or m.
        p_via: `(3,)` m in the world.
        X_target: pose of the tool in the world `(4, 4)`.
        duration: s.
        law: "quintic" or "trapezoidal".

    Raises:
        DimensionError; TrajectoryError for three points on one line, and as `straight_line` does.

    Source: Siciliano et al., Robotics: Modelling, Planning and Control, section 4.3.
    """
    q0, X_0 = _start(robot, q0)
    through = np.asarray(p_via, float)
    if through.shape != (3,) or not np.isfinite(through).all():
        raise TrajectoryError("the point an arc goes through is three finite numbers [x, y, z] in m")
    return follow(robot, arc_path(X_0, through, _pose(robot, X_target)), q0, duration, law)


def tool_motion(robot: Robot, trajectory: Trajectory, t) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """What the tool does along a trajectory: X_WT, its twist J qd and the twist's derivative J qdd + Jdot qd.

    Args:
        t: s, a number or `(N,)`.

    Returns:
        `(…, 4, 4)`, `(…, 6)`, `(…, 6)`; world axes, linear before angular, at the tool's origin.

    Raises:
        DimensionError.
    """
    q, qd, qdd = trajectory.sample(t)
    J = jacobian(robot, q)
    twist = np.einsum("...ij,...j->...i", J, qd)
    rate = np.einsum("...ij,...j->...i", J, qdd) + np.einsum("...ij,...j->...i", jacobian_dot(robot, q, qd), qd)
    return frame_pose(robot, q), twist, rate


def timing(law: str, duration: float) -> Trajectory:
    """s(t) from 0 to 1 in `duration` s. Raises TrajectoryError."""
    if law == "quintic":
        return quintic([0.0], [1.0], duration)
    if law != "trapezoidal":
        raise TrajectoryError(f"no timing law {law!r}; there are {', '.join(LAWS)}")
    if not (isinstance(duration, (int, float, np.number)) and 0 < duration < np.inf):
        raise TrajectoryError(f"a duration is a number of seconds above 0, not {duration!r}")
    v = 1.0 / (duration * (1.0 - _RISE))
    return trapezoidal([0.0], [1.0], v, v / (_RISE * duration))


def follow(robot: Robot, path: TaskPath, q0: np.ndarray, duration: float, law: str) -> Trajectory:
    """Joint motion along a path from q0 `(n,)`, which has its beginning. Raises TrajectoryError."""
    s_of_t = timing(law, duration)
    walk = _Walk(robot, path)
    q, first, last, lengths = q0, [], [], []
    for i, (begin, end) in enumerate(zip(s_of_t.breaks[:-1], s_of_t.breaks[1:], strict=True)):
        c = s_of_t.coefficients[i, 0]
        count = max(2, int(np.ceil((end - begin) / _GRID)))
        h = (end - begin) / count
        qd, qdd = walk.rates(q, _law(c, 0.0))
        for k in range(count):
            t0, t1 = k * h, (k + 1) * h
            first.append(np.stack([q, qd, qdd]))
            q = walk.next(q, qd, _law(c, (t0 + t1) / 2), _law(c, t1), h, begin + t1)
            qd, qdd = walk.rates(q, _law(c, t1))
            last.append(np.stack([q, qd, qdd]))
            lengths.append(h)
    return joined(np.array(first), np.array(last), np.array(lengths))


def _law(c: np.ndarray, u: float) -> _Law:
    """s, s', s'' of the polynomial c `(6,)` at u."""
    k = np.arange(6)
    p = u**k
    return float(c @ p), float(c[1:] * k[1:] @ p[:5]), float(c[2:] * k[2:] * (k[2:] - 1) @ p[:4])


class _Walk:
    """Steps along a path in joint space: speed leads on, inverse kinematics corrects."""

    def __init__(self, robot: Robot, path: TaskPath):
        self.robot, self.path = robot, path
        self.rows = task_rows(robot)
        self.scale = row_scale(robot, self.rows)

    def rates(self, q: np.ndarray, law: _Law) -> tuple[np.ndarray, np.ndarray]:
        """qd and qdd of least speed:  qd = A⁺ v,  qdd = A⁺ (v' − A' qd) + (1 − A⁺ A) A'ᵀ λ  with qd = Aᵀ λ."""
        twist, rate = self.path.rate(*law)
        A, inverse = self._task_jacobian(q)
        qd = inverse @ (self.scale * twist[self.rows])
        A_dot = self.scale[:, None] * jacobian_dot(self.robot, q, qd)[self.rows]
        qdd = inverse @ (self.scale * rate[self.rows] - A_dot @ qd)
        if len(self.rows) < self.robot.n:
            along = A_dot.T @ (inverse.T @ qd)
            qdd = qdd + along - inverse @ (A @ along)
        return qd, qdd

    def _task_jacobian(self, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        A = self.scale[:, None] * jacobian(self.robot, q)[self.rows]
        return A, np.linalg.pinv(A, rcond=_SINGULAR)

    def _speed(self, q: np.ndarray, law: _Law) -> np.ndarray:
        twist, _ = self.path.rate(*law)
        return self._task_jacobian(q)[1] @ (self.scale * twist[self.rows])

    def next(self, q: np.ndarray, qd: np.ndarray, half: _Law, whole: _Law, h: float, t: float) -> np.ndarray:
        """q one grid step of h on, at time t: a Runge–Kutta step of qd = A⁺ v, put onto the path. Raises TrajectoryError."""
        k2 = self._speed(q + h / 2 * qd, half)
        k3 = self._speed(q + h / 2 * k2, half)
        k4 = self._speed(q + h * k3, whole)
        led = q + h / 6 * (qd + 2 * k2 + 2 * k3 + k4)
        X = self.path.pose(whole[0])
        where = f"at t = {t:.3f} s, x = {X[0, 3]:.4f}, y = {X[1, 3]:.4f}, z = {X[2, 3]:.4f} m"
        self._no_leap(led - q, _FAST * h, X, where)
        found = ik(self.robot, X, q0=led, restarts=0, tolerance=_TOLERANCE)
        if not found.success:
            outside = np.flatnonzero((led < self.robot.q_min) | (led > self.robot.q_max))
            why = f"{self.robot.joint_names[outside[0]]} would pass its limit" if len(outside) else found.reason
            raise TrajectoryError(f"{self.robot.name}: the tool cannot stay on its path {where}: {why}")
        self._no_leap(found.q - led, _LEAP, X, where)
        return found.q

    def _no_leap(self, way: np.ndarray, most: float, X: np.ndarray, where: str) -> None:
        i = int(np.argmax(np.abs(way)))
        if abs(way[i]) <= most:
            return
        there = ik(self.robot, X)  # at the edge of the reach joints are as fast as at any singularity
        if not there.success:
            raise TrajectoryError(f"{self.robot.name}: the tool cannot stay on its path {where}: {there.reason}")
        raise TrajectoryError(
            f"{self.robot.name}: the path leads through a singularity {where}: {self.robot.joint_names[i]} would leap; "
            "go round it, or move there joint by joint"
        )


def _start(robot: Robot, q0) -> tuple[np.ndarray, np.ndarray]:
    (q,), _ = vectors(robot, q0=q0)
    return q[0], frame_pose(robot, q[0])


def _pose(robot: Robot, X_target) -> np.ndarray:
    try:
        return target_poses(robot, X_target)[0][0]
    except EngineError as error:
        raise TrajectoryError(str(error).replace("X_target", "the target")) from None
