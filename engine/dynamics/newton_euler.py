"""RNEA: inverse dynamics by recursive Newton–Euler."""

from __future__ import annotations

import math

import numpy as np

from armature.engine import batching
from armature.engine.dynamics.vector import (
    applied,
    cross,
    part,
    plus,
    plus_cross,
    put,
    rotation,
    symmetric,
    times,
    turned,
    turned_back,
)
from armature.engine.dynamics.wrench import on_bodies
from armature.engine.jit import CUBE, INT, MAT, MODEL, OUT2, kernel, lean
from armature.engine.lanes import TURNS, WIDTH, item, put_item, read, write
from armature.engine.model.body_placement import place
from armature.engine.model.packed_model import INERTIA, MASS, MOMENT, PARENT, ROTOR, SLIDES
from armature.engine.model.robot import Robot

# Columns of the workspace row of a body, all in its own axes: angular velocity, angular and linear acceleration of its
# origin, force and moment on it there.
_W, _AL, _A, _F, _N = 0, 3, 6, 9, 12
WORK = 15


def rnea(robot: Robot, q, qd, qdd, f_ext=None) -> np.ndarray:
    """Return the joint torque of the motion (q, qd, qdd) by recursive Newton–Euler, with rotor inertia, without friction.

    tau = M(q) qdd + C(q, qd) qd + g(q) − Σ J_iᵀ f_ext_i,  with J_i the Jacobian of the frame of link i.

    Args:
        q, qd, qdd: joint positions, velocities, accelerations `(n,)` or `(N, n)`; rad, rad/s, rad/s² (prismatic: m, m/s, m/s²).
        f_ext: external wrench on each link `(n_links, 6)` or `(N, n_links, 6)`, force in N before moment in N·m, world axes,
            at the origin of the link frame; None: zero.

    Returns:
        `(n,)` or `(N, n)`, N·m or N.

    Raises:
        DimensionError, MissingDynamicsError.

    Source: Luh, Walker, Paul 1980; Featherstone, Rigid Body Dynamics Algorithms, table 5.1.
    """
    batching.require_dynamics(robot)
    if robot.coupling is not None:
        q, qd, qdd = batching.on_tree(robot, q=q, qd=qd, qdd=qdd)
        return robot.coupling.force(rnea(robot.tree, q, qd, qdd, f_ext))
    if f_ext is None:
        return _batch(robot, q, qd, qdd)
    (q, qd, qdd), single = batching.states(robot, q=q, qd=qd, qdd=qdd)
    if np.ndim(f_ext) == 3 and single:
        q, qd, qdd = (np.repeat(x, len(f_ext), axis=0) for x in (q, qd, qdd))
        single = False
    out, f = np.empty((len(q), robot.n)), on_bodies(robot, q, f_ext)
    batching.run(lambda lo, hi: _many_loaded.call(robot.packed, q, qd, qdd, f, out, lo, hi), len(q))
    return out[0] if single else out


def _batch(robot: Robot, q, qd, qdd) -> np.ndarray:
    """tau of all states; whether the arguments were finite is checked only where tau is not."""
    (q, qd, qdd), single = batching.unchecked(robot, q=q, qd=qd, qdd=qdd)
    out, finite = np.empty((len(q), robot.n)), []
    batching.run(lambda lo, hi: finite.append(rnea_many.call(robot.packed, q, qd, qdd, out, lo, hi)), len(q))
    if not all(finite):
        batching.vectors(robot, q=q[0] if single else q, qd=qd[0] if single else qd, qdd=qdd[0] if single else qdd)
    return out[0] if single else out


def gravity_torque(robot: Robot, q) -> np.ndarray:
    """Return the joint torque g(q) that holds the arm at rest against gravity.

    g(q) = RNEA(q, 0, 0) = ∂E_pot/∂q

    Args:
        q: joint positions `(n,)` or `(N, n)`, rad or m.

    Returns:
        `(n,)` or `(N, n)`, N·m or N.

    Raises:
        DimensionError, MissingDynamicsError.
    """
    rest = np.zeros(robot.n)
    return rnea(robot, q, rest, rest)


@lean
def newton_euler(P, X, qd, qdd, wrench, tau, B):
    """Writes tau from placements X; numbers or Lanes.

    `wrench` `(n, 6)` on bodies in their own axes or empty; tau `(n,)`; B is the workspace `(n + 1, WORK)`, its last row the
    base, which rests but accelerates by −gravity.
    """
    n = P.shape[0] - 1
    none = 0.0 * item(qd, 0)
    put(B, n, _W, (none, none, none))
    put(B, n, _AL, (none, none, none))
    put(B, n, _A, (none - P[n, 0], none - P[n, 1], none - P[n, 2]))
    for i in range(n):
        k = int(P[i, PARENT]) if P[i, PARENT] >= 0.0 else n
        R, p, u, ud = rotation(X, i, 0), part(X, i, 9), item(qd, i), item(qdd, i)
        # w = Rᵀ w_p,  al = Rᵀ al_p,  a = Rᵀ (a_p + al_p × p + w_p × (w_p × p))
        w, al = part(B, k, _W), part(B, k, _AL)
        a = turned_back(R, plus_cross(plus_cross(part(B, k, _A), al, p), w, cross(w, p)))
        w, al = turned_back(R, w), turned_back(R, al)
        if P[i, SLIDES] == 0.0:
            # w += z qd,  al += w × z qd + z qdd
            al = al[0] + w[1] * u, al[1] - w[0] * u, al[2] + ud
            w = w[0], w[1], w[2] + u
        else:
            # a += 2 w × z qd + z qdd
            a = a[0] + 2.0 * w[1] * u, a[1] - 2.0 * w[0] * u, a[2] + ud
        put(B, i, _W, w)
        put(B, i, _AL, al)
        put(B, i, _A, a)
        # F = m a + al × h + w × (w × h),  N = I al + w × I w + h × a,  h = m c
        m, h, I = P[i, MASS], part(P, i, MOMENT), symmetric(P, i, INERTIA)
        put(B, i, _F, plus_cross(plus_cross(times(m, a), al, h), w, cross(w, h)))
        put(B, i, _N, plus_cross(plus_cross(applied(I, al), w, applied(I, w)), h, a))
    if wrench.size:
        for i in range(n):
            for c in range(6):
                write(B, i, _F + c, read(B, i, _F + c) - wrench[i, c])
    for i in range(n - 1, -1, -1):
        # tau = z·N where it turns, z·F where it slides, + rotor qdd
        along = _N + 2 if P[i, SLIDES] == 0.0 else _F + 2
        put_item(tau, i, read(B, i, along) + P[i, ROTOR] * item(qdd, i))
        k = int(P[i, PARENT])
        if k >= 0:
            # F_p += R F,  N_p += R N + p × R F
            R, p = rotation(X, i, 0), part(X, i, 9)
            F = turned(R, part(B, i, _F))
            put(B, k, _F, plus(part(B, k, _F), F))
            put(B, k, _N, plus_cross(plus(part(B, k, _N), turned(R, part(B, i, _N))), p, F))


@kernel(MODEL, MAT, MAT, MAT, CUBE, OUT2, INT, INT)
def _many_loaded(P, q, qd, qdd, wrench, out, lo, hi):
    n = P.shape[0] - 1
    X, B = np.empty((n, 12)), np.empty((n + 1, WORK))
    for k in range(lo, hi):
        place(P, q[k], X)
        newton_euler(P, X, qd[k], qdd[k], wrench[k], out[k], B)


@kernel(MODEL, MAT, MAT, MAT, OUT2, INT, INT)
def rnea_many(P, q, qd, qdd, out, lo, hi):
    """tau of rows lo…hi, WIDTH states at a time; True where all of it is finite.

    Angles too large for Lanes are wrapped first.
    """
    n = P.shape[0] - 1
    X, B, tau = np.empty((n, 12, WIDTH)), np.empty((n + 1, WORK, WIDTH)), np.empty((n, WIDTH))
    x, v, a, none = np.zeros((n, WIDTH)), np.zeros((n, WIDTH)), np.zeros((n, WIDTH)), np.empty((0, 6))
    nothing = 0.0
    for first in range(lo, hi, WIDTH):
        count = min(WIDTH, hi - first)
        for lane in range(count):
            for i in range(n):
                angle = q[first + lane, i]
                if abs(angle) > TURNS and P[i, SLIDES] == 0.0:
                    angle = math.atan2(math.sin(angle), math.cos(angle))
                x[i, lane], v[i, lane], a[i, lane] = angle, qd[first + lane, i], qdd[first + lane, i]
        place(P, x, X)
        newton_euler(P, X, v, a, none, tau, B)
        for lane in range(count):
            for i in range(n):
                out[first + lane, i] = tau[i, lane]
                nothing += 0.0 * tau[i, lane]  # NaN once anything was not finite
    return nothing == 0.0
