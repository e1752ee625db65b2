"""The small dense linear algebra of the kernels: in place, and able to name the row that breaks it."""

from __future__ import annotations

import math

import numpy as np

from armature.engine.jit import routine
from armature.engine.rounding import ROUNDING

_TINY = 1e-14  # share of the largest diagonal entry below which a pivot is rounding, not inertia
_LEAST = 1e-300  # replaces a vanishing pivot in `factor_semidefinite`


@routine
def copy(x, y):
    """x ← y, both `(n,)`; `x[:] = y` compiles an error message for shapes that differ."""
    for i in range(x.size):
        x[i] = y[i]


@routine
def factor(M):
    """M = L Lᵀ into the lower triangle of M `(n, n)`, with 1 / L_ii on the diagonal, for `solve`.

    Returns -1, or the index of the first row of which nothing is left: of a mass matrix, the joint that has no inertia.
    """
    scale = 0.0
    for j in range(M.shape[0]):
        scale = max(scale, abs(M[j, j]))
    return _cholesky(M, _TINY * scale, 0.0)


@routine
def factor_semidefinite(G):
    """Factor like `factor`, but replace a vanishing pivot by a tiny one, so that a step exists at singular poses, too."""
    _cholesky(G, _LEAST, _LEAST)


@routine
def _cholesky(M, least, instead):
    """`factor`; a pivot that is not above `least` becomes `instead`, or ends it where that is 0."""
    n = M.shape[0]
    for j in range(n):
        pivot = M[j, j]
        for k in range(j):
            pivot -= M[j, k] * M[j, k]
        if not pivot > least:  # true for NaN, too
            if instead == 0.0:
                return j
            pivot = instead
        inverse = 1.0 / math.sqrt(pivot)
        M[j, j] = inverse
        for i in range(j + 1, n):
            x = M[i, j]
            for k in range(j):
                x -= M[i, k] * M[j, k]
            M[i, j] = x * inverse
    return -1


@routine
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


@routine
def solve_lower(L, Y):
    """Y ← L⁻¹ Y in place, for L as `factor` leaves it; Y `(n, m)`."""
    for i in range(L.shape[0]):
        for c in range(Y.shape[1]):
            for k in range(i):
                Y[i, c] -= L[i, k] * Y[k, c]
            Y[i, c] *= L[i, i]


@routine
def gram(A, free, damping, G):
    """G = Σ a_i a_iᵀ + damping 1 over the columns i of A that are `free` (None: over all columns); lower triangle."""
    m, n = A.shape
    for r in range(m):
        for c in range(r + 1):
            total = damping if r == c else 0.0
            for i in range(n):
                if free is None or free[i]:
                    total += A[r, i] * A[c, i]
            G[r, c] = total


@routine
def _eliminate(M, b):
    """Gaussian elimination with row exchange: U in the upper triangle of M `(n, n)`, b `(n,)` transformed with it, or None.

    Returns the sign of the exchanges, 0 where a pivot vanishes or is not finite.
    """
    n, sign = M.shape[0], 1.0
    for k in range(n):
        p = k
        for i in range(k + 1, n):
            if abs(M[i, k]) > abs(M[p, k]):
                p = i
        if M[p, k] == 0.0 or not np.isfinite(M[p, k]):
            return 0.0
        if p != k:
            sign = -sign
            for c in range(k, n):
                M[k, c], M[p, c] = M[p, c], M[k, c]
            if b is not None:
                b[k], b[p] = b[p], b[k]
        for i in range(k + 1, n):
            times = M[i, k] / M[k, k]
            if times != 0.0:
                for c in range(k + 1, n):
                    M[i, c] -= times * M[k, c]
                if b is not None:
                    b[i] -= times * b[k]
    return sign


@routine
def solve_linear(M, b):
    """b ← M⁻¹ b; M is destroyed. False where a pivot vanishes."""
    if _eliminate(M, b) == 0.0:
        return False
    n = b.size
    for k in range(n - 1, -1, -1):
        for c in range(k + 1, n):
            b[k] -= M[k, c] * b[c]
        b[k] /= M[k, k]
    return True


@routine
def solve_columns(M, B, m):
    """B ← M⁻¹ B for its first m columns, both complex; M is destroyed. False where a pivot vanishes."""
    n = M.shape[0]
    for k in range(n):
        p, largest = k, -1.0
        for i in range(k, n):
            size = abs(M[i, k].real) + abs(M[i, k].imag)
            if size > largest:
                p, largest = i, size
        if not largest > 1e-300:  # true for NaN, too
            return False
        if p != k:
            for c in range(k, n):
                M[k, c], M[p, c] = M[p, c], M[k, c]
            for c in range(m):
                B[k, c], B[p, c] = B[p, c], B[k, c]
        d = M[k, k]
        scale = 1.0 / (d.real * d.real + d.imag * d.imag)
        inverse = complex(d.real * scale, -d.imag * scale)
        M[k, k] = inverse
        for i in range(k + 1, n):
            times = M[i, k] * inverse
            for c in range(k + 1, n):
                M[i, c] -= times * M[k, c]
            for c in range(m):
                B[i, c] -= times * B[k, c]
    for c in range(m):
        for k in range(n - 1, -1, -1):
            rest = B[k, c]
            for j in range(k + 1, n):
                rest -= M[k, j] * B[j, c]
            B[k, c] = rest * M[k, k]
    return True


@routine
def determinant(M):
    """det M; M is destroyed."""
    product = _eliminate(M, None)
    if product != 0.0:
        for k in range(M.shape[0]):
            product *= M[k, k]
    return product


@routine
def volume(A, m):
    """Π of the norms of the first m rows of A, each made orthogonal to those before: √det(A Aᵀ), never of a negative number.

    0 where of a row nothing but rounding is left.
    """
    product, largest, n = 1.0, 0.0, A.shape[1]
    for i in range(m):
        norm = 0.0
        for c in range(n):
            norm += A[i, c] * A[i, c]
        largest = max(largest, norm)
    for i in range(m):
        for j in range(i):
            dot = 0.0
            for c in range(n):
                dot += A[i, c] * A[j, c]
            for c in range(n):
                A[i, c] -= dot * A[j, c]
        norm = 0.0
        for c in range(n):
            norm += A[i, c] * A[i, c]
        norm = math.sqrt(norm)
        product *= norm
        if norm <= ROUNDING * math.sqrt(largest):
            return 0.0
        for c in range(n):
            A[i, c] /= norm
    return product


@routine
def signed_volume(A, B):
    """det A of a square A, the product of its singular values otherwise; B, no smaller than A either way round, is workspace."""
    m, n = A.shape
    s, c = min(m, n), max(m, n)
    for i in range(s):
        for k in range(c):
            B[i, k] = A[i, k] if m <= n else A[k, i]
    return volume(B[:s, :c], s) if m != n else determinant(B[:n, :n])


@routine
def singular_value_range(A):
    """Smallest and largest singular value of A, rows ≤ columns: one-sided Jacobi, rows turned until orthogonal.

    The smallest is 0 where it is no more than the rounding of the largest.
    """
    m, n = A.shape
    for _ in range(30):
        turned = False
        for i in range(m - 1):
            for j in range(i + 1, m):
                a, b, g = 0.0, 0.0, 0.0
                for c in range(n):
                    a += A[i, c] * A[i, c]
                    b += A[j, c] * A[j, c]
                    g += A[i, c] * A[j, c]
                if abs(g) <= 1e-12 * math.sqrt(a * b) or g == 0.0:
                    continue
                turned = True
                zeta = (b - a) / (2.0 * g)
                t = (1.0 if zeta >= 0.0 else -1.0) / (abs(zeta) + math.sqrt(1.0 + zeta * zeta))
                co = 1.0 / math.sqrt(1.0 + t * t)
                si = co * t
                for c in range(n):
                    A[i, c], A[j, c] = co * A[i, c] - si * A[j, c], si * A[i, c] + co * A[j, c]
        if not turned:
            break
    low, high = np.inf, 0.0
    for i in range(m):
        norm = 0.0
        for c in range(n):
            norm += A[i, c] * A[i, c]
        low, high = min(low, norm), max(high, norm)
    low, high = math.sqrt(low), math.sqrt(high)
    return low if low > ROUNDING * high else 0.0, high
