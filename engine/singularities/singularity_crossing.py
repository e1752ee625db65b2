"""Motion of the tool on a straight path through a singularity, with three methods for the joint velocities."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from armature.engine import batching
from armature.engine.errors import EngineError
from armature.engine.kinematics.chain_arm import ChainArm, chain_arm
from armature.engine.kinematics.ik import ik
from armature.engine.kinematics.jacobian import jacobian
from armature.engine.kinematics.poses import frame_pose
from armature.engine.kinematics.task import (
    RANK_TOLERANCE,
    in_axes,
    is_turned,
    path_rows,
    path_task,
    row_scale,
    scaled_jacobian,
    task_axes_at,
    task_rows,
)
from armature.engine.model.frozen import Frozen
from armature.engine.model.read_only import read_only
from armature.engine.model.robot import TASK_AXES, Robot
from armature.engine.rotations import rotation_vector
from armature.engine.thresholds import CONDITION_WARN

METHODS = ("pseudo_inverse", "damped", "damped_null_space")

_AWAY = 1.0  # rad/s, speed of the motion along the null space
_STEP = 1e-5  # rad or m, of the differences for ∇σ_min


@dataclass(frozen=True, eq=False)
class Law:
    """One of `METHODS` for a robot."""

    robot: Robot
    method: str

    def speed(self, q: np.ndarray, A: np.ndarray, wanted: np.ndarray, frame: str | None, rows: np.ndarray) -> np.ndarray:
        """qd `(n,)` at q for a scaled task velocity `(m,)` and the scaled task Jacobian A; see `cross_singularity`."""
        U, sigma, Vt = np.linalg.svd(A, full_matrices=False)
        if self.method == "pseudo_inverse":
            inverse = np.where(sigma > RANK_TOLERANCE * sigma[0], 1.0 / np.maximum(sigma, np.finfo(float).tiny), 0.0)
            return Vt.T @ (inverse * (U.T @ wanted))
        near = sigma[0] / CONDITION_WARN
        damping = (0.5 * near) ** 2 * max(0.0, 1.0 - (sigma[-1] / near) ** 2)
        factor = sigma / (sigma**2 + max(damping, np.finfo(float).tiny))
        qd = Vt.T @ (factor * (U.T @ wanted))
        if self.method == "damped" or damping == 0.0:
            return qd
        rise = self._rise(q, U[:, -1], Vt[-1], frame, rows)
        size = np.linalg.norm(rise)
        if size < 1e-9 * sigma[0]:
            return qd
        # (1 − A# A) ∇σ_min, fading in with the damping so that the speed has no jump
        free = rise - Vt.T @ (factor * sigma * (Vt @ rise))
        return qd + _AWAY * (1.0 - sigma[-1] / near) * free / size

    def _rise(self, q: np.ndarray, u: np.ndarray, v: np.ndarray, frame: str | None, rows: np.ndarray) -> np.ndarray:
        """∇σ_min `(n,)` = uᵀ (∂A/∂q_k) v, with u, v the singular vectors to σ_min."""
        steps = _STEP * np.eye(self.robot.n)
        A = scaled_jacobian(self.robot, np.concatenate([q + steps, q - steps]), frame, rows)
        n = self.robot.n
        return np.einsum("r,krc,c->k", u, (A[:n] - A[n:]) / (2 * _STEP), v)


_LONGEST, _MOST_PIECES = 0.02, 50  # rad, of a joint in one step; pieces a step is cut into
_GAIN = 20.0  # 1/s, feedback of the path error


@dataclass(frozen=True, eq=False)
class Crossing(Frozen):
    """Motion along a tool path through a singularity, as `cross_singularity` computes it with one `method`.

    `t` `(N,)`: times in s. `q` and `qd` `(N, n)`: joint positions, rad or m, and velocities, rad/s or m/s. `wanted` and `reached`
    `(N, 3)`: desired and actual position of the frame's origin, m in the world frame. `position_error` `(N,)` in m and
    `orientation_error` `(N,)` in rad: their error in the task's coordinates only. `sigma_min` `(N,)`: smallest singular value, as
    in `singularity`. `fastest` `(N, n)`: in row i the largest |qd| of each joint from t[i] to t[i+1], also at the smaller steps
    in between; the last row is |qd| at the end. `peak_speed` `(n,)`: the largest of all rows; both in rad/s or m/s.
    """  # plain: names of fields  # plain: names of fields

    method: str
    t: np.ndarray
    q: np.ndarray
    qd: np.ndarray
    wanted: np.ndarray
    reached: np.ndarray
    position_error: np.ndarray
    orientation_error: np.ndarray
    sigma_min: np.ndarray
    fastest: np.ndarray
    peak_speed: np.ndarray

    @property
    def q_start(self) -> np.ndarray:
        """Joint positions `(n,)` at t = 0, rad or m."""
        return self.q[0]


def cross_singularity(
    robot: Robot,
    q,
    direction=None,
    length: float | None = None,
    duration: float = 2.0,
    method: str = "pseudo_inverse",
    dt: float = 2e-3,
    frame: str | None = None,
    task=None,
) -> Crossing:
    """Follow a straight tool path through the tool's pose at q with resolved motion rates, and return errors and joint speeds.

    The arm starts in a configuration that reaches the start of the path. At a singular q it may pass the middle in another
    configuration, such as a wrist with joints 4 and 6 rotated against each other; it is `Crossing.q` at half the duration.
    The path has constant orientation and a minimum-jerk time law; ν = v + K e is its velocity plus feedback of the error e. With
    A = S J the scaled task Jacobian of `singularity`, A⁺ its pseudo-inverse, A# = Aᵀ (A Aᵀ + λ² 1)⁻¹ the damped one, and σ_min
    and σ_max its smallest and largest singular values:
    "pseudo_inverse": qd = A⁺ S ν;
    "damped": qd = A# S ν, λ² = (1 − (σ_min/ε)²) λ_max² where σ_min < ε = σ_max/17, else 0; λ_max = ε/2;
    "damped_null_space": as "damped", plus (1 − A# A) k ∇σ_min, null-space motion away from the singularity.
    Joint limits are not applied.

    Args:
        q: joint positions `(n,)` of the middle of the path, rad or m, usually singular.
        direction: direction of the path, `(3,)` in world axes; None: the direction of easiest motion at q whose start is
            reachable.
        length: length of the path in m; None: a quarter of `robot.characteristic_length`.
        duration, dt: duration of the motion and time step, s.
        method: one of the above.
        frame: a name in `robot.frames`; None: the tool.
        task: as for `singularity`; None: the task of the robot's file, or the coordinates that the joints can follow.

    Returns:
        A `Crossing`.

    Raises:
        DimensionError, UnknownFrameError; EngineError, also if the start of the path is out of reach.

    Source: Whitney 1969 (resolved rates); Nakamura, Hanafusa 1986, and Maciejewski, Klein 1988 (damping by σ_min); Liégeois 1977.
    """
    (batch,), single = batching.vectors(robot, q=q)
    if not single:
        raise EngineError(f"{robot.name}: q must be one pose of shape ({robot.n},)")
    if method not in METHODS:
        raise EngineError(f"unknown method {method!r}; valid: {', '.join(METHODS)}")
    length = robot.characteristic_length / 4 if length is None else length
    for name, value in (("length", length), ("duration", duration), ("dt", dt)):
        if not np.isfinite(value) or value <= 0:
            raise EngineError(f"{name} must be a number above 0, not {value!r}")
    if not 2 <= duration / dt <= 1e6:
        raise EngineError(
            f"duration {duration:g} s and dt {dt:g} s give {duration / dt:.3g} steps; from 2 to a million are allowed"
        )
    part = chain_arm(robot, frame)
    if part is not None and part.robot is not robot:
        task = path_task(robot) if task is None else task
        found = cross_singularity(part.robot, batch[0, part.joints], direction, length, duration, method, dt, frame, task)
        return _in_whole_robot(found, part, batch[0])
    batching.states(robot, q=q)
    rows = path_rows(robot) if task is None else task_rows(robot, task)
    if rows[0] > 2:
        raise EngineError(f"{robot.name}: the task {', '.join(TASK_AXES[r] for r in rows)} has no position coordinate for a path")
    X = frame_pose(robot, batch[0], frame)
    for along in _directions(robot, batch[0], direction, frame, rows):
        tracker = CrossingTracker(robot, frame, rows, X, along * length, duration, Law(robot, method))
        start = tracker.start(batch[0])
        if start is not None:
            return tracker.follow(start, round(duration / dt), dt)
    raise EngineError(f"{robot.name}: {_unreachable(length, direction)}")


def _in_whole_robot(found: Crossing, part: ChainArm, q: np.ndarray) -> Crossing:
    """Crossing of a part of the robot, with the joints of the whole robot; the others are fixed at q `(n,)`."""
    still = np.zeros(len(q))
    rates = {name: part.within(still, vars(found)[name]) for name in ("qd", "fastest", "peak_speed")}
    frozen: dict[str, Any] = {name: read_only(a) for name, a in rates.items()}
    return replace(found, q=read_only(part.within(q, found.q)), **frozen)


def _unreachable(length: float, direction) -> str:
    """Reason why no path can begin, and the arguments to try."""
    if direction is not None:
        return f"the path of {length:.3g} m starts out of reach; try a shorter path or another direction"
    return (
        f"the start of a path of {length:.3g} m is out of reach in every singular direction of this pose; "
        "give a shorter length, a direction, or a task with fewer coordinates"
    )


def _directions(robot: Robot, q: np.ndarray, direction, frame: str | None, rows: np.ndarray) -> list[np.ndarray]:
    """The path's unit vector: the one given, or those to be tried, which are the singular directions of the position rows.

    Easiest first, each both ways: at the edge of its reach an arm can begin on the way outwards only.
    """
    if direction is not None:
        d = batching.floats(robot, "direction", direction)
        if d.shape != (3,) or not d.any():
            raise EngineError(f"direction must be three numbers, at least one of them not 0, got {direction!r}")
        return [d / np.linalg.norm(d)]
    linear = np.arange(3) if is_turned(robot, rows) else rows[rows < 3]
    ways = np.zeros((len(linear), 3))
    ways[:, linear] = np.linalg.svd(jacobian(robot, q, frame)[linear])[0].T
    signed = [d * np.sign(d[np.argmax(np.abs(d))]) for d in ways]
    return [way for d in signed for way in (d, -d)]


@dataclass(frozen=True, eq=False)
class CrossingTracker:
    """Motion of the frame from X_middle − way/2 to X_middle + way/2 in `duration` s."""

    robot: Robot
    frame: str | None
    rows: np.ndarray
    middle: np.ndarray
    way: np.ndarray
    duration: float
    law: Law

    def start(self, q: np.ndarray) -> np.ndarray | None:
        """The pose at the path's beginning on the branch of q: the path walked backwards, then inverse kinematics; None for none.

        Through a singular q the way back may take joints whose motions cancel with it, and the way forth does not undo that.
        """
        back = CrossingTracker(self.robot, self.frame, self.rows, self.middle, self.way, self.duration, Law(self.robot, "damped"))
        steps = 200
        for k in range(steps):
            part = -0.5 * (k + 1) / steps
            error = self.pose_error(q, frame_pose(self.robot, q, self.frame), part)
            q = q + back.law.speed(q, self._task_matrix(q), self._scale() * error, self.frame, self.rows)
        target = self.middle.copy()
        target[:3, 3] -= 0.5 * self.way
        task = tuple(TASK_AXES[r] for r in self.rows)
        found = ik(self.robot, target, q0=np.clip(q, self.robot.q_min, self.robot.q_max), frame=self.frame, task=task)
        return found.q if found.success else None

    def follow(self, q: np.ndarray, steps: int, dt: float) -> Crossing:
        """The motion from q on by explicit steps, each cut into as many as keep fast joints on the path."""
        n = self.robot.n
        t = np.arange(steps + 1) * dt
        qs, qds, sigma, fastest = (
            np.empty((steps + 1, n)),
            np.empty((steps + 1, n)),
            np.empty(steps + 1),
            np.zeros((steps + 1, n)),
        )
        for k in range(steps + 1):
            qs[k], qds[k] = q, self._speed(q, t[k])
            sigma[k] = np.linalg.svd(self._task_matrix(q), compute_uv=False)[-1]
            fastest[k] = np.abs(qds[k])
            if k == steps:
                break
            pieces = min(_MOST_PIECES, max(1, int(np.ceil(dt * fastest[k].max() / _LONGEST))))
            for i in range(pieces):
                qd = self._speed(q, t[k] + i * dt / pieces) if i else qds[k]
                fastest[k] = np.maximum(fastest[k], np.abs(qd))
                q = q + dt / pieces * qd
        return self._result(t, _minimum_jerk(t / self.duration)[0], qs, qds, sigma, fastest)

    def _speed(self, q: np.ndarray, t: float) -> np.ndarray:
        """qd by the law, at time t of the path."""
        part, rate = _minimum_jerk(np.asarray(t / self.duration))
        v = np.zeros(6)
        v[:3] = self.way * rate / self.duration
        error = self.pose_error(q, frame_pose(self.robot, q, self.frame), float(part))
        wanted = in_axes(task_axes_at(self.robot, q, self.frame, self.rows), v)[self.rows] + _GAIN * error
        return self.law.speed(q, self._task_matrix(q), self._scale() * wanted, self.frame, self.rows)

    def _result(self, t, part, qs, qds, sigma, fastest) -> Crossing:
        X = frame_pose(self.robot, qs, self.frame)
        errors = np.array([self.pose_error(q, x, s) for q, x, s in zip(qs, X, part, strict=True)])
        linear = self.rows < 3
        arrays = {
            "t": t,
            "q": qs,
            "qd": qds,
            "wanted": self.middle[:3, 3] + part[:, None] * self.way,
            "reached": X[:, :3, 3],
            "position_error": np.linalg.norm(errors[:, linear], axis=1),
            "orientation_error": np.linalg.norm(errors[:, ~linear], axis=1),
            "sigma_min": sigma,
            "fastest": fastest,
            "peak_speed": fastest.max(axis=0),
        }
        return Crossing(self.law.method, **{name: read_only(a) for name, a in arrays.items()})

    def _scale(self) -> np.ndarray:
        return row_scale(self.robot, self.rows)

    def _task_matrix(self, q: np.ndarray) -> np.ndarray:
        return scaled_jacobian(self.robot, q, self.frame, self.rows)

    def pose_error(self, q: np.ndarray, X: np.ndarray, part: float) -> np.ndarray:
        """The task's rows of the way from X, the pose at q, to the path at `part` −0.5 … 0.5 of it, m and rad."""
        e = np.empty(6)
        e[:3] = self.middle[:3, 3] + part * self.way - X[:3, 3]
        e[3:] = rotation_vector(self.middle[:3, :3] @ X[:3, :3].T)
        return in_axes(task_axes_at(self.robot, q, self.frame, self.rows), e)[self.rows]


def _minimum_jerk(s: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Part of the way −½ … ½ and its rate per unit of s = t/T: 10 s³ − 15 s⁴ + 6 s⁵ − ½."""
    s = np.clip(s, 0.0, 1.0)
    return s**3 * (10 + s * (6 * s - 15)) - 0.5, 30 * s**2 * (1 - s) ** 2
