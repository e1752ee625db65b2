"""Cholesky factors of the mass matrix; small, in place, and able to name the joint that breaks them."""

from __future__ import annotations

import math

from engine.jit import inner

_TINY = 1e-14  # a pivot this small beside the largest entry of the diagonal is rounding, not inertia


@inner
def factor(M):
    """M = L Lᵀ into the lower triangle of M `(n, n)`; returns -1, or the index of the joint that has no inertia left."""
    n, scale = M.shape[0], 0.0
    for j in range(n):
        scale = max(scale, abs(M[j, j]))
    for j in range(n):
        pivot = M[j, j]
        for k in range(j):
            pivot -= M[j, k] * M[j, k]
        if not pivot > _TINY * scale:  # true for NaN, too
            return j
        root = math.sqrt(pivot)
        M[j, j] = root
        for i in range(j + 1, n):
            x = M[i, j]
            for k in range(j):
                x -= M[i, k] * M[j, k]
            M[i, j] = x / root
    return -1


@inner
def solve(L, x):
    """x ← (L Lᵀ)⁻¹ x in place."""
    n = L.shape[0]
    for i in range(n):
        for k in range(i):
            x[i] -= L[i, k] * x[k]
        x[i] /= L[i, i]
    for i in range(n - 1, -1, -1):
        for k in range(i + 1, n):
            x[i] -= L[k, i] * x[k]
        x[i] /= L[i, i]
