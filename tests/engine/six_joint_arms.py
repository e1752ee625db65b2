"""Random arms of six joints that have a closed form, with nothing else special about them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy.spatial.transform import Rotation

from armature.engine.model.body import REVOLUTE, Frame
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


def general_arm(seed: int, types: tuple[str, ...] = (REVOLUTE,) * 6) -> Robot:
    """Joints at random places, nothing special about them: six that turn have 16 solutions, complex ones counted."""
    rng = np.random.default_rng(seed)
    return with_placements(random_tree(seed, len(types), branching=False), types, [random_pose(rng) for _ in types])


_BEND, _WRIST = np.radians(60), 0.0743  # between the last three axes of Kinova's curved wrist, and half the way between them
_PART = np.sin(_BEND / 2) / np.sin(_BEND) * _WRIST

DH = {
    "manseur_doty": (np.radians([90, 1, 90, 1, 90, 0]), [0.3, 1, 0, 1.5, 0, 0], [0, 0, 0.2, 0, 0, 0]),
    "jaco": (
        [np.pi / 2, np.pi, np.pi / 2, _BEND, _BEND, np.pi],
        [0, 0.41, 0, 0, 0, 0],
        [0.2755, 0, -0.0098, -0.2073 - _PART, -2 * _PART, -_PART - 0.1687],
    ),
}
"""alpha, a and d of standard DH tables without offsets.

manseur_doty, with poses of 16 real solutions: Manseur, Doty 1989, A robot manipulator with 16 real inverse kinematic solution
sets, IJRR 8(5). jaco, whose last three axes meet nowhere: Kinova, DH parameters of the JACO² 6 DOF.
"""


def dh_arm(name: str) -> Robot:
    """Six turning joints by the rows of a table of `DH`, the last of which leads to the tool."""
    alpha, a, d = DH[name]
    rows = [np.eye(4)]
    for i in range(6):
        c, s = np.cos(alpha[i]), np.sin(alpha[i])
        rows.append(np.array([[1, 0, 0, a[i]], [0, c, -s, 0], [0, s, c, d[i]], [0, 0, 0, 1]]))
    robot = with_placements(random_tree(0, 6, branching=False), (REVOLUTE,) * 6, rows[:6])
    return replace(robot, name=name, frames=dict(robot.frames) | {"tool": Frame(5, rows[6])})


def meeting_arm(seed: int, first: int) -> Robot:
    """Six turning joints of which the axes `first` (0-based) and the two after it meet in one point."""
    rng = np.random.default_rng(seed)
    X = [random_pose(rng) for _ in range(6)]
    b, c, d = rng.uniform(-0.3, 0.3, 3)
    X[first + 1][:3, 3] = 0, 0, b
    X[first + 1], X[first + 2][:3, 3] = X[first + 1] @ shifted(c), (0, 0, -c)
    X[first + 2] = X[first + 2] @ shifted(d)
    return with_placements(random_tree(seed, 6, branching=False), (REVOLUTE,) * 6, X)


def three_parallel_arm(seed: int, first: int) -> Robot:
    """Six turning joints of which the axes `first` (0-based) and the two after it are parallel or opposite; no others cross."""
    rng = np.random.default_rng(seed)
    X = [random_pose(rng) for _ in range(6)]
    for i in (first + 1, first + 2):
        X[i][:3, :3] = Rotation.from_euler("xz", [rng.choice([0, np.pi]), rng.uniform(-3, 3)]).as_matrix()
    return with_placements(random_tree(seed, 6, branching=False), (REVOLUTE,) * 6, X)


def offset_wrist_arm(seed: int) -> Robot:
    """Axis 5 stands square to axes 4 and 6 and as far from one as from the other: at q5 = 0 these two are one line."""
    robot = general_arm(seed)
    X = [np.array(body.X_PJ) for body in robot.bodies]
    X[4], X[5] = np.eye(4), np.eye(4)
    X[4][:3, :3] = Rotation.from_euler("x", np.pi / 2).as_matrix()
    X[5][:3, :3] = X[4][:3, :3].T
    X[4][:3, 3], X[5][:3, 3] = (0.1, 0, 0.05), (-0.1, 0.2, 0)
    return with_placements(robot, (REVOLUTE,) * 6, X)
