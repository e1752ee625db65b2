"""From a pose onto the singular poses, and along them to the nearest."""

from __future__ import annotations

import math

import numpy as np

from armature.engine.jit import inner
from armature.engine.singularities.singular_step import LEFT, MULTIPLIER, STEP, STILL, TURN, newton_step, residual, task_matrix

_LONGEST = 0.4  # rad, one step of the joints together
_RESTORES, _DESCENTS = 25, 40
EXACT = 1e-13  # of the characteristic length: the |C x| that counts as singular
_TANGENT = 1e-10  # of it, where the singular value only touches zero and Newton halves what is left


@inner
def low_direction(A, k, x):
    """x = the singular vector of the short side of A to its k-th smallest singular value; returns that value."""
    m, n = A.shape
    s = min(m, n)
    U, sigma, Vt = np.linalg.svd(A, full_matrices=False)
    for i in range(s):
        x[i] = U[i, s - 1 - k] if m <= n else Vt[s - 1 - k, i]
    return sigma[s - 1 - k]


@inner
def distance(q, q0, metric):
    """√(Δqᵀ Q Δq), rad."""
    total = 0.0
    for i in range(q.size):
        total += metric[i] * (q[i] - q0[i]) ** 2
    return math.sqrt(total)


@inner
def _walk(q, x, dq, dx, factor, low, high):
    """q and x by a part of a step, in place: q within the limits, x of unit length."""
    norm = 0.0
    for i in range(q.size):
        q[i] = min(max(q[i] + factor * dq[i], low[i]), high[i])
    for k in range(x.size):
        x[k] += factor * dx[k]
        norm += x[k] * x[k]
    norm = math.sqrt(norm)
    for k in range(x.size):
        x[k] /= norm


@inner
def restore(arm, q, x, work):
    """Newton's steps of least motion from q `(n,)`, x onto C x = 0, in place; True when there. J and A in `work` belong to q."""
    metric, length, low, high, A, vectors = arm.metric, arm.length, arm.low, arm.high, work.A, work.vectors
    m, n = A.shape
    s, c = min(m, n), max(m, n)
    dq, dx, multiplier = vectors[STEP, :n], vectors[TURN, :s], vectors[MULTIPLIER, :c]
    still, rest = vectors[STILL, :n], vectors[LEFT, :c]
    still[:] = 0.0
    before, slow = np.inf, 0
    for _ in range(_RESTORES):
        task_matrix(arm, q, work)
        left = residual(A, x, rest)
        if left < EXACT * length:
            return True
        slow = slow + 1 if left > 0.7 * before else 0
        if slow > 3 or not math.isfinite(left):
            return False
        before = left
        if not newton_step(arm, q, x, still, multiplier, False, work, dq, dx):
            return False
        size = 0.0
        for i in range(n):
            size += metric[i] * dq[i] * dq[i]
        _walk(q, x, dq, dx, min(1.0, _LONGEST / max(math.sqrt(size), 1e-300)), low, high)
    task_matrix(arm, q, work)
    return residual(A, x, rest) < _TANGENT * length


@inner
def descend(arm, q0, q, x, work):
    """Leads the singular pose q, x along the singular poses nearer to q0, in place; returns the distance.

    Every step is Newton's for the nearest point of the constraint, or where that does not lead nearer one without curvature,
    and is followed by steps back onto the constraint: the distance never grows.
    """
    metric, low, high = arm.metric, arm.low, arm.high
    m, n = work.A.shape
    s, c = min(m, n), max(m, n)
    away, dq, dx = np.empty(n), np.empty(n), np.empty(s)
    multiplier, trial, x_trial = np.zeros(c), np.empty(n), np.empty(s)
    reached = distance(q, q0, metric)
    curved = False
    for _ in range(_DESCENTS):
        nearer = False
        for _ in range(2):
            for i in range(n):
                away[i] = q[i] - q0[i]
            task_matrix(arm, q, work)
            if not newton_step(arm, q, x, away, multiplier, curved, work, dq, dx):
                break
            size = 0.0
            for i in range(n):
                size += metric[i] * dq[i] * dq[i]
            size = math.sqrt(size)
            if size < 1e-9:
                return reached
            factor = min(1.0, 1.5 * _LONGEST / size)
            for _ in range(2 if curved else 6):
                trial[:] = q
                x_trial[:] = x
                _walk(trial, x_trial, dq, dx, factor, low, high)
                if restore(arm, trial, x_trial, work):
                    there = distance(trial, q0, metric)
                    if there < reached - 1e-13:
                        nearer = True
                        break
                factor *= 0.3
            if nearer or not curved:
                break
            curved = False
        if not nearer:
            return reached
        slow = reached - there < 1e-10
        reached = there
        q[:] = trial
        x[:] = x_trial
        curved = True
        if slow:
            return reached
    return reached
