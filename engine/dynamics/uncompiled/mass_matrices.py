"""M(q) in NumPy, by its definition."""

from __future__ import annotations

import numpy as np

from armature.engine.model.body import PRISMATIC
from armature.engine.model.placed_bodies import placed_bodies
from armature.engine.model.robot import Robot


def mass_matrices(robot: Robot, q: np.ndarray) -> np.ndarray:
    """M(q) `(N, n, n)` by its definition Σ m Jvᵀ Jv + Jwᵀ I Jw over the bodies, with the rotors on its diagonal."""
    count = len(robot.bodies)
    X = placed_bodies(robot, q)
    z, p = X[:, :, :3, 2], X[:, :, :3, 3]
    slides = np.array([body.joint_type == PRISMATIC for body in robot.bodies])
    M = np.zeros((len(q), count, count))
    for i, body in enumerate(robot.bodies):
        M[:, i, i] += body.rotor_inertia
        if not body.mass and not body.inertia.any():
            continue
        chain = [i]
        while robot.bodies[chain[-1]].parent >= 0:
            chain.append(robot.bodies[chain[-1]].parent)
        R, c = X[i, :, :3, :3], X[i, :, :3, :3] @ body.com + p[i]
        turns = ~slides[chain, None, None]
        Jw = np.where(turns, z[chain], 0.0)
        Jv = np.where(turns, np.cross(z[chain], c - p[chain]), z[chain])
        I_W = R @ body.inertia @ np.swapaxes(R, 1, 2)
        block = body.mass * np.einsum("aki,bki->kab", Jv, Jv) + np.einsum("aki,kij,bkj->kab", Jw, I_W, Jw)
        M[:, np.array(chain)[:, None], chain] += block
    return M if robot.coupling is None else robot.coupling.matrix(M)
