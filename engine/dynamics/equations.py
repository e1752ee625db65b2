"""The equations of motion M qdd = rest at one state: composite bodies and Newton–Euler in one sweep, all in world axes.

About the world's origin composite inertias and forces of a subtree simply add up, so forward dynamics, which needs M and the bias
of the same state again and again, costs half of CRBA and RNEA done one after the other.
"""

from __future__ import annotations

import math

from armature.engine.dynamics.pulling_spring import ACCELERATION, AXIS, COMPOSITE, FORCE, POINT, VELOCITY, WORK, spring
from armature.engine.dynamics.vector import (
    along,
    applied,
    carried,
    cross,
    minus,
    moved_inertia,
    part,
    plus,
    plus_cross,
    put,
    rotation,
    symmetric,
    times,
    turned,
)
from armature.engine.jit import inlined, lean
from armature.engine.model.packed_model import INERTIA, MASS, MOMENT, PARENT, POS, ROT, ROTOR, SLIDES


@lean
def equations_of_motion(P, q, qd, tau, wrench, Z, M, rest):
    """M(q) `(n, n)` and rest = tau − (C qd + g − external) `(n,)`, so that M qdd = rest.

    `wrench` `(n, 6)` on bodies in world axes at their origins, or `(1, n + SPRING_ROWS, 6)` with a spring; empty for none;
    Z `(n, WORK)` is the workspace.

    Outward:  V = V_p + S qd,  A = A_p + V × S qd from A_0 = −gravity,  F = I A + V ×* I V − wrench.
    Inward:   rest = tau − S·F,  M_ij = S_j·I_i^c S_i for the ancestors j of i,  F_p += F,  I_p^c += I_i^c.

    Source: Featherstone, Rigid Body Dynamics Algorithms, tables 5.1 and 6.2, with all quantities in one frame.
    """
    n = P.shape[0] - 1
    for i in range(n):
        k = int(P[i, PARENT])
        _place(P, i, k, q[i], Z)
        _move(P, i, k, qd[i], Z)
        _load(P, i, Z)
    if wrench.ndim == 3:  # known when this is compiled: without a spring there is no trace of one
        if wrench.size:
            for i in range(n):
                _push(i, part(wrench[0], i, 0), part(wrench[0], i, 3), Z)
            _pull(wrench[0], n, Z)
    elif wrench.size:
        for i in range(n):
            _push(i, part(wrench, i, 0), part(wrench, i, 3), Z)
    for i in range(n - 1, -1, -1):
        _gather(P, i, int(P[i, PARENT]), tau, Z, M, rest)


@inlined
def _place(P, i, k, q, Z):
    """R_WB = R_WP R_PJ Rot_z(q) or R_WP R_PJ;  p_WB = p_WP + R_WP p_PJ [+ z q];  S = (p × z, z) or (z, 0)."""
    slides = P[i, SLIDES] != 0.0
    c, s = (1.0, 0.0) if slides else (math.cos(q), math.sin(q))
    R, p = rotation(P, i, ROT), part(P, i, POS)
    x, y, z = (R[0], R[3], R[6]), (R[1], R[4], R[7]), (R[2], R[5], R[8])
    if k >= 0:
        R_WP = rotation(Z, k, 0)
        x, y, z, p = turned(R_WP, x), turned(R_WP, y), turned(R_WP, z), carried(part(Z, k, POINT), R_WP, p)
    x, y = (
        (x[0] * c + y[0] * s, x[1] * c + y[1] * s, x[2] * c + y[2] * s),
        (y[0] * c - x[0] * s, y[1] * c - x[1] * s, y[2] * c - x[2] * s),
    )
    if slides:
        p = plus(p, times(q, z))
    put(Z, i, 0, (x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]))
    put(Z, i, POINT, p)
    put(Z, i, AXIS, z if slides else cross(p, z))
    put(Z, i, AXIS + 3, (0.0, 0.0, 0.0) if slides else z)


@inlined
def _move(P, i, k, qd, Z):
    """V = V_p + S qd,  A = A_p + V_p × S qd with (v, w) × (s, t) = (w × s + v × t, w × t)."""
    n = P.shape[0] - 1
    s, t = times(qd, part(Z, i, AXIS)), times(qd, part(Z, i, AXIS + 3))
    if k < 0:
        put(Z, i, VELOCITY, s)
        put(Z, i, VELOCITY + 3, t)
        put(Z, i, ACCELERATION, (-P[n, 0], -P[n, 1], -P[n, 2]))
        put(Z, i, ACCELERATION + 3, (0.0, 0.0, 0.0))
        return
    v, w = part(Z, k, VELOCITY), part(Z, k, VELOCITY + 3)
    put(Z, i, VELOCITY, plus(v, s))
    put(Z, i, VELOCITY + 3, plus(w, t))
    put(Z, i, ACCELERATION, plus_cross(plus_cross(part(Z, k, ACCELERATION), w, s), v, t))
    put(Z, i, ACCELERATION + 3, plus_cross(part(Z, k, ACCELERATION + 3), w, t))


@inlined
def _load(P, i, Z):
    """Inertia of body i about the world's origin and the force that its motion takes:  F = I A + V ×* I V."""
    m, p = P[i, MASS], part(Z, i, POINT)
    h, I = moved_inertia(rotation(Z, i, 0), p, m, part(P, i, MOMENT), symmetric(P, i, INERTIA))
    Z[i, COMPOSITE] = m
    put(Z, i, COMPOSITE + 1, h)
    put(Z, i, COMPOSITE + 4, I)
    v, w = part(Z, i, VELOCITY), part(Z, i, VELOCITY + 3)
    a, b = part(Z, i, ACCELERATION), part(Z, i, ACCELERATION + 3)
    # momentum (l, k) = I V
    l, k = plus_cross(times(m, v), w, h), plus_cross(applied(I, w), h, v)
    put(Z, i, FORCE, plus_cross(plus_cross(times(m, a), b, h), w, l))
    put(Z, i, FORCE + 3, plus_cross(plus_cross(plus_cross(applied(I, b), h, a), w, k), v, l))


@inlined
def _push(i, f, n, Z):
    """Takes a wrench on body i at its origin off F:  (f, n + p × f) about the world's origin."""
    put(Z, i, FORCE, minus(part(Z, i, FORCE), f))
    put(Z, i, FORCE + 3, minus(part(Z, i, FORCE + 3), plus_cross(n, part(Z, i, POINT), f)))


@inlined
def _pull(wrench, n, Z):
    """Takes the spring's force off F of its body:  (f, p × f) about the world's origin."""
    b, p, f = spring(wrench, n, Z)
    put(Z, b, FORCE, minus(part(Z, b, FORCE), f))
    put(Z, b, FORCE + 3, minus(part(Z, b, FORCE + 3), cross(p, f)))


@inlined
def _gather(P, i, k, tau, Z, M, rest):
    """Row i of M and of rest; adds force and inertia of body i to its parent."""
    s, t = part(Z, i, AXIS), part(Z, i, AXIS + 3)
    m, h, I = Z[i, COMPOSITE], part(Z, i, COMPOSITE + 1), symmetric(Z, i, COMPOSITE + 4)
    rest[i] = tau[i] - along(s, t, part(Z, i, FORCE), part(Z, i, FORCE + 3))
    # (f, c) = I^c S
    f, c = plus_cross(times(m, s), t, h), plus_cross(applied(I, t), h, s)
    for j in range(i):
        M[i, j] = M[j, i] = 0.0
    M[i, i] = along(s, t, f, c) + P[i, ROTOR]
    if k >= 0:
        for column in range(FORCE, WORK):  # force and inertia stand side by side
            Z[k, column] += Z[i, column]
    while k >= 0:
        M[i, k] = M[k, i] = along(part(Z, k, AXIS), part(Z, k, AXIS + 3), f, c)
        k = int(P[k, PARENT])
