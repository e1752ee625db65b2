"""The equations of motion inside a step: rigid bodies, friction that slides, joints that hold, external wrench.

Kernels of a step hand arrays on one by one: numba counts references to every array of a tuple at every call, which would cost as
much as the mechanics.
"""

from __future__ import annotations

from engine.dynamics.coupled import folded_equations
from engine.dynamics.equations import equations_of_motion
from engine.jit import inlined
from engine.simulation.stepping.joint_holding import friction, solve_free


@inlined
def equations(P, q, qd, motor, wrench, direction, Z, M, rest):
    """M(q) and `rest` with M qdd = rest, under motor, friction sliding in `direction` and external wrench; Z is a workspace."""
    for i in range(q.size):
        rest[i] = motor[i] - friction(P, i, qd[i], direction[i])
    if P.shape[0] == q.size + 1:
        equations_of_motion(P, q, qd, rest, wrench, Z, M, rest)
    else:
        folded_equations(P, q, qd, wrench, Z, M, rest)


@inlined
def acceleration(P, q, qd, motor, wrench, direction, locked, Z, M, qdd):
    """qdd at one state of a step, holds and sliding directions given; -1 or the joint without inertia."""
    equations(P, q, qd, motor, wrench, direction, Z, M, qdd)
    return solve_free(M, qdd, locked)
