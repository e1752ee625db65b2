"""What arrows and rings in the scene are put together from, each of size 1 about z, and the axes to put them along."""

from __future__ import annotations

import numpy as np

from armature.app.scene.gl.basic_solids import aligned, cylinder, hoop
from armature.app.scene.gl.mesh import Mesh, joined


def frames(z: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """Axes as rows `(k, 3, 3)` whose last points along z `(k, 3)`; y is as low as it can be. Zero vectors point up."""
    z = np.where(sizes[:, None] > 1e-12, z, [0.0, 0.0, 1.0])
    z = z / np.linalg.norm(z, axis=1, keepdims=True)
    z0, z1, z2 = z.T
    level, upright = np.zeros(len(z)), np.abs(z2) > 0.999
    x = np.where(upright, [z2, level, -z0], [-z1, z0, level])  # y × z or up × z
    x0, x1, x2 = x / np.linalg.norm(x, axis=0)
    y = z1 * x2 - z2 * x1, z2 * x0 - z0 * x2, z0 * x1 - z1 * x0
    return np.array([(x0, x1, x2), y, (z0, z1, z2)]).transpose(2, 0, 1)


def shaft(slot: int) -> Mesh:
    """A rod of radius and length 1 along z."""
    return cylinder(1.0, 0.0, 1.0, segments=12).painted("#ffffff", slot=slot)


def head(slot: int) -> Mesh:
    """A cone of length 1 along z."""
    return cylinder(0.42, 0.0, 1.0, top=0.0, segments=16).painted("#ffffff", slot=slot)


def ring(slot: int) -> Mesh:
    """Most of a circle of radius 1 about z, with a head at the end that a positive turn leads to."""
    start, end = np.radians([-240.0, 45.0])
    at = np.array([np.cos(end), np.sin(end), 0.0])
    tip = cylinder(0.16, 0.0, 0.42, top=0.0, segments=16).moved(aligned([-at[1], at[0], 0.0], at))
    return joined([hoop(start, end, 0.045), tip]).painted("#ffffff", slot=slot)
