"""A serial arm of any number of turning joints, to measure algorithms on."""

from __future__ import annotations

import numpy as np

from armature.engine.model.body import REVOLUTE, Body, Frame
from armature.engine.model.robot import Robot

LENGTH, MASS = 0.2, 1.0  # m, kg of a link


def serial_arm(n: int) -> Robot:
    """n links alike, each turning about an axis at right angles to the one before; without friction."""
    step = np.array([[1.0, 0, 0, LENGTH], [0, 0, -1, 0], [0, 1, 0, 0], [0, 0, 0, 1]])
    inertia = MASS * LENGTH**2 / 12 * np.diag([0.1, 1.0, 1.0])
    com = np.array([LENGTH / 2, 0.02, 0.01])
    bodies = tuple(Body(i - 1, REVOLUTE, step if i else np.eye(4), MASS, com, inertia) for i in range(n))
    links = {"base": Frame(-1, np.eye(4))} | {f"link{i + 1}": Frame(i, np.eye(4)) for i in range(n)}
    free = np.full(n, np.inf)
    return Robot(
        name=f"serial{n}",
        bodies=bodies,
        joint_names=tuple(f"joint{i + 1}" for i in range(n)),
        links=links,
        frames=links | {"world": Frame(-1, np.eye(4)), "tool": Frame(n - 1, step)},
        tool="tool",
        q_min=-free,
        q_max=free,
        qd_max=free,
        tau_max=free,
        gravity=np.array([0.0, 0.0, -9.81]),
        configurations={},
    )
