"""`check_limits`: the first place where a trajectory breaks a limit of the arm or goes below its floor."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from armature.engine.batching import require_dynamics
from armature.engine.dynamics.friction import friction_torque
from armature.engine.dynamics.newton_euler import rnea
from armature.engine.errors import DimensionError
from armature.engine.kinematics.floor_depths import FloorDepths
from armature.engine.model.robot import Robot
from armature.engine.trajectory.extremes import times_beyond
from armature.engine.trajectory.motion_limits import MotionLimits
from armature.engine.trajectory.trajectory import Trajectory

_GRID = 1e-3  # s between two looks
_MOST = 1_000_000
_WITHIN = 16  # looks between two breaks, however near
_PART = 10_000  # poses
_TOUCH = 1e-6  # m below the floor that are rounding
_SLACK = 1e-6  # of a limit: rounding at a peak that just reaches it
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
            and floor every millisecond, at every break, and at 16 times between two breaks.
        limits: limits of velocity, acceleration and jerk, in addition to the robot's `q_min q_max qd_max qdd_max` and `floor`,
            which are always checked; None: only these.
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
    times = _looks(trajectory, extremes)
    values = [*trajectory.sample(times), trajectory.jerk(times)]
    looks = [(quantity, values[order], low, high) for quantity, order, low, high in bounds]
    if torque:
        looks.append(("torque", _torque(robot, trajectory, times, *values[:3]), -robot.tau_max, robot.tau_max))
    found = [violation for look in looks if (violation := _first(robot, times, *look)) is not None]
    if (below := _below_floor(robot, times, values[0])) is not None:
        found.append(below)
    return min(found, key=lambda violation: violation.t, default=None)


def floor_violation(robot: Robot, trajectory: Trajectory) -> Violation | None:
    """The first time at which a link goes below the floor of an arm, as `check_limits` finds it, whatever limits are broken."""
    times = _looks(trajectory, [])
    return _below_floor(robot, times, trajectory.sample(times)[0])


def _looks(trajectory: Trajectory, others: list[np.ndarray]) -> np.ndarray:
    """Times to look at, ascending: every millisecond, breaks and 16 between two of them, and `others`."""
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
    """The link that is first below the floor; of several at once the deepest. None without a floor."""
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
