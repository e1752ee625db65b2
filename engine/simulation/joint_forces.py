"""What joints add to the rigid-body equations: dry friction that can hold, and damped stops at the limits."""

from __future__ import annotations

from engine.dynamics.linear_solve import factor, solve
from engine.jit import inner
from engine.model.pack import COULOMB, LOWER, STICTION, UPPER, VISCOUS

_STOP_RATE = 300.0  # rad/s, natural frequency of a stop on the inertia that hits it, lower for long steps
_STOP_DEPTH = 0.01  # rad or m; the spring stays at this force when deeper, so a start out of limits is not a catapult


@inner
def lock(M, rest, locked):
    """Takes the locked joints out of M qdd = rest: their rows become qdd_i = 0."""
    n = rest.size
    for i in range(n):
        if locked[i]:
            for j in range(n):
                M[i, j] = M[j, i] = 0.0
            M[i, i], rest[i] = 1.0, 0.0


@inner
def dry_friction(P, i, direction):
    """Coulomb torque of joint i sliding in `direction` (sign)."""
    if direction > 0.0:
        return P[i, COULOMB]
    return -P[i, COULOMB + 1] if direction < 0.0 else 0.0


@inner
def stick_or_slide(P, qd, M, rest, locked, direction, L, a):
    """Decides which joints at rest hold; fills `locked` and, for every joint, its sliding `direction` (sign).

    A joint at rest holds while the torque that keeps it there is within its breakaway level. All of them are held first, then
    the one most over its level is let go, until none is over: at most n solves.  M qdd = rest is the motion without dry
    friction; L `(n, n)` and a `(n,)` are workspaces.  Returns -1 or the joint without inertia.
    """
    n = qd.size
    resting = False
    for i in range(n):
        direction[i] = 1.0 if qd[i] > 0.0 else -1.0 if qd[i] < 0.0 else 0.0
        locked[i] = qd[i] == 0.0 and P[i, STICTION] > 0.0
        resting = resting or locked[i]
    while resting:
        for i in range(n):
            a[i] = rest[i] - dry_friction(P, i, direction[i])
            for j in range(n):
                L[i, j] = M[i, j]
        lock(L, a, locked)
        bad = factor(L)
        if bad >= 0:
            return bad
        solve(L, a)
        worst, excess = -1, 1.0
        for i in range(n):
            if locked[i]:
                hold = rest[i]
                for j in range(n):
                    hold -= M[i, j] * a[j]
                if abs(hold) / P[i, STICTION] > excess:
                    worst, excess = i, abs(hold) / P[i, STICTION]
                    direction[i] = 1.0 if hold > 0.0 else -1.0
        for i in range(n):
            if locked[i] and i != worst:
                direction[i] = 0.0
        if worst < 0:
            return -1
        locked[worst] = False
    return -1


@inner
def set_stops(P, q, qd, dt, M, L, a, stops):
    """Stiffness and damping `(n, 2)` of the stops that this step can touch, zero for the others.

    k = m ω², d = 2 m ω (critical) with the inertia m = 1 / (M⁻¹)_ii that joint i feels when the others are free.
    """
    n = q.size
    factored = False
    rate = min(_STOP_RATE, 0.3 / dt)
    for i in range(n):
        stops[i, 0] = stops[i, 1] = 0.0
        ahead = q[i] + qd[i] * dt
        if min(q[i], ahead) >= P[i, LOWER] and max(q[i], ahead) <= P[i, UPPER]:
            continue
        if not factored:
            L[:, :] = M
            if factor(L) >= 0:
                return
            factored = True
        a[:] = 0.0
        a[i] = 1.0
        solve(L, a)
        stops[i, 0], stops[i, 1] = rate * rate / a[i], 2.0 * rate / a[i]


@inner
def joint_torque(P, i, q, qd, direction, stops):
    """Torque that friction and stop of joint i add to the motor's: −B qd − F_c ± (k δ + d δ_dot), the stop only pushing back."""
    torque = -P[i, VISCOUS] * qd - dry_friction(P, i, direction)
    if stops[i, 0] > 0.0:
        if q < P[i, LOWER]:
            torque += max(0.0, stops[i, 0] * min(P[i, LOWER] - q, _STOP_DEPTH) - stops[i, 1] * qd)
        elif q > P[i, UPPER]:
            torque -= max(0.0, stops[i, 0] * min(q - P[i, UPPER], _STOP_DEPTH) + stops[i, 1] * qd)
    return torque
