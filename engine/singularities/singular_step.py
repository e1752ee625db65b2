"""Exact condition of a singular pose, C(q) x = 0 with |x| = 1, Newton steps onto it, and descent along the singular poses.

A = S J, the task's rows scaled as in `singularity`. C = Aᵀ where the task has no more rows than the arm has joints, and x is the
wrench without joint torque; C = A otherwise, and x is the joint motion that does not move the tool.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from armature.engine.jit import routine
from armature.engine.kinematics.pose_kernels import jacobian_columns
from armature.engine.linear_algebra import copy, solve_linear
from armature.engine.model.body_placement import frame_in_world, place_in_world


@routine
def _column_slope(J, i, k, d):
    """d `(6,)` = ∂J_i/∂q_k.  With a ≤ b the two joints in order from the base: ∂v_i/∂q_k = w_a × v_b; ∂w_i/∂q_k = w_k × w_i for k
    before i, else 0.

    Source: Bruyninckx, De Schutter 1996, Symbolic differentiation of the velocity mapping for a serial kinematic chain.
    """
    a, b = min(i, k), max(i, k)
    d[0] = J[4, a] * J[2, b] - J[5, a] * J[1, b]
    d[1] = J[5, a] * J[0, b] - J[3, a] * J[2, b]
    d[2] = J[3, a] * J[1, b] - J[4, a] * J[0, b]
    if k < i:
        d[3] = J[4, k] * J[5, i] - J[5, k] * J[4, i]
        d[4] = J[5, k] * J[3, i] - J[3, k] * J[5, i]
        d[5] = J[3, k] * J[4, i] - J[4, k] * J[3, i]
    else:
        d[3] = d[4] = d[5] = 0.0


@routine
def wrench_slopes(J, y, out, d):
    """out[i, k] = y · ∂J_i/∂q_k."""
    n = J.shape[1]
    for i in range(n):
        for k in range(n):
            _column_slope(J, i, k, d)
            out[i, k] = y[0] * d[0] + y[1] * d[1] + y[2] * d[2] + y[3] * d[3] + y[4] * d[4] + y[5] * d[5]


@routine
def motion_slopes(J, j, rows, scale, out, d):
    """out[r, k] = row r of S Σ_i j_i ∂J_i/∂q_k."""
    n = J.shape[1]
    out[:, :] = 0.0
    for i in range(n):
        for k in range(n):
            _column_slope(J, i, k, d)
            for r in range(rows.size):
                out[r, k] += scale[r] * j[i] * d[rows[r]]


@routine
def curvature(J, y, j, H):
    """H[k, l] += ∂²(yᵀ J j)/∂q_k ∂q_l.

    ∂²v_i/∂q_k ∂q_l = w_a × (w_b × v_c) with a ≤ b ≤ c the three joints in order from the base; the same with w_i in place of v_c
    where i is the last of the three by itself, else 0.
    """
    n = J.shape[1]
    for k in range(n):
        for l in range(k, n):  # noqa: E741
            total = 0.0
            for i in range(n):
                if j[i] == 0.0:
                    continue
                if i >= l:
                    a, b, c = k, l, i
                elif i >= k:
                    a, b, c = k, i, l
                else:
                    a, b, c = i, k, l
                # f · (w_a × (w_b × v)) = (w_b × v) · (f × w_a)
                gx = y[1] * J[5, a] - y[2] * J[4, a]
                gy = y[2] * J[3, a] - y[0] * J[5, a]
                gz = y[0] * J[4, a] - y[1] * J[3, a]
                value = (
                    gx * (J[4, b] * J[2, c] - J[5, b] * J[1, c])
                    + gy * (J[5, b] * J[0, c] - J[3, b] * J[2, c])
                    + gz * (J[3, b] * J[1, c] - J[4, b] * J[0, c])
                )
                if i > l:
                    gx = y[4] * J[5, a] - y[5] * J[4, a]
                    gy = y[5] * J[3, a] - y[3] * J[5, a]
                    gz = y[3] * J[4, a] - y[4] * J[3, a]
                    value += (
                        gx * (J[4, b] * J[5, i] - J[5, b] * J[4, i])
                        + gy * (J[5, b] * J[3, i] - J[3, b] * J[5, i])
                        + gz * (J[3, b] * J[4, i] - J[4, b] * J[3, i])
                    )
                total += j[i] * value
            H[k, l] += total
            if l != k:
                H[l, k] += total


_DUAL = 1e-13  # regularises multipliers where constraints depend on each other, as where two singularities cross


class StepWork(NamedTuple):
    """Workspace of a step and its callers.

    Placements X and world poses W `(n, 12)`, the frame F, its Jacobian J `(6, n)`, A `(m, n)`; the derivatives of C x by q in D
    `(c, n)`, of Cᵀ times the multiplier in K `(s, n)`, of both in H `(n, n)`; the system M z = b; `fixed` `(n,)`, True for joints
    at a limit; `vectors` with the rows named below. s and c are the short and the long side of A.
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
"""Rows of `StepWork.vectors`, and their number."""


@routine
def step_work(n, m):
    """Return the `StepWork` for n joints and a task of m rows."""
    s, c = min(m, n), max(m, n)
    size = n + s + c + 1
    X, W, F, J, A = np.empty((n, 12)), np.empty((n, 12)), np.empty((4, 4)), np.empty((6, n)), np.empty((m, n))
    D, K, H, M = np.empty((c, n)), np.empty((s, n)), np.empty((n, n)), np.empty((size, size))
    return StepWork(X, W, F, J, A, D, K, H, M, np.empty(size), np.empty((VECTORS, size)), np.empty(n, np.bool_))


@routine
def task_matrix(arm, q, work):
    """Compute J `(6, n)` and A `(m, n)` of `work` at q `(n,)`."""
    P, W, F, J, A, rows, scale = arm.P, work.W, work.F, work.J, work.A, arm.rows, arm.scale
    place_in_world(P, q, work.X, W)
    frame_in_world(W, arm.body, arm.X_BF, F)
    jacobian_columns(P, W, arm.body, F[:3, 3], J)
    for r in range(rows.size):
        for i in range(J.shape[1]):
            A[r, i] = scale[r] * J[rows[r], i]


@routine
def residual(A, x, out):
    """Write C x to `out`; return |C x|."""
    m, n = A.shape
    total = 0.0
    for c in range(max(m, n)):
        out[c] = 0.0
        for k in range(min(m, n)):
            out[c] += A[k, c] * x[k] if m <= n else A[c, k] * x[k]
        total += out[c] * out[c]
    return np.sqrt(total)


@routine
def _wrench(x, rows, scale, y):
    """Set y `(6,)` to the wrench of x `(m,)`, with xᵀ A = yᵀ J."""
    y[:] = 0.0
    for r in range(rows.size):
        y[rows[r]] = scale[r] * x[r]


@routine
def _put_block(M, first, second, B):
    """Write B into M at row `first` and column `second`, and Bᵀ into the mirrored block."""
    for i in range(B.shape[0]):
        for k in range(B.shape[1]):
            M[first + i, second + k] = M[second + k, first + i] = B[i, k]


@routine
def newton_step(arm, q, x, away, multiplier, curved, work, dq, dx):
    """Compute the Lagrange–Newton step (dq `(n,)`, dx) to the singular pose nearest to q − away, within the limits.

    Minimises ½ (away + dq)ᵀ Q (away + dq) with C x = 0, |x| = 1 linearised and Q = diag(metric); `curved` adds the constraints'
    second derivatives with the `multiplier` `(c,)`, which is then replaced by the new one. A joint that the step
    would move past its limit is set to the limit, and the others compensate. J and A in `work` are those of q. Returns False if
    the system has no solution.

    Source: Nocedal, Wright, Numerical Optimization, chapter 18 (sequential quadratic programming).
    """
    rows, scale, metric, low, high = arm.rows, arm.scale, arm.metric, arm.low, arm.high
    J, A, D, K, H, M, b, vectors, fixed = work.J, work.A, work.D, work.K, work.H, work.M, work.b, work.vectors, work.fixed
    m, n = A.shape
    s, c = min(m, n), max(m, n)
    y, d, rest = vectors[WRENCH, :6], vectors[SLOPE, :6], vectors[REST, :c]
    residual(A, x, rest)
    if m <= n:
        _wrench(x, rows, scale, y)
        wrench_slopes(J, y, D, d)
    else:
        motion_slopes(J, x, rows, scale, D, d)
    H[:, :] = 0.0
    K[:, :] = 0.0
    if curved:
        if m <= n:
            motion_slopes(J, multiplier, rows, scale, K, d)
            curvature(J, y, multiplier, H)
        else:
            _wrench(multiplier, rows, scale, y)
            wrench_slopes(J, y, K, d)
            curvature(J, y, x, H)
    for i in range(n):
        H[i, i] += metric[i]
        fixed[i] = False
        dq[i] = 0.0
    for _ in range(n + 1):
        # of q, x, multiplier and the multiplier of |x| = 1:  [H Kᵀ Dᵀ 0; K 0 C x; D Cᵀ −ε 0; 0 xᵀ 0 −ε] z = b, C as short by long
        M[:, :] = 0.0
        _put_block(M, 0, 0, H)
        _put_block(M, n, 0, K)
        _put_block(M, n + s, 0, D)
        _put_block(M, n if m <= n else n + s, n + s if m <= n else n, A)
        b[:] = 0.0
        for i in range(n):
            b[i] = -metric[i] * away[i]
            if fixed[i]:
                M[i, :] = 0.0
                M[i, i], b[i] = 1.0, dq[i]
        for k in range(s):
            M[n + k, n + s + c] = M[n + s + c, n + k] = x[k]
        for j in range(c):
            M[n + s + j, n + s + j], b[n + s + j] = -_DUAL, -rest[j]
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


_LONGEST = 0.4  # rad, one step of the joints together
_RESTORES, _DESCENTS = 25, 40
EXACT = 1e-13  # of the characteristic length: largest |C x| of a singular pose
_TANGENT = 1e-10  # of it, if the singular value only touches zero, where Newton halves the error


@routine
def low_direction(A, k, x):
    """Set x to the singular vector of the short side of A for its k-th smallest singular value; return that value."""
    m, n = A.shape
    s = min(m, n)
    U, sigma, Vt = np.linalg.svd(A, full_matrices=False)
    for i in range(s):
        x[i] = U[i, s - 1 - k] if m <= n else Vt[s - 1 - k, i]
    return sigma[s - 1 - k]


@routine
def distance(q, q0, metric):
    """√(Δqᵀ Q Δq), rad."""
    total = 0.0
    for i in range(q.size):
        total += metric[i] * (q[i] - q0[i]) ** 2
    return math.sqrt(total)


@routine
def _walk(q, x, dq, dx, factor, low, high):
    """Add a share of a step to q and x in place; q is clipped to the limits, x has unit length."""
    norm = 0.0
    for i in range(q.size):
        q[i] = min(max(q[i] + factor * dq[i], low[i]), high[i])
    for k in range(x.size):
        x[k] += factor * dx[k]
        norm += x[k] * x[k]
    norm = math.sqrt(norm)
    for k in range(x.size):
        x[k] /= norm


@routine
def restore(arm, q, x, work):
    """Move q `(n,)` and x onto C x = 0 by Newton steps of least motion; True on success. J and A in `work` are those of q."""
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


@routine
def descend(arm, q0, q, x, work):
    """Move the singular pose q, x along the singular poses towards q0, in place; return the distance.

    Each step is Newton's for the nearest point of the constraint, or one without curvature if that is no nearer, followed by
    steps back onto the constraint: the distance never increases.
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
                copy(trial, q)
                copy(x_trial, x)
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
        copy(q, trial)
        copy(x, x_trial)
        curved = True
        if slow:
            return reached
    return reached
