"""The exact condition of a singular pose, C(q) x = 0 with |x| = 1, and one Newton step on it.

A = S J, the task's rows scaled as in `singularity`. C = Aᵀ where the task has no more rows than the arm has joints, and x is the
wrench that no joint feels; C = A otherwise, and x is the joint motion that does not move the tool.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from armature.engine.jit import inner
from armature.engine.kinematics.pose_kernels import jacobian_columns
from armature.engine.linear_algebra import solve_linear
from armature.engine.model.body_placement import frame_in_world, place_in_world
from armature.engine.singularities.jacobian_slopes import curvature, felt, moved

_DUAL = 1e-13  # regularises multipliers where constraints depend on each other, as where two singularities cross


class Arm(NamedTuple):
    """An arm, its task and its limits, as the search takes them.

    The packed robot P, the frame X_BF of a body, the task's `rows` and their `scale` S `(m,)`, diag Q of the joints' `metric`,
    the characteristic `length`, and the limits `low`, `high` `(n,)`.
    """

    P: np.ndarray
    body: int
    X_BF: np.ndarray
    rows: np.ndarray
    scale: np.ndarray
    metric: np.ndarray
    length: float
    low: np.ndarray
    high: np.ndarray


class StepWork(NamedTuple):
    """The arrays that a step and its callers work in.

    Placements X and world poses W `(n, 12)`, the frame F, its Jacobian J `(6, n)`, A `(m, n)`; the derivatives of C x by q in D
    `(c, n)`, of Cᵀ times the multiplier in K `(s, n)`, both's in H `(n, n)`; the system M z = b, and `(n,)`
    which joints are `fixed`; `vectors` has the rows named below. s and c are the short and the long side of A.
    """

    X: np.ndarray
    W: np.ndarray
    F: np.ndarray
    J: np.ndarray
    A: np.ndarray
    D: np.ndarray
    K: np.ndarray
    H: np.ndarray
    M: np.ndarray
    b: np.ndarray
    vectors: np.ndarray
    fixed: np.ndarray


WRENCH, SLOPE, REST, STEP, TURN, MULTIPLIER, STILL, LEFT, VECTORS = range(9)
"""Rows of `StepWork.vectors`, and how many there are."""


@inner
def step_work(n, m):
    """The `StepWork` for n joints and a task of m rows."""
    s, c = min(m, n), max(m, n)
    size = n + s + c + 1
    X, W, F, J, A = np.empty((n, 12)), np.empty((n, 12)), np.empty((4, 4)), np.empty((6, n)), np.empty((m, n))
    D, K, H, M = np.empty((c, n)), np.empty((s, n)), np.empty((n, n)), np.empty((size, size))
    return StepWork(X, W, F, J, A, D, K, H, M, np.empty(size), np.empty((VECTORS, size)), np.empty(n, np.bool_))


@inner
def task_matrix(arm, q, work):
    """Fills J `(6, n)` and A `(m, n)` of `work` at q `(n,)`."""
    P, W, F, J, A, rows, scale = arm.P, work.W, work.F, work.J, work.A, arm.rows, arm.scale
    place_in_world(P, q, work.X, W)
    frame_in_world(W, arm.body, arm.X_BF, F)
    jacobian_columns(P, W, arm.body, F[:3, 3], J)
    for r in range(rows.size):
        for i in range(J.shape[1]):
            A[r, i] = scale[r] * J[rows[r], i]


@inner
def residual(A, x, out):
    """C x into `out`; returns |C x|."""
    m, n = A.shape
    total = 0.0
    for c in range(max(m, n)):
        out[c] = 0.0
        for k in range(min(m, n)):
            out[c] += A[k, c] * x[k] if m <= n else A[c, k] * x[k]
        total += out[c] * out[c]
    return np.sqrt(total)


@inner
def _wrench(x, rows, scale, y):
    """y `(6,)`: the wrench of x `(m,)`, with xᵀ A = yᵀ J."""
    y[:] = 0.0
    for r in range(rows.size):
        y[rows[r]] = scale[r] * x[r]


@inner
def newton_step(arm, q, x, away, multiplier, curved, work, dq, dx):
    """The step (dq `(n,)`, dx) of Lagrange–Newton towards the singular pose nearest to q − away, within the limits.

    Minimises ½ (away + dq)ᵀ Q (away + dq) with C x = 0, |x| = 1 linearised and Q = diag(metric); `curved` adds the constraints'
    second derivatives with the `multiplier` `(c,)`, which is then replaced by the new one. A joint the step would take past its
    limit is put on it and the others make up for it. J and A in `work` belong to q. False where the system has no solution.

    Source: Nocedal, Wright, Numerical Optimization, chapter 18 (sequential quadratic programming).
    """
    _, _, _, rows, scale, metric, _, low, high = arm
    _, _, _, J, A, D, K, H, M, b, vectors, fixed = work
    m, n = A.shape
    s, c = min(m, n), max(m, n)
    y, d, rest = vectors[WRENCH, :6], vectors[SLOPE, :6], vectors[REST, :c]
    residual(A, x, rest)
    if m <= n:
        _wrench(x, rows, scale, y)
        felt(J, y, D, d)
    else:
        moved(J, x, rows, scale, D, d)
    H[:, :] = 0.0
    K[:, :] = 0.0
    if curved:
        if m <= n:
            moved(J, multiplier, rows, scale, K, d)
            curvature(J, y, multiplier, H)
        else:
            _wrench(multiplier, rows, scale, y)
            felt(J, y, K, d)
            curvature(J, y, x, H)
    for i in range(n):
        H[i, i] += metric[i]
        fixed[i] = False
        dq[i] = 0.0
    for _ in range(n + 1):
        M[:, :] = 0.0
        for i in range(n):
            b[i] = dq[i] if fixed[i] else -metric[i] * away[i]
            for k in range(n):
                M[i, k] = (1.0 if i == k else 0.0) if fixed[i] else H[i, k]
            if fixed[i]:
                continue
            for k in range(s):
                M[i, n + k] = K[k, i]
            for k in range(c):
                M[i, n + s + k] = D[k, i]
        for k in range(s):
            b[n + k] = 0.0
            for i in range(n):
                M[n + k, i] = K[k, i]
            for j in range(c):
                M[n + k, n + s + j] = A[k, j] if m <= n else A[j, k]
            M[n + k, n + s + c] = x[k]
            M[n + s + c, n + k] = x[k]
        for j in range(c):
            b[n + s + j] = -rest[j]
            for i in range(n):
                M[n + s + j, i] = D[j, i]
            for k in range(s):
                M[n + s + j, n + k] = A[k, j] if m <= n else A[j, k]
            M[n + s + j, n + s + j] = -_DUAL
        b[n + s + c] = 0.0
        M[n + s + c, n + s + c] = -_DUAL
        if not solve_linear(M, b):
            return False
        worst, beyond = -1, 0.0
        for i in range(n):
            if not fixed[i]:
                dq[i] = b[i]
                past = max(q[i] + dq[i] - high[i], low[i] - q[i] - dq[i]) * np.sqrt(metric[i])
                if past > beyond:
                    worst, beyond = i, past
        if worst < 0:
            break
        fixed[worst] = True
        dq[worst] = high[worst] - q[worst] if q[worst] + dq[worst] > high[worst] else low[worst] - q[worst]
    for k in range(s):
        dx[k] = b[n + k]
    for j in range(c):
        multiplier[j] = b[n + s + j]
    return True
