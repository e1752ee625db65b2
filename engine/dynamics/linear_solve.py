"""Cholesky factors of the mass matrix; small, in place, and able to name the joint that breaks them."""

from __future__ import annotations

import math

from armature.engine.jit import inlined

_TINY = 1e-14  # a pivot this small beside the largest entry of the diagonal is rounding, not inertia


@inlined
def factor(M):
    """M = L Lᵀ into the lower triangle of M `(n, n)`, with 1 / L_ii on the diagonal, as `solve` wants it.

    Returns -1, or the index of the joint that has no inertia left.
    """
    n, scale = M.shape[0], 0.0
    for j in range(n):
        scale = max(scale, abs(M[j, j]))
    for j in range(n):
        pivot = M[j, j]
        for k in range(j):
            pivot -= M[j, k] * M[j, k]
        if not pivot > _TINY * scale:  # true for NaN, too
            return j
        inverse = 1.0 / math.sqrt(pivot)
        M[j, j] = inverse
        for i in range(j + 1, n):
            x = M[i, j]
            for k in range(j):
                x -= M[i, k] * M[j, k]
            M[i, j] = x * inverse
    return -1


@inlined
def solve(L, x):
    """x ← (L Lᵀ)⁻¹ x in place, for L as `factor` leaves it."""
    n = L.shape[0]
    for i in range(n):
        y = x[i]
        for k in range(i):
            y -= L[i, k] * x[k]
        x[i] = y * L[i, i]
    for i in range(n - 1, -1, -1):
        y = x[i] * L[i, i]
        x[i] = y
        for k in range(i):
            x[k] -= L[i, k] * y
