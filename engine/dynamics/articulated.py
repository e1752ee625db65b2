"""ABA: forward dynamics by articulated bodies, O(n)."""

from __future__ import annotations

import numpy as np

from armature.engine.dynamics.friction import subtract_friction
from armature.engine.jit import CUBE, INT, MAT, MODEL, OUT2, inner, kernel
from armature.engine.model.body_placement import place
from armature.engine.model.packed_model import INERTIA, MASS, MOMENT, PARENT, ROTOR, SLIDES

# Every 6-vector is (linear, angular) in the body's axes at its origin.


@inner
def _rigid_inertia(P, i, I):
    """I `(6, 6)` of body i: [[m 1, −[h]×], [[h]×, I_o]]."""
    m, x, y, z = P[i, MASS], P[i, MOMENT], P[i, MOMENT + 1], P[i, MOMENT + 2]
    I[:, :] = 0.0
    I[0, 0] = I[1, 1] = I[2, 2] = m
    I[0, 4] = I[4, 0] = z
    I[0, 5] = I[5, 0] = -y
    I[1, 3] = I[3, 1] = -z
    I[1, 5] = I[5, 1] = x
    I[2, 3] = I[3, 2] = y
    I[2, 4] = I[4, 2] = -x
    I[3, 3], I[4, 4], I[5, 5] = P[i, INERTIA], P[i, INERTIA + 3], P[i, INERTIA + 5]
    I[3, 4] = I[4, 3] = P[i, INERTIA + 1]
    I[3, 5] = I[5, 3] = P[i, INERTIA + 2]
    I[4, 5] = I[5, 4] = P[i, INERTIA + 4]


@inner
def _motion_to_body(X, i, a, out):
    """out = X_BP a: v_B = Rᵀ(v + w × p), w_B = Rᵀ w."""
    u = a[:3] + np.cross(a[3:], X[i, 9:12])
    for c in range(3):
        out[c] = X[i, c] * u[0] + X[i, 3 + c] * u[1] + X[i, 6 + c] * u[2]
        out[3 + c] = X[i, c] * a[3] + X[i, 3 + c] * a[4] + X[i, 6 + c] * a[5]


@inner
def _force_to_parent(X, i, f, out):
    """out += X_PB* f: f_P = R f, n_P = R n + p × R f."""
    R = X[i, :9].copy().reshape(3, 3)
    force = R @ f[:3]
    out[:3] += force
    out[3:] += R @ f[3:] + np.cross(X[i, 9:12], force)


@inner
def _inertia_to_parent(X, i, I):
    """X_PB* I X_BP, the articulated inertia seen from the parent's origin and axes."""
    T = np.zeros((6, 6))  # motion transform from parent to body
    for r in range(3):
        for c in range(3):
            T[r, c] = T[3 + r, 3 + c] = X[i, 3 * c + r]
        # −Rᵀ [p]×
        T[r, 3] = -(X[i, 3 + r] * X[i, 11] - X[i, 6 + r] * X[i, 10])
        T[r, 4] = -(X[i, 6 + r] * X[i, 9] - X[i, r] * X[i, 11])
        T[r, 5] = -(X[i, r] * X[i, 10] - X[i, 3 + r] * X[i, 9])
    return T.T @ (I @ T)


@inner
def articulated_bodies(P, X, qd, tau, wrench, qdd):
    """qdd `(n,)` from placements X; `tau` is the torque left after friction; `wrench` `(n, 6)` in body axes or empty.

    Outward:  v_i,  c_i = v_i × φ qd,  p_i = v_i ×* I v_i − f_ext.   Inward:  U = I^A φ,  D = φ·U + rotor,  u = tau − φ·p;
    I_p^A += I^A − U Uᵀ/D,  p_p += p + I^a c + U u/D.   Outward:  a' = a_p + c,  qdd = (u − U·a')/D,  a = a' + φ qdd.

    Returns -1, or the index of the joint whose articulated inertia vanished.

    Source: Featherstone, Rigid Body Dynamics Algorithms, table 7.1.
    """
    n = P.shape[0] - 1
    v, c, p, U, a = np.zeros((n, 6)), np.zeros((n, 6)), np.empty((n, 6)), np.empty((n, 6)), np.empty((n, 6))
    I, D, u = np.empty((n, 6, 6)), np.empty(n), np.empty(n)
    base = np.zeros(6)
    base[:3] = -P[n, :3]
    for i in range(n):
        k, s = int(P[i, PARENT]), 5 if P[i, SLIDES] == 0.0 else 2
        if k >= 0:
            _motion_to_body(X, i, v[k], v[i])
        v[i, s] += qd[i]
        w = v[i, 3:]
        c[i, 0], c[i, 1] = (w[1] * qd[i], -w[0] * qd[i]) if s == 2 else (v[i, 1] * qd[i], -v[i, 0] * qd[i])
        if s == 5:
            c[i, 3], c[i, 4] = w[1] * qd[i], -w[0] * qd[i]
        _rigid_inertia(P, i, I[i])
        momentum = I[i] @ v[i]
        p[i, :3] = np.cross(w, momentum[:3])
        p[i, 3:] = np.cross(w, momentum[3:]) + np.cross(v[i, :3], momentum[:3])
        if wrench.size:
            p[i] -= wrench[i]
    scale = 0.0
    for i in range(n - 1, -1, -1):
        k, s = int(P[i, PARENT]), 5 if P[i, SLIDES] == 0.0 else 2
        U[i] = I[i, :, s]
        D[i] = U[i, s] + P[i, ROTOR]
        scale = max(scale, D[i])
        if not D[i] > 1e-14 * scale:
            return i
        u[i] = tau[i] - p[i, s]
        if k >= 0:
            Ia = I[i] - np.outer(U[i], U[i]) / D[i]
            f = p[i] + Ia @ c[i] + U[i] * (u[i] / D[i])
            I[k] += _inertia_to_parent(X, i, Ia)
            _force_to_parent(X, i, f, p[k])
    for i in range(n):
        k, s = int(P[i, PARENT]), 5 if P[i, SLIDES] == 0.0 else 2
        _motion_to_body(X, i, base if k < 0 else a[k], a[i])
        a[i] += c[i]
        qdd[i] = (u[i] - U[i] @ a[i]) / D[i]
        a[i, s] += qdd[i]
    return -1


@kernel(MODEL, MAT, MAT, MAT, CUBE, OUT2, INT, INT)
def aba_many(P, q, qd, tau, wrench, out, lo, hi):
    """qdd of rows lo…hi, friction included, into `out` `(N, n)`.

    Returns -1, or n·k + j for joint j of the first state k without an answer.
    """
    n = P.shape[0] - 1
    X, driving, none = np.empty((n, 12)), np.empty(n), np.empty((0, 6))
    for k in range(lo, hi):
        place(P, q[k], X)
        subtract_friction(P, qd[k], tau[k], driving)
        bad = articulated_bodies(P, X, qd[k], driving, wrench[k] if wrench.size else none, out[k])
        if bad >= 0:
            return k * n + bad
    return -1
