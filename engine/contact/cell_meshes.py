"""Mesh files of a cell: their place, and the vertices of their convex hulls."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from armature.engine.contact.mesh_hulls import flat_axes, mesh_hull
from armature.engine.errors import ModelError, one_line
from armature.engine.model.file_bytes import real_path
from armature.engine.model.meshes.triangle_soup import MeshError
from armature.engine.model.read_only import read_only
from armature.engine.model.toml.toml_assembly import MESHES


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
    name = repr(one_line(path.name, 120))
    try:
        points = mesh_hull(path)
    except MeshError as error:
        raise ModelError(f"{name} {error}") from None
    if len(flat_axes(points)) < 3:
        raise ModelError(f"{name} is flat; use a mesh with a volume, or a thin box")
    return read_only(points * scale)
