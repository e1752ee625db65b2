"""A chain of joints at complex positions: where its axes and its end are, and the Jacobian there."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numba import types

from armature.engine.jit import inner

SLIDE, ROW = 12, 13
"""Where a chain's row says that its joint slides, after the placement's rotation (9) and position (3); and how long a row is."""

COMPLEX1, COMPLEX2 = types.complex128[::1], types.complex128[:, ::1]


def chain_rows(X: np.ndarray, slides: np.ndarray, X_end: np.ndarray) -> np.ndarray:
    """A chain `(n + 1, 13)` of joints placed at X `(n, 4, 4)`, each in the one before at rest, and of the frame on the last."""
    rows = np.zeros((len(X) + 1, ROW))
    for row, placed in zip(rows, (*X, X_end), strict=True):
        row[:9], row[9:12] = placed[:3, :3].ravel(), placed[:3, 3]
    rows[:-1, SLIDE] = slides
    return rows


class Work(NamedTuple):
    """The arrays that a path is followed in.

    Axes Z and their origins P `(n, 3)` of the joints, the end's pose E and the target's T `(12,)`, rotation before position, the
    Jacobian J `(6, n)`, the system M `(6, 6)` with its right sides B `(6, 2)`, and slopes and trial positions `(5, n)`.
    """

    Z: np.ndarray
    P: np.ndarray
    E: np.ndarray
    T: np.ndarray
    J: np.ndarray
    M: np.ndarray
    B: np.ndarray
    vectors: np.ndarray


@inner
def workspace(n):
    """The `Work` for a chain of n joints."""
    kind = np.complex128
    Z, P, E, T = np.empty((n, 3), kind), np.empty((n, 3), kind), np.empty(12, kind), np.empty(12, kind)
    J, M, B = np.empty((6, n), kind), np.empty((6, 6), kind), np.empty((6, 2), kind)
    return Work(Z, P, E, T, J, M, B, np.zeros((5, n), kind))


@inner
def place(C, q, work):
    """Axes, origins and the end's pose at q `(n,)`; cos(x + iy) = cos x cosh y − i sin x sinh y."""
    Z, P, E = work.Z, work.P, work.E
    n = q.size
    r0, r1, r2, r3, r4, r5, r6, r7, r8 = 1.0 + 0j, 0j, 0j, 0j, 1.0 + 0j, 0j, 0j, 0j, 1.0 + 0j
    x, y, z = 0j, 0j, 0j
    for i in range(n + 1):
        c = C[i]
        x += r0 * c[9] + r1 * c[10] + r2 * c[11]
        y += r3 * c[9] + r4 * c[10] + r5 * c[11]
        z += r6 * c[9] + r7 * c[10] + r8 * c[11]
        a0, a1, a2 = r0 * c[0] + r1 * c[3] + r2 * c[6], r0 * c[1] + r1 * c[4] + r2 * c[7], r0 * c[2] + r1 * c[5] + r2 * c[8]
        a3, a4, a5 = r3 * c[0] + r4 * c[3] + r5 * c[6], r3 * c[1] + r4 * c[4] + r5 * c[7], r3 * c[2] + r4 * c[5] + r5 * c[8]
        a6, a7, a8 = r6 * c[0] + r7 * c[3] + r8 * c[6], r6 * c[1] + r7 * c[4] + r8 * c[7], r6 * c[2] + r7 * c[5] + r8 * c[8]
        r0, r1, r2, r3, r4, r5, r6, r7, r8 = a0, a1, a2, a3, a4, a5, a6, a7, a8
        if i == n:
            break
        Z[i, 0], Z[i, 1], Z[i, 2] = a2, a5, a8
        P[i, 0], P[i, 1], P[i, 2] = x, y, z
        if c[SLIDE] == 0.0:
            grown = math.exp(q[i].imag)
            ch, sh = 0.5 * (grown + 1.0 / grown), 0.5 * (grown - 1.0 / grown)
            cx, sx = math.cos(q[i].real), math.sin(q[i].real)
            co, si = complex(cx * ch, -sx * sh), complex(sx * ch, cx * sh)
            r0, r1 = a0 * co + a1 * si, a1 * co - a0 * si
            r3, r4 = a3 * co + a4 * si, a4 * co - a3 * si
            r6, r7 = a6 * co + a7 * si, a7 * co - a6 * si
        else:
            x, y, z = x + a2 * q[i], y + a5 * q[i], z + a8 * q[i]
    E[0], E[1], E[2], E[3], E[4], E[5], E[6], E[7], E[8] = r0, r1, r2, r3, r4, r5, r6, r7, r8
    E[9], E[10], E[11] = x, y, z


@inner
def fill_jacobian(C, work):
    """J of the end after `place`: (z × (p − p_i), z) for a joint that turns, (z, 0) for a slide."""
    Z, P, E, J = work.Z, work.P, work.E, work.J
    for i in range(Z.shape[0]):
        zx, zy, zz = Z[i, 0], Z[i, 1], Z[i, 2]
        if C[i, SLIDE] == 0.0:
            rx, ry, rz = E[9] - P[i, 0], E[10] - P[i, 1], E[11] - P[i, 2]
            J[0, i], J[1, i], J[2, i] = zy * rz - zz * ry, zz * rx - zx * rz, zx * ry - zy * rx
            J[3, i], J[4, i], J[5, i] = zx, zy, zz
        else:
            J[0, i], J[1, i], J[2, i] = zx, zy, zz
            J[3, i], J[4, i], J[5, i] = 0.0, 0.0, 0.0
