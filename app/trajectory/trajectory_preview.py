"""`Preview`: a trajectory with all that is drawn of it, computed beside the GUI."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from armature import engine

SAMPLES = 400


@dataclass(frozen=True, eq=False)
class Preview:
    """`t` `(N,)` s; `q`, `qd`, `qdd` `(N, n)`; `path` `(N, 3)` m of the tool; `times` `(k,)` s at which the waypoints are
    reached and `places` `(k, 3)` m where; `violations` the first limit that is broken and the first link below the floor, in the
    order of their times."""

    robot: engine.Robot
    trajectory: engine.Trajectory
    t: np.ndarray
    q: np.ndarray
    qd: np.ndarray
    qdd: np.ndarray
    path: np.ndarray
    times: np.ndarray
    places: np.ndarray
    violations: tuple[engine.Violation, ...]

    @property
    def violation(self) -> engine.Violation | None:
        """The first of `violations`."""
        return self.violations[0] if self.violations else None

    @property
    def duration(self) -> float:
        """Seconds from its beginning to its end."""
        return self.trajectory.duration

    def q_at(self, t: float) -> np.ndarray:
        """q `(n,)` at time t."""
        return self.trajectory.sample(float(t))[0]


def previewed(
    robot: engine.Robot, trajectory: engine.Trajectory, waypoints: int, cancelled: Callable[[], bool]
) -> Preview | None:
    """Sample a trajectory through so many waypoints and compare it with the limits and the floor; None once `cancelled()`."""
    if cancelled():
        return None
    from armature.engine.trajectory.motion_limits import floor_violation  # numba: not before the window is on screen

    limits = engine.check_limits(robot.with_floor(None), trajectory, torque=robot.has_dynamics)
    found = [one for one in (limits, floor_violation(robot, trajectory)) if one is not None]
    violations = tuple(sorted(found, key=lambda one: one.t))
    t = np.linspace(0.0, trajectory.duration, SAMPLES)
    q, qd, qdd = trajectory.sample(t)
    inside = np.linspace(0.0, trajectory.duration * (1 - 1e-12), SAMPLES)  # a loop's end is its beginning
    path = engine.frame_pose(robot, trajectory.sample(inside)[0])[:, :3, 3]
    times = np.array([0.0, *trajectory.marks])[:waypoints]
    places = engine.frame_pose(robot, trajectory.sample(times)[0])[:, :3, 3]
    return Preview(robot, trajectory, t, q, qd, qdd, path, times, places, violations)
