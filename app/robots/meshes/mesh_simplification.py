"""Fewer triangles for renderers that draw on the processor."""

from __future__ import annotations

import numpy as np

from armature.app.robots.meshes.mesh_smoothing import welded
from armature.engine.model.meshes.triangle_soup import MeshError, Soup

FEWEST = 24
DETAIL = 5  # more than so many times the triangles wanted: small detail goes first
CELLS = (1000, 500, 250, 125, 64)  # along the longest side


def simplified(soup: Soup, most: int) -> Soup:
    """About `most` of the triangles, each colour thinned by itself so that their borders stay."""
    points, faces, group = [], [], []
    share, first = most / len(soup.faces), 0
    for k in range(len(soup.colours)):
        p, f = _used(*welded(soup.points, soup.faces[soup.group == k]))
        if len(f) > FEWEST:
            p, f = _thinned(p, f, max(FEWEST, int(share * len(f))))
        if len(f):
            points.append(p)
            faces.append(f + first)
            group.append(np.full(len(f), k))
            first += len(p)
    if not faces:
        raise MeshError("contains no triangle with an area")
    return Soup(np.concatenate(points), np.concatenate(faces), np.concatenate(group), soup.colours)


def _thinned(points: np.ndarray, faces: np.ndarray, most: int) -> tuple[np.ndarray, np.ndarray]:
    """By quadric error metrics (Garland and Heckbert 1997).

    Where threads and holes leave that no edge to collapse, it gets stuck far above what is wanted, and slowly; there vertices
    that share a cell of a grid are merged first.
    """
    from fast_simplification import simplify

    for cells in CELLS:
        if len(faces) <= DETAIL * most:
            break
        points, faces = _merged(points, faces, cells)
    if len(faces) <= most:
        return points, faces
    centre = points.mean(axis=0)  # single precision is kept for the shape, not for where it stands
    p, f = simplify((points - centre).astype(np.float32), faces.astype(np.int32), target_count=most)
    return np.asarray(p, float) + centre, np.asarray(f, np.int64)


def _merged(points: np.ndarray, faces: np.ndarray, cells: int) -> tuple[np.ndarray, np.ndarray]:
    """All vertices within a cell as one at their mean, and the triangles that are left, each once."""
    cell = np.floor((points - points.min(axis=0)) / np.ptp(points, axis=0).max() * cells).astype(np.int64)
    _, number, count = np.unique(cell @ np.array([1, 2048, 2048**2]), return_inverse=True, return_counts=True)
    mean = np.stack([np.bincount(number, points[:, k]) / count for k in range(3)], axis=1)
    faces = number[faces].reshape(-1, 3)
    _, once = np.unique(np.sort(faces, axis=1), axis=0, return_index=True)
    return _used(mean, faces[np.sort(once)])


def _used(points: np.ndarray, faces: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Without triangles that name a point twice, and without points that no triangle names."""
    faces = faces[(faces[:, 0] != faces[:, 1]) & (faces[:, 1] != faces[:, 2]) & (faces[:, 2] != faces[:, 0])]
    used, faces = np.unique(faces, return_inverse=True)
    return points[used], faces.reshape(-1, 3)
