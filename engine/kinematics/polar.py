"""Polar coordinates of the tool, for arms with parallel revolute axes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from armature.engine.model.frozen import Frozen
from armature.engine.model.robot import Robot

_PARALLEL = 1e-9  # sine of an angle below which there is rounding only


@dataclass(frozen=True, eq=False)
class PolarAxis(Frozen):
    """The line through `origin` `(3,)` along the unit vector `axis` `(3,)`, and where phi = 0 points, `zero` `(3,)`, in W.

    `joint` rotates about it; phi has the sign of that joint. Heights along the axis are measured from the world's origin.
    """

    origin: np.ndarray
    axis: np.ndarray
    zero: np.ndarray
    joint: int

    def coordinates(self, p: np.ndarray) -> tuple[float, float, float]:
        """r, phi and the height of a point `(3,)` in W; m and rad."""
        gap = p - self.origin
        u, v = gap @ self.zero, gap @ np.cross(self.axis, self.zero)
        return float(np.hypot(u, v)), float(np.arctan2(v, u)), float(p @ self.axis)

    def point(self, r: float, phi: float, height: float) -> np.ndarray:
        """The point `(3,)` in W with these coordinates."""
        across = np.cos(phi) * self.zero + np.sin(phi) * np.cross(self.axis, self.zero)
        foot = self.origin + (height - self.origin @ self.axis) * self.axis
        return foot + r * across


def polar_axis(robot: Robot) -> PolarAxis | None:
    """The axis of the first joint that turns the tool, where all that turn it have parallel axes, as of a SCARA or a planar arm.

    phi counts from the world's x; for arms that turn about x, from the world's z. None for all other arms.
    """
    X, found = np.eye(4), []
    for i in robot.tree.chain(robot.tree.tool_frame):
        body = robot.tree.bodies[i]
        X = X @ body.X_PJ
        if not robot.tree.prismatic[i]:
            found.append((i, X[:3, 3], X[:3, 2]))
    if not found or any(np.linalg.norm(np.cross(found[0][2], z)) > _PARALLEL for _, _, z in found[1:]):
        return None
    joint, origin, axis = found[0]
    zero = np.array([1.0, 0.0, 0.0]) if abs(axis[0]) < 0.9 else np.array([0.0, 0.0, 1.0])
    zero = zero - (zero @ axis) * axis
    return PolarAxis(origin, axis, zero / np.linalg.norm(zero), joint)
