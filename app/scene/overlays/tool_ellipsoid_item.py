"""How fast the tool can go in each direction, and how hard it can push there."""

from __future__ import annotations

import numpy as np

from armature.app.scene.arm.drawn_pose import Pose
from armature.app.scene.gl import palette
from armature.app.scene.overlays.ellipsoid_item import EllipsoidItem

METRES_PER_SPEED = 0.25
LONGEST = 0.5  # half axis in reaches; in a singular pose the structure holds any force
THINNEST = 0.004


class ToolEllipsoidItem(EllipsoidItem):
    """The principal axes of the linear Jacobian at the tool, J_v = U S Vᵀ; for a planar arm an ellipse in its plane."""

    def __init__(self, depth: int, colour: str):
        super().__init__(depth, colour)
        self.half_axes = np.zeros(0)
        self.set_count(1)

    def follow(self, pose: Pose) -> None:
        (axes, sigma), reach = pose.principal, pose.robot.reach
        self.half_axes, least = self.lengths(sigma, reach), THINNEST * reach
        place, columns = self.bodies["pose"][0], axes.T.tolist()
        half = [*self.half_axes.tolist(), 0.0, 0.0]  # none along what is outside of the task
        for k, column in enumerate(columns):
            long = max(half[k], least)
            place[k, :3] = [long * part for part in column]
        place[3, :3] = pose.tool

    def lengths(self, sigma: np.ndarray, reach: float) -> np.ndarray:
        """Half axes in m for singular values `sigma`, the largest first."""
        raise NotImplementedError


class VelocityEllipsoidItem(ToolEllipsoidItem):
    """The image of the unit ball of joint speeds: half axes 0.25 s · sigma_i along u_i.

    The scale is fixed, so ellipsoids of different poses compare.
    """

    def __init__(self):
        super().__init__(depth=30, colour=palette.ELLIPSOID)

    def lengths(self, sigma: np.ndarray, reach: float) -> np.ndarray:
        return METRES_PER_SPEED * sigma


class ForceEllipsoidItem(ToolEllipsoidItem):
    """Forces that the unit ball of joint torques holds: half axes ∝ 1 / sigma_i along u_i, reciprocal to the velocities.

    Both ellipsoids are equally large where sigma is half the reach; a half axis ends at half the reach.
    """

    def __init__(self):
        super().__init__(depth=31, colour=palette.FORCE)

    def lengths(self, sigma: np.ndarray, reach: float) -> np.ndarray:
        metres_per_force = METRES_PER_SPEED * (reach / 2) ** 2
        return np.minimum(metres_per_force / np.maximum(sigma, 1e-9 * reach), LONGEST * reach)
