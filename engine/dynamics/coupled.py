"""Model array of an arm for the step kernels, and for arms with mimic joints the equations of their tree in the free joints."""

from __future__ import annotations

import numpy as np

from armature.engine.dynamics.equations import equations_of_motion
from armature.engine.jit import routine
from armature.engine.model.coupling import Coupling
from armature.engine.model.packed_model import COULOMB, LOWER, RESTITUTION, STICTION, UPPER, VISCOUS, WIDTH
from armature.engine.model.robot import Robot

# Columns after those of `armature.engine.model.packed_model`, in the rows of bodies.
DRIVER, MULTIPLIER, _OFFSET = WIDTH, WIDTH + 1, WIDTH + 2


def step_model(robot: Robot) -> np.ndarray:
    """Model array of a robot for the step kernels: `Robot.packed`, or more rows for an arm with mimic joints.

    Then rows 0…n-1 hold friction and limits of the n independent joints, and below them stand the packed rows of the tree
    `(n_bodies + 1, …)`, each with driver, multiplier and offset of its joint.
    """
    if robot.coupling is None:
        return robot.packed
    n, tree = robot.n, robot.tree.packed
    P = np.zeros((n + len(tree), WIDTH + 3))
    P[n:, :WIDTH] = tree
    P[n:-1, DRIVER] = robot.coupling.driver
    P[n:-1, MULTIPLIER] = robot.coupling.multiplier
    P[n:-1, _OFFSET] = robot.coupling.offset
    _fold_friction(robot.coupling, tree[:-1], P[:n])
    P[:n, LOWER], P[:n, UPPER] = robot.q_min, robot.q_max
    P[:n, RESTITUTION] = tree[robot.coupling.own, RESTITUTION]
    P.setflags(write=False)
    return P


def _fold_friction(coupling: Coupling, bodies: np.ndarray, joints: np.ndarray) -> None:
    """Friction of each independent joint and its copies, Gᵀ F(G qd); a copy slides along with its leader or against it."""
    along, against = np.maximum(coupling.G, 0.0).T, np.maximum(-coupling.G, 0.0).T
    forward, backward = bodies[:, COULOMB], bodies[:, COULOMB + 1]
    joints[:, VISCOUS] = coupling.G.T**2 @ bodies[:, VISCOUS]
    joints[:, COULOMB] = along @ forward + against @ backward
    joints[:, COULOMB + 1] = along @ backward + against @ forward
    joints[:, STICTION] = (along + against) @ bodies[:, STICTION]


@routine
def folded_equations(P, q, qd, wrench, Z, M, rest):
    """M = Gᵀ M_b G and rest += Gᵀ rest_b of the tree at q_b = G q + offset, qd_b = G qd; Z `(≥ n_bodies, WORK)` is a workspace.

    G is constant and has one entry per row, so only M_b and bias_b move with the state: see `armature.engine.model.coupling`.
    """
    n = q.size
    B = P[n:]
    bodies = B.shape[0] - 1
    x, v, force, inertia = np.empty(bodies), np.empty(bodies), np.zeros(bodies), np.empty((bodies, bodies))
    for b in range(bodies):
        driver, multiplier = int(B[b, DRIVER]), B[b, MULTIPLIER]
        x[b], v[b] = multiplier * q[driver] + B[b, _OFFSET], multiplier * qd[driver]
    equations_of_motion(B, x, v, force, wrench, Z, inertia, force)
    for i in range(n):
        for j in range(n):
            M[i, j] = 0.0
    for a in range(bodies):
        i = int(B[a, DRIVER])
        rest[i] += B[a, MULTIPLIER] * force[a]
        for b in range(bodies):
            M[i, int(B[b, DRIVER])] += B[a, MULTIPLIER] * B[b, MULTIPLIER] * inertia[a, b]
