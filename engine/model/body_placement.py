"""Placements of the joints in their parent bodies, and poses of all bodies in the world."""

from __future__ import annotations

from armature.engine.jit import routine
from armature.engine.lanes import item, sin_cos, write
from armature.engine.model.packed_model import PARENT, POS, ROT, SLIDES


@routine
def place(P, q, X):
    """Rows of X `(n, 12)`: R_PB row by row, then p_PB, for every body B in its parent P; q `(n,)`. Numbers or Lanes.

    R_PB = R_PJ Rot_z(q), p_PB = p_PJ (revolute);  R_PB = R_PJ, p_PB = p_PJ + R_PJ z q (prismatic).
    """
    for i in range(P.shape[0] - 1):
        if P[i, SLIDES] == 0.0:
            s, c = sin_cos(item(q, i))
            for r in range(3):
                x, y = P[i, ROT + 3 * r], P[i, ROT + 3 * r + 1]
                write(X, i, 3 * r, x * c + y * s)
                write(X, i, 3 * r + 1, y * c - x * s)
                write(X, i, 3 * r + 2, P[i, ROT + 3 * r + 2])
                write(X, i, 9 + r, P[i, POS + r])
        else:
            for r in range(3):
                write(X, i, 3 * r, P[i, ROT + 3 * r])
                write(X, i, 3 * r + 1, P[i, ROT + 3 * r + 1])
                write(X, i, 3 * r + 2, P[i, ROT + 3 * r + 2])
                write(X, i, 9 + r, P[i, POS + r] + P[i, ROT + 3 * r + 2] * item(q, i))


@routine
def to_world(P, X, W):
    """Rows of W `(n, 12)`: R_WB and p_WB from the placements X.  R_WB = R_WP R_PB, p_WB = p_WP + R_WP p_PB."""
    for i in range(P.shape[0] - 1):
        k = int(P[i, PARENT])
        if k < 0:
            for c in range(12):
                W[i, c] = X[i, c]
            continue
        for r in range(3):
            a, b, d = W[k, 3 * r], W[k, 3 * r + 1], W[k, 3 * r + 2]
            W[i, 3 * r] = a * X[i, 0] + b * X[i, 3] + d * X[i, 6]
            W[i, 3 * r + 1] = a * X[i, 1] + b * X[i, 4] + d * X[i, 7]
            W[i, 3 * r + 2] = a * X[i, 2] + b * X[i, 5] + d * X[i, 8]
            W[i, 9 + r] = W[k, 9 + r] + a * X[i, 9] + b * X[i, 10] + d * X[i, 11]


@routine
def place_in_world(P, q, X, W):
    """Placements X and world poses W, both `(n, 12)`, at q."""
    place(P, q, X)
    to_world(P, X, W)


@routine
def frame_in_world(W, body, X_BF, out):
    """X_WF = X_WB X_BF into `out` `(4, 4)`; body -1 is the world."""
    for r in range(3):
        for c in range(4):
            if body < 0:
                out[r, c] = X_BF[r, c]
            else:
                out[r, c] = W[body, 3 * r] * X_BF[0, c] + W[body, 3 * r + 1] * X_BF[1, c] + W[body, 3 * r + 2] * X_BF[2, c]
        if body >= 0:
            out[r, 3] += W[body, 9 + r]
        out[3, r] = 0.0
    out[3, 3] = 1.0


@routine
def body_velocities(P, W, qd, V):
    """Rows of V: (v, w) of every body's origin in world axes, `(≥ n, 6)`.

    v_i = v_p + w_p × (p_i − p_p) [+ z qd],  w_i = w_p [+ z qd].
    """
    for i in range(P.shape[0] - 1):
        k = int(P[i, PARENT])
        for c in range(6):
            V[i, c] = 0.0 if k < 0 else V[k, c]
        if k >= 0:
            x, y, z = W[i, 9] - W[k, 9], W[i, 10] - W[k, 10], W[i, 11] - W[k, 11]
            V[i, 0] += V[k, 4] * z - V[k, 5] * y
            V[i, 1] += V[k, 5] * x - V[k, 3] * z
            V[i, 2] += V[k, 3] * y - V[k, 4] * x
        first = 0 if P[i, SLIDES] == 1.0 else 3
        for r in range(3):
            V[i, first + r] += W[i, 3 * r + 2] * qd[i]
