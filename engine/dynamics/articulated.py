"""ABA: forward dynamics by articulated bodies, O(n)."""

from __future__ import annotations

from armature.engine.dynamics.equations import outward
from armature.engine.dynamics.pulling_spring import ACCELERATION, AXIS, COMPOSITE, FORCE
from armature.engine.dynamics.vector import (
    along,
    load3,
    load_matrix,
    load_symmetric,
    minus_outer,
    minus_outer_sym,
    plus,
    rotate,
    rotate_transposed,
    store,
    sym_mul,
    times,
)
from armature.engine.jit import lean
from armature.engine.model.packed_model import PARENT, ROTOR, SLIDES

# Columns of the row of a body: its articulated inertia I^A = [[M, Hᵀ], [H, J]] about the world's origin in world axes, with M and
# J symmetric; the force U = I^A S of the joint's unit acceleration; D = S·U + rotor; the torque u left to the joint.
_M, _H, _J, _U, _D, _TORQUE = 0, 6, 15, 21, 27, 28
ARTICULATED = 29


@lean
def articulated_bodies(P, q, qd, tau, wrench, Z, A, qdd):
    """qdd `(n,)` under `tau`, from which friction is subtracted, and `wrench` `(n, 6)` on bodies in world axes, or empty.

    Z `(n, WORK)` and A `(n, ARTICULATED)` are workspaces. The acceleration of body i is that of `outward` plus d_i, the effect of
    the joint accelerations; the force on it is F_i of `outward` plus I_i d_i.

    Inward:   U = I^A S,  D = S·U + rotor,  u = tau − S·F;  I_p^A += I^A − U Uᵀ/D,  F_p += F + U u/D.
    Outward:  qdd = (u − U·d_p)/D,  d = d_p + S qdd.

    Returns -1, or the index of the joint whose articulated inertia vanished.

    Source: Featherstone, Rigid Body Dynamics Algorithms, table 7.1, with all quantities in one frame.
    """
    n = P.shape[0] - 1
    outward(P, q, qd, wrench, Z)
    for i in range(n):
        m, h = Z[i, COMPOSITE], load3(Z, i, COMPOSITE + 1)
        store(A, i, _M, (m, 0.0, 0.0, m, 0.0, m))
        store(A, i, _H, (0.0, -h[2], h[1], h[2], 0.0, -h[0], -h[1], h[0], 0.0))
        store(A, i, _J, load_symmetric(Z, i, COMPOSITE + 4))
    size = 0.0
    for i in range(n - 1, -1, -1):
        s, t = load3(Z, i, AXIS), load3(Z, i, AXIS + 3)
        M, H, J = load_symmetric(A, i, _M), load_matrix(A, i, _H), load_symmetric(A, i, _J)
        f, c = plus(sym_mul(M, s), rotate_transposed(H, t)), plus(rotate(H, s), sym_mul(J, t))
        D = along(s, t, f, c) + P[i, ROTOR]
        # D is a difference of numbers as large as the inertia about the world's origin
        size = max(size, J[0] + J[3] + J[5] if P[i, SLIDES] == 0.0 else M[0] + M[3] + M[5])
        if not 1e-14 * size < D:
            return i
        F, N = load3(Z, i, FORCE), load3(Z, i, FORCE + 3)
        u = tau[i] - along(s, t, F, N)
        store(A, i, _U, f)
        store(A, i, _U + 3, c)
        A[i, _D], A[i, _TORQUE] = D, u
        k = int(P[i, PARENT])
        if k >= 0:
            store(Z, k, FORCE, plus(load3(Z, k, FORCE), plus(F, times(u / D, f))))
            store(Z, k, FORCE + 3, plus(load3(Z, k, FORCE + 3), plus(N, times(u / D, c))))
            g, e = times(1.0 / D, f), times(1.0 / D, c)
            store(A, i, _M, minus_outer_sym(M, f, g))
            store(A, i, _H, minus_outer(H, c, g))
            store(A, i, _J, minus_outer_sym(J, c, e))
            for column in range(_U):
                A[k, column] += A[i, column]
    for i in range(n):
        k = int(P[i, PARENT])
        d, e = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
        if k >= 0:
            d, e = load3(Z, k, ACCELERATION), load3(Z, k, ACCELERATION + 3)
        qdd[i] = (A[i, _TORQUE] - along(d, e, load3(A, i, _U), load3(A, i, _U + 3))) / A[i, _D]
        store(Z, i, ACCELERATION, plus(d, times(qdd[i], load3(Z, i, AXIS))))
        store(Z, i, ACCELERATION + 3, plus(e, times(qdd[i], load3(Z, i, AXIS + 3))))
    return -1
