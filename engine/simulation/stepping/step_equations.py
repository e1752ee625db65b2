"""The equations of motion inside a step: rigid bodies, friction that slides, joints that hold, external wrench."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from armature.engine.dynamics.coupled import folded_equations
from armature.engine.dynamics.equations import equations_of_motion
from armature.engine.dynamics.pulling_spring import WORK
from armature.engine.jit import inlined, inner
from armature.engine.simulation.stepping.joint_holding import friction


class Scene(NamedTuple):
    """The arm P inside a step, as `step_model` makes it, and what acts on it.

    `motor` `(n,)` and `wrench` as `advance` takes them; `direction` `(n,)`, the sign with which every joint slides, and `locked`
    `(n,)`, which joints hold. Z `(n_bodies, WORK)` and M `(n, n)` are those of `equations`; L `(n, n)` is a workspace.
    """

    P: np.ndarray
    motor: np.ndarray
    wrench: np.ndarray
    direction: np.ndarray
    locked: np.ndarray
    Z: np.ndarray
    M: np.ndarray
    L: np.ndarray


@inner
def scene_of(P, motor, wrench, direction, locked):
    """A scene with workspaces of its own."""
    n = motor.size
    return Scene(P, motor, wrench, direction, locked, np.empty((P.shape[0] - 1, WORK)), np.empty((n, n)), np.empty((n, n)))


@inlined
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


@inlined
def scene_equations(scene, q, qd, rest):
    """`equations` of a scene, its M and Z among them."""
    equations(scene.P, q, qd, scene.motor, scene.wrench, scene.direction, scene.Z, scene.M, rest)
