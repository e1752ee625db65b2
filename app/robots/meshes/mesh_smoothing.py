"""From a soup of triangles to vertices with normals: smooth where the surface is, sharp along its creases."""

from __future__ import annotations

import numpy as np

CREASE = np.cos(np.radians(40.0))
MIX = np.array([0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9], np.uint64)


def smooth(points: np.ndarray, faces: np.ndarray, group: np.ndarray) -> tuple[np.ndarray, ...]:
    """Positions and unit normals `(V, 3)`, triangles `(F, 3)` of them, and the group of each vertex `(V,)`.

    Around each point the triangles fall into fans: neighbours across an edge belong together where they meet at less than the
    crease angle and are of one group. Each fan becomes a vertex, whose normal is the sum over its corners of corner angle ×
    triangle's area vector. Triangles without area are left out.
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    points, faces = welded(points, faces)
    a, b, c = (points[faces[:, k]] for k in range(3))
    area = np.cross(b - a, c - a)
    size = np.linalg.norm(area, axis=1)
    extent = float(np.ptp(points, axis=0).max(initial=0.0)) if len(points) else 0.0
    kept = size > 1e-14 * extent**2
    faces, group, area, size = faces[kept], group[kept], area[kept], size[kept]
    unit = area / size[:, None]
    left, right = _linked_corners(faces, unit, group)
    corners = faces.size
    graph = coo_array((np.ones(len(left), bool), (left, right)), shape=(corners, corners))
    count, fan = connected_components(graph, directed=False)
    weight = np.repeat(area, 3, axis=0) * _angles(points, faces).reshape(-1, 1)
    normals = np.stack([np.bincount(fan, weight[:, k], count) for k in range(3)], axis=1)
    one = np.zeros(count, np.int64)
    one[fan] = np.arange(corners)  # any corner of each fan
    length = np.linalg.norm(normals, axis=1, keepdims=True)
    normals = np.where(length > 1e-12 * size[one // 3, None], normals / np.where(length > 0, length, 1.0), unit[one // 3])
    return points[faces.ravel()[one]], normals, fan.reshape(-1, 3).astype(np.uint32), group[one // 3]


def welded(points: np.ndarray, faces: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Points given several times once each, and the triangles of those; only points that are used stay."""
    points = points.astype(np.float32) + np.float32(0.0)  # -0 becomes 0
    bits = np.ascontiguousarray(points).view(np.uint32).astype(np.uint64)
    mixed = bits[:, 0] * MIX[0]
    for k in (1, 2):
        mixed = (mixed ^ (mixed >> np.uint64(29)) ^ bits[:, k]) * MIX[k]
    _, one, number = np.unique(mixed, return_index=True, return_inverse=True)
    return points[one].astype(np.float64), number[faces].reshape(-1, 3)


def _linked_corners(faces: np.ndarray, unit: np.ndarray, group: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Pairs of corners, numbered 3 · triangle + place, that share a point across an edge without a crease."""
    corner = np.arange(faces.size).reshape(-1, 3)
    start, end = corner.ravel(), np.roll(corner, -1, axis=1).ravel()
    turned = faces.ravel()[start] > faces.ravel()[end]
    low, high = np.where(turned, end, start), np.where(turned, start, end)
    key = faces.ravel()[low] * (int(faces.max(initial=0)) + 1) + faces.ravel()[high]
    order = np.argsort(key, kind="stable")
    key, low, high = key[order], low[order], high[order]
    same = np.flatnonzero(key[1:] == key[:-1])
    one, other = low[same] // 3, low[same + 1] // 3
    gentle = (np.einsum("ij,ij->i", unit[one], unit[other]) > CREASE) & (group[one] == group[other])
    same = same[gentle]
    return np.concatenate([low[same], high[same]]), np.concatenate([low[same + 1], high[same + 1]])


def _angles(points: np.ndarray, faces: np.ndarray) -> np.ndarray:
    """Angle in rad at each corner, `(F, 3)`."""
    corners = points[faces]
    ahead, behind = np.roll(corners, -1, axis=1) - corners, np.roll(corners, 1, axis=1) - corners
    across = np.linalg.norm(np.cross(ahead, behind), axis=2)
    return np.arctan2(across, np.einsum("fkj,fkj->fk", ahead, behind))
