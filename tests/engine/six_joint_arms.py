"""Random arms of six joints that have a closed form, with nothing else special about them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy.spatial.transform import Rotation

from armature.engine.model.body import REVOLUTE
from armature.engine.model.robot import Robot
from tests.engine.trees import random_pose, random_tree


def shifted(z: float) -> np.ndarray:
    X = np.eye(4)
    X[2, 3] = z
    return X


def with_placements(robot: Robot, types: tuple[str, ...], X: list[np.ndarray]) -> Robot:
    bodies = tuple(replace(body, joint_type=kind, X_PJ=x) for body, kind, x in zip(robot.bodies, types, X))
    return replace(robot, bodies=bodies)


def spherical_arm(seed: int, types: tuple[str, str, str]) -> Robot:
    """Any three joints, then three axes through one point at any angles, their frames anywhere along them."""
    rng = np.random.default_rng(seed)
    X = [random_pose(rng) for _ in range(6)]
    b, c, d = rng.uniform(-0.3, 0.3, 3)
    X[4][:3, 3] = 0, 0, b
    X[4], X[5][:3, 3] = X[4] @ shifted(c), (0, 0, -c)
    X[5] = X[5] @ shifted(d)
    return with_placements(random_tree(seed, 6, branching=False), (*types, *[REVOLUTE] * 3), X)


def parallel_arm(seed: int) -> Robot:
    """Axes 2, 3, 4 parallel or opposite, at any angle to axis 1; axes 5 and 6 cross at any angle; frames anywhere along them."""
    rng = np.random.default_rng(seed)
    X = [random_pose(rng) for _ in range(6)]
    for i in (2, 3):
        turned = Rotation.from_euler("xz", [rng.choice([0, np.pi]), rng.uniform(-3, 3)])
        X[i][:3, :3] = turned.as_matrix()
    X[5][:3, 3] = 0, 0, rng.uniform(-0.3, 0.3)
    X[5] = X[5] @ shifted(rng.uniform(-0.3, 0.3))
    return with_placements(random_tree(seed, 6, branching=False), (REVOLUTE,) * 6, X)
