"""Poses and Jacobians in NumPy, where nothing may wait for a compiled kernel."""

from __future__ import annotations

import numpy as np

from armature.engine.model.body import Frame
from armature.engine.model.robot import Robot


def random_poses(robot: Robot, count: int) -> np.ndarray:
    """Poses `(count, n)` within the limits, ±π rad or ±1 m for unlimited joints; always the same."""
    span = np.where(robot.prismatic, 1.0, np.pi)
    low = np.where(np.isfinite(robot.q_min), robot.q_min, -span)
    high = np.where(np.isfinite(robot.q_max), robot.q_max, span)
    return np.random.default_rng(0).uniform(np.minimum(low, high), np.maximum(low, high), (count, robot.n))


def placed_bodies(robot: Robot, q: np.ndarray) -> np.ndarray:
    """X_WB `(bodies, N, 4, 4)` of all bodies at the poses q `(N, n)`."""
    tree, free = robot.tree, q if robot.coupling is None else robot.coupling.position(q)
    X = np.empty((len(robot.bodies), len(q), 4, 4))
    for i, body in enumerate(robot.bodies):
        X[i] = (X[body.parent] if body.parent >= 0 else np.eye(4)) @ body.X_PJ @ _moved(tree, i, free[:, i])
    return X


def placed_frames(robot: Robot, q: np.ndarray, bodies: np.ndarray, X_BF: np.ndarray) -> np.ndarray:
    """X_WF `(N, k, 4, 4)` of the frames X_BF `(k, 4, 4)` on `bodies` `(k,)`, −1 for the world, at the poses q `(N, n)`."""
    world = np.tile(np.eye(4), (1, len(q), 1, 1))
    return np.concatenate([placed_bodies(robot, q), world])[bodies].swapaxes(0, 1) @ X_BF


def placed_jacobian(robot: Robot, q: np.ndarray, body: int, X_BF: np.ndarray) -> np.ndarray:
    """Geometric Jacobian `(N, 6, n)` of the frame X_BF on a body at q `(N, n)`: linear rows first, world axes, at its origin.

    J_i = (z_i × (p_F − p_i), z_i) for a revolute joint, (z_i, 0) for a prismatic one.
    """
    J = np.zeros((len(q), 6, len(robot.bodies)))
    if body >= 0:
        X, tree = placed_bodies(robot, q), robot.tree
        p = (X[body] @ X_BF)[:, :3, 3]
        for i in tree.chain(Frame(body, X_BF)):
            z, origin = X[i, :, :3, 2], X[i, :, :3, 3]
            if tree.prismatic[i]:
                J[:, :3, i] = z
            else:
                J[:, :3, i], J[:, 3:, i] = np.cross(z, p - origin), z
    return J if robot.coupling is None else robot.coupling.columns(J)


def _moved(tree: Robot, i: int, q: np.ndarray) -> np.ndarray:
    X = np.tile(np.eye(4), (len(q), 1, 1))
    if tree.prismatic[i]:
        X[:, 2, 3] = q
    else:
        c, s = np.cos(q), np.sin(q)
        X[:, 0, 0], X[:, 0, 1], X[:, 1, 0], X[:, 1, 1] = c, -s, s, c
    return X
