"""Paths in space made into trajectories of the joints: inverse kinematics that never leaves its branch."""

from __future__ import annotations

import numpy as np

from armature.engine.batching import vectors
from armature.engine.errors import EngineError, TrajectoryError
from armature.engine.kinematics.poses import frame_pose
from armature.engine.kinematics.targets import target_poses
from armature.engine.kinematics.tool_rates import tool_rates
from armature.engine.model.robot import Robot
from armature.engine.trajectory.hermite import joined
from armature.engine.trajectory.joint_space import quintic, trapezoidal
from armature.engine.trajectory.task_path import TaskPath, arc_path, line_path
from armature.engine.trajectory.task_walk import Leg, Walk
from armature.engine.trajectory.trajectory import Trajectory

LAWS = ("quintic", "trapezoidal")
_GRID = 0.01  # s between two poses that are solved exactly; between them q is a quintic
_RISE = 0.25  # of a trapezoidal law's duration


def straight_line(robot: Robot, q0, X_target, duration: float, law: str = "quintic") -> Trajectory:
    """Return the trajectory that moves the tool on a straight line in the world from its pose at q0 to a target pose.

    p(s) = p_0 + s (p_1 − p_0),  R(s) = exp(s φ) R_0,  with s(t) from 0 to 1 by the timing law and q(t) by inverse kinematics. p
    and R are position and rotation of the tool; the rotation is about one fixed axis, with rotation vector φ (slerp).

    Args:
        q0: joint positions at the start `(n,)`, rad or m.
        X_target: pose of the tool in the world `(4, 4)`; coordinates outside `robot.task` are ignored. If the arm has too few
            joints for all six coordinates and its file names no task, only the position is followed.
        duration: s.
        law: "quintic" or "trapezoidal" (a quarter of the time accelerating, a quarter decelerating).

    Returns:
        A joint `Trajectory` that moves the tool on the line within 1e-6 m.

    Raises:
        DimensionError.
        TrajectoryError: the message names the time and place that the arm cannot reach, or where a joint would jump.

    Source: Siciliano et al., Robotics: Modelling, Planning and Control, section 4.3.
    """
    q0 = _start(robot, q0)
    return follow(robot, path_to(robot, q0, X_target), q0, duration, law)


def arc(robot: Robot, q0, p_via, X_target, duration: float, law: str = "quintic") -> Trajectory:
    """Return the trajectory that moves the tool on a circular arc from its pose at q0 through a point to a target pose.

    The orientation changes as in `straight_line`: about one fixed axis, from the start to the target.

    Args:
        q0: joint positions at the start `(n,)`, rad or m.
        p_via: point on the arc between start and target, `(3,)`, m in the world frame.
        X_target: pose of the tool in the world `(4, 4)`.
        duration: s.
        law: timing, "quintic" or "trapezoidal", as in `straight_line`.

    Returns:
        A joint `Trajectory`.

    Raises:
        DimensionError; TrajectoryError: three points on one line, or as for `straight_line`.

    Source: Siciliano et al., Robotics: Modelling, Planning and Control, section 4.3.
    """
    q0 = _start(robot, q0)
    return follow(robot, path_to(robot, q0, X_target, p_via), q0, duration, law)


def tool_motion(robot: Robot, trajectory: Trajectory, t) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the tool's pose X_WT in the world, its twist J qd, and its acceleration J qdd + Jdot qd along a trajectory.

    Args:
        trajectory: motion of the robot's joints.
        t: s, a number or `(N,)`.

    Returns:
        Pose `(…, 4, 4)` in m, twist `(…, 6)` in m/s and rad/s, and acceleration `(…, 6)` in m/s² and rad/s²; world axes, linear
        before angular, at the tool's origin.

    Raises:
        DimensionError.
    """
    q, qd, qdd = trajectory.sample(t)
    return frame_pose(robot, q), *tool_rates(robot, q, qd, qdd)


def path_to(robot: Robot, q0: np.ndarray, X_target, p_via=None) -> TaskPath:
    """From the tool's pose at q0 `(n,)` to another: straight, or on the arc through a point `(3,)`. Raises TrajectoryError."""
    X_0, X_1 = frame_pose(robot, q0), _pose(robot, X_target)
    if p_via is None:
        return line_path(X_0, X_1)
    through = np.asarray(p_via, float)
    if through.shape != (3,) or not np.isfinite(through).all():
        raise TrajectoryError("the through point of an arc must be three finite numbers [x, y, z] in m")
    return arc_path(X_0, through, X_1)


def timing(law: str, duration: float) -> Trajectory:
    """s(t) from 0 to 1 in `duration` s. Raises TrajectoryError."""
    if law == "quintic":
        return quintic([0.0], [1.0], duration)
    if law != "trapezoidal":
        raise TrajectoryError(f"unknown timing law {law!r}; valid are {', '.join(LAWS)}")
    if not (isinstance(duration, (int, float, np.number)) and 0 < duration < np.inf):
        raise TrajectoryError(f"a duration must be a number of seconds above 0, got {duration!r}")
    v = 1.0 / (duration * (1.0 - _RISE))
    return trapezoidal([0.0], [1.0], v, v / (_RISE * duration))


def follow(robot: Robot, path: TaskPath, q0: np.ndarray, duration: float, law: str) -> Trajectory:
    """The joint trajectory along a path from q0 `(n,)`, which has its beginning. Raises TrajectoryError."""
    s_of_t = timing(law, duration)
    walk = Walk(robot, path)
    q, first, last, lengths = q0, [], [], []
    for i, (begin, end) in enumerate(zip(s_of_t.breaks[:-1], s_of_t.breaks[1:], strict=True)):
        count = max(2, int(np.ceil((end - begin) / _GRID)))
        leg = Leg(s_of_t.coefficients[i, 0], begin, (end - begin) / count, count)
        places = walk.in_strides(q, leg)
        if places is None:
            places = walk.step_by_step(q, leg)
        nodes = np.stack([places, *walk.rates(places, leg.law(np.arange(count + 1)))], axis=1)
        first.append(nodes[:-1])
        last.append(nodes[1:])
        lengths.append(np.full(count, leg.h))
        q = places[-1]
    return joined(np.concatenate(first), np.concatenate(last), np.concatenate(lengths))


def _start(robot: Robot, q0) -> np.ndarray:
    (q,), _ = vectors(robot, q0=q0)
    return q[0]


def _pose(robot: Robot, X_target) -> np.ndarray:
    try:
        return target_poses(robot, X_target)[0][0]
    except EngineError as error:
        raise TrajectoryError(str(error).replace("X_target", "the target")) from None
