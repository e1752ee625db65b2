"""`Draft`: waypoints and settings of a trajectory that is edited; each edit returns a new draft."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from armature import engine
from armature.app.trajectory.waypoint_values import PICKED
from armature.engine.files import shipped

EXAMPLES = shipped("assets", "trajectories")
NEAR = 1e-6  # m; an arc needs more than that between its points


@dataclass(frozen=True, eq=False)
class Draft:
    """What an `armature.Plan` holds, and also nothing at all."""

    waypoints: tuple = ()
    speed: float = 1.0
    repeat: str = "once"
    name: str = "trajectory"
    description: str = ""
    tool_limits: engine.ToolLimits = field(default_factory=engine.ToolLimits)

    def plan(self, robot_name: str):
        """The engine's plan of it; raises TrajectoryError for an empty one."""
        return engine.Plan(self.waypoints, self.speed, self.repeat, self.name, self.description, robot_name, self.tool_limits)

    def with_waypoint(self, k: int, waypoint) -> Draft:
        """Another waypoint in place k."""
        return replace(self, waypoints=(*self.waypoints[:k], waypoint, *self.waypoints[k + 1 :]))

    def inserted(self, k: int, waypoint) -> Draft:
        """One more waypoint, in place k."""
        return replace(self, waypoints=(*self.waypoints[:k], waypoint, *self.waypoints[k:]))

    def without(self, k: int) -> Draft:
        """One waypoint less."""
        return replace(self, waypoints=(*self.waypoints[:k], *self.waypoints[k + 1 :]))

    def moved(self, k: int, by: int) -> Draft:
        """Waypoint k changes places with a neighbour."""
        points = list(self.waypoints)
        points[k], points[k + by] = points[k + by], points[k]
        return replace(self, waypoints=tuple(points))

    def reversed(self) -> Draft:
        """From the last place to the first, each way back as it was; grasp and release change places."""
        points, load = self.waypoints, None
        held: list[engine.Payload | None] = []
        for point in points:
            held.append(load)
            load = point.grasp or (None if point.release else load)
        out = []
        for j, place in enumerate(reversed(points)):
            k = len(points) - 1 - j
            way = points[k + 1] if j else points[0]
            taken = held[k] if place.release else None
            way_back = {"kind": way.kind, "law": way.law, "through": way.through, "duration": way.duration}
            out.append(replace(place, **way_back, grasp=taken, release=place.grasp is not None))
        return replace(self, waypoints=tuple(out))


def draft_of(plan) -> Draft:
    """The draft of an engine's plan."""
    return Draft(plan.waypoints, plan.speed, plan.repeat, plan.name, plan.description, plan.tool_limits)


def example(robot) -> Draft:
    """Pick and place of an 851 g object: the file that ships for this robot, or a way from joint to joint that fits any arm."""
    path = EXAMPLES / f"pick_place_{robot.name}.toml"
    if path.is_file():
        return draft_of(engine.load_plan(path, robot))
    drafts = [_any_example(robot, side) for side in (1.0, -1.0)]
    return next((draft for draft in drafts if _is_above_floor(robot, draft)), drafts[0])


def _any_example(robot, side: float) -> Draft:
    """Example draft for any arm, of joint moves; `side`, 1 or −1, is the direction in which the second joint moves."""
    home = robot.configurations["home"]
    low, high = np.maximum(robot.q_min, home - 0.8), np.minimum(robot.q_max, home + 0.8)
    step = np.minimum(0.3, (high - low) / 3)
    lift = home.copy()
    lift[:2] = np.clip(home + step * np.where(np.arange(robot.n) == 1, side, 1.0), low, high)[:2]
    over, down = home.copy(), lift.copy()
    over[0] = np.clip(home[0] - step[0], low[0], high[0])
    down[-1] = np.clip(lift[-1] + step[-1], low[-1], high[-1])
    point, load = engine.Waypoint, engine.Payload(PICKED)
    points = (
        point(pose="home", dwell=0.5),
        point(q=lift, kind="minimum-jerk"),
        point(q=down, kind="cubic", dwell=1.0, grasp=load),
        point(q=over, kind="time-optimal", dwell=1.0, release=True),
        point(pose="home", kind="trapezoidal", dwell=0.5),
    )
    return Draft(points, 0.5, "once", "pick_and_place", "Pick up an object of 851 g, carry it and put it down")


def _is_above_floor(robot, draft: Draft) -> bool:
    """True where no link is below the floor at any waypoint."""
    if robot.floor is None:
        return True
    from armature.engine.kinematics.floor_depths import FloorDepths  # numba: not before the window is on screen

    q = np.array([point.joints(robot, robot.configurations["home"]) for point in draft.waypoints])
    return bool(FloorDepths(robot).above(q).all())


def arc_point(robot, draft: Draft, k: int) -> np.ndarray:
    """A point `(3,)` m beside the straight way to waypoint k, for an arc to begin with. Raises TrajectoryError."""
    home = robot.configurations["home"]
    end = engine.frame_pose(robot, draft.waypoints[k].joints(robot, home))[:3, 3]
    start = engine.frame_pose(robot, draft.waypoints[max(k - 1, 0)].joints(robot, home))[:3, 3]
    way = end - start
    length = float(np.linalg.norm(way))
    side = np.cross(way, [0.0, 0.0, 1.0])
    if np.linalg.norm(side) < NEAR * max(length, 1.0):
        side = np.array([1.0, 0.0, 0.0])
    return (start + end) / 2 + 0.25 * max(length, 0.05) * side / np.linalg.norm(side)
