"""RNEA: inverse dynamics by recursive Newton–Euler."""

from __future__ import annotations

import math

import numpy as np

from armature.engine import batching
from armature.engine.dynamics.vector import (
    cross,
    load3,
    load_matrix,
    load_symmetric,
    plus,
    plus_cross,
    rotate,
    rotate_transposed,
    store,
    sym_mul,
    times,
)
from armature.engine.dynamics.wrench import on_bodies, states_with_wrench
from armature.engine.jit import CUBE, INT, MAT, MODEL, OUT2, OUT3, kernel, routine
from armature.engine.lanes import TURNS, WIDTH, item, put_item, read, write
from armature.engine.model.body_placement import place, place_in_world
from armature.engine.model.packed_model import INERTIA, MASS, MOMENT, PARENT, ROTOR, SLIDES
from armature.engine.model.robot import Robot

# Columns of the workspace row of a body, all in its own axes: angular velocity, angular and linear acceleration of its
# origin, force and moment on it there.
_W, _AL, _A, _F, _N = 0, 3, 6, 9, 12
WORK = 15
ROW = 12 + WORK


def rnea(robot: Robot, q, qd, qdd, f_ext=None) -> np.ndarray:
    """Return the joint torque of the motion (q, qd, qdd) by recursive Newton–Euler, with rotor inertia, without friction.

    tau = M(q) qdd + C(q, qd) qd + g(q) − Σ J_iᵀ f_ext_i,  with J_i the Jacobian of the frame of link i.

    Args:
        q, qd, qdd: joint positions, velocities, accelerations `(n,)` or `(N, n)`; rad, rad/s, rad/s² (prismatic: m, m/s, m/s²).
        f_ext: external wrench on each link `(n_links, 6)` or `(N, n_links, 6)`, in the order of `robot.link_names` (base first);
            force in N before moment in N·m, world axes, at the origin of the link frame; None: zero.

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
    (q, qd, qdd), single = states_with_wrench(robot, f_ext, q=q, qd=qd, qdd=qdd)
    tau, _ = recursion(robot, q, qd, qdd, f_ext, keep=False)
    return tau[0] if single else tau


def recursion(robot: Robot, q, qd, qdd, f_ext=None, keep: bool = True) -> tuple[np.ndarray, np.ndarray]:
    """tau `(N, n)`, and with `keep` the rows `(N, n, ROW)` of all bodies in world axes; arguments `(N, n)`, of a tree.

    Columns of a row: rotation of the body, row by row, and its origin in the world; angular velocity, angular acceleration and
    acceleration of the origin, gravity included; force and moment of its joint on it at its origin. Raises DimensionError.
    """
    tau, rows = np.empty(q.shape), np.empty((len(q) if keep else 0, robot.n, ROW))
    wrench = np.empty((0, 0, 0)) if f_ext is None else on_bodies(robot, q, f_ext)
    batching.run(lambda lo, hi: recursion_many.call(robot.packed, q, qd, qdd, wrench, tau, rows, lo, hi), len(q))
    return tau, rows


def _batch(robot: Robot, q, qd, qdd) -> np.ndarray:
    """tau of all states; the arguments are only checked if tau is not finite."""
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


@routine
def newton_euler(P, X, qd, qdd, wrench, tau, B):
    """Write tau `(n,)` from placements X; numbers or Lanes.

    `wrench` `(n, 6)` on bodies in their own axes or empty; B `(n + 1, WORK)` is the workspace, its last row the base with
    acceleration −gravity. On return the force and moment of a row are those of the joint on the body.
    """
    n = P.shape[0] - 1
    zero = 0.0 * item(qd, 0)  # a number or Lanes
    store(B, n, _W, (zero, zero, zero))
    store(B, n, _AL, (zero, zero, zero))
    store(B, n, _A, (zero - P[n, 0], zero - P[n, 1], zero - P[n, 2]))
    for i in range(n):
        k = int(P[i, PARENT]) if P[i, PARENT] >= 0.0 else n
        R, p, u, ud = load_matrix(X, i, 0), load3(X, i, 9), item(qd, i), item(qdd, i)
        # w = Rᵀ w_p,  al = Rᵀ al_p,  a = Rᵀ (a_p + al_p × p + w_p × (w_p × p))
        w, al = load3(B, k, _W), load3(B, k, _AL)
        a = rotate_transposed(R, plus_cross(plus_cross(load3(B, k, _A), al, p), w, cross(w, p)))
        w, al = rotate_transposed(R, w), rotate_transposed(R, al)
        if P[i, SLIDES] == 0.0:
            # w += z qd,  al += w × z qd + z qdd
            al = al[0] + w[1] * u, al[1] - w[0] * u, al[2] + ud
            w = w[0], w[1], w[2] + u
        else:
            # a += 2 w × z qd + z qdd
            a = a[0] + 2.0 * w[1] * u, a[1] - 2.0 * w[0] * u, a[2] + ud
        store(B, i, _W, w)
        store(B, i, _AL, al)
        store(B, i, _A, a)
        # F = m a + al × h + w × (w × h),  N = I al + w × I w + h × a,  h = m c
        m, h, I = P[i, MASS], load3(P, i, MOMENT), load_symmetric(P, i, INERTIA)
        store(B, i, _F, plus_cross(plus_cross(times(m, a), al, h), w, cross(w, h)))
        store(B, i, _N, plus_cross(plus_cross(sym_mul(I, al), w, sym_mul(I, w)), h, a))
    if wrench.size:
        for i in range(n):
            for c in range(6):
                write(B, i, _F + c, read(B, i, _F + c) - wrench[i, c])
    for i in range(n - 1, -1, -1):
        # tau = z·N (prismatic: z·F) + rotor qdd
        along = _N + 2 if P[i, SLIDES] == 0.0 else _F + 2
        put_item(tau, i, read(B, i, along) + P[i, ROTOR] * item(qdd, i))
        k = int(P[i, PARENT])
        if k >= 0:
            # F_p += R F,  N_p += R N + p × R F
            R, p = load_matrix(X, i, 0), load3(X, i, 9)
            F = rotate(R, load3(B, i, _F))
            store(B, k, _F, plus(load3(B, k, _F), F))
            store(B, k, _N, plus_cross(plus(load3(B, k, _N), rotate(R, load3(B, i, _N))), p, F))


@kernel(MODEL, MAT, MAT, MAT, CUBE, OUT2, OUT3, INT, INT)
def recursion_many(P, q, qd, qdd, wrench, tau, rows, lo, hi):
    """`recursion` of states lo…hi; `wrench` `(N, n, 6)` on bodies in their own axes, or empty; `rows` may be empty."""
    n = P.shape[0] - 1
    X, W, B, none = np.empty((n, 12)), np.empty((n, 12)), np.empty((n + 1, WORK)), np.empty((0, 6))
    for k in range(lo, hi):
        place_in_world(P, q[k], X, W)
        newton_euler(P, X, qd[k], qdd[k], wrench[k] if wrench.size else none, tau[k], B)
        if rows.size:
            for i in range(n):
                R = load_matrix(W, i, 0)
                store(rows[k], i, 0, R)
                store(rows[k], i, 9, load3(W, i, 9))
                for c in range(0, WORK, 3):
                    store(rows[k], i, 12 + c, rotate(R, load3(B, i, c)))


@kernel(MODEL, MAT, MAT, MAT, OUT2, INT, INT)
def rnea_many(P, q, qd, qdd, out, lo, hi):
    """tau of rows lo…hi, WIDTH states at a time; True if all of it is finite.

    Angles too large for Lanes are wrapped first.
    """
    n = P.shape[0] - 1
    X, B, tau = np.empty((n, 12, WIDTH)), np.empty((n + 1, WORK, WIDTH)), np.empty((n, WIDTH))
    x, v, a, none = np.zeros((n, WIDTH)), np.zeros((n, WIDTH)), np.zeros((n, WIDTH)), np.empty((0, 6))
    nan_probe = 0.0
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
                nan_probe += 0.0 * tau[i, lane]  # NaN once anything was not finite
    return nan_probe == 0.0
