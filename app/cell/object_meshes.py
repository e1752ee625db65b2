"""Meshes of the objects of a cell."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from armature.app.robots.meshes.arm_meshes import read_mesh
from armature.app.robots.meshes.file_mesh import painted, placed
from armature.app.robots.meshes.mesh_cache import MeshCache
from armature.app.robots.meshes.primitive_meshes import box_mesh
from armature.app.scene.gl import palette
from armature.app.scene.gl.basic_solids import cylinder, extrude, sphere
from armature.app.scene.gl.mesh import Mesh, srgb
from armature.app.scene.surroundings.cell_item import DrawnObject
from armature.engine import Cell, CellObject, Robot
from armature.engine.contact.shapes import is_level
from armature.engine.model.meshes.triangle_soup import MeshError

PLATE, THICK = 1.2, 0.004  # half a side and thickness of the plate that stands for a half-space, in reaches
PLATE_OPACITY = 0.35
BANDS = 9  # of half a sphere
FLUID = 100_000  # triangles of a mesh file


def drawn_objects(cell: Cell, robot: Robot, hidden: Collection[str] = ()) -> tuple[DrawnObject, ...]:
    """Return the objects to draw, except the `hidden` ones; the floor of the robot is quiet, because it has a plate elsewhere."""
    return tuple(
        _plate(thing, robot) if thing.shape == "halfspace" else _solid(thing)
        for thing in cell.objects
        if thing.name not in hidden
    )


def _solid(thing: CellObject) -> DrawnObject:
    sizes: Any = thing.size or thing.scale or tuple(x for x in (thing.radius, thing.length) if x is not None)
    mesh = _mesh(thing.shape, sizes, _colour(thing), None if thing.file is None else Path(thing.file))
    return DrawnObject(thing.name, mesh, thing.X_WO, _opacity(thing))


def _plate(thing: CellObject, robot: Robot) -> DrawnObject:
    """A plate on the surface of a half-space."""
    mesh = _mesh("plate", (PLATE * robot.reach, THICK * robot.reach), _colour(thing), None)
    return DrawnObject(
        thing.name,
        mesh,
        thing.X_WO,
        min(_opacity(thing), PLATE_OPACITY),
        is_endless=True,
        is_quiet=is_level(thing.shapes, robot.floor),
    )


def _colour(thing: CellObject) -> tuple[float, ...]:
    return thing.color[:3] if thing.color else tuple(srgb(palette.CELL).tolist())


def _opacity(thing: CellObject) -> float:
    return thing.color[3] if thing.color and len(thing.color) == 4 else 1.0


@lru_cache(maxsize=256)
def _mesh(shape: str, sizes: tuple[float, ...], colour: tuple[float, ...], file: Path | None) -> Mesh:
    """The mesh of an object in its own axes; the same one for the same arguments."""
    if file is not None:
        return painted(placed(_read(file), sizes, np.eye(4), 0), np.array(colour))
    return painted(_primitive(shape, *sizes), np.array(colour), over_all=True)


def _primitive(shape: str, *sizes: float) -> Mesh:
    if shape == "box":
        return box_mesh(np.array(sizes), np.zeros(3))
    if shape == "plate":
        half, thick = sizes
        return box_mesh(np.array([2 * half, 2 * half, thick]), np.array([0, 0, -thick / 2]))
    if shape == "sphere":
        return sphere(sizes[0])
    radius, length = sizes
    if shape == "cylinder":
        return cylinder(radius, -length / 2, length / 2)
    turn = np.linspace(0.0, np.pi / 2, BANDS + 1)
    cap = np.column_stack([radius * np.cos(turn), length / 2 + radius * np.sin(turn)])
    return extrude(np.concatenate([cap[::-1] * [1, -1], cap]))


def _read(file: Path) -> Mesh:
    try:
        return read_mesh(file, FLUID, MeshCache())
    except MeshError:  # deleted since it was read; its hull is still an obstacle
        return box_mesh(np.full(3, 0.1), np.zeros(3))
