"""Kinetic and potential energy."""

from __future__ import annotations

import numpy as np

from armature.engine import batching
from armature.engine.dynamics.vector import (
    cross,
    dot,
    load3,
    load_matrix,
    load_symmetric,
    plus,
    rotate,
    rotate_transposed,
    sym_mul,
    times,
)
from armature.engine.jit import INT, MAT, MODEL, OUT2, kernel
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


@kernel(MODEL, MAT, MAT, OUT2, INT, INT)
def _many(P, q, qd, out, lo, hi):
    """Kinetic and potential energy of states lo…hi, into `out` `(N, 2)`."""
    n = P.shape[0] - 1
    X, W, V = np.empty((n, 12)), np.empty((n, 12)), np.empty((n, 6))
    for k in range(lo, hi):
        place_in_world(P, q[k], X, W)
        body_velocities(P, W, qd[k], V)
        kinetic = potential = 0.0
        for i in range(n):
            R, m, v, w = load_matrix(W, i, 0), P[i, MASS], load3(V, i, 0), load3(V, i, 3)
            h, u = rotate(R, load3(P, i, MOMENT)), rotate_transposed(R, w)
            rotation = dot(u, sym_mul(load_symmetric(P, i, INERTIA), u)) + P[i, ROTOR] * qd[k, i] ** 2
            kinetic += 0.5 * (m * dot(v, v) + rotation) + dot(v, cross(w, h))
            potential -= dot(load3(P, n, 0), plus(times(m, load3(W, i, 9)), h))
        out[k, 0], out[k, 1] = kinetic, potential
