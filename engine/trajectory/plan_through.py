"""`plan_through`: a trajectory as a plan, which files and the window take."""

from __future__ import annotations

import numpy as np

from armature.engine.errors import TrajectoryError
from armature.engine.model.robot import Robot
from armature.engine.trajectory.plan import Plan
from armature.engine.trajectory.trajectory import Trajectory
from armature.engine.trajectory.waypoint import Waypoint

_CLOSE = 1e-6  # rad, m: what the plan's trajectory may miss the given one by


def plan_through(trajectory: Trajectory, robot: Robot, name: str = "trajectory", description: str = "") -> Plan:
    """The plan of waypoints at the trajectory's breaks, joined with minimum jerk, that gives this trajectory again.

    Args:
        trajectory: of minimum jerk from rest to rest between its breaks, rad or m.
        robot: whose joints move; the plan has its name.
        name, description: what the file will say of itself.

    Raises:
        TrajectoryError: it is not one of minimum jerk from rest to rest, or something is grasped on the way.
    """
    if trajectory.payloads:
        raise TrajectoryError("a trajectory on which something is grasped is not written as waypoints of minimum jerk")
    places = trajectory.sample(trajectory.breaks[:-1])[0]
    first, *others = [*places, trajectory.end]
    steps = np.diff(trajectory.breaks)
    ways = (Waypoint(q=q, kind="minimum-jerk", duration=float(h)) for q, h in zip(others, steps, strict=True))
    repeat = "loop" if trajectory.loops else "once"
    plan = Plan((Waypoint(q=first), *ways), repeat=repeat, name=name, description=description, robot_name=robot.name)
    t = np.linspace(0.0, trajectory.duration, 4 * len(steps) + 1)
    missed = float(np.abs(plan.trajectory(robot).sample(t)[0] - trajectory.sample(t)[0]).max())
    if missed > _CLOSE:
        raise TrajectoryError(f"waypoints of minimum jerk miss this trajectory by {missed:.2g} rad (m)")
    return plan
