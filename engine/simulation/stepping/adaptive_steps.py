"""Steps of an adaptive method of high order, for runs without a clock: as exact as doubles allow, whatever the step."""

from __future__ import annotations

import numpy as np
from numba import types

from armature.engine.jit import CUBE, INT, MODEL, OUT1, OUT2, REAL, VEC, kernel
from armature.engine.linear_algebra import copy
from armature.engine.model.packed_model import STICTION
from armature.engine.simulation.stepping.fixed_steps import FINE, MAX_SPEED
from armature.engine.simulation.stepping.joint_holding import solve_free
from armature.engine.simulation.stepping.joint_impacts import any_into_stop, any_turned, catch, strike_stops
from armature.engine.simulation.stepping.step_equations import scene_equations, scene_of
from armature.engine.simulation.stepping.step_events import MOST, come_to_rest, margins, open_piece, reach_stops

_RELATIVE, _ABSOLUTE = 1e-12, 1e-13
_TINY = 1e-300  # stands for a margin of zero, which a joint has that begins to slide, and is no event
_FLAGS = types.boolean[::1]


def advance_adaptively(P, dt: float, steps: int, q, qd, motor, wrench, log) -> tuple[int, int]:
    """Advance as `armature.engine.simulation.stepping.fixed_steps.advance`, by DOP853 inside every step, from event to event.

    Source: Hairer, Nørsett, Wanner, Solving Ordinary Differential Equations I, section II.10, as in `scipy.integrate`.
    """
    n, path = q.size, _Path(P, motor, wrench)
    for k in range(steps):
        log[k, :n], log[k, n : 2 * n], log[k, 3 * n : 4 * n] = q, qd, motor
        code, end, qdd = path.step(np.concatenate([q, qd]), dt)
        if code != FINE:
            return k, code
        log[k, 2 * n : 3 * n] = qdd
        start, q[:], qd[:] = q.copy(), end[:n], end[n:]
        _catch.call(P, q, qd, motor, wrench, path.direction, path.locked)
        _land.call(P, q, qd, start, dt, motor, wrench, path.direction, path.locked)
    return steps, FINE


class _Path:
    """Motion from event to event; `direction` and `locked` of its last piece."""

    def __init__(self, P, motor, wrench):
        n = self._n = motor.size
        self._P, self._loads = P, (motor, wrench)
        self.direction, self.locked = np.zeros(n), np.zeros(n, bool)
        self._loose, self._margin, self._push, self._slope = np.zeros(n), np.empty(2 * n), np.zeros(n), np.empty(2 * n)
        self._walls = np.empty((2, n))
        self._bad = -1

    def step(self, z, dt: float) -> tuple[int, np.ndarray, np.ndarray]:
        """`FINE` or a code of `advance` in `fixed_steps.py`, the state `dt` s after z, and qdd at z."""
        from scipy.integrate import solve_ivp  # half a second to import, and only this needs it

        n, left, begun, first = self._n, dt, z[: self._n].copy(), np.empty(self._n)
        self._loose[:] = 0.0
        self._bad = self._open(z, begun, first)
        self._land(z, begun, dt)
        for events in range(MOST + 1):
            self._bad = max(self._bad, self._open(z, begun, np.empty(n)))
            watched = self._watched(z) if events < MOST else []
            if self._bad < 0:
                watch = [self._watch(i) for i in watched]
                run = solve_ivp(self._f, (0.0, left), z, "DOP853", events=watch, rtol=_RELATIVE, atol=_ABSOLUTE)
            if self._bad >= 0:
                return -(self._bad + 2), z, first
            start, z = z, run.y[:, -1].copy()
            if run.status < 0 or not np.isfinite(z).all() or np.abs(z[n:]).max() >= MAX_SPEED:
                return int(np.argmax(np.where(np.isfinite(z[n:]), np.abs(z[n:]), np.inf))), z, first
            fired = [i for i, times in zip(watched, run.t_events or []) if len(times)]
            if not fired:
                break
            self._pass(fired, start, z, begun, dt)
            left -= run.t[-1]
            if not left > 0:
                break
        return FINE, z, first

    def _open(self, z, begun, qdd) -> int:
        return _open.call(self._P, z[: self._n], z[self._n :], begun, *self._loads, *self._state(), self._loose, qdd)

    def _land(self, z, begun, dt: float) -> None:
        _land.call(self._P, z[: self._n], z[self._n :], begun, dt, *self._loads, self.direction, self.locked)

    def _state(self):
        return self.direction, self.locked, self._walls

    def _watched(self, z) -> list[int]:
        """The margins to watch: of joints that slide with friction, or are held while another moves; -1 is that of all stops."""
        rubs = (self.direction != 0) & (self._P[: self._n, STICTION] > 0)
        holds = self.locked & (z[self._n :].any() or not self.locked.all())
        return [int(i) for i in np.flatnonzero(rubs | holds)] + [-1] * bool(np.isfinite(self._walls).any())

    def _watch(self, i: int):
        """Return the event function of joint i: zero when it sticks, slips or hits its stop; -1: when any joint hits one."""

        def margin(t, z):
            self._measure(z)
            left = (self._margin[self._n :].min() if i < 0 else self._margin[i]) or _TINY
            return max(left, _TINY) if t == 0.0 else left

        margin.terminal, margin.direction = True, -1  # type: ignore[attr-defined]
        return margin

    def _measure(self, z) -> None:
        _margins.call(self._P, z, *self._loads, *self._state(), self._margin, self._push)

    def _pass(self, fired: list[int], start, z, begun, dt: float) -> None:
        """Puts joints that turned round at rest, lets those go that broke loose, and strikes those that reached a stop."""
        n = self._n
        self._measure(z)
        if (z != start).any():
            self._loose[:] = 0.0
        for i in fired:
            if i < 0:
                continue
            self._loose[i] = self._push[i] if self.locked[i] else 0.0
            if not self.locked[i]:
                _rest.call(self._P, i, z[:n], z[n:], begun)
        if -1 in fired:
            _reach.call(self._walls, self._margin, int(np.argmin(self._margin[n:])), z[:n])
        self._land(z, begun, dt)

    def _f(self, _, z):
        self._bad = max(self._bad, _slope.call(self._P, z, *self._loads, self.direction, self.locked, self._slope))
        return self._slope.copy()


@kernel(MODEL, VEC, VEC, VEC, VEC, CUBE, OUT1, _FLAGS, OUT2, VEC, OUT1)
def _open(P, q, qd, begun, motor, wrench, direction, locked, walls, loose, qdd):
    scene = scene_of(P, motor, wrench, direction, locked)
    bad = open_piece(scene, walls, begun, loose, q, qd, qdd, np.empty(q.size))
    if bad >= 0:
        return bad
    scene_equations(scene, q, qd, qdd)
    return solve_free(scene.M, qdd, locked)


@kernel(MODEL, VEC, VEC, CUBE, OUT1, _FLAGS, OUT1)
def _slope(P, z, motor, wrench, direction, locked, slope):
    n = motor.size
    copy(slope[:n], z[n:])
    scene = scene_of(P, motor, wrench, direction, locked)
    scene_equations(scene, z[:n], z[n:], slope[n:])
    return solve_free(scene.M, slope[n:], locked)


@kernel(MODEL, VEC, VEC, CUBE, OUT1, _FLAGS, OUT2, OUT1, OUT1)
def _margins(P, z, motor, wrench, direction, locked, walls, margin, push):
    n = motor.size
    scene = scene_of(P, motor, wrench, direction, locked)
    margins(scene, walls, z[:n], z[n:], np.empty(n), np.empty(n), margin, push)


@kernel(MODEL, INT, OUT1, OUT1, VEC)
def _rest(P, i, q, qd, start):
    come_to_rest(P, i, q, qd, start)


@kernel(OUT2, VEC, INT, OUT1)
def _reach(walls, margin, who, q):
    reach_stops(walls, margin, who, q)


@kernel(MODEL, OUT1, OUT1, VEC, CUBE, OUT1, _FLAGS)
def _catch(P, q, qd, motor, wrench, direction, locked):
    if any_turned(P, qd, direction):
        n = q.size
        catch(scene_of(P, motor, wrench, direction, locked), q, qd, np.empty(n), np.empty(n), np.empty(n))


@kernel(MODEL, OUT1, OUT1, VEC, REAL, VEC, CUBE, OUT1, _FLAGS)
def _land(P, q, qd, start, dt, motor, wrench, direction, locked):
    if any_into_stop(P, q, qd, start):
        n = q.size
        strike_stops(scene_of(P, motor, wrench, direction, locked), q, qd, start, dt, np.empty(n), np.empty(n), np.empty(n))
