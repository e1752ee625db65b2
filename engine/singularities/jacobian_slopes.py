"""How a Jacobian changes with the joints: its first and second derivatives, from its columns alone."""

from __future__ import annotations

from armature.engine.jit import inner


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
def felt(J, y, out, d):
    """out[i, k] = y · ∂J_i/∂q_k."""
    n = J.shape[1]
    for i in range(n):
        for k in range(n):
            _column_slope(J, i, k, d)
            out[i, k] = y[0] * d[0] + y[1] * d[1] + y[2] * d[2] + y[3] * d[3] + y[4] * d[4] + y[5] * d[5]


@inner
def moved(J, j, rows, scale, out, d):
    """out[r, k] = row r of S Σ_i j_i ∂J_i/∂q_k."""
    n = J.shape[1]
    out[:, :] = 0.0
    for i in range(n):
        for k in range(n):
            _column_slope(J, i, k, d)
            for r in range(rows.size):
                out[r, k] += scale[r] * j[i] * d[rows[r]]


@inner
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
