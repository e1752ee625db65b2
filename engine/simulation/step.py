"""N simulation steps in one nogil call: equations of motion, friction, stops, integrator and log."""

from __future__ import annotations

import math

import numpy as np

from engine.jit import INT, MAT, MODEL, OUT1, OUT2, REAL, VEC, inner, kernel
from engine.simulation.equations import MASS_MATRIX, equations, workspace
from engine.simulation.holding import dry_friction, hold_or_slide
from engine.simulation.impacts import catch, strike_stops
from engine.simulation.methods import gauss, gauss_coefficients, runge_kutta_4, semi_implicit_euler

INTEGRATORS = {"euler": 0, "rk4": 1, "midpoint": 2, "gauss6": 3}
"""Methods of fixed step: semi-implicit Euler, Runge–Kutta 4, implicit midpoint, Gauss collocation of order 6."""

MAX_SPEED = 1e6  # rad/s or m/s; beyond it a run counts as diverged
FINE = -1  # otherwise: joint ≥ 0 that diverged, or -(joint + 2) that has no inertia


def advance(P, dt: float, steps: int, integrator: int, q, qd, motor, wrench, log) -> tuple[int, int]:
    """Advances the state by `steps` steps of `dt` seconds in place, without the GIL.

    M(q) qdd = motor − C(q, qd) qd − g(q) − friction(qd) + Σ Jᵀ wrench, motor and wrench held over the steps; joints that friction
    or a stop can hold at rest stay exactly at rest.

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


@inner
def _begin(P, q, qd, motor, wrench, modes, work, spare, rest):
    """Opens a step: M and `rest` at its start, which joints hold, which way the others slide."""
    direction, locked = modes
    for i in range(q.size):
        direction[i] = 0.0
    equations(P, q, qd, motor, wrench, direction, work, rest)
    bad = hold_or_slide(P, q, qd, work[MASS_MATRIX], rest, locked, direction, spare[0], spare[1])
    for i in range(q.size):
        rest[i] -= dry_friction(P, i, direction[i])
    return bad


@inner
def _integrate(P, q, qd, dt, integrator, motor, wrench, modes, work, A, b, qdd):
    if integrator == 0:
        return semi_implicit_euler(P, q, qd, dt, modes, work, qdd)
    if integrator == 1:
        return runge_kutta_4(P, q, qd, dt, motor, wrench, modes, work, qdd)
    return gauss(P, q, qd, dt, motor, wrench, modes, work, A, b, qdd)


@inner
def _runaway(q, qd):
    for i in range(q.size):
        if not (math.isfinite(q[i]) and abs(qd[i]) < MAX_SPEED):
            return i
    return -1


@kernel(MODEL, REAL, INT, INT, OUT1, OUT1, VEC, MAT, OUT2)
def _advance(P, dt, steps, integrator, q, qd, motor, wrench, log):
    n = q.size
    work = workspace(n, wrench.size > 0)
    modes = (np.zeros(n), np.zeros(n, np.bool_))
    spare = (np.empty((n, n)), np.empty(n), np.empty(n))
    A, b = gauss_coefficients(1 if integrator == 2 else 3)
    start, speed, qdd = np.empty(n), np.empty(n), np.empty(n)
    for k in range(steps):
        for i in range(n):
            start[i], speed[i] = q[i], qd[i]
        bad = _begin(P, q, qd, motor, wrench, modes, work, spare, qdd)
        if bad < 0:
            bad = _integrate(P, q, qd, dt, integrator, motor, wrench, modes, work, A, b, qdd)
        code = FINE if bad < 0 else -(bad + 2)
        if bad < 0:
            code = _runaway(q, qd)
        if code != FINE:
            for i in range(n):
                q[i], qd[i] = start[i], speed[i]
            return k, code
        strike_stops(P, q, qd, start, motor, wrench, modes, work, spare)
        catch(P, q, qd, motor, wrench, modes, work, spare)
        for i in range(n):
            log[k, i], log[k, n + i], log[k, 2 * n + i], log[k, 3 * n + i] = start[i], speed[i], qdd[i], motor[i]
    return steps, FINE
