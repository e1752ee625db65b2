"""Equations of motion and energy ledger inside a step: rigid bodies, sliding friction, held joints, external wrench."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from armature.engine.dynamics.coupled import folded_equations
from armature.engine.dynamics.equations import equations_of_motion
from armature.engine.dynamics.pulling_spring import COMPOSITE, WORK, power_of
from armature.engine.jit import routine
from armature.engine.model.packed_model import PARENT
from armature.engine.simulation.stepping.joint_holding import friction

MOTOR, FRICTION, HAND, STOP = range(4)
"""Columns of the ledger."""


class Scene(NamedTuple):
    """The arm P inside a step, a result of `step_model`, with its loads.

    `motor` `(n,)` and `wrench` as for `advance`; `direction` `(n,)`, the sign with which every joint slides, and `locked`
    `(n,)`, which joints hold. Z `(n_bodies, WORK)` and M `(n, n)` as for `equations`; L `(n, n)` is a workspace.
    """

    P: np.ndarray
    motor: np.ndarray
    wrench: np.ndarray
    direction: np.ndarray
    locked: np.ndarray
    Z: np.ndarray
    M: np.ndarray
    L: np.ndarray


@routine
def scene_of(P, motor, wrench, direction, locked):
    """Return a scene with new workspaces."""
    n = motor.size
    return Scene(P, motor, wrench, direction, locked, np.empty((P.shape[0] - 1, WORK)), np.empty((n, n)), np.empty((n, n)))


@routine
def equations(P, q, qd, motor, wrench, direction, Z, M, rest):
    """M(q) and `rest` with M qdd = rest, under `motor`, friction sliding in `direction` and external wrench; Z is a workspace.

    Arrays one by one, for routines that take a scene apart once: numba counts a reference for each that is read out of a tuple.
    """
    for i in range(q.size):
        rest[i] = motor[i] - friction(P, i, qd[i], direction[i])
    if P.shape[0] == q.size + 1:
        equations_of_motion(P, q, qd, rest, wrench, Z, M, rest)
    else:
        folded_equations(P, q, qd, wrench, Z, M, rest)


@routine
def scene_equations(scene, q, qd, rest):
    """`equations` of a scene, its M and Z among them."""
    equations(scene.P, q, qd, scene.motor, scene.wrench, scene.direction, scene.Z, scene.M, rest)


@routine
def spend(scene, qd, h, work):
    """work += h · power of motor, friction and hand at one stage of weight h s; Z holds the state of that stage."""
    n, P, motor, direction = qd.size, scene.P, scene.motor, scene.direction
    for i in range(n):
        work[MOTOR] += h * motor[i] * qd[i]
        work[FRICTION] -= h * friction(P, i, qd[i], direction[i]) * qd[i]
    if scene.wrench.size:
        work[HAND] += h * power_of(scene.wrench[0], P.shape[0] - 1 - (0 if P.shape[0] == n + 1 else n), scene.Z)


@routine
def energy(scene, q, qd, rest):
    """E = ½ qdᵀ M qd − Σ gravity · first moment, J; rest `(n,)` is a workspace."""
    n, P, Z, M = q.size, scene.P, scene.Z, scene.M
    scene_equations(scene, q, qd, rest)
    first = 0 if P.shape[0] == n + 1 else n
    last = P.shape[0] - 1
    total = 0.0
    for i in range(n):
        for j in range(n):
            total += 0.5 * qd[i] * M[i, j] * qd[j]
    for b in range(last - first):
        if P[first + b, PARENT] < 0.0:  # of a root, all that hangs on it
            for c in range(3):
                total -= P[last, c] * Z[b, COMPOSITE + 1 + c]
    return total
