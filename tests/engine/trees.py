"""Random kinematic trees for identity tests."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy.spatial.transform import Rotation

from armature.engine.model.body import PRISMATIC, REVOLUTE, Body, Frame
from armature.engine.model.robot import Robot


def random_pose(rng: np.random.Generator) -> np.ndarray:
    """A random 4×4 pose within half a metre."""
    X = np.eye(4)
    X[:3, :3] = Rotation.random(rng=rng).as_matrix()
    X[:3, 3] = rng.uniform(-0.5, 0.5, 3)
    return X


def random_inertia(rng: np.random.Generator) -> np.ndarray:
    """The inertia of a random cloud of points, so a body can have it."""
    points = rng.normal(size=(10, 3)) * 0.1
    return sum((p @ p) * np.eye(3) - np.outer(p, p) for p in points) * 0.2


def random_tree(seed: int, n: int, branching: bool = True) -> Robot:
    """A frictionless robot of n random joints; each body hangs on any earlier one, or on the last for a chain."""
    rng = np.random.default_rng(seed)
    bodies = tuple(
        Body(
            parent=int(rng.integers(-1, i)) if branching else i - 1,
            joint_type=str(rng.choice([REVOLUTE, REVOLUTE, PRISMATIC])),
            X_PJ=random_pose(rng),
            mass=float(rng.uniform(0.2, 4)),
            com=rng.uniform(-0.2, 0.2, 3),
            inertia=random_inertia(rng),
            rotor_inertia=float(rng.uniform(0, 0.3)),
        )
        for i in range(n)
    )
    links = {"base": Frame(-1, np.eye(4))} | {f"link{i + 1}": Frame(i, random_pose(rng)) for i in range(n)}
    frames = links | {"world": Frame(-1, np.eye(4)), "tool": Frame(n - 1, random_pose(rng))}
    free = np.full(n, np.inf)
    return Robot(
        name=f"tree{seed}",
        bodies=bodies,
        joint_names=tuple(f"joint{i + 1}" for i in range(n)),
        links=links,
        frames=frames,
        tool="tool",
        q_min=-free,
        q_max=free,
        qd_max=free,
        tau_max=free,
        gravity=rng.uniform(-9.81, 9.81, 3),
        configurations={},
    )


def random_state(robot: Robot, rng: np.random.Generator, N: int | None = None) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Random q, qd, qdd of shape `(n,)` or `(N, n)`."""
    shape = (robot.n,) if N is None else (N, robot.n)
    return rng.uniform(-np.pi, np.pi, shape), rng.normal(size=shape), rng.normal(size=shape)


def random_dh_arm(seed: int, n: int) -> Robot:
    """A serial arm whose axes are often parallel, perpendicular or meeting, as those of real arms are."""
    rng = np.random.default_rng(seed)
    robot = random_tree(seed, n, branching=False)
    bodies = []
    for body in robot.bodies:
        alpha, theta = rng.choice([0.0, np.pi / 2, -np.pi / 2, np.pi, rng.uniform(-3, 3)]), rng.choice([0.0, rng.uniform(-3, 3)])
        a, d = rng.choice([0.0, 0.0, 0.3, rng.uniform(-0.5, 0.5)], 2)
        X = np.eye(4)
        X[:3, :3] = Rotation.from_euler("xz", [alpha, theta]).as_matrix()
        X[:3, 3] = a, -np.sin(alpha) * d, np.cos(alpha) * d
        bodies.append(replace(body, X_PJ=X, joint_type=str(rng.choice([REVOLUTE, REVOLUTE, REVOLUTE, PRISMATIC]))))
    tool = np.eye(4)
    tool[:3, 3] = rng.choice([0.0, 0.2], 3)
    frames = dict(robot.frames) | {"tool": Frame(n - 1, tool)}
    return replace(robot, bodies=tuple(bodies), frames=frames)
