"""The shapes in a robot file: what its links look like, meshes by the names of their files."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from armature.engine.model.file_entries import ShapeEntry
from armature.engine.model.real_path import real_path
from armature.engine.model.toml.robot_schema import RobotFile
from armature.engine.model.toml.written_figures import short_lengths, written_angle
from armature.engine.model.toml.written_values import short
from armature.engine.model.visual import Visual
from armature.engine.rotations import roll_pitch_yaw, rot_rpy

MESHES = (".stl", ".dae", ".obj")  # what is read, wherever it lies


def shapes_of(file: RobotFile, source: Path | None) -> dict[str, Any]:
    """`visuals` and `collisions` of the robot that the file at `source` describes."""
    entries = [("base", entry) for entry in file.shapes]
    entries += [(f"link{i + 1}", entry) for i, joint in enumerate(file.joints) for entry in joint.shapes]
    placed = [(entry.collision, _visual(link, entry, source)) for link, entry in entries]
    return {
        "visuals": tuple(visual for collides, visual in placed if not collides),
        "collisions": tuple(visual for collides, visual in placed if collides),
    }


def missing_meshes(shapes: Iterable[Visual]) -> tuple[str, ...]:
    """A sentence about mesh files that are not there; none where all are."""
    names = list(dict.fromkeys(repr(shape.file) for shape in shapes if shape.shape == "mesh" and shape.path is None))
    if not names:
        return ()
    some = f"{', '.join(names[:3])}{', …' * (len(names) > 3)}"
    return (f"{len(names)} mesh file{'s' * (len(names) > 1)} not found ({some}); the view shows boxes instead.",)


def shape_entries(shapes: Iterable[Visual], collision: bool, folder: Path | None) -> list[dict[str, Any]]:
    """Shapes of one link as a robot file in `folder` has them; of one that lies nowhere yet, meshes by their whole paths."""
    return [_entry(shape, collision, folder) for shape in shapes]


def mesh_name(path: Path, folder: Path | None) -> str:
    """What a robot file in `folder` calls a mesh file: relative where that lies below the folder or beside it, else in full."""
    if folder is not None:
        here = real_path(folder.absolute())
        for above, way in ((here, ""), (here.parent, "../")):
            if above.parent != above and path.is_relative_to(above):
                return way + path.relative_to(above).as_posix()
    return path.as_posix()


def _visual(link: str, entry: ShapeEntry, source: Path | None) -> Visual:
    X = rot_rpy(*entry.rpy)
    X[:3, 3] = entry.xyz
    kind, size = _measures(entry)
    path, outside = _found(entry.mesh, source) if entry.mesh is not None else (None, False)
    return Visual(link, kind, X, size, path, entry.mesh or "", colour=entry.colour, outside=outside)


def _measures(entry: ShapeEntry) -> tuple[str, tuple[float, ...]]:
    """What the shape is, and its size."""
    if entry.box is not None:
        return "box", entry.box
    if entry.cylinder is not None:
        return "cylinder", entry.cylinder
    return ("sphere", (entry.sphere,)) if entry.sphere is not None else ("mesh", entry.scale)


def _found(name: str, source: Path | None) -> tuple[Path | None, bool]:
    """The mesh file of that name, None where there is none, and whether it must not be read: what is no mesh, or in a network."""
    if not name.lower().endswith(MESHES) or name.startswith(("//", "\\\\")):
        return None, True
    try:
        path = real_path((source.parent if source is not None else Path()) / name)
        return (path if path.suffix.lower() in MESHES and path.is_file() else None), False
    except (OSError, ValueError):
        return None, False


def _entry(shape: Visual, collision: bool, folder: Path | None) -> dict[str, Any]:
    size = short(shape.size)
    entry: dict[str, Any] = {}
    if shape.shape == "mesh":
        entry["mesh"] = mesh_name(shape.path, folder) if shape.path is not None else shape.file
        if size != [1.0, 1.0, 1.0]:
            entry["scale"] = size
    else:
        entry[shape.shape] = size[0] if shape.shape == "sphere" else size
    xyz, rpy = short_lengths(shape.X_LG[:3, 3]), short_lengths(roll_pitch_yaw(shape.X_LG[:3, :3]))
    if any(xyz):
        entry["xyz"] = xyz
    if any(rpy):
        entry["rpy"] = [written_angle(x) for x in rpy]
    if shape.colour is not None:
        entry["colour"] = [float(x) for x in shape.colour]
    return {**entry, "collision": True} if collision else entry
