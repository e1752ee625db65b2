"""Which pieces of a surface bound the reach: those with reachable points on one side only."""

from __future__ import annotations

import numpy as np
from scipy.spatial import cKDTree

_PROBE, _RADIUS = 3.0, 2.2  # spacings of the cloud: how far from the surface to look, and how near a point must be


def bounding_pieces(vertices: np.ndarray, triangles: np.ndarray, cloud: np.ndarray) -> np.ndarray:
    """Whether each triangle `(T,)`, or each piece `(V − 1,)` of a plane curve, bounds the set that `cloud` `(N, 3)` fills."""
    if len(triangles):
        corners = vertices[triangles]
        middle = corners.mean(axis=1)
        across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    else:
        middle, along = 0.5 * (vertices[1:] + vertices[:-1]), np.diff(vertices, axis=0)
        across = np.cross(along, _plane_normal(cloud))
    size = np.linalg.norm(across, axis=1)
    across = across / np.where(size > 0, size, 1.0)[:, None]
    tree = cKDTree(cloud)
    spacing = _spacing(cloud, 3 if len(triangles) else 2)
    sides = [tree.query(middle + way * _PROBE * spacing * across, distance_upper_bound=_RADIUS * spacing)[0] for way in (-1, 1)]
    return ~(np.isfinite(sides[0]) & np.isfinite(sides[1]))


def _plane_normal(cloud: np.ndarray) -> np.ndarray:
    return np.linalg.svd(cloud[:2000] - cloud[:2000].mean(axis=0), full_matrices=False)[2][-1]


def _spacing(cloud: np.ndarray, dimension: int) -> float:
    """How far apart N points spread over the cloud's box lie, or over its largest rectangle."""
    sides = np.sort(np.ptp(cloud, axis=0))[::-1][:dimension]
    return float((np.prod(sides) / len(cloud)) ** (1 / dimension))
