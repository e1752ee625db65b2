"""One walk of `ik` from a start downhill: damped steps until the target is met or no step helps."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from armature.engine.jit import inner
from armature.engine.kinematics.pose_kernels import jacobian_columns
from armature.engine.kinematics.search.damped_step import damped_step
from armature.engine.kinematics.search.task_error import plain_error, task_error, task_jacobian
from armature.engine.model.body_placement import frame_in_world, place_in_world
from armature.engine.model.packed_model import SLIDES

REACHED, STUCK, CUT_OFF = 0, 1, 2
"""How a walk ended: target met; no step leads closer; out of iterations on the way there."""

_LONGEST = 1.0  # rad, longest motion of one joint in one step
_SHARP = 1e-12  # an error that needs no last step
_FLOOR = 1e-13  # least damping, of the squared characteristic length


class Target(NamedTuple):
    """What a walk of the arm P is after: at T the frame X_BF of a body, as far as the `rows` of the error count.

    The rows are along the axes of the frame X_axes of the body `axes_body`: −1 for the world, `AT_TARGET` for T's own.
    Each row counts `weight` times and one radian `length` m; every q stays within `low` … `high` `(n,)`; what is left may be
    `tolerance`.
    """

    T: np.ndarray
    P: np.ndarray
    body: int
    X_BF: np.ndarray
    axes_body: int
    X_axes: np.ndarray
    rows: np.ndarray
    weight: np.ndarray
    length: float
    low: np.ndarray
    high: np.ndarray
    tolerance: float


AT_TARGET = -2
"""`Target.axes_body` of axes that are the target's."""


class Work(NamedTuple):
    """The arrays that a walk works in.

    Placements X and world poses W `(n, 12)`, the frame F, the axes R of the task `(4, 4)`, the frame's Jacobian J `(6, n)`, that
    of the task's error A `(m, n)`, its square G `(m, m)`, and `(n,)` which joints are `free`; `vectors` has the rows named below.
    """

    X: np.ndarray
    W: np.ndarray
    F: np.ndarray
    R: np.ndarray
    J: np.ndarray
    A: np.ndarray
    G: np.ndarray
    vectors: np.ndarray
    free: np.ndarray


TWIST, ERROR, SOLVED, TRIAL_ERROR, STEP, DOWN, UP, TRIAL, CANDIDATE, GRADIENT, DIRECTION, VECTORS = range(12)
"""Rows of `Work.vectors`, and how many there are."""


@inner
def workspace(n, m):
    """The `Work` for n bodies and a task of m rows."""
    X, W, F, R = np.empty((n, 12)), np.empty((n, 12)), np.empty((4, 4)), np.empty((4, 4))
    J, A = np.empty((6, n)), np.empty((m, n))
    return Work(X, W, F, R, J, A, np.empty((m, m)), np.zeros((VECTORS, max(6, n))), np.empty(n, np.bool_))


@inner
def error_at(target, q, work, twist, e):
    """`task_error` at q; leaves the world poses, the frame and the axes of the task in `work`."""
    place_in_world(target.P, q, work.X, work.W)
    frame_in_world(work.W, target.body, target.X_BF, work.F)
    if target.axes_body == AT_TARGET:
        work.R[:, :] = target.T
    else:
        frame_in_world(work.W, target.axes_body, target.X_axes, work.R)
    return task_error(work.F, target.T, work.R, target.rows, target.weight, twist, e)


@inner
def joint_unit(P, i, length):
    """What one unit of joint i is in a step: a radian, or the metres that count as one."""
    return length if P[i, SLIDES] == 1.0 else 1.0


@inner
def attempt(target, q, budget, patience, work):
    """Walks q `(n,)` downhill in place, at most `budget` steps; gives up after `patience` steps that gain next to nothing.

    Each step minimises |A dy − e|² + μ |dy|² within the limits, μ = λ |e|². λ shrinks after steps that do as well as the linear
    model says, and grows after those that do not lower the error, which are taken back.

    Returns:
        how it ended, |e|², iterations.
    """
    _, P, body, _, axes_body, _, rows, weight, length, low, high, tolerance = target
    _, W, F, R, J, A, G, vectors, free = work
    n, m = q.size, rows.size
    twist, e, y, e_trial = vectors[TWIST, :6], vectors[ERROR, :m], vectors[SOLVED, :m], vectors[TRIAL_ERROR, :m]
    dy, down, up, trial = vectors[STEP, :n], vectors[DOWN, :n], vectors[UP, :n], vectors[TRIAL, :n]
    total = error_at(target, q, work, twist, e)
    error = plain_error(e, weight)
    lam, slow, moved, sharpened = 0.1, 0, True, False
    for k in range(budget):
        if error <= tolerance:  # one step more costs little and leaves rounding only
            if sharpened or error < _SHARP:
                return REACHED, total, k
            sharpened = True
        if moved:
            jacobian_columns(P, W, body, F[:3, 3], J)
            task_jacobian(P, J, twist, axes_body, R, rows, weight, length, A)
            for i in range(n):
                unit = joint_unit(P, i, length)
                down[i], up[i] = min((q[i] - low[i]) / unit, _LONGEST), min((high[i] - q[i]) / unit, _LONGEST)
        damped_step(A, e, lam * total + _FLOOR * length * length, down, up, free, G, y, dy)
        expected = total - _squared_rest(A, e, dy)
        for i in range(n):
            trial[i] = min(max(q[i] + joint_unit(P, i, length) * dy[i], low[i]), high[i])
        gained = total - error_at(target, trial, work, twist, e_trial)
        moved = gained > 0.0
        if not moved:
            if error <= tolerance:
                return REACHED, total, k + 1
            if expected <= 1e-14 * total or lam > 1e8:
                return STUCK, total, k + 1
            lam = 8.0 * max(lam, 1e-3)
            continue
        slow = slow + 1 if gained < 0.05 * total else 0
        lam = max(lam * (0.2 if gained > 0.7 * expected else (1.0 if gained > 0.25 * expected else 3.0)), 1e-6)
        total, error = total - gained, plain_error(e_trial, weight)
        q[:] = trial
        e[:] = e_trial
        if slow >= patience and error > tolerance:
            return STUCK, total, k + 1
    return (REACHED if error <= tolerance else CUT_OFF), total, budget


@inner
def _squared_rest(A, e, dy):
    """|e − A dy|²: what the linear model leaves after a step."""
    total = 0.0
    for r in range(e.size):
        rest = e[r]
        for i in range(dy.size):
            rest -= A[r, i] * dy[i]
        total += rest * rest
    return total
