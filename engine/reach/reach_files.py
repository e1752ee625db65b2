"""The workspace as files: points as `.npz` and `.csv`, the boundary as `.ply` and `.stl`."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np

from armature.engine.errors import EngineError
from armature.engine.files import atomic_write
from armature.engine.reach.sampled_workspace import Workspace
from armature.engine.reach.voxels import reach_surface, voxel_grid

SUFFIXES = (".npz", ".csv", ".ply", ".stl")


def save_workspace(space: Workspace, path: str | Path) -> Path:
    """Write the points with their values and joint positions (`.npz`, `.csv`) or the boundary surface (`.ply`, `.stl`).

    The file is written completely or not at all.

    Args:
        space: result of `workspace`.
        path: file whose suffix selects the format. Lengths are in m, world axes; joint positions in rad or m.

    Returns:
        The path written.

    Raises:
        EngineError: another suffix, a workspace without points, or a file that cannot be written.
    """
    path = Path(path)
    write = {".npz": _npz, ".csv": _csv, ".ply": _ply, ".stl": _stl}.get(path.suffix.lower())
    if write is None:
        raise EngineError(
            f"{path}: the suffix of a workspace file must be {', '.join(SUFFIXES)}, got {path.suffix or 'without a suffix'}"
        )
    if not len(space.points):
        raise EngineError(f"{path}: the workspace has no points")
    try:
        atomic_write(path, write(space))
    except OSError as error:
        raise EngineError(f"{path}: cannot be written: {error.strerror or error}") from None
    return path


def _npz(space: Workspace) -> bytes:
    buffer = io.BytesIO()
    np.savez_compressed(
        buffer,
        points=space.points,
        values=space.values,
        q=space.q,
        quantity=np.array(space.quantity),
        seed=np.array(space.seed),
        robot=np.array(space.robot.name),
        joint_names=np.array(space.robot.joint_names),
    )
    return buffer.getvalue()


def _csv(space: Workspace) -> bytes:
    header = ",".join(["x", "y", "z", space.quantity, *(f"q.{name}" for name in space.robot.joint_names)])
    buffer = io.StringIO()
    np.savetxt(buffer, np.column_stack([space.points, space.values, space.q]), "%.9g", ",", header=header, comments="")
    return buffer.getvalue().encode()


def _ply(space: Workspace) -> bytes:
    vertices, triangles = reach_surface(voxel_grid(space))
    header = (
        "ply\nformat binary_little_endian 1.0\ncomment metres, z up\n"
        f"element vertex {len(vertices)}\nproperty float x\nproperty float y\nproperty float z\n"
        f"element face {len(triangles)}\nproperty list uchar int vertex_indices\nend_header\n"
    )
    faces = np.zeros(len(triangles), [("count", "u1"), ("corners", "<i4", 3)])
    faces["count"], faces["corners"] = 3, triangles
    return header.encode() + vertices.astype("<f4").tobytes() + faces.tobytes()


def _stl(space: Workspace) -> bytes:
    vertices, triangles = reach_surface(voxel_grid(space))
    corners = vertices[triangles]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    records = np.zeros(len(triangles), [("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("unused", "<u2")])
    records["normal"] = normals / np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-30)
    records["corners"] = corners
    return b"workspace boundary, metres".ljust(80) + np.uint32(len(triangles)).tobytes() + records.tobytes()
