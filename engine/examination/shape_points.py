"""The corners of a shape, to measure it by."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from pathlib import Path

import numpy as np

from armature.engine.model.visual import Visual

_ROUND = 24  # points on the rim of a cylinder, and on each of the rims that a sphere is made of
_RIM = np.array([(np.cos(t), np.sin(t)) for t in 2 * np.pi * np.arange(_ROUND) / _ROUND])


def shape_points(shape: Visual, meshes: Mapping[Path, np.ndarray]) -> np.ndarray | None:
    """Points `(V, 3)` in m in the link's frame whose hull a shape fills; None for a mesh that was not read.

    Args:
        meshes: the points `(V, 3)` of mesh files as they stand there.
    """
    if shape.shape == "mesh":
        if shape.path is None or shape.path not in meshes:
            return None
        own = meshes[shape.path] * np.array(shape.size)
    elif shape.shape == "box":
        own = np.array(list(product((-0.5, 0.5), repeat=3))) * shape.size
    elif shape.shape == "cylinder":
        own = _rims(shape.size[0], np.array([-0.5, 0.5]) * shape.size[1], np.ones(2))
    else:
        polar = np.linspace(0, np.pi, _ROUND // 2 + 1)
        own = _rims(shape.size[0], shape.size[0] * np.cos(polar), np.sin(polar))
    return own @ shape.X_LG[:3, :3].T + shape.X_LG[:3, 3]


def _rims(radius: float, heights: np.ndarray, shares: np.ndarray) -> np.ndarray:
    """Circles along z, each with a share of the radius."""
    return np.concatenate([np.column_stack([radius * share * _RIM, np.full(_ROUND, z)]) for z, share in zip(heights, shares)])
