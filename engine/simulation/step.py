"""N simulation steps in one nogil call: equations of motion, friction, stops, integrator and log."""

from __future__ import annotations

import math

import numpy as np

from engine.control.laws import command
from engine.dynamics.spring import WORK, spring
from engine.jit import CUBE, INT, MAT, MODEL, OUT1, OUT2, REAL, VEC, inlined, inner, kernel
from engine.simulation.drive import FORCE, FREE, Drive
from engine.simulation.equations import equations
from engine.simulation.holding import dry_friction, hold_or_slide
from engine.simulation.impacts import any_into_stop, any_turned, catch, strike_stops
from engine.simulation.ledger import FRICTION, STOP, energy, spend
from engine.simulation.methods import gauss, gauss_coefficients, runge_kutta_4, semi_implicit_euler

INTEGRATORS = {"euler": 0, "rk4": 1, "midpoint": 2, "gauss6": 3}
"""Methods of fixed step: semi-implicit Euler, Runge–Kutta 4, implicit midpoint, Gauss collocation of order 6."""

MAX_SPEED = 1e6  # rad/s or m/s; beyond it a run counts as diverged
FINE = -1  # otherwise: joint ≥ 0 that diverged, or -(joint + 2) that has no inertia


def advance(P, dt: float, steps: int, integrator: int, q, qd, motor, wrench, log, drive: Drive = FREE) -> tuple[int, int]:
    """Advances the state by `steps` steps of `dt` seconds in place, without the GIL.

    M(q) qdd = motor − C(q, qd) qd − g(q) − friction(qd) + Σ Jᵀ wrench, motor and wrench held over the steps, or motor by the
    controller of `drive`; joints that friction or a stop can hold at rest stay exactly at rest.

    Args:
        P: as `step_model` makes it: `Robot.packed`, unless the arm has mimic joints.
        dt: step, s.
        steps: how many.
        integrator: a value of `INTEGRATORS`.
        q, qd: the state `(n,)`, rad or m (per s); overwritten; the last finite state when a step fails.
        motor: `(n,)`, N·m or N.
        wrench: on each body `(n_bodies, 6)`, force before moment, world axes, at the body's origin; or `(0, 6)` for none. With a
            drive `(1, n_bodies + 2, 6)`, with a spring that pulls on a point in the last rows: see
            `engine.dynamics.spring.SPRING_ROWS`; empty for none.
        log: `(≥ steps, 4 n)`; row k receives q, qd, qdd, motor at the start of step k.

    Returns:
        Steps done, and `FINE`, the joint ≥ 0 that diverged in the next one, or -(joint + 2) for the joint without inertia.
    """
    if drive is FREE:
        return _free.call(P, dt, steps, integrator, q, qd, motor, wrench, log)
    given = (drive.law, drive.model, drive.memory, drive.reference, drive.t, drive.work, drive.side)
    return _driven.call(P, dt, steps, integrator, q, qd, motor, wrench, log, *given)


@inner
def begin(P, q, qd, motor, wrench, direction, locked, Z, M, L, a, rest):
    """Opens a step: M and `rest` at its start, which joints hold, which way the others slide."""
    for i in range(q.size):
        direction[i] = 0.0
    equations(P, q, qd, motor, wrench, direction, Z, M, rest)
    bad = hold_or_slide(P, q, qd, M, rest, locked, direction, L, a)
    for i in range(q.size):
        rest[i] -= dry_friction(P, i, direction[i])
    return bad


@inlined
def _runaway(q, qd):
    found = -1
    for i in range(q.size):
        if found < 0 and not (math.isfinite(q[i]) and abs(qd[i]) < MAX_SPEED):
            found = i
    return found


@inner
def _note(P, wrench, Z, n, work, row):
    """The spring's force and the works so far into a row of `Drive.side`."""
    bodies = P.shape[0] - 1 - (0 if P.shape[0] == n + 1 else n)
    for c in range(FORCE):
        row[c] = 0.0
    if wrench.size:
        _, _, force = spring(wrench[0], bodies, Z)
        row[0], row[1], row[2] = force
    for c in range(work.size):
        row[FORCE + c] = work[c]


@inner
def _steps(P, dt, steps, integrator, q, qd, constant, wrench, log, law, model, memory, reference, t, work, side):
    """The steps of both entry points; what is None is compiled away, so that an arm that moves by itself pays for nothing."""
    n = q.size
    motor = constant.copy()
    Z, M, L, stages = np.empty((P.shape[0] - 1, WORK)), np.empty((n, n)), np.empty((n, n)), np.empty((5, n))
    direction, locked, rest, column = np.zeros(n), np.zeros(n, np.bool_), np.empty(n), np.empty(n)
    A, b = gauss_coefficients(1 if integrator == 2 else 3)
    start, speed, qdd = np.empty(n), np.empty(n), np.empty(n)
    for k in range(steps):
        for i in range(n):
            start[i], speed[i] = q[i], qd[i]
            log[k, n + i] = qd[i]
        if law is not None and law.size:
            command(law, model, memory, t + k * dt, dt, reference[k], q, qd, motor)
        bad = begin(P, q, qd, motor, wrench, direction, locked, Z, M, L, column, qdd)
        if work is not None:
            _note(P, wrench, Z, n, work, side[k])
        if bad >= 0:
            pass
        elif integrator == 0:
            bad = semi_implicit_euler(P, q, qd, dt, locked, M, qdd)
            if work is not None and bad < 0:
                spend(P, qd, motor, wrench, direction, Z, dt, work)
        elif integrator == 1:
            bad = runge_kutta_4(P, q, qd, dt, motor, wrench, direction, locked, Z, M, stages, qdd, work)
        else:
            bad = gauss(P, q, qd, dt, motor, wrench, direction, locked, Z, M, A, b, qdd, work)
        code = _runaway(q, qd) if bad < 0 else -(bad + 2)
        if code != FINE:
            for i in range(n):
                q[i], qd[i] = start[i], speed[i]
            return k, code
        if any_into_stop(P, q, qd, start):
            if work is not None:
                work[STOP] -= energy(P, q, qd, motor, wrench, direction, Z, M, rest)
            strike_stops(P, q, qd, start, motor, wrench, direction, Z, M, rest, column)
            if work is not None:
                work[STOP] += energy(P, q, qd, motor, wrench, direction, Z, M, rest)
        if any_turned(P, qd, direction):
            if work is not None:
                work[FRICTION] -= energy(P, q, qd, motor, wrench, direction, Z, M, rest)
            catch(P, q, qd, motor, wrench, direction, locked, Z, M, L, rest, speed, column)
            if work is not None:
                work[FRICTION] += energy(P, q, qd, motor, wrench, direction, Z, M, rest)
        for i in range(n):
            log[k, i], log[k, 2 * n + i], log[k, 3 * n + i] = start[i], qdd[i], motor[i]
    return steps, FINE


@kernel(MODEL, REAL, INT, INT, OUT1, OUT1, VEC, MAT, OUT2)
def _free(P, dt, steps, integrator, q, qd, motor, wrench, log):
    return _steps(P, dt, steps, integrator, q, qd, motor, wrench, log, None, None, None, None, 0.0, None, None)


@kernel(MODEL, REAL, INT, INT, OUT1, OUT1, VEC, CUBE, OUT2, MAT, MODEL, OUT1, MAT, REAL, OUT1, OUT2)
def _driven(P, dt, steps, integrator, q, qd, motor, wrench, log, law, model, memory, reference, t, work, side):
    return _steps(P, dt, steps, integrator, q, qd, motor, wrench, log, law, model, memory, reference, t, work, side)
