"""N simulation steps in one nogil call: equations of motion, friction, stops, integrator and log."""

from __future__ import annotations

import math

import numpy as np

from engine.dynamics.forward import equations_of_motion
from engine.dynamics.linear_solve import factor, solve
from engine.dynamics.mass_matrix import COMPOSITE
from engine.dynamics.newton_euler import WORK
from engine.dynamics.wrench import to_body_axes
from engine.jit import INT, MAT, MODEL, OUT1, OUT2, REAL, VEC, inner, kernel
from engine.model.pack import STICTION, VISCOUS
from engine.model.placement import place, to_world
from engine.simulation.joint_forces import joint_torque, lock, set_stops, stick_or_slide

INTEGRATORS = {"euler": 0, "rk4": 1}

MAX_SPEED = 1e6  # rad/s or m/s; beyond it a run counts as diverged
FINE = -1  # otherwise: joint ≥ 0 that diverged, or -(joint + 2) that has no inertia


@inner
def _equations(P, q, qd, motor, wrench, direction, stops, work, rest):
    """M(q) in `work`, and `rest` with M qdd = rest, under motor, friction, stops and external wrench."""
    X, W, B, C, M, f, torque = work
    n = q.size
    place(P, q, X)
    if wrench.size:
        to_world(P, X, W)
        f[:, :] = 0.0
        for i in range(n):
            to_body_axes(W, i, wrench[i], f[i])
    for i in range(n):
        torque[i] = motor[i] + joint_torque(P, i, q[i], qd[i], direction[i], stops)
    equations_of_motion(P, X, qd, torque, f, M, rest, B, C)


@inner
def _acceleration(P, q, qd, motor, wrench, direction, stops, locked, work, qdd):
    """qdd at one state of a step; -1 or the joint without inertia."""
    _equations(P, q, qd, motor, wrench, direction, stops, work, qdd)
    return _solve(work[4], qdd, locked)


@inner
def _solve(M, rest, locked):
    lock(M, rest, locked)
    bad = factor(M)
    if bad < 0:
        solve(M, rest)
    return bad


@inner
def _begin(P, q, qd, dt, motor, wrench, modes, work, spare, qdd):
    """Opens a step: which joints hold, which way the others slide, which stops are near; M and rest are left for the solve."""
    direction, stops, locked = modes
    M, (L, a) = work[4], spare
    direction[:] = 0.0
    stops[:, :] = 0.0
    _equations(P, q, qd, motor, wrench, direction, stops, work, qdd)
    bad = stick_or_slide(P, qd, M, qdd, locked, direction, L, a)
    if bad >= 0:
        return bad
    set_stops(P, q, qd, dt, M, L, a, stops)
    for i in range(q.size):
        # the part of joint_torque that depends on what was just decided; viscous friction is in already
        qdd[i] += joint_torque(P, i, q[i], qd[i], direction[i], stops) + P[i, VISCOUS] * qd[i]
    return -1


@inner
def _euler(P, q, qd, dt, modes, work, qdd):
    """Semi-implicit: (M + dt B) qdd = rest, qd += dt qdd, q += dt qd; viscous friction implicit, so never stiff."""
    M, locked = work[4], modes[2]
    for i in range(q.size):
        M[i, i] += dt * P[i, VISCOUS]
    bad = _solve(M, qdd, locked)
    if bad >= 0:
        return bad
    for i in range(q.size):
        qd[i] += dt * qdd[i]
        q[i] += dt * qd[i]
    return -1


@inner
def _runge_kutta(P, q, qd, dt, motor, wrench, modes, work, stages, qdd):
    """The classical fourth-order method; friction directions and holds stay as the step began."""
    direction, stops, locked = modes
    n = q.size
    bad = _solve(work[4], qdd, locked)
    if bad >= 0:
        return bad
    qs, vs, a, dq, dv = stages
    for i in range(n):
        a[i], dq[i], dv[i] = qdd[i], qd[i], qdd[i]
        vs[i] = qd[i]
    for s in range(1, 4):
        h = dt if s == 3 else 0.5 * dt
        weight = 1.0 if s == 3 else 2.0
        for i in range(n):
            qs[i] = q[i] + h * vs[i]
            vs[i] = qd[i] + h * a[i]
        bad = _acceleration(P, qs, vs, motor, wrench, direction, stops, locked, work, a)
        if bad >= 0:
            return bad
        for i in range(n):
            dq[i] += weight * vs[i]
            dv[i] += weight * a[i]
    for i in range(n):
        q[i] += dt / 6.0 * dq[i]
        qd[i] += dt / 6.0 * dv[i]
    return -1


@inner
def _catch(P, q, qd, motor, wrench, modes, work, spare, rest, before):
    """Holds joints whose sliding turned round within the step, if friction can hold them here; others keep their velocity."""
    direction, stops, locked = modes
    turned = False
    for i in range(q.size):
        before[i] = qd[i]
        if P[i, STICTION] > 0.0 and qd[i] * direction[i] < 0.0:
            qd[i], turned = 0.0, True
    if not turned:
        return
    direction[:] = 0.0
    _equations(P, q, qd, motor, wrench, direction, stops, work, rest)
    if stick_or_slide(P, qd, work[4], rest, locked, direction, spare[0], spare[1]) >= 0:
        return
    for i in range(q.size):
        if not locked[i]:
            qd[i] = before[i]


@inner
def _runaway(q, qd):
    for i in range(q.size):
        if not (math.isfinite(q[i]) and abs(qd[i]) < MAX_SPEED):
            return i
    return -1


@inner
def _has_dry_friction(P):
    return P[:-1, STICTION].max() > 0.0  # breakaway is never below Coulomb


@kernel(MODEL, REAL, INT, INT, OUT1, OUT1, VEC, MAT, OUT2)
def _advance(P, dt, steps, integrator, q, qd, motor, wrench, log):
    n = q.size
    dry = _has_dry_friction(P)
    work = (
        np.empty((n, 12)), np.empty((n, 12)), np.empty((n, WORK)), np.empty((n, COMPOSITE)), np.empty((n, n)),
        np.empty((n if wrench.size else 0, 6)), np.empty(n),
    )  # fmt: skip
    modes = (np.zeros(n), np.zeros((n, 2)), np.zeros(n, np.bool_))
    spare = (np.empty((n, n)), np.empty(n))
    stages = (np.empty(n), np.empty(n), np.empty(n), np.empty(n), np.empty(n))
    q0, qd0, qdd = np.empty(n), np.empty(n), np.empty(n)
    for k in range(steps):
        for i in range(n):
            q0[i], qd0[i] = q[i], qd[i]
        bad = _begin(P, q, qd, dt, motor, wrench, modes, work, spare, qdd)
        if bad < 0:
            if integrator == 0:
                bad = _euler(P, q, qd, dt, modes, work, qdd)
            else:
                bad = _runge_kutta(P, q, qd, dt, motor, wrench, modes, work, stages, qdd)
        code = FINE if bad < 0 else -(bad + 2)
        if bad < 0:
            if dry:
                _catch(P, q, qd, motor, wrench, modes, work, spare, spare[1], stages[0])
            code = _runaway(q, qd)
        if code != FINE:
            for i in range(n):
                q[i], qd[i] = q0[i], qd0[i]
            return k, code
        for i in range(n):
            log[k, i], log[k, n + i], log[k, 2 * n + i], log[k, 3 * n + i] = q0[i], qd0[i], qdd[i], motor[i]
    return steps, FINE


def advance(P, dt: float, steps: int, integrator: int, q, qd, motor, wrench, log) -> tuple[int, int]:
    """Advances the state by `steps` steps of `dt` seconds in place, without the GIL.

    M(q) qdd = motor − C(q, qd) qd − g(q) − friction(qd) + stops(q, qd) + Σ Jᵀ wrench, motor and wrench held over the steps.

    Args:
        P: `Robot.packed`.
        dt: step, s.
        steps: how many.
        integrator: a value of `INTEGRATORS`.
        q, qd: the state `(n,)`, rad or m (per s); overwritten; the last finite state when a step fails.
        motor: `(n,)`, N·m or N.
        wrench: on each body `(n, 6)`, force before moment, world axes, at the body's origin; or `(0, 6)` for none.
        log: `(≥ steps, 4 n)`; row k receives q, qd, qdd, motor at the start of step k.

    Returns:
        Steps done, and `FINE`, the joint ≥ 0 that diverged in the next one, or -(joint + 2) for the joint without inertia.
    """
    return _advance.call(P, dt, steps, integrator, q, qd, motor, wrench, log)
