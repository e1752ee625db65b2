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
    """Return a plan with waypoints at the trajectory's breaks, joined with minimum jerk, that reproduces the trajectory.

    Args:
        trajectory: minimum-jerk trajectory from rest to rest, such as `minimum_jerk` or `exciting_trajectory` returns, rad or m.
        robot: robot whose joints move; the plan stores its name.
        name, description: texts of the plan's file.

    Returns:
        A `Plan`, which `save_plan` writes to a file.

    Raises:
        TrajectoryError: the trajectory is not of minimum jerk from rest to rest, or has a payload.
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
