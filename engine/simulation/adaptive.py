"""Steps of an adaptive method of high order, for runs without a clock: as exact as doubles allow, whatever the step."""

from __future__ import annotations

import numpy as np
from numba import types

from engine.dynamics.spring import WORK
from engine.jit import CUBE, MODEL, OUT1, VEC, kernel
from engine.simulation.equations import acceleration, solve_free
from engine.simulation.impacts import any_into_stop, any_turned, catch, strike_stops
from engine.simulation.step import FINE, MAX_SPEED, begin

_RELATIVE, _ABSOLUTE = 1e-12, 1e-13
_FLAGS = types.boolean[::1]


def advance_adaptively(P, dt: float, steps: int, q, qd, motor, wrench, log) -> tuple[int, int]:
    """As `engine.simulation.step.advance`, with DOP853 inside every step of `dt`; holds and sliding directions stay over a step.

    Source: Hairer, Nørsett, Wanner, Solving Ordinary Differential Equations I, section II.10, as in `scipy.integrate`.
    """
    from scipy.integrate import solve_ivp  # half a second to import, and only this needs it

    n = q.size
    direction, locked, qdd, slope = np.empty(n), np.empty(n, bool), np.empty(n), np.empty(2 * n)
    bad = [-1]

    def f(_, z):
        bad[0] = max(bad[0], _slope.call(P, z, motor, wrench, direction, locked, slope))
        return slope.copy()

    for k in range(steps):
        start = q.copy()
        log[k, :n], log[k, n : 2 * n], log[k, 3 * n : 4 * n] = q, qd, motor
        bad[0] = _open.call(P, q, qd, motor, wrench, direction, locked, qdd)
        if bad[0] < 0:
            log[k, 2 * n : 3 * n] = qdd
            path = solve_ivp(f, (0.0, dt), np.concatenate([q, qd]), method="DOP853", rtol=_RELATIVE, atol=_ABSOLUTE)
            end = path.y[:, -1]
        if bad[0] >= 0:
            return k, -(bad[0] + 2)
        if not path.success or not np.isfinite(end).all() or np.abs(end[n:]).max() >= MAX_SPEED:
            return k, int(np.argmax(np.where(np.isfinite(end[n:]), np.abs(end[n:]), np.inf)))
        q[:], qd[:] = end[:n], end[n:]
        _close.call(P, q, qd, start, motor, wrench, direction, locked)
    return steps, FINE


@kernel(MODEL, VEC, VEC, VEC, CUBE, OUT1, _FLAGS, OUT1)
def _open(P, q, qd, motor, wrench, direction, locked, qdd):
    n = q.size
    Z, M, L, a = np.empty((P.shape[0] - 1, WORK)), np.empty((n, n)), np.empty((n, n)), np.empty(n)
    bad = begin(P, q, qd, motor, wrench, direction, locked, Z, M, L, a, qdd)
    return bad if bad >= 0 else solve_free(M, qdd, locked)


@kernel(MODEL, VEC, VEC, CUBE, OUT1, _FLAGS, OUT1)
def _slope(P, z, motor, wrench, direction, locked, slope):
    n = motor.size
    slope[:n] = z[n:]
    Z, M = np.empty((P.shape[0] - 1, WORK)), np.empty((n, n))
    return acceleration(P, z[:n], z[n:], motor, wrench, direction, locked, Z, M, slope[n:])


@kernel(MODEL, OUT1, OUT1, VEC, VEC, CUBE, OUT1, _FLAGS)
def _close(P, q, qd, start, motor, wrench, direction, locked):
    n = q.size
    Z, M, L = np.empty((P.shape[0] - 1, WORK)), np.empty((n, n)), np.empty((n, n))
    rest, column, before = np.empty(n), np.empty(n), np.empty(n)
    if any_into_stop(P, q, qd, start):
        strike_stops(P, q, qd, start, motor, wrench, direction, Z, M, rest, column)
    if any_turned(P, qd, direction):
        catch(P, q, qd, motor, wrench, direction, locked, Z, M, L, rest, before, column)
