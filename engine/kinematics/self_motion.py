"""Self-motion at a solution: poses through which joints can move with a fixed tool, and the one that is returned."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from armature.engine.kinematics.jacobian import jacobian
from armature.engine.kinematics.search.search_problem import Problem

_LOST = 1e-5  # smallest singular value, rad and lengths of the arm, below which joints may move alone
_HOLDS = 1e-10  # m and rad that the tool may be off on the way
_TRY, _STEP, _LEAST = 0.02, 0.1, 1e-3  # rad and lengths
_MUCH = 0.3  # of what the joint moves that moves most
_JUMP = 5.0  # times as far as its joint has any other gone: to another branch, not along


def along_self_motion(
    problem: Problem, frame: str | None, T: np.ndarray, q: np.ndarray, near: np.ndarray
) -> tuple[np.ndarray, tuple[int, ...]]:
    """Move the solution q `(n,)` of the pose T along its self-motion; return it and the indices of the joints that move.

    Of the joints in a null vector of the Jacobian, the first with a large part moves to its value in `near`, or as near as the
    others can compensate; then, with it held, the next, until none is left. If no joint moves, q is an isolated double solution
    and is returned unchanged.
    """
    free: list[int] = []
    unit = np.where(problem.robot.prismatic, problem.length, 1.0)
    while (v := _null_vector(problem, frame, q)) is not None:
        i = int(np.argmax(np.abs(v) > _MUCH * np.abs(v).max()))
        goal = near[i] if problem.robot.prismatic[i] else q[i] + (near[i] - q[i] + np.pi) % (2 * np.pi) - np.pi
        held = _held(problem, i, q[i])
        ahead = 1.0 if goal >= q[i] else -1.0
        if not any(_moved(held, T, q, i, side * _TRY * unit[i]) is not None for side in (ahead, -ahead)):
            break
        free.append(i)
        step = _STEP * unit[i]
        while abs(goal - q[i]) > 1e-12 and step > _LEAST * unit[i]:
            there = _moved(held, T, q, i, float(np.clip(goal - q[i], -step, step)))
            if there is None:
                step /= 4
            else:
                q = there
        problem = _held(problem, i, q[i])
    return q, tuple(sorted(free))


def _null_vector(problem: Problem, frame: str | None, q: np.ndarray) -> np.ndarray | None:
    """Joint motion `(n,)` of the joints not held that does not move the tool, rad and lengths; None without one."""
    unit = np.where(problem.robot.prismatic, problem.length, 1.0)
    J = jacobian(problem.robot, q, frame)
    J = np.vstack([J[:3] / problem.length, J[3:]]) * unit
    loose = np.flatnonzero((problem.low < problem.high) & J.any(axis=0))
    if not loose.size:
        return None
    _, s, Vt = np.linalg.svd(J[:, loose])
    if loose.size <= 6 and s[-1] > _LOST:
        return None
    v = np.zeros(len(q))
    v[loose] = Vt[-1]
    return v


def _held(problem: Problem, i: int, value: float) -> Problem:
    low, high = problem.low.copy(), problem.high.copy()
    low[i] = high[i] = value
    return replace(problem, low=low, high=high)


def _moved(problem: Problem, T: np.ndarray, q: np.ndarray, i: int, by: float) -> np.ndarray | None:
    """Solution next to q `(n,)` with the held joint i moved by `by`; None without one."""
    start = q.copy()
    start[i] += by
    found = _held(problem, i, start[i]).search(T[None], start[None], _HOLDS / 100, 0, 0)
    unit = np.where(problem.robot.prismatic, problem.length, 1.0)
    near = np.abs((found.q[0] - q) / unit).max() <= _JUMP * abs(by) / unit[i]
    return found.q[0] if found.error[0] <= _HOLDS and near else None
