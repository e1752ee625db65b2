"""Events within a step: joints that come to rest, turn round, break loose or reach a stop, each at its own time.

A step without an event is one step of the integrator. One with events is taken in pieces, each a step of the integrator up to the
next event, so that the motion is smooth within every piece and the method keeps its order.

Here arrays go from routine to routine in tuples: `scene` is P, motor, wrench, direction, locked, the workspaces Z, M, rest, and
`walls` `(2, n)`, where the stops are; `piece` its start q, qd and ledger, integrator, A, b and the workspace stages. That costs
more than handing them on one by one, but events are rare.
"""

from __future__ import annotations

import numpy as np

from engine.dynamics.pulling_spring import WORK
from engine.jit import inner
from engine.model.packed_model import LOWER, STICTION, UPPER
from engine.simulation.stepping.integrators import EULER, RK4, gauss, runge_kutta_4, semi_implicit_euler
from engine.simulation.stepping.joint_holding import can_hold, loads, release, reserve
from engine.simulation.stepping.joint_impacts import any_into_stop, any_turned, catch, strike_stops
from engine.simulation.stepping.step_equations import equations
from engine.simulation.stepping.step_ledger import FRICTION, STOP, energy, spend

MOST = 12  # events in one step; the rest is then taken at once, and joints that turned round or ran into a stop held at its end
_CLOSE = 1e-13  # s, to which the time of an event is found
_EXACT = 4e-16  # of a margin's size, below which it is rounding
_ROUNDS = 100


@inner
def step_by_events(P, q, qd, dt, integrator, motor, wrench, A, b, work):
    """Takes one step of `dt` s from event to event, in place; -1 or the joint without inertia.

    A joint whose velocity reaches zero is put at rest there, and held or let go the other way; one whose load reaches what holds
    it is let go there; one that reaches a stop is struck there. `integrator` is a value of `INTEGRATORS` in
    `engine.simulation.stepping.fixed_steps`, A and b those of `gauss_coefficients`.
    """
    n, left = q.size, dt
    Z, M, L, stages = np.empty((P.shape[0] - 1, WORK)), np.empty((n, n)), np.empty((n, n)), np.empty((5, n))
    direction, loose, locked = np.zeros(n), np.zeros(n), np.zeros(n, np.bool_)
    start, speed, rest, a, spent = np.empty(n), np.empty(n), np.empty(n), np.empty(n), np.zeros(4)
    low, high, push = np.empty(2 * n), np.empty(2 * n), np.zeros(n)
    walls, begun = np.empty((2, n)), q.copy()
    scene = (P, motor, wrench, direction, locked, Z, M, rest, walls)
    piece = (start, speed, spent, integrator, A, b, stages)
    _land(scene, begun, q, qd, dt, L, stages, work)
    for _ in range(MOST):
        _note(piece, q, qd, work)
        bad = open_piece(scene, begun, loose, q, qd, L, a)
        if bad >= 0:
            return bad
        margins(scene, q, qd, L, a, low, push)
        bad = _take(scene, piece, q, qd, left, work)
        if bad >= 0:
            return bad
        margins(scene, q, qd, L, a, high, push)
        t, who = _first(scene, piece, q, qd, left, work, L, a, low, high, push)
        if who < 0:
            left = 0.0
            break
        _take(scene, piece, q, qd, t, work)
        margins(scene, q, qd, L, a, high, push)
        for i in range(n):
            if t > 0.0:
                loose[i] = 0.0
            if not locked[i] and (i == who or high[i] < 0.0):
                loose[i] = 0.0
                come_to_rest(P, i, q, qd, begun)
        if who < n and locked[who]:
            loose[who] = push[who]
        reach_stops(walls, high, who - n, q)
        _land(scene, begun, q, qd, dt, L, stages, work)
        left -= t
        if not left > 0.0:
            break
    if left > 0.0:
        bad = _take_rest(scene, piece, begun, loose, q, qd, left, work, L, a)
        if bad >= 0:
            return bad
    _land(scene, begun, q, qd, dt, L, stages, work)
    return -1


@inner
def _take_rest(scene, piece, begun, loose, q, qd, h, work, L, a):
    """The last `h` s of a step in which too much happens, at once; -1 or the joint without inertia."""
    P, motor, wrench, direction, locked, Z, M, rest, _ = scene
    _note(piece, q, qd, work)
    bad = open_piece(scene, begun, loose, q, qd, L, a)
    if bad < 0:
        bad = _take(scene, piece, q, qd, h, work)
    if bad < 0 and any_turned(P, qd, direction):
        if work is not None:
            work[FRICTION] -= energy(P, q, qd, motor, wrench, direction, Z, M, rest)
        catch(P, q, qd, motor, wrench, direction, locked, Z, M, L, rest, piece[1], a)
        if work is not None:
            work[FRICTION] += energy(P, q, qd, motor, wrench, direction, Z, M, rest)
    return bad


@inner
def _land(scene, begun, q, qd, dt, L, stages, work):
    """Strikes the stops into which joints move here, and books what that takes."""
    P, motor, wrench, direction, locked, Z, M, rest, _ = scene
    if not any_into_stop(P, q, qd, begun):
        return
    if work is not None:
        work[STOP] -= energy(P, q, qd, motor, wrench, direction, Z, M, rest)
    strike_stops(P, q, qd, begun, dt, motor, wrench, direction, locked, Z, M, L, rest, stages[0], stages[1])
    if work is not None:
        work[STOP] += energy(P, q, qd, motor, wrench, direction, Z, M, rest)


@inner
def open_piece(scene, begun, loose, q, qd, L, a):
    """Which joints hold from here on, and which way the others slide; those `loose` (sign) have just been let go that way.

    Fills `walls` for a step that began at `begun`: a joint that began it beyond its limit finds the stop there. One that rests on
    a stop without being held finds none: what pushes it in comes to it from joints that were let go, and ends at the end.
    -1 or the joint without inertia; M and rest are the equations without dry friction.
    """
    P, motor, wrench, direction, locked, Z, M, rest, walls = scene
    for i in range(q.size):
        direction[i] = 0.0
    equations(P, q, qd, motor, wrench, direction, Z, M, rest)
    for i in range(q.size):
        direction[i] = 1.0 if qd[i] > 0.0 else -1.0 if qd[i] < 0.0 else loose[i]
        locked[i] = qd[i] == 0.0 and loose[i] == 0.0 and can_hold(P, i, q)
    bad = release(P, q, M, rest, locked, direction, L, a)
    for i in range(q.size):
        lower, upper = min(P[i, LOWER], begun[i]), max(P[i, UPPER], begun[i])
        walls[0, i] = -np.inf if locked[i] or (q[i] <= lower and qd[i] <= 0.0) else lower
        walls[1, i] = np.inf if locked[i] or (q[i] >= upper and qd[i] >= 0.0) else upper
    return bad


@inner
def _note(piece, q, qd, work):
    """The start of a piece."""
    for i in range(q.size):
        piece[0][i], piece[1][i] = q[i], qd[i]
    if work is not None:
        piece[2][:] = work


@inner
def reach_stops(walls, margin, who, q):
    """Puts joint `who`, and those whose margin says that they passed a stop, exactly there."""
    n = q.size
    for i in range(n):
        if i == who or margin[n + i] < 0.0:
            q[i] = walls[0, i] if q[i] - walls[0, i] < walls[1, i] - q[i] else walls[1, i]


@inner
def come_to_rest(P, i, q, qd, start):
    """Joint i at rest where it turned round, and not beyond a stop that it passed since `start`."""
    qd[i] = 0.0
    q[i] = min(max(q[i], min(P[i, LOWER], start[i])), max(P[i, UPPER], start[i]))


@inner
def _take(scene, piece, q, qd, h, work):
    """The state `h` s after the start of the piece into q, qd, and the ledger there; -1 or the joint without inertia."""
    P, motor, wrench, direction, locked, Z, M, rest, _ = scene
    start, speed, spent, integrator, A, b, stages = piece
    for i in range(q.size):
        q[i], qd[i] = start[i], speed[i]
    if work is not None:
        work[:] = spent
    if h == 0.0:
        return -1
    equations(P, q, qd, motor, wrench, direction, Z, M, rest)
    if integrator == EULER:
        bad = semi_implicit_euler(P, q, qd, h, locked, M, rest)
        if work is not None and bad < 0:
            spend(P, qd, motor, wrench, direction, Z, h, work)
    elif integrator == RK4:
        bad = runge_kutta_4(P, q, qd, h, motor, wrench, direction, locked, Z, M, stages, rest, work)
    else:
        bad = gauss(P, q, qd, h, motor, wrench, direction, locked, Z, M, A, b, rest, work)
    return bad


@inner
def margins(scene, q, qd, L, a, margin, push):
    """How far each joint is from an event, which is where its margin becomes negative; infinite where none can come.

    The first n: of a sliding joint its speed the way it slides; of a held one `reserve`, with `push` the sign of its load. The
    other n: how far it is from its stops.
    """
    P, motor, wrench, direction, locked, Z, M, rest, walls = scene
    n, holds = q.size, False
    for i in range(n):
        margin[n + i] = min(q[i] - walls[0, i], walls[1, i] - q[i])
        margin[i] = qd[i] * direction[i] if direction[i] != 0.0 and P[i, STICTION] > 0.0 else np.inf
        holds = holds or locked[i]
    if not holds:
        return
    equations(P, q, qd, motor, wrench, direction, Z, M, rest)
    if loads(M, rest, locked, L, a, push) < 0:
        for i in range(n):
            if locked[i]:
                margin[i], push[i] = reserve(P, i, q, push[i]), 1.0 if push[i] > 0.0 else -1.0


@inner
def _first(scene, piece, q, qd, h, work, L, a, low, high, push):
    """Time and margin of the first event within (0, h], for the margins `low` at its start and `high` at its end; or h, -1.

    The rule of false position, as Illinois mended it, on the margin whose straight line falls through zero first; a hold that has
    nothing left at the start gives way at once.
    """
    n, lo, hi, side = q.size, 0.0, h, 0
    size, middle, locked = np.abs(low) + np.abs(high), np.empty(2 * n), scene[4]
    size[n:] += np.abs(q)
    for _ in range(_ROUNDS):
        t, who = hi, -1
        for i in range(2 * n):
            if high[i] < 0.0:
                if i < n and locked[i] and lo == 0.0 and low[i] <= 0.0:
                    return 0.0, i
                zero = lo + (hi - lo) * low[i] / (low[i] - high[i]) if low[i] > 0.0 else lo
                if who < 0 or zero < t:
                    t, who = zero, i
        if who < 0 or hi - lo <= _CLOSE:
            return hi, who
        if not lo < t < hi:
            t = 0.5 * (lo + hi)
        _take(scene, piece, q, qd, t, work)
        margins(scene, q, qd, L, a, middle, push)
        if abs(middle[who]) <= _EXACT * size[who]:
            return t, who
        fell = middle.min() < 0.0
        for i in range(2 * n):
            if fell:
                low[i], high[i] = low[i] * (0.5 if side > 0 else 1.0), middle[i]
            else:
                low[i], high[i] = middle[i], high[i] * (0.5 if side < 0 else 1.0)
        lo, hi, side = (lo, t, 1) if fell else (t, hi, -1)
    return hi, who
