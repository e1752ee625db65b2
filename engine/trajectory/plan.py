"""`Plan`: waypoints and the trajectory through them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from itertools import pairwise

import numpy as np

from armature.engine.errors import EngineError, TrajectoryError
from armature.engine.model.checked_figures import as_given, number
from armature.engine.model.robot import Robot
from armature.engine.model.tool_limits import ToolLimits
from armature.engine.trajectory.joint_space import cubic, minimum_jerk, quintic, spline, time_optimal, trapezoidal
from armature.engine.trajectory.motion_limits import MotionLimits
from armature.engine.trajectory.task_space import ToolTime, follow, path_to, solving_time
from armature.engine.trajectory.trajectory import Trajectory, at_rest
from armature.engine.trajectory.waypoint import BLENDED, Waypoint

REPEATS = ("once", "loop", "back-and-forth")
_SAME = 1e-9  # rad or m: size of an empty motion


@dataclass(frozen=True, eq=False)
class Plan:
    """Sequence of at least one `Waypoint`; the first is the start, and its motion type is ignored.

    `speed`: share, 0.01 to 1, of the robot's `MotionLimits` and tool limits, for motions without a duration. `repeat`: "once",
    "loop" or "back-and-forth". `tool_limits`: limits of the tool along lines and arcs, instead of the limits in the robot's file.
    `name`, `description` and `robot_name`: texts of the plan's file.
    """

    waypoints: tuple[Waypoint, ...]
    speed: float = 1.0
    repeat: str = "once"
    name: str = "trajectory"
    description: str = ""
    robot_name: str = ""
    tool_limits: ToolLimits = field(default_factory=ToolLimits)

    def __post_init__(self):
        points: object = self.waypoints  # whatever a caller gave
        if isinstance(points, str) or not isinstance(points, Iterable):
            raise TrajectoryError(f"waypoints must be a list of Waypoint, got {as_given(points)}")
        object.__setattr__(self, "waypoints", tuple(points))
        for k, point in enumerate(self.waypoints):
            if not isinstance(point, Waypoint):
                raise TrajectoryError(f"waypoints[{k}] must be a Waypoint such as Waypoint(pose='home'), got {as_given(point)}")
        if not self.waypoints:
            raise TrajectoryError("a plan needs at least one waypoint")
        if not 0.01 <= number(self.speed) <= 1:
            raise TrajectoryError(f"the speed must be a fraction of the limits, 0.01 to 1, got {self.speed!r}")
        if self.repeat not in REPEATS:
            raise TrajectoryError(f"unknown value of repeat: {self.repeat!r}; valid are {', '.join(REPEATS)}")

    def limits_of_tool(self, robot: Robot) -> ToolLimits:
        """Return the six tool limits in m/s, m/s², m/s³, rad/s, rad/s², rad/s³.

        Each is the limit of the plan, if it has none that of the robot, and if the robot has none a default.
        """
        return self.tool_limits.over(robot.tool_limits).whole()

    def trajectory(self, robot: Robot) -> Trajectory:
        """Return the trajectory of a robot through all waypoints. Raises TrajectoryError that names the waypoint."""
        if not isinstance(robot, Robot):
            raise TrajectoryError(f"robot must be a Robot, as load_robot returns it, got {as_given(robot)}")
        return _Builder(robot, self).build()


class _Builder:
    """Builds the trajectory piece by piece; `q` `(n,)` is the end of the last piece."""

    def __init__(self, robot: Robot, plan: Plan):
        self.robot, self.plan = robot, plan
        self.limits = MotionLimits.of(robot, plan.speed)
        self.tool_time = ToolTime(robot, plan.limits_of_tool(robot), plan.speed)
        self.pieces: list[Trajectory] = []
        self.q = np.zeros(robot.n)

    def build(self) -> Trajectory:
        points = self.plan.waypoints
        self.q = self._named(0, lambda: points[0].joints(self.robot, self.robot.configurations["home"]))
        self._dwell(points[0])
        k = 1
        while k < len(points):
            last = k
            if points[k].kind in BLENDED:
                while last + 1 < len(points) and points[last + 1].kind == points[k].kind and not points[last].stops:
                    last += 1
            self._named(k, lambda k=k, last=last: self._move(points[k : last + 1]))
            self._dwell(points[last])
            k = last + 1
        if not self.pieces:
            raise TrajectoryError("the plan has no motion and no dwell; add a waypoint or a dwell")
        return self._repeat(concatenate(self.pieces))

    def _repeat(self, once: Trajectory) -> Trajectory:
        if self.plan.repeat == "once":
            return once
        return (once.then(once.reversed()) if self.plan.repeat == "back-and-forth" else once).looped()

    def _named(self, k: int, work):
        try:
            return work()
        except EngineError as error:
            raise TrajectoryError(f"waypoint {k + 1}: {error}") from None

    def _move(self, points: tuple[Waypoint, ...]) -> None:
        way = points[0]
        if way.kind in ("line", "arc"):
            piece = self._in_space(way)
            if piece is None:
                return
        else:
            q = [self.q]
            for point in points:
                q.append(point.joints(self.robot, q[-1]))
            if max(np.abs(b - a).max() for a, b in pairwise(q)) < _SAME:
                if way.duration is not None:
                    self.pieces.append(replace(at_rest(self.q, way.duration), marks=(way.duration,)))
                return
            piece = self._through(np.array(q), points) if way.kind in BLENDED else self._to(q[1], way)
        self.pieces.append(piece if piece.marks else replace(piece, marks=(piece.duration,)))
        self.q = piece.end

    def _to(self, q: np.ndarray, way: Waypoint) -> Trajectory:
        """Return the motion from rest to rest."""
        if way.kind == "trapezoidal":
            return trapezoidal(self.q, q, self.limits.velocity, self.limits.acceleration, way.duration)
        if way.kind == "time-optimal":
            fastest = time_optimal(self.q, q, self.limits)
            if way.duration is None:
                return fastest
            if way.duration < fastest.duration * (1 - 1e-9):
                raise TrajectoryError(
                    f"duration {way.duration:g} s is too short: the limits need at least {fastest.duration:.6g} s"
                )
            return fastest.scaled(fastest.duration / way.duration)
        make = cubic if way.kind == "cubic" else quintic
        if way.duration is not None:
            return make(self.q, q, way.duration)
        return self._slow_down(make(self.q, q, 1.0), jerk=make is quintic)

    def _through(self, q: np.ndarray, points: tuple[Waypoint, ...]) -> Trajectory:
        make = spline if points[0].kind == "spline" else minimum_jerk
        given = [point.duration for point in points]
        known = [h for h in given if h is not None]
        if len(known) == len(given):
            run = make(q, known)
        else:
            shares = np.abs(np.diff(q, axis=0) / self.limits.velocity).max(axis=1)
            run = self._slow_down(make(q, np.maximum(shares, 0.02 * shares.max())), jerk=make is minimum_jerk)
        return replace(run, marks=tuple(float(t) for t in run.breaks[1:]))

    def _in_space(self, way: Waypoint) -> Trajectory | None:
        """Return the motion along a line or an arc; None if it is empty and has no duration."""
        path = path_to(self.robot, self.q, way.tool_pose(self.robot), way.through)
        if way.duration is not None:
            piece = follow(self.robot, path, self.q, way.duration, way.law)
        else:
            least = self.tool_time.least(path, way.law)
            if least == 0.0:
                return None
            piece = follow(self.robot, path, self.q, solving_time(path, least), way.law)
            piece = self._slow_down(piece, jerk=way.law == "quintic", least=least)
        return replace(piece, marks=(piece.duration,))

    def _slow_down(self, piece: Trajectory, jerk: bool, least: float = 0.0) -> Trajectory:
        """Return the path as fast as the joint limits allow, in `least` s or more."""
        factor = self.limits.stretch(piece, jerk)
        return piece.scaled(1.0 / max(factor, least / piece.duration))

    def _dwell(self, point: Waypoint) -> None:
        """Append the dwell; a grasp or release is halfway through it."""
        held = point.grasp
        change = held is not None or point.release
        if point.dwell > 0:
            rest = at_rest(self.q, point.dwell)
            self.pieces.append(replace(rest, payloads=((point.dwell / 2, held),)) if change else rest)
        elif change and self.pieces:
            last = self.pieces[-1]
            self.pieces[-1] = replace(last, payloads=(*last.payloads, (last.duration, held)))
        elif change:
            raise TrajectoryError("waypoint 1 grasps a payload and therefore needs a dwell")


def concatenate(pieces: list[Trajectory]) -> Trajectory:
    """Return all pieces in succession."""
    whole = pieces[0]
    for piece in pieces[1:]:
        whole = whole.then(piece)
    return whole


_CLOSE = 1e-6  # rad, m: largest deviation from the given trajectory


def plan_through(trajectory: Trajectory, robot: Robot, name: str = "trajectory", description: str = "") -> Plan:
    """Return a plan with waypoints at the trajectory's breaks, joined with minimum jerk, that reproduces the trajectory.

    Args:
        trajectory: minimum-jerk trajectory from rest to rest, such as `minimum_jerk` or `exciting_trajectory` returns, rad or m.
        robot: robot whose joints move; the plan stores its name.
        name, description: texts of the plan's file.

    Returns:
        A `Plan`, which `save_plan` writes to a file.

    Raises:
        TrajectoryError: the plan would deviate from the trajectory, or the trajectory has a payload.
    """
    if trajectory.payloads:
        raise TrajectoryError("a trajectory with a grasped payload cannot be written as minimum-jerk waypoints")
    places = trajectory.sample(trajectory.breaks[:-1])[0]
    first, *others = [*places, trajectory.end]
    steps = np.diff(trajectory.breaks)
    ways = (Waypoint(q=q, kind="minimum-jerk", duration=float(h)) for q, h in zip(others, steps, strict=True))
    repeat = "loop" if trajectory.loops else "once"
    plan = Plan((Waypoint(q=first), *ways), repeat=repeat, name=name, description=description, robot_name=robot.name)
    t = np.linspace(0.0, trajectory.duration, 4 * len(steps) + 1)
    missed = float(np.abs(plan.trajectory(robot).sample(t)[0] - trajectory.sample(t)[0]).max())
    if missed > _CLOSE:
        raise TrajectoryError(f"minimum-jerk waypoints deviate from this trajectory by {missed:.2g} rad (m)")
    return plan
