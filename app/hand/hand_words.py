"""What to say when the hand cannot follow, or hardly can."""

from __future__ import annotations

import numpy as np

from armature import engine
from armature.app.hand.hand_follow import Followed
from armature.app.state.number_marks import said
from armature.engine import Robot
from armature.engine.kinematics.task import in_axes, row_scale, task_axes_at, task_jacobian, task_rows

_AT_LIMIT = 1e-6  # rad or m from a limit that count as on it
_STRETCHED = 0.1  # smallest to largest singular value of the linear Jacobian
_PUSHES = 0.05  # of the strongest pull on a joint: less does not hold the hand back


def why_not(robot: Robot, followed: Followed, X: np.ndarray, task: tuple[str, ...]) -> str:
    """Why the tool is not at the wanted pose X `(4, 4)`, in a few words; "" where it is."""
    if followed.reached:
        return ""
    stopped = stopping_joints(robot, followed, task)
    if stopped:
        return _at_limit(stopped)
    if followed.leap:
        return "the joints would have to jump: choose another path"
    if len(robot.moving_joints(robot.tool_frame)) < len(task):
        return "the arm has too few joints for this motion"
    turns = any(axis.startswith("r") for axis in task)
    if turns and np.linalg.norm(followed.twist[:3]) < 1e-3 * robot.reach:
        return "orientation not reachable at this position"
    first = robot.bodies[robot.chain(robot.frame())[0]].X_PJ[:3, 3]
    here = X[:3, 3] - followed.twist[:3]
    if np.linalg.norm(X[:3, 3] - first) < np.linalg.norm(here - first):
        return "out of reach: too close to the base"
    if turns and not _is_stretched(robot, followed.q, task):
        return "out of reach in this orientation"
    return "out of reach: the arm is fully stretched"


def stopping_joints(robot: Robot, followed: Followed, task: tuple[str, ...]) -> list[int]:
    """The joints on a limit that what is left of the way, e, pulls against it: (Jᵀ S² e)_i points out of the range."""
    rows = task_rows(robot, task)
    weight = row_scale(robot, rows) ** 2
    unit = np.where(robot.prismatic, robot.characteristic_length, 1.0)
    left = in_axes(task_axes_at(robot, followed.q, None, rows), followed.twist)[rows]
    pull = unit * (task_jacobian(robot, followed.q, None, rows).T @ (weight * left))
    strong = np.abs(pull) > _PUSHES * max(float(np.abs(pull).max()), 1e-12)
    up = (robot.q_max - followed.q < _AT_LIMIT) & (pull > 0)
    down = (followed.q - robot.q_min < _AT_LIMIT) & (pull < 0)
    return [int(i) for i in np.flatnonzero((up | down) & strong)]


def at_limits(robot: Robot, q: np.ndarray) -> str:
    """The joints that stand on a limit, in words; "" for none."""
    on = (robot.q_max - q < _AT_LIMIT) | (q - robot.q_min < _AT_LIMIT)
    return _at_limit([int(i) for i in np.flatnonzero(on)])


def near_singularity(report: engine.Singularity, warn: float) -> str:
    """A singularity report in one sentence; "" below the condition number `warn`."""
    verdict = report.verdict(warn)
    return "" if verdict == "Non-singular" else f"{verdict[0].lower()}{verdict[1:]}: {said(report.reason)}"


def _at_limit(joints: list[int]) -> str:
    return f"{_listed(joints)} at {'its limit' if len(joints) == 1 else 'their limits'}" if joints else ""


def _listed(joints: list[int]) -> str:
    """ "joint 3", "joints 2 and 3": counted from 1."""
    numbers = [str(i + 1) for i in joints]
    return f"joint {numbers[0]}" if len(numbers) == 1 else f"joints {', '.join(numbers[:-1])} and {numbers[-1]}"


def _is_stretched(robot: Robot, q: np.ndarray, task: tuple[str, ...]) -> bool:
    """Whether the position alone has lost a direction."""
    rows = [row for row in task_rows(robot, task) if row < 3]
    sigma = np.linalg.svd(engine.jacobian(robot, q)[rows], compute_uv=False)
    return bool(sigma[-1] < _STRETCHED * sigma[0])
