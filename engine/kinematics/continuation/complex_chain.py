"""Chain of six joints and path of its pose at complex positions."""

from __future__ import annotations

import cmath
import math
from typing import NamedTuple

import numpy as np
from numba import types

from armature.engine.jit import routine
from armature.engine.rotations import complex_rotation_vector

SLIDE, ROW = 12, 13
"""Column of a row of a chain that is 1 for a prismatic joint, after rotation (9) and position (3); length of a row."""

COMPLEX1, COMPLEX2 = types.complex128[::1], types.complex128[:, ::1]


def chain_rows(X: np.ndarray, slides: np.ndarray, X_end: np.ndarray) -> np.ndarray:
    """A chain `(n + 1, 13)` of joints placed at X `(n, 4, 4)`, each in the one before at rest, and of the frame on the last."""
    rows = np.zeros((len(X) + 1, ROW))
    for row, placed in zip(rows, (*X, X_end), strict=True):
        row[:9], row[9:12] = placed[:3, :3].ravel(), placed[:3, 3]
    rows[:-1, SLIDE] = slides
    return rows


class PathWork(NamedTuple):
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


@routine
def workspace(n):
    """The `PathWork` for a chain of n joints."""
    kind = np.complex128
    Z, P, E, T = np.empty((n, 3), kind), np.empty((n, 3), kind), np.empty(12, kind), np.empty(12, kind)
    J, M, B = np.empty((6, n), kind), np.empty((6, 6), kind), np.empty((6, 2), kind)
    return PathWork(Z, P, E, T, J, M, B, np.zeros((5, n), kind))


@routine
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


@routine
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


_SMALL = 1e-4  # of the squared angle, below which series are more exact


def twist_between(A: np.ndarray, B: np.ndarray) -> np.ndarray:
    """ξ = log(A⁻¹ B) `(6,)`, complex, linear part first, along the axes of A; poses `(12,)`, rotation before position."""
    R_A = A[:9].reshape(3, 3)
    R, p = R_A.T @ B[:9].reshape(3, 3), R_A.T @ (B[9:] - A[9:])
    w = complex_rotation_vector(R)
    squared = w @ w
    if abs(squared) < _SMALL:
        k = 1 / 12 + squared / 720
    else:
        half = cmath.sqrt(squared) / 2
        k = (1 - half * cmath.cos(half) / cmath.sin(half)) / squared
    # V⁻¹ p = p − ½ w × p + k w × (w × p)
    once = np.cross(w, p)
    return np.concatenate([p - 0.5 * once + k * np.cross(w, once), w]).astype(complex)


@routine
def pose_at(A, twist, t, T):
    """T = A exp(t ξ): rotation 1 + a [w]× + b [w]×², position (1 + b [w]× + c [w]×²) v with w, v the parts of t ξ."""
    vx, vy, vz, wx, wy, wz = twist[0] * t, twist[1] * t, twist[2] * t, twist[3] * t, twist[4] * t, twist[5] * t
    s = wx * wx + wy * wy + wz * wz
    if abs(s) < _SMALL:
        a, b, c = 1.0 - s / 6.0 * (1.0 - s / 20.0), 0.5 - s / 24.0 * (1.0 - s / 30.0), 1.0 / 6.0 - s / 120.0 * (1.0 - s / 42.0)
    else:
        angle = cmath.sqrt(s)
        a, b = cmath.sin(angle) / angle, (1.0 - cmath.cos(angle)) / s
        c = (1.0 - a) / s
    r0, r4, r8 = 1.0 - b * (wy * wy + wz * wz), 1.0 - b * (wx * wx + wz * wz), 1.0 - b * (wx * wx + wy * wy)
    r1, r2, r3 = b * wx * wy - a * wz, b * wx * wz + a * wy, b * wx * wy + a * wz
    r5, r6, r7 = b * wy * wz - a * wx, b * wx * wz - a * wy, b * wy * wz + a * wx
    cx, cy, cz = wy * vz - wz * vy, wz * vx - wx * vz, wx * vy - wy * vx
    x = vx + b * cx + c * (wy * cz - wz * cy)
    y = vy + b * cy + c * (wz * cx - wx * cz)
    z = vz + b * cz + c * (wx * cy - wy * cx)
    for i in range(3):
        u, v, w = A[3 * i], A[3 * i + 1], A[3 * i + 2]
        T[3 * i], T[3 * i + 1], T[3 * i + 2] = u * r0 + v * r3 + w * r6, u * r1 + v * r4 + w * r7, u * r2 + v * r5 + w * r8
        T[9 + i] = A[9 + i] + u * x + v * y + w * z


@routine
def twist_columns(E, twist, B, c):
    """Column c of B: the twist ξ, given along the axes of the pose E, in world axes."""
    for i in range(3):
        u, v, w = E[3 * i], E[3 * i + 1], E[3 * i + 2]
        B[i, c] = u * twist[0] + v * twist[1] + w * twist[2]
        B[3 + i, c] = u * twist[3] + v * twist[4] + w * twist[5]


@routine
def way_columns(E, T, B, c):
    """Column c of B: the way (p_T − p_E, ½ Σ e_j × t_j) from the pose E to T near it, in world axes."""
    x, y, z = 0j, 0j, 0j
    for j in range(3):
        x += E[3 + j] * T[6 + j] - E[6 + j] * T[3 + j]
        y += E[6 + j] * T[j] - E[j] * T[6 + j]
        z += E[j] * T[3 + j] - E[3 + j] * T[j]
    for i in range(3):
        B[i, c] = T[9 + i] - E[9 + i]
    B[3, c], B[4, c], B[5, c] = 0.5 * x, 0.5 * y, 0.5 * z
