"""RNEA: inverse dynamics by recursive Newton–Euler."""

from __future__ import annotations

import numpy as np

from engine import batching
from engine.dynamics.wrench import on_bodies
from engine.jit import CUBE, INT, MAT, MODEL, OUT2, REFUSED, VEC, inner, kernel
from engine.model.pack import INERTIA, MASS, MOMENT, PARENT, ROTOR, SLIDES
from engine.model.placement import place
from engine.model.robot import Robot

# Columns of the workspace row of a body, all in its own axes: angular velocity, angular and linear acceleration of its
# origin, force and moment on it there.
_W, _AL, _A, _F, _N = 0, 3, 6, 9, 12
WORK = 15


def rnea(robot: Robot, q, qd, qdd, f_ext=None) -> np.ndarray:
    """Joint torque that makes the motion (q, qd, qdd), rotor inertia included, friction not.

    tau = M(q) qdd + C(q, qd) qd + g(q) − Σ J_iᵀ f_ext_i

    Args:
        q, qd, qdd: joint positions, velocities, accelerations `(n,)` or `(N, n)`, rad or m (per s, s²).
        f_ext: wrench on each link `(n_links, 6)` or `(N, n_links, 6)`, force N before moment N·m, world axes, at the link
            frame's origin.

    Returns:
        `(n,)` or `(N, n)`, N·m or N.

    Raises:
        DimensionError, MissingDynamicsError.

    Source: Luh, Walker, Paul 1980; Featherstone, Rigid Body Dynamics Algorithms, table 5.1.
    """
    batching.require_dynamics(robot)
    if f_ext is None:
        try:
            tau = _one.call(robot.packed, q, qd, qdd)
            if tau.size:
                return tau
        except REFUSED:
            pass  # not float64 vectors: the checked path below takes them or says why not
    (q, qd, qdd), single = batching.states(robot, q=q, qd=qd, qdd=qdd)
    if np.ndim(f_ext) == 3 and single:
        q, qd, qdd = (np.repeat(x, len(f_ext), axis=0) for x in (q, qd, qdd))
        single = False
    f = np.empty((0, 0, 0)) if f_ext is None else on_bodies(robot, q, f_ext)
    out = np.empty((len(q), robot.n))
    batching.run(lambda lo, hi: _many.call(robot.packed, q, qd, qdd, f, out, lo, hi), len(q))
    return out[0] if single else out


def gravity_torque(robot: Robot, q) -> np.ndarray:
    """Joint torque g(q) that holds the arm still against gravity.

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


@inner
def newton_euler(P, X, qd, qdd, wrench, tau, B):
    """tau `(n,)` from placements X; `wrench` `(n, 6)` on bodies in their own axes or empty; B is the workspace `(n, WORK)`.

    Outward:  w = Rᵀw_p + z qd,  al = Rᵀal_p + Rᵀw_p × z qd + z qdd,
    a = Rᵀ(a_p + al_p × p + w_p × (w_p × p)) [+ 2 w × z qd + z qdd],  from the base with a_0 = −gravity.
    F = m a + al × h + w × (w × h),  N = I al + w × (I w) + h × a,  h = m c.
    Inward:   tau = z·N or z·F (+ rotor qdd),  F_p += R F,  N_p += R N + p × R F.
    """
    n = P.shape[0] - 1
    for i in range(n):
        _outward(P, X, i, qd[i], qdd[i], B)
    if wrench.size:
        for i in range(n):
            for c in range(6):
                B[i, _F + c] -= wrench[i, c]
    for i in range(n - 1, -1, -1):
        tau[i] = (B[i, _N + 2] if P[i, SLIDES] == 0.0 else B[i, _F + 2]) + P[i, ROTOR] * qdd[i]
        k = int(P[i, PARENT])
        if k >= 0:
            add_to_parent(X, i, B[i, _F:], B[k, _F:])


@inner
def add_to_parent(X, i, f, f_p):
    """Moves the wrench f (force, moment at B's origin, axes of B) to the parent's origin and axes and adds it to f_p."""
    px, py, pz = X[i, 9], X[i, 10], X[i, 11]
    fx = X[i, 0] * f[0] + X[i, 1] * f[1] + X[i, 2] * f[2]
    fy = X[i, 3] * f[0] + X[i, 4] * f[1] + X[i, 5] * f[2]
    fz = X[i, 6] * f[0] + X[i, 7] * f[1] + X[i, 8] * f[2]
    f_p[0] += fx
    f_p[1] += fy
    f_p[2] += fz
    f_p[3] += X[i, 0] * f[3] + X[i, 1] * f[4] + X[i, 2] * f[5] + py * fz - pz * fy
    f_p[4] += X[i, 3] * f[3] + X[i, 4] * f[4] + X[i, 5] * f[5] + pz * fx - px * fz
    f_p[5] += X[i, 6] * f[3] + X[i, 7] * f[4] + X[i, 8] * f[5] + px * fy - py * fx


@inner
def _outward(P, X, i, qd, qdd, B):
    k = int(P[i, PARENT])
    n = P.shape[0] - 1
    if k >= 0:
        wx, wy, wz = B[k, _W], B[k, _W + 1], B[k, _W + 2]
        bx, by, bz = B[k, _AL], B[k, _AL + 1], B[k, _AL + 2]
        ax, ay, az = B[k, _A], B[k, _A + 1], B[k, _A + 2]
    else:
        wx, wy, wz, bx, by, bz = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        ax, ay, az = -P[n, 0], -P[n, 1], -P[n, 2]
    px, py, pz = X[i, 9], X[i, 10], X[i, 11]
    # a_p + al_p × p + w_p × (w_p × p), still in the parent's axes
    ux, uy, uz = wy * pz - wz * py, wz * px - wx * pz, wx * py - wy * px
    ax += by * pz - bz * py + wy * uz - wz * uy
    ay += bz * px - bx * pz + wz * ux - wx * uz
    az += bx * py - by * px + wx * uy - wy * ux
    # into the body's axes
    r0, r1, r2, r3, r4, r5, r6, r7, r8 = X[i, 0], X[i, 1], X[i, 2], X[i, 3], X[i, 4], X[i, 5], X[i, 6], X[i, 7], X[i, 8]
    wx, wy, wz = r0 * wx + r3 * wy + r6 * wz, r1 * wx + r4 * wy + r7 * wz, r2 * wx + r5 * wy + r8 * wz
    bx, by, bz = r0 * bx + r3 * by + r6 * bz, r1 * bx + r4 * by + r7 * bz, r2 * bx + r5 * by + r8 * bz
    ax, ay, az = r0 * ax + r3 * ay + r6 * az, r1 * ax + r4 * ay + r7 * az, r2 * ax + r5 * ay + r8 * az
    if P[i, SLIDES] == 0.0:
        bx, by, bz = bx + wy * qd, by - wx * qd, bz + qdd
        wz += qd
    else:
        ax, ay, az = ax + 2.0 * wy * qd, ay - 2.0 * wx * qd, az + qdd
    B[i, _W], B[i, _W + 1], B[i, _W + 2] = wx, wy, wz
    B[i, _AL], B[i, _AL + 1], B[i, _AL + 2] = bx, by, bz
    B[i, _A], B[i, _A + 1], B[i, _A + 2] = ax, ay, az
    _newton_euler_of_one(P, i, wx, wy, wz, bx, by, bz, ax, ay, az, B)


@inner
def _newton_euler_of_one(P, i, wx, wy, wz, bx, by, bz, ax, ay, az, B):
    m, hx, hy, hz = P[i, MASS], P[i, MOMENT], P[i, MOMENT + 1], P[i, MOMENT + 2]
    xx, xy, xz = P[i, INERTIA], P[i, INERTIA + 1], P[i, INERTIA + 2]
    yy, yz, zz = P[i, INERTIA + 3], P[i, INERTIA + 4], P[i, INERTIA + 5]
    ux, uy, uz = wy * hz - wz * hy, wz * hx - wx * hz, wx * hy - wy * hx
    B[i, _F] = m * ax + by * hz - bz * hy + wy * uz - wz * uy
    B[i, _F + 1] = m * ay + bz * hx - bx * hz + wz * ux - wx * uz
    B[i, _F + 2] = m * az + bx * hy - by * hx + wx * uy - wy * ux
    lx, ly, lz = xx * wx + xy * wy + xz * wz, xy * wx + yy * wy + yz * wz, xz * wx + yz * wy + zz * wz
    B[i, _N] = xx * bx + xy * by + xz * bz + wy * lz - wz * ly + hy * az - hz * ay
    B[i, _N + 1] = xy * bx + yy * by + yz * bz + wz * lx - wx * lz + hz * ax - hx * az
    B[i, _N + 2] = xz * bx + yz * by + zz * bz + wx * ly - wy * lx + hx * ay - hy * ax


@kernel(MODEL, VEC, VEC, VEC)
def _one(P, q, qd, qdd):
    n = P.shape[0] - 1
    if q.size != n or qd.size != n or qdd.size != n or not np.isfinite(q.sum() + qd.sum() + qdd.sum()):
        return np.empty(0)
    X, B, tau = np.empty((n, 12)), np.empty((n, WORK)), np.empty(n)
    place(P, q, X)
    newton_euler(P, X, qd, qdd, np.empty((0, 6)), tau, B)
    return tau


@kernel(MODEL, MAT, MAT, MAT, CUBE, OUT2, INT, INT)
def _many(P, q, qd, qdd, wrench, out, lo, hi):
    n = P.shape[0] - 1
    X, B, none = np.empty((n, 12)), np.empty((n, WORK)), np.empty((0, 6))
    for k in range(lo, hi):
        place(P, q[k], X)
        newton_euler(P, X, qd[k], qdd[k], wrench[k] if wrench.size else none, out[k], B)
