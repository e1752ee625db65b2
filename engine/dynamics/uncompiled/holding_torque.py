"""g(q) in NumPy, by moments of the weights."""

from __future__ import annotations

import numpy as np

from armature.engine.model.body import PRISMATIC
from armature.engine.model.placed_bodies import placed_bodies
from armature.engine.model.robot import Robot


def holding_torque(robot: Robot, q: np.ndarray) -> np.ndarray:
    """g(q) `(N, n)` in N·m or N, by moments of the weights about the joints; in numpy, so that nothing is compiled for it.

    g_i = −z_i · Σ (p_c − p_i) × m g over all bodies that joint i carries; for a slide −z_i · Σ m g.
    """
    N, count = len(q), len(robot.bodies)
    X = placed_bodies(robot, q)
    mass, moment = np.zeros((count, N)), np.zeros((count, N, 3))
    g = np.zeros((N, count))
    for i in range(count - 1, -1, -1):
        body = robot.bodies[i]
        mass[i] += body.mass
        moment[i] += body.mass * (X[i, :, :3, :3] @ body.com + X[i, :, :3, 3])
        z, p = X[i, :, :3, 2], X[i, :, :3, 3]
        load = mass[i][:, None] * robot.gravity
        torque = np.cross(moment[i] - mass[i][:, None] * p, robot.gravity)
        g[:, i] = -np.einsum("ij,ij->i", z, load if body.joint_type == PRISMATIC else torque)
        if body.parent >= 0:
            mass[body.parent] += mass[i]
            moment[body.parent] += moment[i]
    return g if robot.coupling is None else robot.coupling.force(g)
