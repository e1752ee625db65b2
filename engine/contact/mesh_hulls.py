"""Vertices of the convex hulls of mesh files."""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from pathlib import Path

import numpy as np

from armature.engine.contact.hull_graph import hull_graph
from armature.engine.errors import EngineError
from armature.engine.model.meshes.mesh_source import MeshSource
from armature.engine.model.meshes.triangle_soup import MeshError
from armature.engine.model.read_only import read_only

_FLAT = 1e-9  # smallest extent that counts, relative to the largest
_KEPT = 512  # meshes


def mesh_hull(path: Path) -> np.ndarray:
    """Return the vertices `(k, 3)` of the hull of a mesh file in the axes of the file, m before scaling. Raises MeshError."""
    try:
        status = path.stat()
    except OSError as error:
        raise MeshError(f"cannot be read: {error.strerror or error}") from None
    return _mesh_hull(path, status.st_mtime_ns, status.st_size)


@lru_cache(_KEPT)
def _mesh_hull(path: Path, _changed: int, _size: int) -> np.ndarray:
    return read_only(hull_vertices(MeshSource.of(path).read().points))


def hull_vertices(points: np.ndarray) -> np.ndarray:
    """Return the points of `(V, 3)` that span the convex hull of all, or the corners of a box about them if they are too thin."""
    try:
        return hull_graph(points)[0]
    except EngineError:
        low, high = points.min(axis=0), points.max(axis=0)
        return np.array(list(product(*zip(low, high))))


def flat_axes(points: np.ndarray) -> np.ndarray:
    """Return orthonormal directions `(r, 3)` in which the points `(V, 3)` extend: r = 3 for a solid, 2 for a flat mesh."""
    _, extent, axes = np.linalg.svd(points - points.mean(axis=0), full_matrices=False)
    return axes[extent > _FLAT * max(float(extent[0]), 1e-300)] if extent[0] > 0 else axes[:0]
