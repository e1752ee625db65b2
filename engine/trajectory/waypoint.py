"""`Waypoint`: target of a motion, its motion type, and the action at the target."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from armature.engine.errors import EngineError, TrajectoryError
from armature.engine.kinematics.ik import path_ik
from armature.engine.kinematics.poses import frame_pose
from armature.engine.kinematics.search.reason_words import without_pose
from armature.engine.model.checked_figures import as_given, number
from armature.engine.model.frozen import Frozen
from armature.engine.model.payload import Payload
from armature.engine.model.read_only import read_only, real_numbers
from armature.engine.model.robot import Robot
from armature.engine.trajectory.task_space import LAWS

STOPPING = ("cubic", "quintic", "trapezoidal", "time-optimal")
BLENDED = ("spline", "minimum-jerk")
STRAIGHT = ("line", "arc")
KINDS = (*STOPPING, *BLENDED, *STRAIGHT)


@dataclass(frozen=True, eq=False)
class Waypoint(Frozen):
    """Target of a plan, with the motion from the previous waypoint to it.

    The target is exactly one of `q` `(n,)` in rad or m, `pose` (a named configuration) and `X_WT` `(4, 4)` (a tool pose in the
    world). `kind`: motion type, "cubic", "quintic", "trapezoidal", "time-optimal", "spline", "minimum-jerk", "line" or "arc";
    `law`: timing of "line" and "arc", "quintic" or "trapezoidal"; `through` `(3,)`: point on an arc, m in the world frame.
    `duration`: duration of this motion in s; None: the shortest within the limits. `dwell`: time at rest at the waypoint in s.
    Halfway through the dwell the tool grasps the payload `grasp`, if it is not None, or releases its payload, if `release` is
    True. The arm passes waypoints of kind "spline" and "minimum-jerk" without stopping, unless they have a dwell, a grasp or a
    release.
    """

    q: np.ndarray | None = None
    pose: str | None = None
    X_WT: np.ndarray | None = None
    kind: str = "quintic"
    law: str = "quintic"
    through: np.ndarray | None = None
    duration: float | None = None
    dwell: float = 0.0
    grasp: Payload | None = None
    release: bool = False

    def __post_init__(self):
        places = {"q": self.q, "X_WT": self.X_WT, "through": self.through}
        vars(self).update({name: _numbers(name, place) for name, place in places.items() if place is not None})
        self._check()

    def _check(self) -> None:
        if sum(value is not None for value in (self.q, self.pose, self.X_WT)) != 1:
            raise TrajectoryError("a waypoint needs exactly one of q, pose and X_WT")
        if self.pose is not None and not isinstance(self.pose, str):
            raise TrajectoryError(f"pose must be the name of a configuration such as 'home', got {as_given(self.pose)}")
        if self.grasp is not None and not isinstance(self.grasp, Payload):
            raise TrajectoryError(f"grasp must be a Payload such as Payload(1.2), got {as_given(self.grasp)}")
        if self.kind not in KINDS:
            raise TrajectoryError(f"unknown motion kind {self.kind!r}; valid are {', '.join(KINDS)}")
        if self.law not in LAWS:
            raise TrajectoryError(f"unknown timing law {self.law!r}; valid are {', '.join(LAWS)}")
        if (self.kind == "arc") != (self.through is not None):
            raise TrajectoryError("a point in `through` is required for kind 'arc' and not allowed for other kinds")
        if self.duration is not None and not 0 < number(self.duration) <= 1e5:
            raise TrajectoryError(f"a duration must be above 0 and at most 1e5 s, got {self.duration!r}")
        if not 0 <= number(self.dwell) <= 1e5:
            raise TrajectoryError(f"a dwell must be 0 to 1e5 s, got {self.dwell!r}")
        if self.grasp is not None and self.release:
            raise TrajectoryError("a waypoint can grasp or release, not both")

    @property
    def stops(self) -> bool:
        """True if the waypoint has a dwell, a grasp or a release: the arm then stops there, for every type of the next motion."""
        return self.dwell > 0 or self.grasp is not None or self.release

    def joints(self, robot: Robot, near: np.ndarray | None) -> np.ndarray:
        """Return the joint positions `(n,)` of this waypoint, rad or m.

        For a tool pose they are the IK solution found from the start `near` `(n,)`. Raises TrajectoryError if the waypoint does
        not fit the robot or the tool pose cannot be reached.
        """
        if self.q is not None:
            if self.q.shape != (robot.n,) or not np.isfinite(self.q).all():
                raise TrajectoryError(f"q must be {robot.n} finite numbers, one for each of {', '.join(robot.joint_names)}")
            return self.q
        if self.pose is not None:
            if self.pose not in robot.configurations:
                raise TrajectoryError(f"{robot.name} has no pose {self.pose!r}; valid are {', '.join(robot.configurations)}")
            return robot.configurations[self.pose]
        try:
            found = path_ik(robot, self.X_WT, near)
        except EngineError as error:
            raise TrajectoryError(str(error)) from None
        if not found.success:
            raise TrajectoryError(f"the tool pose cannot be reached: {without_pose(found.reason)}")
        return found.q

    def tool_pose(self, robot: Robot) -> np.ndarray:
        """Return the tool pose X_WT `(4, 4)` of this waypoint, m in the world.

        Raises TrajectoryError if the waypoint does not fit the robot.
        """
        return self.X_WT if self.X_WT is not None else frame_pose(robot, self.joints(robot, None))


def _numbers(name: str, values: Any) -> np.ndarray:
    """Return read-only floats. Raises TrajectoryError."""
    try:
        return read_only(real_numbers(values))
    except (TypeError, ValueError, OverflowError):
        hint = f"; for a named pose use Waypoint(pose={values!r})" if name == "q" and isinstance(values, str) else ""
        raise TrajectoryError(f"{name} of a waypoint must be an array of numbers, got {as_given(values)}{hint}") from None
