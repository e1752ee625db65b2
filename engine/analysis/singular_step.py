"""The exact condition of a singular pose, C(q) x = 0 with |x| = 1, and one Newton step on it.

A = S J, the task's rows scaled as in `singularity`. C = Aᵀ where the task has no more rows than the arm has joints, and x is the
wrench that no joint feels; C = A otherwise, and x is the joint motion that does not move the tool.
"""

from __future__ import annotations

import numpy as np

from engine.jit import inner
from engine.kinematics.jacobian import jacobian_columns
from engine.model.placement import frame_in_world, place_in_world

_DUAL = 1e-13  # regularises multipliers where constraints depend on each other, as where two singularities cross


@inner
def step_work(n, m):
    """The arrays that `task_matrix`, `newton_step` and their callers work in."""
    s, c = min(m, n), max(m, n)
    size = n + s + c + 1
    return (
        np.empty((n, 12)), np.empty((n, 12)), np.empty((4, 4)), np.empty((6, n)), np.empty((m, n)),
        np.empty((c, n)), np.empty((s, n)), np.empty((n, n)), np.empty((size, size)), np.empty(size), np.empty((12, size)),
        np.empty(n, np.bool_),
    )  # fmt: skip


@inner
def task_matrix(P, q, body, X_BF, rows, scale, work):
    """Fills J `(6, n)` and A `(m, n)` of `work` at q `(n,)`."""
    X, W, F, J, A = work[0], work[1], work[2], work[3], work[4]
    place_in_world(P, q, X, W)
    frame_in_world(W, body, X_BF, F)
    jacobian_columns(P, W, body, F[:3, 3], J)
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


@inner
def _wrench(x, rows, scale, y):
    """y `(6,)`: the wrench of x `(m,)`, with xᵀ A = yᵀ J."""
    y[:] = 0.0
    for r in range(rows.size):
        y[rows[r]] = scale[r] * x[r]


@inner
def _felt(J, y, out, d):
    """out[i, k] = y · ∂J_i/∂q_k."""
    n = J.shape[1]
    for i in range(n):
        for k in range(n):
            _column_slope(J, i, k, d)
            out[i, k] = y[0] * d[0] + y[1] * d[1] + y[2] * d[2] + y[3] * d[3] + y[4] * d[4] + y[5] * d[5]


@inner
def _moved(J, j, rows, scale, out, d):
    """out[r, k] = row r of S Σ_i j_i ∂J_i/∂q_k."""
    n = J.shape[1]
    out[:, :] = 0.0
    for i in range(n):
        for k in range(n):
            _column_slope(J, i, k, d)
            for r in range(rows.size):
                out[r, k] += scale[r] * j[i] * d[rows[r]]


@inner
def _curvature(J, y, j, H):
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


@inner
def solve_linear(M, b):
    """b ← M⁻¹ b by elimination with row exchange; M is destroyed. False where a pivot vanishes."""
    size = b.size
    for k in range(size):
        p = k
        for i in range(k + 1, size):
            if abs(M[i, k]) > abs(M[p, k]):
                p = i
        if M[p, k] == 0.0 or not np.isfinite(M[p, k]):
            return False
        if p != k:
            for c in range(k, size):
                M[k, c], M[p, c] = M[p, c], M[k, c]
            b[k], b[p] = b[p], b[k]
        for i in range(k + 1, size):
            factor = M[i, k] / M[k, k]
            if factor != 0.0:
                for c in range(k + 1, size):
                    M[i, c] -= factor * M[k, c]
                b[i] -= factor * b[k]
    for k in range(size - 1, -1, -1):
        for c in range(k + 1, size):
            b[k] -= M[k, c] * b[c]
        b[k] /= M[k, k]
    return True


@inner
def newton_step(rows, scale, metric, q, x, away, multiplier, curved, low, high, work, dq, dx):
    """The step (dq `(n,)`, dx) of Lagrange–Newton towards the singular pose nearest to q − away, within the limits.

    Minimises ½ (away + dq)ᵀ Q (away + dq) with C x = 0, |x| = 1 linearised and Q = diag(metric); `curved` adds the constraints'
    second derivatives with the `multiplier` `(c,)`, which is then replaced by the new one. A joint the step would take past its
    limit is put on it and the others make up for it. J and A in `work` belong to q. False where the system has no solution.

    Source: Nocedal, Wright, Numerical Optimization, chapter 18 (sequential quadratic programming).
    """
    J, A, D, K, H, M, b, spare, fixed = work[3], work[4], work[5], work[6], work[7], work[8], work[9], work[10], work[11]
    m, n = A.shape
    s, c = min(m, n), max(m, n)
    y, d, rest = spare[0, :6], spare[1, :6], spare[2, :c]
    residual(A, x, rest)
    if m <= n:
        _wrench(x, rows, scale, y)
        _felt(J, y, D, d)
    else:
        _moved(J, x, rows, scale, D, d)
    H[:, :] = 0.0
    K[:, :] = 0.0
    if curved:
        if m <= n:
            _moved(J, multiplier, rows, scale, K, d)
            _curvature(J, y, multiplier, H)
        else:
            _wrench(multiplier, rows, scale, y)
            _felt(J, y, K, d)
            _curvature(J, y, x, H)
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
