"""One walk of `ik` from a start downhill: damped steps until the target is met or no step helps."""

from __future__ import annotations

import numpy as np

from engine.jit import inner
from engine.kinematics.search.damped_step import damped_step
from engine.kinematics.search.task_error import plain_error, task_error, task_jacobian
from engine.model.packed_model import SLIDES

REACHED, STUCK, CUT_OFF = 0, 1, 2
"""How a walk ended: target met; no step leads closer; out of iterations on the way there."""

_LONGEST = 1.0  # rad, longest motion of one joint in one step
_SHARP = 1e-12  # an error that needs no last step
_FLOOR = 1e-13  # least damping, of the squared characteristic length


@inner
def workspace(n, m):
    """The arrays that a walk works in; rows 8 and on of the seventh, `(12, ≥ n)`, are free for its callers."""
    size = max(6, n)
    return (
        np.empty((n, 12)), np.empty((n, 12)), np.empty((4, 4)), np.empty((6, n)), np.empty((m, n)), np.empty((m, m)),
        np.zeros((12, size)), np.empty(n, np.bool_),
    )  # fmt: skip


@inner
def joint_unit(P, i, length):
    """What one unit of joint i is in a step: a radian, or the metres that count as one."""
    return length if P[i, SLIDES] == 1.0 else 1.0


@inner
def attempt(P, q, body, X_BF, T, rows, weight, length, low, high, tolerance, budget, patience, work):
    """Walks q `(n,)` downhill in place, at most `budget` steps; gives up after `patience` steps that gain next to nothing.

    Each step minimises |A dy − e|² + μ |dy|² within the limits, μ = λ |e|². λ shrinks after steps that do as well as the linear
    model says, and grows after those that do not lower the error, which are taken back.

    Returns:
        how it ended, |e|², iterations.
    """
    X, W, F, J, A, G, vectors, free = work
    n, m = q.size, rows.size
    twist, e, y, e_trial = vectors[0, :6], vectors[1, :m], vectors[2, :m], vectors[3, :m]
    dy, down, up, trial = vectors[4, :n], vectors[5, :n], vectors[6, :n], vectors[7, :n]
    total = task_error(P, q, body, X_BF, T, rows, weight, X, W, F, twist, e)
    error = plain_error(twist, rows)
    lam, slow, moved, sharpened = 0.1, 0, True, False
    for k in range(budget):
        if error <= tolerance:  # one step more costs little and leaves rounding only
            if sharpened or error < _SHARP:
                return REACHED, total, k
            sharpened = True
        if moved:
            task_jacobian(P, W, body, F, twist, rows, weight, length, J, A)
            for i in range(n):
                unit = joint_unit(P, i, length)
                down[i], up[i] = min((q[i] - low[i]) / unit, _LONGEST), min((high[i] - q[i]) / unit, _LONGEST)
        damped_step(A, e, lam * total + _FLOOR * length * length, down, up, free, G, y, dy)
        expected = total - _squared_rest(A, e, dy)
        for i in range(n):
            trial[i] = min(max(q[i] + joint_unit(P, i, length) * dy[i], low[i]), high[i])
        gained = total - task_error(P, trial, body, X_BF, T, rows, weight, X, W, F, twist, e_trial)
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
        total, error = total - gained, plain_error(twist, rows)
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
