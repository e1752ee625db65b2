"""Mesh files of a cell: their place, and the vertices of their convex hulls."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import numpy as np

from armature.engine.errors import ModelError, one_line
from armature.engine.model.file_bytes import real_path
from armature.engine.model.meshes.mesh_source import MeshSource
from armature.engine.model.meshes.triangle_soup import MeshError
from armature.engine.model.read_only import read_only
from armature.engine.model.toml.toml_assembly import MESHES

_FLAT = 1e-9  # m, or of the largest extent


def mesh_file(name: str, folder: Path) -> Path:
    """Return the real path of the mesh `name`, relative to `folder`. Raises ModelError."""
    if not name.lower().endswith(MESHES):
        raise ModelError(f"must be a mesh file ({', '.join(MESHES)}), got {one_line(name, 60)!r}")
    if name.startswith(("//", "\\\\")) or "://" in name:
        raise ModelError(f"must be on this machine, got {one_line(name, 60)!r}")
    try:
        path = real_path(folder / name)
        if path.suffix.lower() in MESHES and path.is_file():
            return path
    except (OSError, ValueError):  # links in a circle, a name that no system accepts
        pass
    raise ModelError(f"{one_line(name, 120)!r} not found; give the path of a mesh file")


def mesh_points(path: Path, scale: tuple[float, ...]) -> np.ndarray:
    """Return the vertices of the convex hull of a scaled mesh `(k, 3)`, m. Raises ModelError for a flat or invalid mesh."""
    status = path.stat()
    return _scaled_points(path, scale, status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=64)
def _scaled_points(path: Path, scale: tuple[float, ...], _changed: int, _bytes: int) -> np.ndarray:
    from scipy.spatial import ConvexHull, QhullError  # takes long to import

    try:
        points = np.unique(MeshSource.of(path).read().points, axis=0) * scale
    except MeshError as error:
        raise ModelError(f"{one_line(path.name, 120)!r} {error}") from None
    extent = np.linalg.svd(points - points.mean(axis=0), compute_uv=False) if len(points) > 3 else np.zeros(3)
    if extent[-1] <= _FLAT * max(float(extent[0]), 1.0):
        raise ModelError(f"{one_line(path.name, 120)!r} is flat; use a mesh with a volume, or a thin box")
    try:
        return read_only(points[ConvexHull(points).vertices])
    except QhullError:
        raise ModelError(f"{one_line(path.name, 120)!r} has no convex hull; use a mesh with a volume") from None
