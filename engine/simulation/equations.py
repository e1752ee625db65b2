"""The equations of motion inside a step: rigid bodies, friction that slides, joints that hold, external wrench."""

from __future__ import annotations

import numpy as np

from engine.dynamics.forward import equations_of_motion
from engine.dynamics.linear_solve import factor, solve
from engine.dynamics.mass_matrix import COMPOSITE
from engine.dynamics.newton_euler import WORK
from engine.dynamics.wrench import to_body_axes
from engine.jit import inner
from engine.model.placement import place, to_world
from engine.simulation.holding import friction, lock

MASS_MATRIX = 4  # where `workspace` keeps M(q)


@inner
def workspace(n, loaded):
    """Everything `equations` writes to: placements, world poses, RNEA, composite bodies, M, wrenches in body axes, torque."""
    return (
        np.empty((n, 12)),
        np.empty((n, 12)),
        np.empty((n, WORK)),
        np.empty((n, COMPOSITE)),
        np.empty((n, n)),
        np.empty((n if loaded else 0, 6)),
        np.empty(n),
    )


@inner
def equations(P, q, qd, motor, wrench, direction, work, rest):
    """M(q) in `work`, and `rest` with M qdd = rest, under motor, friction sliding in `direction` and external wrench."""
    X, W, B, C, M, f, torque = work
    n = q.size
    place(P, q, X)
    if wrench.size:
        to_world(P, X, W)
        f[:, :] = 0.0
        for i in range(n):
            to_body_axes(W, i, wrench[i], f[i])
    for i in range(n):
        torque[i] = motor[i] - friction(P, i, qd[i], direction[i])
    equations_of_motion(P, X, qd, torque, f, M, rest, B, C)


@inner
def solve_free(M, rest, locked):
    """rest ← qdd of M qdd = rest with the locked joints at rest; -1 or the joint without inertia. M is overwritten."""
    lock(M, rest, locked)
    bad = factor(M)
    if bad < 0:
        solve(M, rest)
    return bad


@inner
def acceleration(P, q, qd, motor, wrench, modes, work, qdd):
    """qdd at one state of a step, holds and sliding directions as in `modes`; -1 or the joint without inertia."""
    direction, locked = modes
    equations(P, q, qd, motor, wrench, direction, work, qdd)
    return solve_free(work[MASS_MATRIX], qdd, locked)
