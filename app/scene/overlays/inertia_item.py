"""`InertiaItem`: each link as the homogeneous ellipsoid of its mass and inertia."""

from __future__ import annotations

import numpy as np

from armature.app.scene.arm.drawn_pose import Pose
from armature.app.scene.gl import palette
from armature.app.scene.gl.gpu_mesh import place_bodies
from armature.app.scene.overlays.ellipsoid_item import EllipsoidItem
from armature.engine import Robot
from armature.engine.model.skeleton import Skeleton

THINNEST = 0.004  # half axis in reaches


class InertiaItem(EllipsoidItem):
    """At the centre of mass, along the principal axes; links without inertia have none."""

    def __init__(self):
        super().__init__(depth=27, colour=palette.INERTIA, through=True)
        self.carrier, self.half_axes = np.zeros(0, int), np.zeros((0, 3))
        self._X_SB = np.zeros((0, 4, 4))

    def set_robot(self, robot: Robot, bones: Skeleton) -> None:
        """The ellipsoids of this robot's bodies, in the axes of each."""
        heavy = [i for i, body in enumerate(robot.bodies) if body.mass > 0 and body.inertia.any()]
        self.carrier = np.array(heavy, int) + 1
        mass, inertia = np.array([robot.bodies[i].mass for i in heavy]), np.array([robot.bodies[i].inertia for i in heavy])
        axes, self.half_axes = equivalent_ellipsoid(mass, inertia.reshape(-1, 3, 3))
        self._X_SB = stretched(axes, self.half_axes, THINNEST * robot.reach, [robot.bodies[i].com for i in heavy])
        self.set_count(len(heavy))

    def follow(self, pose: Pose) -> None:
        place_bodies(pose.slots, self.carrier, self._X_SB, self.bodies)


def stretched(axes: np.ndarray, half: np.ndarray, least: float, centres: list[np.ndarray]) -> np.ndarray:
    """Poses `(k, 4, 4)` on a body of what has `axes`, columns `(k, 3, 3)`, half as long as `half` `(k, 3)`, at least `least`, and
    its `centres`; all in m."""
    X = np.zeros((len(axes), 4, 4))
    X[:, :3, :3] = axes * np.maximum(half, least)[:, None, :]
    X[:, :3, 3], X[:, 3, 3] = np.reshape(centres, (-1, 3)), 1.0
    return X


def equivalent_ellipsoid(mass: float | np.ndarray, inertia: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Principal axes as columns `(3, 3)` and half axes `(3,)` in m of the homogeneous ellipsoid with `mass` (kg) and
    `inertia` `(3, 3)` (kg·m², about the CoM), or of several `(k,)`, `(k, 3, 3)`.

    I_1 = m (b² + c²) / 5 and so on round, hence a² = 5 (I_2 + I_3 − I_1) / 2 m; what no solid could have counts as 0.
    """
    return principal_lengths(2.5 / mass, inertia)


def principal_lengths(factor: float | np.ndarray, inertia: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Principal axes as columns `(…, 3, 3)` and the lengths `(…, 3)` a with a² = factor (I_2 + I_3 − I_1), factor in 1/kg."""
    moments, axes = np.linalg.eigh(inertia)
    axes[..., 2] = np.cross(axes[..., 0], axes[..., 1])
    squares = np.asarray(factor)[..., None] * (moments.sum(axis=-1, keepdims=True) - 2.0 * moments)
    return axes, np.sqrt(np.maximum(squares, 0.0))
