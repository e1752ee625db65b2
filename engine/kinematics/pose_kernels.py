"""Compiled poses and Jacobians of frames on the bodies of an arm."""

from __future__ import annotations

import numpy as np

from armature.engine.jit import CUBE, INT, INTS, MAT, MODEL, OUT3, OUT4, kernel, routine
from armature.engine.model.body_placement import body_velocities, frame_in_world, place_in_world
from armature.engine.model.packed_model import PARENT, SLIDES


@kernel(MODEL, MAT, INT, MAT, OUT3, INT, INT)
def frame_poses_many(P, q, body, X_BF, out, lo, hi):
    """X_WF of a frame on a body for rows lo…hi of q, into `out` `(N, 4, 4)`."""
    n = P.shape[0] - 1
    X, W = np.empty((n, 12)), np.empty((n, 12))
    for k in range(lo, hi):
        place_in_world(P, q[k], X, W)
        frame_in_world(W, body, X_BF, out[k])


@kernel(MODEL, MAT, INTS, CUBE, OUT4, INT, INT)
def link_poses_many(P, q, body, X_BL, out, lo, hi):
    """X_WL of frames on several bodies for rows lo…hi of q, into `out` `(N, n_links, 4, 4)`."""
    n = P.shape[0] - 1
    X, W = np.empty((n, 12)), np.empty((n, 12))
    for k in range(lo, hi):
        place_in_world(P, q[k], X, W)
        for i in range(body.size):
            frame_in_world(W, body[i], X_BL[i], out[k, i])


@routine
def jacobian_columns(P, W, body, p, J):
    """Columns of J `(6, n)` at point `p` `(3,)` of `body`, from the world poses W; zero off the chain."""
    J[:, :] = 0.0
    i = body
    while i >= 0:
        zx, zy, zz = W[i, 2], W[i, 5], W[i, 8]
        if P[i, SLIDES] == 0.0:
            rx, ry, rz = p[0] - W[i, 9], p[1] - W[i, 10], p[2] - W[i, 11]
            J[0, i], J[1, i], J[2, i] = zy * rz - zz * ry, zz * rx - zx * rz, zx * ry - zy * rx
            J[3, i], J[4, i], J[5, i] = zx, zy, zz
        else:
            J[0, i], J[1, i], J[2, i] = zx, zy, zz
        i = int(P[i, PARENT])


@routine
def _dot_columns(P, W, body, p, qd, V, J):
    """Columns of Jdot; V `(n + 1, 6)` is filled with (v, w) of every body origin, row n with that of the point p."""
    v_F = V[P.shape[0] - 1]
    body_velocities(P, W, qd, V)
    if body >= 0:
        turned = cross((V[body, 3], V[body, 4], V[body, 5]), _from_origin(W, body, p))
        for c in range(3):
            v_F[c] = V[body, c] + turned[c]
    J[:, :] = 0.0
    i = body
    while i >= 0:
        z = (W[i, 2], W[i, 5], W[i, 8])
        zd = cross((V[i, 3], V[i, 4], V[i, 5]), z)
        if P[i, SLIDES] == 0.0:
            a = cross(zd, _from_origin(W, i, p))
            b = cross(z, (v_F[0] - V[i, 0], v_F[1] - V[i, 1], v_F[2] - V[i, 2]))
            for c in range(3):
                J[c, i], J[3 + c, i] = a[c] + b[c], zd[c]
        else:
            for c in range(3):
                J[c, i] = zd[c]
        i = int(P[i, PARENT])


@routine
def _from_origin(W, i, p):
    """Vector from the origin of body i to the point p."""
    return p[0] - W[i, 9], p[1] - W[i, 10], p[2] - W[i, 11]


@routine
def cross(a, b):
    """a × b of two tuples."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@kernel(MODEL, MAT, INT, MAT, OUT3, INT, INT)
def jacobian_many(P, q, body, X_BF, out, lo, hi):
    """J of a frame on a body for rows lo…hi of q, into `out` `(N, 6, n)`."""
    n = P.shape[0] - 1
    X, W, F = np.empty((n, 12)), np.empty((n, 12)), np.empty((4, 4))
    for k in range(lo, hi):
        place_in_world(P, q[k], X, W)
        frame_in_world(W, body, X_BF, F)
        jacobian_columns(P, W, body, F[:3, 3], out[k])


@kernel(MODEL, MAT, MAT, INT, MAT, OUT3, INT, INT)
def jacobian_dot_many(P, q, qd, body, X_BF, out, lo, hi):
    """Jdot of a frame on a body for rows lo…hi of q and qd, into `out` `(N, 6, n)`."""
    n = P.shape[0] - 1
    X, W, F, V = np.empty((n, 12)), np.empty((n, 12)), np.empty((4, 4)), np.zeros((n + 1, 6))
    for k in range(lo, hi):
        place_in_world(P, q[k], X, W)
        frame_in_world(W, body, X_BF, F)
        _dot_columns(P, W, body, F[:3, 3], qd[k], V, out[k])
