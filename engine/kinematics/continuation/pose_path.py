"""A path of poses, complex ones too, along one screw: X(t) = A exp(t ξ) from A at t = 0 to B at t = 1."""

from __future__ import annotations

import cmath

import numpy as np

from armature.engine.jit import inner
from armature.engine.rotations import complex_rotation_vector

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


@inner
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


@inner
def twist_columns(E, twist, B, c):
    """Column c of B: the twist ξ, given along the axes of the pose E, in world axes."""
    for i in range(3):
        u, v, w = E[3 * i], E[3 * i + 1], E[3 * i + 2]
        B[i, c] = u * twist[0] + v * twist[1] + w * twist[2]
        B[3 + i, c] = u * twist[3] + v * twist[4] + w * twist[5]


@inner
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
