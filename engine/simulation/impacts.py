"""What happens at the end of a step: joints that ran into a stop, and joints whose sliding came to rest."""

from __future__ import annotations

from engine.dynamics.linear_solve import factor, solve
from engine.jit import inlined, inner
from engine.model.pack import LOWER, RESTITUTION, STICTION, UPPER
from engine.simulation.equations import equations
from engine.simulation.holding import hold_or_slide

_SOFT = 0.01  # rad/s or m/s; slower impacts do not bounce, or a bouncing joint would never come to rest


@inlined
def _into_stop(P, i, q, qd, start):
    """Whether joint i moves into a stop; a joint that began beyond its limit finds the stop where it began."""
    return (q[i] >= max(P[i, UPPER], start[i]) and qd[i] > 0.0) or (q[i] <= min(P[i, LOWER], start[i]) and qd[i] < 0.0)


@inlined
def any_into_stop(P, q, qd, start):
    """Whether any joint moves into a stop."""
    found = False
    for i in range(q.size):
        found = found or _into_stop(P, i, q, qd, start)
    return found


@inlined
def any_turned(P, qd, direction):
    """Whether any joint with dry friction turned round within the step."""
    found = False
    for i in range(qd.size):
        found = found or (P[i, STICTION] > 0.0 and qd[i] * direction[i] < 0.0)
    return found


@inner
def strike_stops(P, q, qd, start, motor, wrench, direction, Z, M, rest, column):
    """Stops joints that passed a limit within the step: back on the limit, velocity reversed by the coefficient of restitution.

    Impulse p on joint i:  qd += M⁻¹ e_i p  with  p = −(1 + e) qd_i / (M⁻¹)_ii,  repeated while any joint moves into a stop.
    Z, M, rest, column are workspaces.
    """
    n = q.size
    factored = False
    for _ in range(2 * n):
        struck = False
        for i in range(n):
            if not _into_stop(P, i, q, qd, start):
                continue
            if not factored:
                equations(P, q, qd, motor, wrench, direction, Z, M, rest)
                if factor(M) >= 0:
                    return
                factored = True
            q[i] = min(max(q[i], min(P[i, LOWER], start[i])), max(P[i, UPPER], start[i]))
            column[:] = 0.0
            column[i] = 1.0
            solve(M, column)
            bounce = P[i, RESTITUTION] if abs(qd[i]) > _SOFT else 0.0
            impulse = -(1.0 + bounce) * qd[i] / column[i]
            for j in range(n):
                qd[j] += column[j] * impulse
            if bounce == 0.0:
                qd[i] = 0.0
            struck = True
        if not struck:
            return


@inner
def catch(P, q, qd, motor, wrench, direction, locked, Z, M, L, rest, before, a):
    """Holds joints whose sliding turned round within the step, if friction can hold them here; others keep their velocity."""
    for i in range(q.size):
        before[i] = qd[i]
        if P[i, STICTION] > 0.0 and qd[i] * direction[i] < 0.0:
            qd[i] = 0.0
    for i in range(q.size):
        direction[i] = 0.0
    equations(P, q, qd, motor, wrench, direction, Z, M, rest)
    if hold_or_slide(P, q, qd, M, rest, locked, direction, L, a) >= 0:
        return
    for i in range(q.size):
        if not locked[i]:
            qd[i] = before[i]
