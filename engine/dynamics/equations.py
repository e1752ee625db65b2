"""The equations of motion M qdd = rest at one state: composite bodies and Newton–Euler in one sweep, all in world axes.

About the world's origin composite inertias and forces of a subtree simply add up, so forward dynamics, which needs M and the bias
of the same state again and again, costs half of CRBA and RNEA done one after the other.
"""

from __future__ import annotations

import math

from armature.engine.dynamics.pulling_spring import ACCELERATION, AXIS, COMPOSITE, FORCE, POINT, VELOCITY, WORK, spring
from armature.engine.dynamics.vector import (
    along,
    cross,
    load3,
    load_matrix,
    load_symmetric,
    minus,
    move_inertia,
    plus,
    plus_cross,
    rotate,
    store,
    sym_mul,
    times,
    transform,
)
from armature.engine.jit import routine
from armature.engine.model.packed_model import INERTIA, MASS, MOMENT, PARENT, POS, ROT, ROTOR, SLIDES


@routine
def equations_of_motion(P, q, qd, tau, wrench, Z, M, rest):
    """M(q) `(n, n)` and rest = tau − (C qd + g − external) `(n,)`, so that M qdd = rest.

    `wrench` `(n, 6)` on bodies in world axes at their origins, or `(1, n + SPRING_ROWS, 6)` with a spring; empty for none;
    Z `(n, WORK)` is the workspace.

    Outward:  V = V_p + S qd,  A = A_p + V × S qd from A_0 = −gravity,  F = I A + V ×* I V − wrench.
    Inward:   rest = tau − S·F,  M_ij = S_j·I_i^c S_i for the ancestors j of i,  F_p += F,  I_p^c += I_i^c.

    Source: Featherstone, Rigid Body Dynamics Algorithms, tables 5.1 and 6.2, with all quantities in one frame.
    """
    outward(P, q, qd, wrench, Z)
    for i in range(P.shape[0] - 2, -1, -1):
        _gather(P, i, int(P[i, PARENT]), tau, Z, M, rest)


@routine
def outward(P, q, qd, wrench, Z):
    """Fill Z `(n, WORK)` base first: motion of each body without joint accelerations, its inertia, and the force F on it."""
    n = P.shape[0] - 1
    for i in range(n):
        k = int(P[i, PARENT])
        _place(P, i, k, q[i], Z)
        _move(P, i, k, qd[i], Z)
        _load(P, i, Z)
    if wrench.ndim == 3:  # known when this is compiled: without a spring there is no trace of one
        if wrench.size:
            for i in range(n):
                _push(i, load3(wrench[0], i, 0), load3(wrench[0], i, 3), Z)
            _pull(wrench[0], n, Z)
    elif wrench.size:
        for i in range(n):
            _push(i, load3(wrench, i, 0), load3(wrench, i, 3), Z)


@routine
def _place(P, i, k, q, Z):
    """R_WB = R_WP R_PJ Rot_z(q) or R_WP R_PJ;  p_WB = p_WP + R_WP p_PJ [+ z q];  S = (p × z, z) or (z, 0)."""
    slides = P[i, SLIDES] != 0.0
    c, s = (1.0, 0.0) if slides else (math.cos(q), math.sin(q))
    R, p = load_matrix(P, i, ROT), load3(P, i, POS)
    x, y, z = (R[0], R[3], R[6]), (R[1], R[4], R[7]), (R[2], R[5], R[8])
    if k >= 0:
        R_WP = load_matrix(Z, k, 0)
        x, y, z, p = rotate(R_WP, x), rotate(R_WP, y), rotate(R_WP, z), transform(load3(Z, k, POINT), R_WP, p)
    x, y = (
        (x[0] * c + y[0] * s, x[1] * c + y[1] * s, x[2] * c + y[2] * s),
        (y[0] * c - x[0] * s, y[1] * c - x[1] * s, y[2] * c - x[2] * s),
    )
    if slides:
        p = plus(p, times(q, z))
    store(Z, i, 0, (x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]))
    store(Z, i, POINT, p)
    store(Z, i, AXIS, z if slides else cross(p, z))
    store(Z, i, AXIS + 3, (0.0, 0.0, 0.0) if slides else z)


@routine
def _move(P, i, k, qd, Z):
    """V = V_p + S qd,  A = A_p + V_p × S qd with (v, w) × (s, t) = (w × s + v × t, w × t)."""
    n = P.shape[0] - 1
    s, t = times(qd, load3(Z, i, AXIS)), times(qd, load3(Z, i, AXIS + 3))
    if k < 0:
        store(Z, i, VELOCITY, s)
        store(Z, i, VELOCITY + 3, t)
        store(Z, i, ACCELERATION, (-P[n, 0], -P[n, 1], -P[n, 2]))
        store(Z, i, ACCELERATION + 3, (0.0, 0.0, 0.0))
        return
    v, w = load3(Z, k, VELOCITY), load3(Z, k, VELOCITY + 3)
    store(Z, i, VELOCITY, plus(v, s))
    store(Z, i, VELOCITY + 3, plus(w, t))
    store(Z, i, ACCELERATION, plus_cross(plus_cross(load3(Z, k, ACCELERATION), w, s), v, t))
    store(Z, i, ACCELERATION + 3, plus_cross(load3(Z, k, ACCELERATION + 3), w, t))


@routine
def _load(P, i, Z):
    """Inertia of body i about the world's origin and the force that its motion takes:  F = I A + V ×* I V."""
    m, p = P[i, MASS], load3(Z, i, POINT)
    h, I = move_inertia(load_matrix(Z, i, 0), p, m, load3(P, i, MOMENT), load_symmetric(P, i, INERTIA))
    Z[i, COMPOSITE] = m
    store(Z, i, COMPOSITE + 1, h)
    store(Z, i, COMPOSITE + 4, I)
    v, w = load3(Z, i, VELOCITY), load3(Z, i, VELOCITY + 3)
    a, b = load3(Z, i, ACCELERATION), load3(Z, i, ACCELERATION + 3)
    # momentum (l, k) = I V
    l, k = plus_cross(times(m, v), w, h), plus_cross(sym_mul(I, w), h, v)
    store(Z, i, FORCE, plus_cross(plus_cross(times(m, a), b, h), w, l))
    store(Z, i, FORCE + 3, plus_cross(plus_cross(plus_cross(sym_mul(I, b), h, a), w, k), v, l))


@routine
def _push(i, f, n, Z):
    """Subtract a wrench on body i at its origin from F:  (f, n + p × f) about the world's origin."""
    store(Z, i, FORCE, minus(load3(Z, i, FORCE), f))
    store(Z, i, FORCE + 3, minus(load3(Z, i, FORCE + 3), plus_cross(n, load3(Z, i, POINT), f)))


@routine
def _pull(wrench, n, Z):
    """Subtract the spring's force from F of its body:  (f, p × f) about the world's origin."""
    b, p, f = spring(wrench, n, Z)
    store(Z, b, FORCE, minus(load3(Z, b, FORCE), f))
    store(Z, b, FORCE + 3, minus(load3(Z, b, FORCE + 3), cross(p, f)))


@routine
def _gather(P, i, k, tau, Z, M, rest):
    """Row i of M and of rest; adds force and inertia of body i to its parent."""
    s, t = load3(Z, i, AXIS), load3(Z, i, AXIS + 3)
    m, h, I = Z[i, COMPOSITE], load3(Z, i, COMPOSITE + 1), load_symmetric(Z, i, COMPOSITE + 4)
    rest[i] = tau[i] - along(s, t, load3(Z, i, FORCE), load3(Z, i, FORCE + 3))
    # (f, c) = I^c S
    f, c = plus_cross(times(m, s), t, h), plus_cross(sym_mul(I, t), h, s)
    for j in range(i):
        M[i, j] = M[j, i] = 0.0
    M[i, i] = along(s, t, f, c) + P[i, ROTOR]
    if k >= 0:
        for column in range(FORCE, WORK):  # force and inertia stand side by side
            Z[k, column] += Z[i, column]
    while k >= 0:
        M[i, k] = M[k, i] = along(load3(Z, k, AXIS), load3(Z, k, AXIS + 3), f, c)
        k = int(P[k, PARENT])
