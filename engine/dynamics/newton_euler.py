"""RNEA: inverse dynamics by recursive Newton–Euler."""

from __future__ import annotations

import math

import numpy as np

from engine import batching
from engine.direct import ROWS, Direct, given, model, out_column, vector, work
from engine.dynamics.wrench import on_bodies
from engine.jit import CUBE, INT, MAT, MODEL, OUT2, inner, kernel
from engine.lanes import TURNS, WIDTH, item, read, write
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
        tau = np.empty(robot.n)
        if _one.call(robot.packed, q, qd, qdd, tau) is tau:
            return tau
        # else not plain float64 vectors that fit: the checked path takes them or says why not
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
    """tau of all states; whether the arguments were finite is asked only where tau is not."""
    (q, qd, qdd), single = batching.unchecked(robot, q=q, qd=qd, qdd=qdd)
    out, finite = np.empty((len(q), robot.n)), []
    batching.run(lambda lo, hi: finite.append(_many.call(robot.packed, q, qd, qdd, out, lo, hi)), len(q))
    if not all(finite):
        batching.vectors(robot, q=q[0] if single else q, qd=qd[0] if single else qd, qdd=qdd[0] if single else qdd)
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
    """Writes tau from placements X; numbers or Lanes.

    `wrench` `(n, 6)` on bodies in their own axes or empty; tau `(n, 1)`; B is the workspace `(n, WORK)`.

    Outward:  w = Rᵀw_p + z qd,  al = Rᵀal_p + Rᵀw_p × z qd + z qdd,
    a = Rᵀ(a_p + al_p × p + w_p × (w_p × p)) [+ 2 w × z qd + z qdd],  from the base with a_0 = −gravity.
    F = m a + al × h + w × (w × h),  N = I al + w × (I w) + h × a,  h = m c.
    Inward:   tau = z·N or z·F (+ rotor qdd),  F_p += R F,  N_p += R N + p × R F.
    """
    n = P.shape[0] - 1
    for i in range(n):
        _outward(P, X, i, item(qd, i), item(qdd, i), B)
    if wrench.size:
        for i in range(n):
            for c in range(6):
                write(B, i, _F + c, read(B, i, _F + c) - wrench[i, c])
    for i in range(n - 1, -1, -1):
        along = _N + 2 if P[i, SLIDES] == 0.0 else _F + 2
        write(tau, i, 0, read(B, i, along) + P[i, ROTOR] * item(qdd, i))
        k = int(P[i, PARENT])
        if k >= 0:
            _pass_to_parent(X, i, B, k)


@inner
def _pass_to_parent(X, i, B, k):
    """F_p += R F,  N_p += R N + p × R F."""
    fx, fy, fz = _rotated(X, i, B, _F)
    nx, ny, nz = _rotated(X, i, B, _N)
    px, py, pz = read(X, i, 9), read(X, i, 10), read(X, i, 11)
    write(B, k, _F, read(B, k, _F) + fx)
    write(B, k, _F + 1, read(B, k, _F + 1) + fy)
    write(B, k, _F + 2, read(B, k, _F + 2) + fz)
    write(B, k, _N, read(B, k, _N) + nx + py * fz - pz * fy)
    write(B, k, _N + 1, read(B, k, _N + 1) + ny + pz * fx - px * fz)
    write(B, k, _N + 2, read(B, k, _N + 2) + nz + px * fy - py * fx)


@inner
def _rotated(X, i, B, first):
    """R (x, y, z) with R = R_PB of body i and the vector at column `first` of B."""
    x, y, z = read(B, i, first), read(B, i, first + 1), read(B, i, first + 2)
    return (
        read(X, i, 0) * x + read(X, i, 1) * y + read(X, i, 2) * z,
        read(X, i, 3) * x + read(X, i, 4) * y + read(X, i, 5) * z,
        read(X, i, 6) * x + read(X, i, 7) * y + read(X, i, 8) * z,
    )


@inner
def _outward(P, X, i, qd, qdd, B):
    k = int(P[i, PARENT])
    n = P.shape[0] - 1
    if k < 0:
        _from_base(P, X, i, qd, qdd, -P[n, 0], -P[n, 1], -P[n, 2], B)
        return
    wx, wy, wz = read(B, k, _W), read(B, k, _W + 1), read(B, k, _W + 2)
    bx, by, bz = read(B, k, _AL), read(B, k, _AL + 1), read(B, k, _AL + 2)
    ax, ay, az = read(B, k, _A), read(B, k, _A + 1), read(B, k, _A + 2)
    px, py, pz = read(X, i, 9), read(X, i, 10), read(X, i, 11)
    # a_p + al_p × p + w_p × (w_p × p), still in the parent's axes
    ux, uy, uz = wy * pz - wz * py, wz * px - wx * pz, wx * py - wy * px
    ax = ax + by * pz - bz * py + wy * uz - wz * uy
    ay = ay + bz * px - bx * pz + wz * ux - wx * uz
    az = az + bx * py - by * px + wx * uy - wy * ux
    wx, wy, wz = _turned_back(X, i, wx, wy, wz)
    bx, by, bz = _turned_back(X, i, bx, by, bz)
    ax, ay, az = _turned_back(X, i, ax, ay, az)
    if P[i, SLIDES] == 0.0:
        _store_motion(P, i, wx, wy, wz + qd, bx + wy * qd, by - wx * qd, bz + qdd, ax, ay, az, B)
    else:
        _store_motion(P, i, wx, wy, wz, bx, by, bz, ax + 2.0 * wy * qd, ay - 2.0 * wx * qd, az + qdd, B)


@inner
def _from_base(P, X, i, qd, qdd, gx, gy, gz, B):
    """The outward step of a body on the base, which rests but accelerates by −gravity (gx, gy, gz)."""
    ax, ay, az = _turned_back(X, i, gx, gy, gz)
    none = 0.0 * qd
    if P[i, SLIDES] == 0.0:
        _store_motion(P, i, none, none, qd, none, none, qdd, ax, ay, az, B)
    else:
        _store_motion(P, i, none, none, none, none, none, none, ax, ay, az + qdd, B)


@inner
def _turned_back(X, i, x, y, z):
    """Rᵀ (x, y, z): from the parent's axes into those of body i."""
    return (
        read(X, i, 0) * x + read(X, i, 3) * y + read(X, i, 6) * z,
        read(X, i, 1) * x + read(X, i, 4) * y + read(X, i, 7) * z,
        read(X, i, 2) * x + read(X, i, 5) * y + read(X, i, 8) * z,
    )


@inner
def _store_motion(P, i, wx, wy, wz, bx, by, bz, ax, ay, az, B):
    """Keeps the motion of body i and what makes it:  F = m a + al × h + w × (w × h),  N = I al + w × I w + h × a."""
    write(B, i, _W, wx)
    write(B, i, _W + 1, wy)
    write(B, i, _W + 2, wz)
    write(B, i, _AL, bx)
    write(B, i, _AL + 1, by)
    write(B, i, _AL + 2, bz)
    write(B, i, _A, ax)
    write(B, i, _A + 1, ay)
    write(B, i, _A + 2, az)
    m, hx, hy, hz = P[i, MASS], P[i, MOMENT], P[i, MOMENT + 1], P[i, MOMENT + 2]
    xx, xy, xz = P[i, INERTIA], P[i, INERTIA + 1], P[i, INERTIA + 2]
    yy, yz, zz = P[i, INERTIA + 3], P[i, INERTIA + 4], P[i, INERTIA + 5]
    ux, uy, uz = wy * hz - wz * hy, wz * hx - wx * hz, wx * hy - wy * hx
    write(B, i, _F, m * ax + by * hz - bz * hy + wy * uz - wz * uy)
    write(B, i, _F + 1, m * ay + bz * hx - bx * hz + wz * ux - wx * uz)
    write(B, i, _F + 2, m * az + bx * hy - by * hx + wx * uy - wy * ux)
    lx, ly, lz = xx * wx + xy * wy + xz * wz, xy * wx + yy * wy + yz * wz, xz * wx + yz * wy + zz * wz
    write(B, i, _N, xx * bx + xy * by + xz * bz + wy * lz - wz * ly + hy * az - hz * ay)
    write(B, i, _N + 1, xy * bx + yy * by + yz * bz + wz * lx - wx * lz + hz * ax - hx * az)
    write(B, i, _N + 2, xz * bx + yz * by + zz * bz + wx * ly - wy * lx + hx * ay - hy * ax)


@Direct
def _one(scratch, args, count):
    """(P, q, qd, qdd, tau): tau of one state."""
    P, q, qd, qdd, tau = model(args), vector(args, 1), vector(args, 2), vector(args, 3), out_column(args, 4)
    n = P.shape[0] - 1
    if n > ROWS or q.size != n or qd.size != n or qdd.size != n or not np.isfinite(q.sum() + qd.sum() + qdd.sum()):
        return given(args, 0)
    X, B, none = work(scratch, 0, n, 12), work(scratch, 12 * n, n, WORK), work(scratch, 0, 0, 6)
    place(P, q, X)
    newton_euler(P, X, qd, qdd, none, tau, B)
    return given(args, 4)


@kernel(MODEL, MAT, MAT, MAT, CUBE, OUT2, INT, INT)
def _many_loaded(P, q, qd, qdd, wrench, out, lo, hi):
    n = P.shape[0] - 1
    X, B, tau = np.empty((n, 12)), np.empty((n, WORK)), np.empty((n, 1))
    for k in range(lo, hi):
        place(P, q[k], X)
        newton_euler(P, X, qd[k], qdd[k], wrench[k], tau, B)
        out[k] = tau[:, 0]


@kernel(MODEL, MAT, MAT, MAT, OUT2, INT, INT)
def _many(P, q, qd, qdd, out, lo, hi):
    """WIDTH states at a time; angles too large for Lanes are wrapped first. Returns whether all of tau is finite."""
    n = P.shape[0] - 1
    X, B, tau = np.empty((n, 12, WIDTH)), np.empty((n, WORK, WIDTH)), np.empty((n, 1, WIDTH))
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
                out[first + lane, i] = tau[i, 0, lane]
                nothing += 0.0 * tau[i, 0, lane]  # NaN once anything was not finite
    return nothing == 0.0
