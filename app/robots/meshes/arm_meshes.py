"""`ArmMeshes`: all shapes of a robot as one mesh on the slots of its bodies, and what could not be shown."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from armature.app.robots.meshes.file_mesh import file_mesh, options, painted, placed
from armature.app.robots.meshes.mesh_cache import MeshCache
from armature.app.robots.meshes.primitive_meshes import primitive, stand_in
from armature.app.scene.gl import palette
from armature.app.scene.gl.mesh import Mesh, joined, srgb
from armature.app.scene.gl.solids import Solids
from armature.engine import Robot
from armature.engine.model.meshes.mesh_source import MeshSource
from armature.engine.model.meshes.triangle_soup import MeshError
from armature.engine.model.visual import Visual

SHOWN = ("visual", "collision", "both")
OUTSIDE = "not read because it is outside the robot's folder, package and workspace"
FLUID = 40_000  # triangles that a renderer on the processor redraws while something is dragged


@dataclass
class ArmMeshes:
    """`solids` is None where there is nothing to show but what is built from the joints; `problems` has a line per file."""

    solids: Solids | None = None
    problems: list[str] = field(default_factory=list)


def shapes_of(robot: Robot, shown: str) -> tuple[tuple[Visual, ...], tuple[Visual, ...]]:
    """The shapes drawn as solids and those drawn translucent over them, for one of SHOWN."""
    if shown == "collision" or not robot.visuals:
        return robot.collisions if shown != "visual" else (), ()
    return robot.visuals, robot.collisions if shown == "both" else ()


def load(
    robot: Robot,
    shown: str,
    most: int | None,
    cache: MeshCache,
    progress: Callable[[int, int], None] = lambda done, total: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> ArmMeshes | None:
    """Read and place the shapes of a robot; None when that was cancelled.

    Args:
        robot: whose shapes.
        shown: one of SHOWN.
        most: about so many triangles in all, None for all there are.
        cache: where meshes are kept between runs.
        progress: told how many files of how many are read.
        cancelled: called between files.
    """
    out = ArmMeshes()
    solid, veil = shapes_of(robot, shown)
    files, each = _files((*solid, *veil), most)
    meshes: dict[Path, Mesh] = {}
    for done, path in enumerate(files):
        progress(done, len(files))
        if cancelled():
            return None
        try:
            meshes[path] = read_mesh(path, each, cache)
        except MeshError as error:
            out.problems.append(f"{path}: {error}")
    progress(len(files), len(files))
    cache.prune()
    missing = {v.file: v.outside for v in (*solid, *veil) if v.shape == "mesh" and v.path is None}
    out.problems += [f"{name}: {OUTSIDE if outside else 'not found'}" for name, outside in missing.items()]
    if not any(v.shape != "mesh" or v.path in meshes for v in solid):
        return out
    body = _dressed(robot, solid, meshes, collision=solid is robot.collisions)
    over = _dressed(robot, veil, meshes, collision=True) if veil else None
    out.solids = Solids.of(robot, body, over, stands=True)
    _ = out.solids.picker  # while there is time
    return out


def mesh_points(
    robot: Robot, most: int | None, cache: MeshCache, cancelled: Callable[[], bool] = lambda: False
) -> dict[Path, np.ndarray]:
    """The points `(V, 3)` of a robot's visual meshes by file, as they stand there; without files that cannot be read.

    With the `most` of `load` they are found in the cache once the robot has been drawn.
    """
    files, each = _files(shapes_of(robot, "visual")[0], most)
    points: dict[Path, np.ndarray] = {}
    for path in files:
        if cancelled():
            break
        try:
            points[path] = read_mesh(path, each, cache).vertices["position"].astype(float)
        except MeshError:
            continue  # opening the robot has told of it
    return points


def _files(shapes: tuple[Visual, ...], most: int | None) -> tuple[list[Path], int | None]:
    """The mesh files of some shapes, and how many triangles each of them may have."""
    wanted = [shape.path for shape in shapes if shape.path is not None]
    return list(dict.fromkeys(wanted)), None if most is None or not wanted else max(200, most // len(wanted))


def read_mesh(path: Path, most: int | None, cache: MeshCache) -> Mesh:
    """Return a mesh file with about `most` triangles, from the cache where it was read before. Raises MeshError."""
    source = MeshSource.of(path)
    name = source.digest(options(most))
    mesh = cache.get(name)
    if mesh is None:
        mesh = file_mesh(source, most)
        cache.put(name, mesh)
    return mesh


def _dressed(robot: Robot, shapes: tuple[Visual, ...], meshes: dict[Path, Mesh], collision: bool) -> Mesh:
    """All shapes on their bodies, in their colours; one box per body stands for the meshes that are not there."""
    parts, boxed = [], set()
    for shape in shapes:
        frame = robot.links[shape.link]
        slot = frame.body + 1
        X = frame.X_BF @ shape.X_LG
        size: tuple[float, ...] = (1.0, 1.0, 1.0)
        plain = palette.COLLISION if collision else palette.LINKS[slot % 2] if slot else palette.PEDESTAL
        colour = srgb(plain) if collision or shape.colour is None else np.array(shape.colour[:3])
        if shape.shape != "mesh":
            mesh = primitive(shape)
        elif shape.path in meshes:
            mesh, size = meshes[shape.path], shape.size
        elif slot not in boxed:
            boxed.add(slot)
            mesh, X, colour = stand_in(robot, frame.body, frame.X_BF[:3, 3]), np.eye(4), srgb(palette.MISSING)
        else:
            continue
        parts.append(painted(placed(mesh, size, X, slot), colour, over_all=collision))
    return joined(parts)
