"""Dry friction and joint limits as constraints: which joints hold still, and which way the others slide."""

from __future__ import annotations

import numpy as np

from armature.engine.jit import routine
from armature.engine.linear_algebra import factor, solve
from armature.engine.model.packed_model import COULOMB, LOWER, STICTION, UPPER, VISCOUS


@routine
def dry_friction(P, i, direction):
    """Coulomb torque of joint i sliding in `direction` (sign)."""
    if direction > 0.0:
        return P[i, COULOMB]
    return -P[i, COULOMB + 1] if direction < 0.0 else 0.0


@routine
def friction(P, i, qd, direction):
    """B qd + F_c sign, for joint i sliding in `direction` (sign)."""
    return P[i, VISCOUS] * qd + dry_friction(P, i, direction)


@routine
def lock(M, rest, locked):
    """Remove the locked joints from M qdd = rest: their rows become qdd_i = 0."""
    n = rest.size
    for i in range(n):
        if locked[i]:
            for j in range(n):
                M[i, j] = M[j, i] = 0.0
            M[i, i], rest[i] = 1.0, 0.0


@routine
def solve_free(M, rest, locked):
    """rest ← qdd of M qdd = rest with the locked joints at rest; -1 or the joint without inertia. M is overwritten."""
    lock(M, rest, locked)
    bad = factor(M)
    if bad < 0:
        solve(M, rest)
    return bad


@routine
def solve_held(M, rest, locked, L):
    """Solve as `solve_free` in the workspace L; M is unchanged."""
    n = rest.size
    for i in range(n):
        for j in range(n):
            L[i, j] = M[i, j]
    return solve_free(L, rest, locked)


@routine
def load_on(M, a, i, torque):
    """Return the load on joint i, which is not accelerated with a: `torque` − (M a)_i."""
    for j in range(a.size):
        torque -= M[i, j] * a[j]
    return torque


@routine
def can_hold(P, i, q):
    """Whether joint i, if it is at rest, could be held there: by friction or by a stop."""
    return P[i, STICTION] > 0.0 or q[i] >= P[i, UPPER] or q[i] <= P[i, LOWER]


@routine
def reserve(P, i, q, torque):
    """Torque that the hold of joint i could bear beyond `torque`, which pushes on it; negative where it gives way."""
    up = np.inf if q[i] >= P[i, UPPER] else P[i, STICTION]
    down = np.inf if q[i] <= P[i, LOWER] else P[i, STICTION]
    return min(up - torque, down + torque)


@routine
def loads(M, rest, locked, L, a, load):
    """Torques that push on the locked joints, where M qdd = rest moves the others; L and a are workspaces.

    Returns -1 or the joint without inertia.
    """
    n = rest.size
    for i in range(n):
        a[i] = rest[i]
    bad = solve_held(M, a, locked, L)
    if bad >= 0:
        return bad
    for i in range(n):
        if locked[i]:
            load[i] = load_on(M, a, i, rest[i])
    return -1


@routine
def _overload(P, i, q, torque):
    """How many times over its capacity the hold of joint i is when `torque` pushes on it.

    Friction holds up to its breakaway level; a stop holds any torque that pushes into it. A joint that starts beyond its limit
    finds the stop where it is.
    """
    if (torque > 0.0 and q[i] >= P[i, UPPER]) or (torque < 0.0 and q[i] <= P[i, LOWER]):
        return 0.0
    return abs(torque) / P[i, STICTION] if P[i, STICTION] > 0.0 else np.inf if torque != 0.0 else 0.0


@routine
def hold_or_slide(scene, q, qd, rest, a):
    """Fill `locked`, the joints that remain at rest, and `direction`, the sign with which every other joint slides.

    M qdd = rest is the motion without dry friction; a `(n,)` is a workspace. Returns -1 or the joint without inertia.
    """
    P, direction, locked, resting = scene.P, scene.direction, scene.locked, False
    for i in range(qd.size):
        direction[i] = 1.0 if qd[i] > 0.0 else -1.0 if qd[i] < 0.0 else 0.0
        locked[i] = qd[i] == 0.0 and can_hold(P, i, q)
        resting = resting or locked[i]
    return release(scene, q, rest, a) if resting else -1


@routine
def release(scene, q, rest, a):
    """Release the `locked` joint that exceeds its capacity most, and repeat: at most n solves."""
    n, P, M, locked, direction = q.size, scene.P, scene.M, scene.locked, scene.direction
    while True:
        for i in range(n):
            a[i] = rest[i] - dry_friction(P, i, direction[i])
        bad = solve_held(M, a, locked, scene.L)
        if bad >= 0:
            return bad
        worst, most, push = -1, 1.0, 0.0
        for i in range(n):
            if locked[i]:
                torque = load_on(M, a, i, rest[i])
                over = _overload(P, i, q, torque)
                if over > most:
                    worst, most, push = i, over, torque
        if worst < 0:
            return -1
        locked[worst], direction[worst] = False, 1.0 if push > 0.0 else -1.0
