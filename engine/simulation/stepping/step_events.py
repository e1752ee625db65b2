"""Events within a step: joints that come to rest, reverse, break loose or reach a stop, each at its own time.

A step without an event is one step of the integrator. A step with events consists of pieces, each a step of the integrator up to
the next event, so that the motion is smooth within every piece and the method keeps its order.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from armature.engine.jit import routine
from armature.engine.model.packed_model import LOWER, STICTION, UPPER
from armature.engine.simulation.stepping.integrators import EULER, RK4, gauss, runge_kutta_4, semi_implicit_euler
from armature.engine.simulation.stepping.joint_holding import can_hold, loads, release, reserve
from armature.engine.simulation.stepping.joint_impacts import any_into_stop, any_turned, catch, strike_stops
from armature.engine.simulation.stepping.step_equations import FRICTION, STOP, energy, scene_equations, scene_of

MOST = 12  # events in one step; the rest is one piece, at whose end joints that reversed or reached a stop are held
_CLOSE = 1e-13  # s, to which the time of an event is found
_EXACT = 4e-16  # of a margin's size, below which it is rounding
_ROUNDS = 100


class Piece(NamedTuple):
    """Piece of a step that began at `begun` `(n,)`, and its integrator.

    `start`, `speed` `(n,)` and `spent` `(4,)` are q, qd and the ledger at its start, `walls` `(2, n)` the stops, A and
    b as of `gauss_coefficients`; `rest`, `a` `(n,)` and `stages` `(5, n)` are workspaces.
    """

    begun: np.ndarray
    start: np.ndarray
    speed: np.ndarray
    spent: np.ndarray
    walls: np.ndarray
    integrator: int
    A: np.ndarray
    b: np.ndarray
    rest: np.ndarray
    a: np.ndarray
    stages: np.ndarray


@routine
def step_by_events(whole, q, qd, dt, integrator, A, b, work):
    """Take one step of `dt` s from event to event, in place; return -1 or the joint without inertia.

    A joint whose velocity reaches zero is put at rest there, and held or released in reverse; a joint whose load reaches its
    holding capacity is released there; at a stop there is an impact. `whole` is the scene of the step as one piece, `integrator`
    a value of `INTEGRATORS` in `armature.engine.simulation.stepping.fixed_steps`, A and b as of `gauss_coefficients`.
    """
    n, left = q.size, dt
    scene = scene_of(whole.P, whole.motor, whole.wrench, np.zeros(n), np.zeros(n, np.bool_))
    start, speed, spent, walls, stages = np.empty(n), np.empty(n), np.zeros(4), np.empty((2, n)), np.empty((5, n))
    piece = Piece(q.copy(), start, speed, spent, walls, integrator, A, b, np.empty(n), np.empty(n), stages)
    low, high, push, loose = np.empty(2 * n), np.empty(2 * n), np.zeros(n), np.zeros(n)
    _land(scene, piece, q, qd, dt, work)
    for _ in range(MOST):
        _note(piece, q, qd, work)
        bad = open_piece(scene, piece.walls, piece.begun, loose, q, qd, piece.rest, piece.a)
        if bad >= 0:
            return bad
        margins(scene, piece.walls, q, qd, piece.rest, piece.a, low, push)
        bad = _take(scene, piece, q, qd, left, work)
        if bad >= 0:
            return bad
        margins(scene, piece.walls, q, qd, piece.rest, piece.a, high, push)
        t, who = _first(scene, piece, q, qd, left, work, low, high, push)
        if who < 0:
            left = 0.0
            break
        _take(scene, piece, q, qd, t, work)
        margins(scene, piece.walls, q, qd, piece.rest, piece.a, high, push)
        for i in range(n):
            if t > 0.0:
                loose[i] = 0.0
            if not scene.locked[i] and (i == who or high[i] < 0.0):
                loose[i] = 0.0
                come_to_rest(scene.P, i, q, qd, piece.begun)
        if who < n and scene.locked[who]:
            loose[who] = push[who]
        reach_stops(piece.walls, high, who - n, q)
        _land(scene, piece, q, qd, dt, work)
        left -= t
        if not left > 0.0:
            break
    if left > 0.0:
        bad = _take_rest(scene, piece, loose, q, qd, left, work)
        if bad >= 0:
            return bad
    _land(scene, piece, q, qd, dt, work)
    return -1


@routine
def _take_rest(scene, piece, loose, q, qd, h, work):
    """The last `h` s of a step in which too much happens, at once; -1 or the joint without inertia."""
    _note(piece, q, qd, work)
    bad = open_piece(scene, piece.walls, piece.begun, loose, q, qd, piece.rest, piece.a)
    if bad < 0:
        bad = _take(scene, piece, q, qd, h, work)
    if bad < 0 and any_turned(scene.P, qd, scene.direction):
        if work.size:
            work[FRICTION] -= energy(scene, q, qd, piece.rest)
        catch(scene, q, qd, piece.rest, piece.speed, piece.a)
        if work.size:
            work[FRICTION] += energy(scene, q, qd, piece.rest)
    return bad


@routine
def _land(scene, piece, q, qd, dt, work):
    """Strikes the stops into which joints move here, and books what that takes."""
    if not any_into_stop(scene.P, q, qd, piece.begun):
        return
    if work.size:
        work[STOP] -= energy(scene, q, qd, piece.rest)
    strike_stops(scene, q, qd, piece.begun, dt, piece.rest, piece.stages[0], piece.stages[1])
    if work.size:
        work[STOP] += energy(scene, q, qd, piece.rest)


@routine
def open_piece(scene, walls, begun, loose, q, qd, rest, a):
    """Determine the held joints and the directions of the others; the sign `loose` is that of joints released just now.

    Fill `walls` for a step that began at `begun`: a joint that began beyond its limit has its stop there. A joint at rest on a
    stop that is not held has none: its load comes from released joints, and ends with the step.
    Return -1 or the joint without inertia; M and rest are the equations without dry friction, a `(n,)` is a workspace.
    """
    P, direction, locked = scene.P, scene.direction, scene.locked
    for i in range(q.size):
        direction[i] = 0.0
    scene_equations(scene, q, qd, rest)
    for i in range(q.size):
        direction[i] = 1.0 if qd[i] > 0.0 else -1.0 if qd[i] < 0.0 else loose[i]
        locked[i] = qd[i] == 0.0 and loose[i] == 0.0 and can_hold(P, i, q)
    bad = release(scene, q, rest, a)
    for i in range(q.size):
        lower, upper = min(P[i, LOWER], begun[i]), max(P[i, UPPER], begun[i])
        walls[0, i] = -np.inf if locked[i] or (q[i] <= lower and qd[i] <= 0.0) else lower
        walls[1, i] = np.inf if locked[i] or (q[i] >= upper and qd[i] >= 0.0) else upper
    return bad


@routine
def _note(piece, q, qd, work):
    """Store the start of a piece."""
    for i in range(q.size):
        piece.start[i], piece.speed[i] = q[i], qd[i]
    if work.size:
        for c in range(work.size):
            piece.spent[c] = work[c]


@routine
def reach_stops(walls, margin, who, q):
    """Put joint `who`, and joints that passed a stop by their margin, exactly there."""
    n = q.size
    for i in range(n):
        if i == who or margin[n + i] < 0.0:
            q[i] = walls[0, i] if q[i] - walls[0, i] < walls[1, i] - q[i] else walls[1, i]


@routine
def come_to_rest(P, i, q, qd, start):
    """Joint i at rest where it turned round, and not beyond a stop that it passed since `start`."""
    qd[i] = 0.0
    q[i] = min(max(q[i], min(P[i, LOWER], start[i])), max(P[i, UPPER], start[i]))


@routine
def _take(scene, piece, q, qd, h, work):
    """The state `h` s after the start of the piece into q, qd, and the ledger there; -1 or the joint without inertia."""
    for i in range(q.size):
        q[i], qd[i] = piece.start[i], piece.speed[i]
    if work.size:
        for c in range(work.size):
            work[c] = piece.spent[c]
    if h == 0.0:
        return -1
    scene_equations(scene, q, qd, piece.rest)
    if piece.integrator == EULER:
        return semi_implicit_euler(scene, q, qd, h, piece.rest, work)
    if piece.integrator == RK4:
        return runge_kutta_4(scene, q, qd, h, piece.stages, piece.rest, work)
    return gauss(scene, q, qd, h, piece.A, piece.b, piece.rest, work)


@routine
def margins(scene, walls, q, qd, rest, a, margin, push):
    """How far each joint is from an event, which is where its margin becomes negative; infinite where none can come.

    The first n: of a sliding joint its speed the way it slides; of a held one `reserve`, with `push` the sign of its load. The
    other n: how far it is from its stops. rest and a `(n,)` are workspaces.
    """
    n, P, locked, direction, holds = q.size, scene.P, scene.locked, scene.direction, False
    for i in range(n):
        margin[n + i] = min(q[i] - walls[0, i], walls[1, i] - q[i])
        margin[i] = qd[i] * direction[i] if direction[i] != 0.0 and P[i, STICTION] > 0.0 else np.inf
        holds = holds or locked[i]
    if not holds:
        return
    scene_equations(scene, q, qd, rest)
    if loads(scene.M, rest, locked, scene.L, a, push) < 0:
        for i in range(n):
            if locked[i]:
                margin[i], push[i] = reserve(P, i, q, push[i]), 1.0 if push[i] > 0.0 else -1.0


@routine
def _first(scene, piece, q, qd, h, work, low, high, push):
    """Time and margin of the first event within (0, h], for the margins `low` at its start and `high` at its end; or h, -1.

    The rule of false position, as Illinois mended it, on the margin whose straight line falls through zero first; a hold that has
    nothing left at the start gives way at once.
    """
    n, lo, hi, side = q.size, 0.0, h, 0
    size, middle = np.abs(low) + np.abs(high), np.empty(2 * n)
    size[n:] += np.abs(q)
    for _ in range(_ROUNDS):
        t, who = hi, -1
        for i in range(2 * n):
            if high[i] < 0.0:
                if i < n and scene.locked[i] and lo == 0.0 and low[i] <= 0.0:
                    return 0.0, i
                zero = lo + (hi - lo) * low[i] / (low[i] - high[i]) if low[i] > 0.0 else lo
                if who < 0 or zero < t:
                    t, who = zero, i
        if who < 0 or hi - lo <= _CLOSE:
            return hi, who
        if not lo < t < hi:
            t = 0.5 * (lo + hi)
        _take(scene, piece, q, qd, t, work)
        margins(scene, piece.walls, q, qd, piece.rest, piece.a, middle, push)
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
