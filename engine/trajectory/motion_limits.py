"""`MotionLimits`, and a check of a trajectory against them."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb, factorial

import numpy as np

from armature.engine.batching import require_dynamics
from armature.engine.dynamics.friction import friction_torque
from armature.engine.dynamics.newton_euler import rnea
from armature.engine.errors import DimensionError
from armature.engine.kinematics.floor_depths import FloorDepths
from armature.engine.model.frozen import Frozen
from armature.engine.model.read_only import read_only
from armature.engine.model.robot import Robot
from armature.engine.trajectory.trajectory import DEGREE, Trajectory

_ROUNDING = 1e-12  # of a bound
_REAL = 1e-6  # imaginary part of a root that rounding has split


def peaks(trajectory: Trajectory, order: int) -> np.ndarray:
    """Largest |d^order q / dt^order| of each joint over the whole trajectory `(n,)`, rad or m per s^order.

    Both sides of every break count. A polynomial's extremes are its ends and the roots of its derivative; the roots are only
    computed for pieces whose Bernstein coefficients, which bound them, exceed the ends.

    Source: Farouki 2012, The Bernstein polynomial basis: a centennial retrospective, Computer Aided Geometric Design 29.
    """
    a = _scaled(trajectory, order)
    most = np.maximum(np.abs(a[:, :, 0]), np.abs(a.sum(axis=2))).max(axis=0)
    bound = np.abs(_bernstein(a)).max(axis=2)
    for piece, joint in np.argwhere(bound > most * (1.0 + _ROUNDING)):
        row = a[piece, joint]
        most[joint] = max(most[joint], *np.abs(np.polyval(row[::-1], _stationary(row))), 0.0)
    return most


def times_beyond(trajectory: Trajectory, order: int, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Times in s at which d^order q / dt^order is extreme, in the pieces that can leave `low` … `high`, each `(n,)`.

    The end of such a piece is the last time before its break, because the break itself belongs to the next piece.
    """
    a = _scaled(trajectory, order)
    b = _bernstein(a)
    found: list[float] = []
    for piece, joint in np.argwhere((b.min(axis=2) < low) | (b.max(axis=2) > high)):
        begin, end = trajectory.breaks[piece], trajectory.breaks[piece + 1]
        found += [begin, *(begin + _stationary(a[piece, joint]) * (end - begin)), np.nextafter(end, begin)]
    return np.array(found)


def _scaled(trajectory: Trajectory, order: int) -> np.ndarray:
    """Coefficients of the derivative in powers of u = (t − b_i) / h_i from 0 to 1, `(m, n, 6 − order)`."""
    c = trajectory.coefficients[:, :, order:]
    k = np.arange(DEGREE + 1 - order)
    falling = np.array([factorial(i + order) / factorial(i) for i in k])
    return c * falling * np.diff(trajectory.breaks)[:, None, None] ** k


def _bernstein(a: np.ndarray) -> np.ndarray:
    """Bernstein coefficients on [0, 1] `(m, n, d + 1)`; their minimum and maximum bound the polynomial."""
    d = a.shape[2] - 1
    return a @ np.array([[comb(j, k) / comb(d, k) for j in range(d + 1)] for k in range(d + 1)])


def _stationary(a: np.ndarray) -> np.ndarray:
    """Points in [0, 1] where the polynomial with coefficients a `(d + 1,)`, lowest first, is stationary."""
    slope = (a * np.arange(len(a)))[1:]
    largest = np.abs(slope).max(initial=0.0)
    if largest == 0.0:
        return np.zeros(0)
    roots = np.roots(np.where(np.abs(slope) < 1e-15 * largest, 0.0, slope)[::-1])
    real = roots.real[np.abs(roots.imag) < _REAL]
    return real[(real > 0.0) & (real < 1.0)]


TURN, SLIDE = 2.0, 0.5  # rad/s and m/s, of joints without a limit in their file
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


_GRID = 1e-3  # s between two checks
_MOST = 1_000_000
_WITHIN = 16  # checks between two breaks
_PART = 10_000  # poses
_TOUCH = 1e-6  # m below the floor: rounding
_SLACK = 1e-6  # of a limit: rounding at a peak
_UNITS = {"position": "", "speed": "/s", "acceleration": "/s²", "jerk": "/s³"}


@dataclass(frozen=True)
class Violation:
    """Exceeded limit of a trajectory.

    `quantity`: "position", "speed", "acceleration", "jerk", "torque" or "floor". `joint`: 0-based index of the joint; `t`: time
    of the first violation in s; `value`: the quantity at t; `limit`: its limit, both in SI units (rad, m, s, N·m, N); `text`: a
    message in one line. For "floor", `link` is the link below the floor and `joint` the joint that moves it; `value` is the
    height of its lowest point and `limit` that of the floor, both m in the world frame.
    """

    joint: int
    quantity: str
    t: float
    value: float
    limit: float
    text: str
    link: str = ""


def check_limits(
    robot: Robot, trajectory: Trajectory, limits: MotionLimits | None = None, torque: bool = False
) -> Violation | None:
    """Return the earliest `Violation` of a limit or of the floor on a trajectory; None if all limits are met.

    Args:
        trajectory: motion of the robot's joints. Position, velocity, acceleration and jerk are checked at their extremes; torque
            and floor every millisecond, at every break between two segments, and at 16 times in each segment.
        limits: limits of velocity, acceleration and jerk, in addition to the robot's `q_min q_max qd_max qdd_max` and `floor`,
            which are always checked; None: only the limits of the robot.
        torque: whether to also compare tau = M qdd + C qd + g + friction with `tau_max`, with the payload at each time.

    Raises:
        DimensionError: the trajectory has another number of joints; MissingDynamicsError: torque of an arm without masses.
    """
    if trajectory.n != robot.n:
        raise DimensionError(f"{robot.name}: has {robot.n} joints, the trajectory {trajectory.n}")
    bounds = [("position", 0, robot.q_min, robot.q_max), ("speed", 1, -robot.qd_max, robot.qd_max)]
    bounds.append(("acceleration", 2, -robot.qdd_max, robot.qdd_max))
    if limits is not None:
        bounds.append(("speed", 1, -limits.velocity, limits.velocity))
        bounds.append(("acceleration", 2, -limits.acceleration, limits.acceleration))
        bounds.append(("jerk", 3, -limits.jerk, limits.jerk))
    extremes = [times_beyond(trajectory, order, low, high) for _, order, low, high in bounds]
    times = _check_times(trajectory, extremes)
    values = [*trajectory.sample(times), trajectory.jerk(times)]
    looks = [(quantity, values[order], low, high) for quantity, order, low, high in bounds]
    if torque:
        looks.append(("torque", _torque(robot, trajectory, times, *values[:3]), -robot.tau_max, robot.tau_max))
    found = [violation for look in looks if (violation := _first(robot, times, *look)) is not None]
    if (below := _below_floor(robot, times, values[0])) is not None:
        found.append(below)
    return min(found, key=lambda violation: violation.t, default=None)


def floor_violation(robot: Robot, trajectory: Trajectory) -> Violation | None:
    """Return the first violation of the floor, as in `check_limits`, without other limits; None without one."""
    times = _check_times(trajectory, [])
    return _below_floor(robot, times, trajectory.sample(times)[0])


def _check_times(trajectory: Trajectory, others: list[np.ndarray]) -> np.ndarray:
    """Times of the checks in ascending order: every millisecond, breaks, 16 between two breaks, and `others`."""
    even = np.linspace(0.0, trajectory.duration, min(int(trajectory.duration / _GRID) + 2, _MOST))
    within = np.linspace(trajectory.breaks[:-1], trajectory.breaks[1:], _WITHIN + 1)
    return np.unique(np.concatenate([even, within.ravel(), *others]))


def _torque(robot: Robot, trajectory: Trajectory, times, q, qd, qdd) -> np.ndarray:
    require_dynamics(robot)
    tau = friction_torque(robot, qd)
    changes = [t for t, _ in trajectory.payloads if 0.0 < t <= trajectory.duration]
    for part in np.split(np.arange(len(times)), np.searchsorted(times, changes)):
        if len(part):
            payload = trajectory.payload_at(float(times[part[0]]))
            loaded = robot if payload is None else payload.held_by(robot)
            tau[part] += rnea(loaded, q[part], qd[part], qdd[part])
    return tau


def _below_floor(robot: Robot, times: np.ndarray, q: np.ndarray) -> Violation | None:
    """Violation of the link that is first below the floor, of several the deepest; None without one."""
    if robot.floor is None:
        return None
    depths = FloorDepths(robot)
    parts = [depths.at(q[first : first + _PART]) for first in range(0, len(q), _PART)]
    below = np.concatenate([part > _TOUCH for part in parts])
    rows = np.flatnonzero(below.any(axis=1))
    if not len(rows):
        return None
    row, deepest = int(rows[0]), np.max([part.max(axis=0) for part in parts], axis=0)
    k = int(np.argmax(np.where(below[row], deepest, -np.inf)))
    body = int(depths.bodies[k])
    while body not in robot.joint_bodies and robot.bodies[body].parent >= 0:  # mimic joints are moved by others
        body = robot.bodies[body].parent
    joint = max(0, int(np.flatnonzero(np.asarray(robot.joint_bodies) == body).max(initial=0)))
    t, depth, link = float(times[row]), float(deepest[k]), depths.links[k]
    text = f"{robot.name}: {link} goes below the floor at t = {t:.3f} s, by up to {1e3 * depth:.0f} mm"
    return Violation(joint, "floor", t, float(robot.floor) - depth, float(robot.floor), text, link)


def _first(robot: Robot, times, quantity: str, values, low, high) -> Violation | None:
    size = np.maximum(np.abs(low), np.abs(high))
    slack = _SLACK * np.where(np.isfinite(size), np.maximum(size, 1.0), 0.0)
    bad = (values < low - slack) | (values > high + slack)
    rows = np.flatnonzero(bad.any(axis=1))
    if not len(rows):
        return None
    k, i = int(rows[0]), int(np.argmax(bad[rows[0]]))
    value, limit = float(values[k, i]), float(high[i] if values[k, i] > high[i] else low[i])
    if quantity == "torque":
        unit = "N" if robot.prismatic[i] else "N·m"
    else:
        unit = ("m" if robot.prismatic[i] else "rad") + _UNITS[quantity]
    joint = robot.joint_names[i]
    text = f"{robot.name}: {quantity} of {joint} is {value:.7g} {unit} at t = {times[k]:.3f} s, the limit is {limit:.7g} {unit}"
    return Violation(i, quantity, float(times[k]), value, limit, text)
