"""Poses of all bodies in NumPy, for what must not wait for a compiled kernel."""

from __future__ import annotations

import numpy as np

from armature.engine.model.robot import Robot


def random_poses(robot: Robot, count: int) -> np.ndarray:
    """Poses `(count, n)` within the limits, ±π rad or ±1 m where there are none; the same every time."""
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


def _moved(tree: Robot, i: int, q: np.ndarray) -> np.ndarray:
    X = np.tile(np.eye(4), (len(q), 1, 1))
    if tree.prismatic[i]:
        X[:, 2, 3] = q
    else:
        c, s = np.cos(q), np.sin(q)
        X[:, 0, 0], X[:, 0, 1], X[:, 1, 0], X[:, 1, 1] = c, -s, s, c
    return X
