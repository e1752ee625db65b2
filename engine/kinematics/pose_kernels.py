"""Compiled poses and Jacobians of frames on the bodies of an arm."""

from __future__ import annotations

import numpy as np

from armature.engine.jit import CUBE, INT, INTS, MAT, MODEL, OUT3, OUT4, inner, kernel, lean
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


@lean
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


@inner
def _dot_columns(P, W, body, p, qd, V, J):
    """Columns of Jdot; V `(n + 1, 6)` is filled with (v, w) of every body origin, row n with that of the point p."""
    n = P.shape[0] - 1
    body_velocities(P, W, qd, V)
    v_F = V[n]
    if body >= 0:
        v, w = V[body, :3], V[body, 3:]
        v_F[:3] = v + np.cross(w, p - W[body, 9:12])
    J[:, :] = 0.0
    i = body
    while i >= 0:
        z = np.array([W[i, 2], W[i, 5], W[i, 8]])
        zd = np.cross(V[i, 3:], z)
        if P[i, SLIDES] == 0.0:
            J[:3, i] = np.cross(zd, p - W[i, 9:12]) + np.cross(z, v_F[:3] - V[i, :3])
            J[3:, i] = zd
        else:
            J[:3, i] = zd
        i = int(P[i, PARENT])


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
