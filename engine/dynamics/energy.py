"""Kinetic and potential energy."""

from __future__ import annotations

import numpy as np

from armature.engine import batching
from armature.engine.jit import INT, MAT, MODEL, OUT2, inner, kernel
from armature.engine.model.body_placement import body_velocities, place_in_world
from armature.engine.model.packed_model import INERTIA, MASS, MOMENT, ROTOR
from armature.engine.model.robot import Robot


def kinetic_energy(robot: Robot, q, qd) -> np.ndarray | float:
    """Return the kinetic energy of all bodies and rotors in J.

    E_kin = Σ ½ m v·v + v·(w × h) + ½ w·I w + ½ rotor qd²

    For each body: mass m, first moment of mass h, inertia I, linear velocity v and angular velocity w at the origin of its
    frame; rotor is the rotor inertia of its joint on the joint side.

    Args:
        q, qd: joint positions and velocities `(n,)` or `(N, n)`; rad and rad/s (prismatic: m and m/s).

    Returns:
        J; a number or `(N,)`.

    Raises:
        DimensionError, MissingDynamicsError.

    Source: Siciliano et al., Robotics: Modelling, Planning and Control, section 7.1.1.
    """
    batching.require_dynamics(robot)
    if robot.coupling is not None:
        return kinetic_energy(robot.tree, *batching.on_tree(robot, q=q, qd=qd))
    (q, qd), single = batching.states(robot, q=q, qd=qd)
    E = _energies(robot, q, qd)[:, 0]
    return float(E[0]) if single else E


def potential_energy(robot: Robot, q) -> np.ndarray | float:
    """Return the potential energy in gravity in J, zero for masses at the origin of the world.

    E_pot = −Σ gravity·(m p + R h)

    For each body: mass m, origin p and rotation R of its frame in the world, first moment of mass h in its axes; gravity is
    `robot.gravity` in m/s².

    Args:
        q: joint positions `(n,)` or `(N, n)`, rad or m.

    Returns:
        J; a number or `(N,)`.

    Raises:
        DimensionError, MissingDynamicsError.

    Source: Siciliano et al., Robotics: Modelling, Planning and Control, section 7.1.2.
    """
    batching.require_dynamics(robot)
    if robot.coupling is not None:
        return potential_energy(robot.tree, *batching.on_tree(robot, q=q))
    (q,), single = batching.states(robot, q=q)
    E = _energies(robot, q, np.zeros_like(q))[:, 1]
    return float(E[0]) if single else E


def _energies(robot: Robot, q: np.ndarray, qd: np.ndarray) -> np.ndarray:
    out = np.empty((len(q), 2))
    batching.run(lambda lo, hi: _many.call(robot.packed, q, qd, out, lo, hi), len(q))
    return out


@inner
def energies(P, q, qd, X, W, V, out):
    """out = (kinetic, potential); X, W `(n, 12)`, V `(n, 6)` workspaces. V holds (v, w) of body origins in world axes."""
    n = P.shape[0] - 1
    place_in_world(P, q, X, W)
    body_velocities(P, W, qd, V)
    out[:] = 0.0
    for i in range(n):
        R = W[i, :9].copy().reshape(3, 3)
        h, w, v = R @ P[i, MOMENT : MOMENT + 3], V[i, 3:], V[i, :3]
        u = R.T @ w
        I_u = P[i, INERTIA] * u[0] ** 2 + P[i, INERTIA + 3] * u[1] ** 2 + P[i, INERTIA + 5] * u[2] ** 2
        I_u += 2 * (P[i, INERTIA + 1] * u[0] * u[1] + P[i, INERTIA + 2] * u[0] * u[2] + P[i, INERTIA + 4] * u[1] * u[2])
        out[0] += 0.5 * P[i, MASS] * (v @ v) + v @ np.cross(w, h) + 0.5 * I_u + 0.5 * P[i, ROTOR] * qd[i] ** 2
        out[1] -= P[n, :3] @ (P[i, MASS] * W[i, 9:12] + h)


@kernel(MODEL, MAT, MAT, OUT2, INT, INT)
def _many(P, q, qd, out, lo, hi):
    n = P.shape[0] - 1
    X, W, V = np.empty((n, 12)), np.empty((n, 12)), np.empty((n, 6))
    for k in range(lo, hi):
        energies(P, q[k], qd[k], X, W, V, out[k])
