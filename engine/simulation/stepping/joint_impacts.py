"""Impacts at joint stops, and holds of joints that reversed too often for events."""

from __future__ import annotations

from armature.engine.jit import routine
from armature.engine.model.packed_model import LOWER, RESTITUTION, STICTION, UPPER
from armature.engine.simulation.stepping.joint_holding import can_hold, hold_or_slide, load_on, loads, reserve, solve_held
from armature.engine.simulation.stepping.step_equations import scene_equations

_SOFT = 0.01  # rad/s or m/s; slower impacts do not bounce, or a bouncing joint would never come to rest


@routine
def _into_stop(P, i, q, qd, start):
    """Whether joint i moves into a stop; a joint that began beyond its limit finds the stop where it began."""
    return (q[i] >= max(P[i, UPPER], start[i]) and qd[i] > 0.0) or (q[i] <= min(P[i, LOWER], start[i]) and qd[i] < 0.0)


@routine
def any_into_stop(P, q, qd, start):
    """Whether any joint moves into a stop."""
    found = False
    for i in range(q.size):
        found = found or _into_stop(P, i, q, qd, start)
    return found


@routine
def any_turned(P, qd, direction):
    """Whether any joint with dry friction turned round within the step."""
    found = False
    for i in range(qd.size):
        found = found or (P[i, STICTION] > 0.0 and qd[i] * direction[i] < 0.0)
    return found


@routine
def strike_stops(scene, q, qd, start, dt, rest, load, column):
    """Stops joints that move into a limit: velocity reversed by the coefficient of restitution, or beyond it put back, at rest.

    Impulse p on joint i:  qd += M⁻¹ e_i p  with  p = −(1 + e) qd_i / (M⁻¹)_ii,  repeated while any joint moves into a stop. Only
    one exactly at its limit bounces: beyond it the speed is no longer that of the impact, and a bounce could add energy.
    `locked` is overwritten; rest, load, column `(n,)` are workspaces.
    """
    n, P, locked = q.size, scene.P, scene.locked
    opened = False
    for _ in range(2 * n):
        struck = False
        for i in range(n):
            if not _into_stop(P, i, q, qd, start):
                continue
            if not opened:
                scene_equations(scene, q, qd, rest)
                for j in range(n):
                    locked[j] = qd[j] == 0.0 and can_hold(P, j, q)
                if loads(scene.M, rest, locked, scene.L, column, load) >= 0:
                    return
                opened = True
            limit = min(max(q[i], min(P[i, LOWER], start[i])), max(P[i, UPPER], start[i]))
            bounce = P[i, RESTITUTION] if abs(qd[i]) > _SOFT and q[i] == limit else 0.0
            q[i] = limit
            if not _strike(scene, i, q, -(1.0 + bounce) * qd[i], dt, load, column):
                return
            for j in range(n):
                qd[j] += column[j]
            if bounce == 0.0:
                qd[i] = 0.0
            struck = True
        if not struck:
            return


@routine
def _strike(scene, i, q, change, dt, load, column):
    """Fills `column` with the changes of velocity when that of joint i makes `change`; False for an arm without inertia.

    The `locked` joints, at rest under `load`, remain at rest if they can hold the impact over a step of `dt` s, or an arm on
    several stops would never come to rest: every step ends with a small impact on one, which would lift it off the others.
    """
    n, M, locked = q.size, scene.M, scene.locked
    while True:
        for j in range(n):
            column[j] = 1.0 if j == i else 0.0
        if solve_held(M, column, locked, scene.L) >= 0:
            return False
        size = change / column[i]
        worst, least = -1, 0.0
        for j in range(n):
            column[j] *= size
        for j in range(n):
            if locked[j]:
                left = reserve(scene.P, j, q, load[j] + load_on(M, column, j, 0.0) / dt)
                if left < least:
                    worst, least = j, left
        if worst < 0:
            return True
        locked[worst] = False


@routine
def catch(scene, q, qd, rest, before, a):
    """Holds joints whose sliding turned round within the step, if friction can hold them here; others keep their velocity.

    rest, before, a `(n,)` are workspaces.
    """
    P, direction = scene.P, scene.direction
    for i in range(q.size):
        before[i] = qd[i]
        if P[i, STICTION] > 0.0 and qd[i] * direction[i] < 0.0:
            qd[i] = 0.0
    for i in range(q.size):
        direction[i] = 0.0
    scene_equations(scene, q, qd, rest)
    if hold_or_slide(scene, q, qd, rest, a) >= 0:
        return
    for i in range(q.size):
        if not scene.locked[i]:
            qd[i] = before[i]
