"""Trajectories in joint space: polynomials, trapezoids, splines, and the fastest under limits."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from armature.engine.errors import DimensionError, TrajectoryError
from armature.engine.trajectory.hermite import CUBIC, QUINTIC, joined, smoothest
from armature.engine.trajectory.motion_limits import MotionLimits
from armature.engine.trajectory.trajectory import Trajectory

_LONGEST = 1e5  # s


def cubic(q0, q1, duration: float, qd0=None, qd1=None) -> Trajectory:
    """Return the polynomial trajectory of degree 3 from q0 to q1 with the given velocities at both ends.

    q(t) = q0 + qd0 t + …,  with zero end velocities: q0 + (q1 − q0)(3 u² − 2 u³),  u = t / duration

    Args:
        q0, q1: positions at the start and the end `(n,)`, rad or m.
        duration: s.
        qd0, qd1: velocities at the start and the end `(n,)`, rad/s or m/s; None: zero.

    Returns:
        A `Trajectory`.

    Raises:
        DimensionError, TrajectoryError.

    Source: Siciliano et al., Robotics: Modelling, Planning and Control, section 4.2.1.
    """
    ends = _ends(q0=q0, q1=q1, qd0=qd0, qd1=qd1)
    return joined(ends[None, [0, 2]], ends[None, [1, 3]], np.array([_duration(duration)]))


def quintic(q0, q1, duration: float, qd0=None, qd1=None, qdd0=None, qdd1=None) -> Trajectory:
    """Return the polynomial trajectory of degree 5 from q0 to q1 with the given velocities and accelerations at both ends.

    q(t) = q0 + (q1 − q0)(10 u³ − 15 u⁴ + 6 u⁵),  u = t / duration, if these are zero.

    Args:
        q0, q1: positions at the start and the end `(n,)`, rad or m.
        duration: s.
        qd0, qd1: velocities at the start and the end `(n,)`, rad/s or m/s; None: zero.
        qdd0, qdd1: accelerations at the start and the end `(n,)`, rad/s² or m/s²; None: zero.

    Returns:
        A `Trajectory`.

    Raises:
        DimensionError, TrajectoryError.

    Source: Siciliano et al., Robotics: Modelling, Planning and Control, section 4.2.1.
    """
    ends = _ends(q0=q0, q1=q1, qd0=qd0, qd1=qd1, qdd0=qdd0, qdd1=qdd1)
    return joined(ends[None, [0, 2, 4]], ends[None, [1, 3, 5]], np.array([_duration(duration)]))


def trapezoidal(q0, q1, qd_max, qdd_max, duration: float | None = None) -> Trajectory:
    """Return the trapezoidal trajectory from rest at q0 to rest at q1: constant acceleration, speed, deceleration.

    q = q0 + s (q1 − q0),  s(t) from 0 to 1;  v = min qd_max / |Δq| and a = min qdd_max / |Δq| over the joints, Δq = q1 − q0,
    are the limits of the first and second derivative of s. All joints move in proportion.

    Args:
        q0, q1: positions at the start and the end `(n,)`, rad or m.
        qd_max, qdd_max: limits of velocity, rad/s or m/s, and acceleration, rad/s² or m/s²; a number or `(n,)`.
        duration: s, not shorter than the fastest motion; the acceleration a is unchanged, the speed is lower. None: the fastest
            motion.

    Returns:
        A `Trajectory`.

    Raises:
        DimensionError; TrajectoryError: the limits do not allow the duration.

    Source: Siciliano et al., Robotics: Modelling, Planning and Control, section 4.2.1.
    """
    q0, q1 = _ends(q0=q0, q1=q1)
    way = np.abs(q1 - q0)
    v, a = _slowest(_bound("qd_max", qd_max, len(q0)), way), _slowest(_bound("qdd_max", qdd_max, len(q0)), way)
    if not np.isfinite(v):
        raise TrajectoryError("trapezoidal: start and end are the same; give different positions")
    shortest = 1.0 / v + v / a if v * v < a else 2.0 / np.sqrt(a)
    T = shortest if duration is None else _duration(duration)
    if shortest > T * (1 + 1e-9):
        raise TrajectoryError(f"duration {T:.6g} s is too short: the limits need at least {shortest:.6g} s")
    v = 2.0 / (T + np.sqrt(max(T * T - 4.0 / a, 0.0)))  # the lower of the two trapezoids of area 1, without cancellation
    rise = v / a
    pieces = [(rise, (0.0, 0.0, a / 2))]
    if T - 2 * rise > 1e-9 * T:
        pieces.append((T - 2 * rise, (a * rise * rise / 2, v, 0.0)))
    pieces.append((rise, (1.0 - a * rise * rise / 2, v, -a / 2)))
    c = np.array([law for _, law in pieces])[:, None, :] * (q1 - q0)[None, :, None]
    c[:, :, 0] += q0
    return Trajectory(np.concatenate([[0.0], np.cumsum([h for h, _ in pieces])]), c)


def spline(waypoints, durations) -> Trajectory:
    """Return the cubic spline through all waypoints without stopping, at rest at both ends; qdd is continuous.

    q(t) = a_k + b_k u + c_k u² + d_k u³ from waypoint k on, at time t_k, with u = t − t_k; q, qd, qdd are continuous at each
    waypoint.

    Args:
        waypoints: positions `(m + 1, n)`, rad or m.
        durations: `(m,)`, s, from each waypoint to the next.

    Returns:
        A `Trajectory`.

    Raises:
        DimensionError, TrajectoryError.

    Source: Siciliano et al., Robotics: Modelling, Planning and Control, section 4.2.2.
    """
    return smoothest(*_through(waypoints, durations), CUBIC)


def minimum_jerk(waypoints, durations) -> Trajectory:
    """Return the minimum-jerk trajectory through all waypoints without stopping, at rest at both ends.

    It minimises ∫ |qddd|² dt; derivatives up to the fourth are continuous.

    Args:
        waypoints: positions `(m + 1, n)`, rad or m; for two waypoints the result is that of `quintic`.
        durations: `(m,)`, s, from each waypoint to the next.

    Returns:
        A `Trajectory`.

    Raises:
        DimensionError, TrajectoryError.

    Source: Flash, Hogan 1985, The coordination of arm movements, J. Neuroscience 5(7).
    """
    return smoothest(*_through(waypoints, durations), QUINTIC)


def time_optimal(q0, q1, limits: MotionLimits, qd0=None, qd1=None, qdd0=None, qdd1=None) -> Trajectory:
    """Return the fastest trajectory between two states within limits of velocity, acceleration and jerk.

    |qd| ≤ velocity,  |qdd| ≤ acceleration,  |qddd| ≤ jerk:  cubic pieces with jerk 0 or ± its limit; all joints arrive together

    Args:
        q0, q1: positions at the start and the end `(n,)`, rad or m.
        limits: `MotionLimits`: `velocity`, `acceleration` and `jerk`, `(n,)` each.
        qd0, qd1: velocities at the start and the end `(n,)`, rad/s or m/s; None: zero.
        qdd0, qdd1: accelerations at the start and the end `(n,)`, rad/s² or m/s²; None: zero.

    Returns:
        A `Trajectory`.

    Raises:
        DimensionError; TrajectoryError: the end states exceed the limits.

    Source: Berscheid, Kröger 2021, Jerk-limited real-time trajectory generation with arbitrary target states (ruckig).
    """
    import ruckig  # state to state only: with intermediate waypoints it would call a service on the internet

    ends = _ends(q0=q0, q1=q1, qd0=qd0, qd1=qd1, qdd0=qdd0, qdd1=qdd1)
    n = ends.shape[1]
    task = ruckig.InputParameter(n)
    task.current_position, task.target_position = list(ends[0]), list(ends[1])
    task.current_velocity, task.target_velocity = list(ends[2]), list(ends[3])
    task.current_acceleration, task.target_acceleration = list(ends[4]), list(ends[5])
    task.max_velocity = list(_bound("velocity limit", limits.velocity, n))
    task.max_acceleration = list(_bound("acceleration limit", limits.acceleration, n))
    task.max_jerk = list(_bound("jerk limit", limits.jerk, n))
    found = ruckig.Trajectory(n)
    try:
        result = ruckig.Ruckig(n).calculate(task, found)
    except ruckig.RuckigError as error:
        raise TrajectoryError(f"no time-optimal trajectory found: {' '.join(str(error).split())}") from None
    if result not in (ruckig.Result.Working, ruckig.Result.Finished):
        raise TrajectoryError(f"no time-optimal trajectory found between these states: {result}")
    if not found.duration > 0:
        raise TrajectoryError("time_optimal: start and end are the same; give different positions")
    return _from_profiles(found)


def _from_profiles(found) -> Trajectory:
    """Cubic pieces between the switching times of all joints, where the jerk is constant."""
    T = found.duration
    times = {0.0, T}
    for profile in found.profiles[0]:
        brake = profile.brake.duration
        for switch in (*np.cumsum([0.0, *profile.brake.t]), *(brake + np.cumsum([0.0, *profile.t]))):
            times.add(float(min(max(switch, 0.0), T)))
    breaks = [0.0]
    for t in sorted(times):
        if t - breaks[-1] > 1e-9 * T:
            breaks.append(t)
    breaks[-1] = T
    states = np.array([found.at_time(t) for t in breaks])[:, :3]
    pieces = []
    for (t, state), (later, after) in pairwise(zip(breaks, states, strict=True)):
        jerk = (after[2] - state[2]) / (later - t)
        pieces.append(np.stack([state[0], state[1], state[2] / 2, jerk / 6], axis=1))
    return Trajectory(np.array(breaks), np.array(pieces))


def _ends(**values) -> np.ndarray:
    """Return the states of the ends `(len(values), n)`; None: zero. Raises DimensionError."""
    n = np.size(values["q0"])
    out = np.zeros((len(values), n))
    for row, (name, value) in zip(out, values.items(), strict=True):
        if value is not None:
            row[:] = _vector(name, value, n)
    return out


def _vector(name: str, value, n: int) -> np.ndarray:
    try:
        vector = np.asarray(value, float)
    except (TypeError, ValueError, OverflowError):
        vector = np.empty(0)
    if vector.shape != (n,) or n == 0 or not np.isfinite(vector).all():
        raise DimensionError(f"{name} must be {max(n, 1)} finite numbers, one per joint")
    return vector


def _bound(name: str, value, n: int) -> np.ndarray:
    try:
        bound = np.broadcast_to(np.asarray(value, float), (n,))
    except (TypeError, ValueError, OverflowError):
        bound = np.full(n, np.nan)
    if not (bound > 0).all():
        raise TrajectoryError(f"{name} must be above 0: one number, or one for each of the {n} joints")
    return bound


def _slowest(bound: np.ndarray, way: np.ndarray) -> float:
    moving = way > 0
    return float((bound[moving] / way[moving]).min(initial=np.inf))


def _duration(value) -> float:
    if not (isinstance(value, (int, float, np.number)) and 0 < value <= _LONGEST):
        raise TrajectoryError(f"a duration must be above 0 and at most {_LONGEST:g} s, got {value!r}")
    return float(value)


def _through(waypoints, durations) -> tuple[np.ndarray, np.ndarray]:
    try:
        q, h = np.asarray(waypoints, float), np.asarray(durations, float)
    except (TypeError, ValueError, OverflowError):
        q, h = np.empty(0), np.empty(0)
    if q.ndim != 2 or len(q) < 2 or q.shape[1] < 1 or not np.isfinite(q).all() or h.shape != (len(q) - 1,):
        raise DimensionError(
            "waypoints must be finite numbers of shape (m + 1, n) with at least two rows, and durations of shape (m,)"
        )
    for value in h:
        _duration(float(value))
    return q, h
