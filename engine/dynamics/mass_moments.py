"""Mass moments of bodies about the world's origin, which add up over any set of bodies."""

from __future__ import annotations

from armature.engine.dynamics.vector import load3, load_matrix, load_symmetric, plus, rotate, store, sym_mul, times
from armature.engine.jit import routine
from armature.engine.model.packed_model import INERTIA, MASS, MOMENT

# Columns of a row of moments.
M = 0  # Σ m
H = 1  # Σ m r, 3
E = 4  # Σ m r rᵀ: xx xy xz yy yz zz
MOMENTS = 10


@routine
def mass_moments(P, W, i, row):
    """Fills columns 0…9 of row i with the moments of body i, r from the world's origin in world axes.

    Σ m r = R h + m p;  Σ m r rᵀ = R E_B Rᵀ + p (R h)ᵀ + (R h) pᵀ + m p pᵀ,  E_B = ½ tr(I_B) 1 − I_B.
    """
    m, R, p = P[i, MASS], load_matrix(W, i, 0), load3(W, i, 9)
    h = rotate(R, load3(P, i, MOMENT))
    xx, xy, xz, yy, yz, zz = load_symmetric(P, i, INERTIA)
    half = 0.5 * (xx + yy + zz)
    # columns of E_B Rᵀ, then of R E_B Rᵀ
    a = rotate(R, (half - xx, -xy, -xz))
    b = rotate(R, (-xy, half - yy, -yz))
    c = rotate(R, (-xz, -yz, half - zz))
    x = rotate(R, (a[0], b[0], c[0]))
    y = rotate(R, (a[1], b[1], c[1]))
    row[i, M] = m
    store(row, i, H, plus(h, times(m, p)))
    row[i, E] = x[0] + 2.0 * p[0] * h[0] + m * p[0] * p[0]
    row[i, E + 1] = x[1] + p[0] * h[1] + p[1] * h[0] + m * p[0] * p[1]
    row[i, E + 2] = x[2] + p[0] * h[2] + p[2] * h[0] + m * p[0] * p[2]
    row[i, E + 3] = y[1] + 2.0 * p[1] * h[1] + m * p[1] * p[1]
    row[i, E + 4] = y[2] + p[1] * h[2] + p[2] * h[1] + m * p[1] * p[2]
    row[i, E + 5] = R[6] * a[2] + R[7] * b[2] + R[8] * c[2] + 2.0 * p[2] * h[2] + m * p[2] * p[2]


@routine
def second_moment(row, i, a):
    """(Σ m r rᵀ) a."""
    return sym_mul(load_symmetric(row, i, E), a)


@routine
def spread(row, i):
    """Σ m r·r, the trace of the second moment."""
    return row[i, E] + row[i, E + 3] + row[i, E + 5]
