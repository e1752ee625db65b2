"""Why a target was not reached: one sentence, found by asking easier questions."""

from __future__ import annotations

import numpy as np

from armature.engine.errors import enumeration
from armature.engine.kinematics.search.reason_words import RETURNED
from armature.engine.kinematics.search.search_attempt import CUT_OFF, REACHED
from armature.engine.kinematics.search.search_problem import Problem, chain
from armature.engine.model.robot import TASK_AXES

_TRIES = 30  # random starts for each easier question
_AT_LIMIT = 1e-6  # rad or m from a limit that count as on it
_ROUNDING = 1e-6  # of metres beside radians, and of radians beside metres


def explain(problem: Problem, T, q, twist, end: int, tolerance: float, restarts: int, seed: int) -> str:
    """One sentence on a target T `(4, 4)` whose nearest pose is q `(n,)`, with `twist` `(6,)` left to go.

    Questions in turn: does it work with more starts; with joints that turn without limits; is the position alone in reach?
    """
    target, start = T[None], q[None]

    def ask(easier: Problem):
        return easier.search(target, start, tolerance, _TRIES, seed + 1)

    if restarts < _TRIES and ask(problem).end[0] == REACHED:
        return f"did not converge from this start, error {_left(twist)}; other starts reach the target, so allow restarts"
    free = problem.without_turning_limits()
    unlimited = ask(free)
    if unlimited.end[0] == REACHED:
        joints = _stopped(problem, q) or _beyond(problem, unlimited.q[0]) or ["the joints"]
        return f"joint limits: {enumeration(joints)} stopped {_left(twist)} short of the target{RETURNED}"
    if (problem.rows < 3).any():
        place = ask(free.of_position())
        if place.end[0] != REACHED:
            far = _farther(problem, target[0], place.twist[0])
            where = "beyond reach" if far else "too close to the base for this arm"
            return f"unreachable: the target is {place.error[0]:.3g} m {where}{RETURNED}"
    if (reason := _too_few_joints(problem, twist)) is not None:
        return reason
    if end == CUT_OFF:
        return f"did not converge: error {_left(twist)} after {restarts} restarts; try another q0 or more restarts"
    if (problem.rows < 3).any():
        return f"unreachable: the position is in reach, but not with this orientation{RETURNED}, error {_left(twist)}"
    return f"unreachable: the arm cannot reach this orientation{RETURNED}, error {_left(twist)}"


def _too_few_joints(problem: Problem, twist: np.ndarray) -> str | None:
    """Which coordinates are off where fewer joints than coordinates move the frame; None for others."""
    joints, rows = len(problem.robot.moving_joints(problem.frame)), problem.rows
    if joints >= len(rows):
        return None
    largest = float(np.abs(twist).max())
    amounts = [f"{TASK_AXES[row]} by {_amount(twist[row], row)}" for row in rows if abs(twist[row]) >= _ROUNDING * largest]
    have = f"{joints} joint{'s' * (joints > 1)} for {len(rows)} coordinates"
    rest = tuple(TASK_AXES[row] for row in rows if row < 3)
    if not 0 < len(rest) < len(rows):
        return f"unreachable: {have}{RETURNED}; it misses the target in {enumeration(amounts)}"
    where = f"the position is in reach, but not with this orientation ({have})"
    return (
        f"unreachable: {where}{RETURNED}; it misses the target in {enumeration(amounts)}; task={rest} reaches the position alone"
    )


def _amount(value: float, row: int) -> str:
    return f"{abs(value):.3g} m" if row < 3 else f"{abs(np.degrees(value)):.3g}°"


def _farther(problem: Problem, T: np.ndarray, twist: np.ndarray) -> bool:
    """Whether the target lies farther from the first joint than the nearest place in reach, `twist` before it."""
    first = problem.robot.bodies[chain(problem.robot, problem.frame)[0]].X_PJ[:3, 3]
    return bool(np.linalg.norm(T[:3, 3] - first) >= np.linalg.norm(T[:3, 3] - twist[:3] - first))


def _left(twist: np.ndarray) -> str:
    """What is left to go; what is no more than rounding beside the rest is left out."""
    linear, angular = float(np.linalg.norm(twist[:3])), float(np.linalg.norm(twist[3:]))
    least = _ROUNDING * max(linear, angular)
    parts = [f"{linear:.3g} m"] if linear >= least else []
    return " and ".join(parts + ([f"{np.degrees(angular):.3g}°"] if angular >= least else []))


def _stopped(problem: Problem, q: np.ndarray) -> list[str]:
    on = (q - problem.low < _AT_LIMIT) | (problem.high - q < _AT_LIMIT)
    return _names(problem, on)


def _beyond(problem: Problem, q: np.ndarray) -> list[str]:
    """Joints that no whole turn brings within their limits."""
    turn = np.where(problem.robot.prismatic, 0.0, 2 * np.pi)
    inside = np.zeros(len(q), bool)
    for k in range(-2, 3):
        inside |= (q + k * turn >= problem.low) & (q + k * turn <= problem.high)
    return _names(problem, ~inside)


def _names(problem: Problem, which: np.ndarray) -> list[str]:
    return [name for name, marked in zip(problem.robot.joint_names, which, strict=True) if marked]
