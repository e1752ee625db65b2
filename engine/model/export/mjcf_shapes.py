"""Shapes of a robot as geoms and meshes of a MuJoCo model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from lxml import etree

from armature.engine.model.export.mesh_names import MeshNames, some
from armature.engine.model.export.xml_values import free_name, numbers, place
from armature.engine.model.robot import Robot
from armature.engine.model.visual import Visual

_READ = (".stl", ".obj")
_MOST_TRIANGLES = 200_000  # of one STL file
SEEN, BOTH, TOUCHED = "2", "1", "3"  # groups; MuJoCo shows 0 to 2


class GeomWriter:
    """Writes the geoms of links; meshes go into `<asset>` once each."""

    def __init__(self, robot: Robot, folder: Path, asset: Any):
        self._robot, self._asset, self._names = robot, asset, MeshNames(folder)
        self._meshes: dict[tuple[str, tuple[float, ...]], str] = {}
        self._left_out: dict[str, None] = {}

    def write(self, element: Any, link: str, X_LF: np.ndarray | None = None) -> None:
        """All shapes of a link in a body's element; `X_LF` is the link's frame in the body's, the identity when None."""
        X = np.eye(4) if X_LF is None else X_LF
        for shape in self._robot.visuals:
            if shape.link == link:
                self._geom(element, shape, X, BOTH if any(shape is one for one in self._robot.collisions) else SEEN)
        for shape in self._robot.collisions:
            if shape.link == link and not any(shape is one for one in self._robot.visuals):
                self._geom(element, shape, X, TOUCHED)

    def told(self) -> list[str]:
        """What is left out, and where meshes lie, in sentences."""
        said = f"Shapes that MuJoCo cannot read (only binary STL and OBJ) are omitted: {some(self._left_out)}."
        outside = [f"Meshes are outside the file's folder: {some(self._names.outside)}."] * bool(self._names.outside)
        textures = ["Textures are omitted."] * any(shape.texture for shape in self._robot.visuals)
        return [said] * bool(self._left_out) + outside + textures

    def _geom(self, element: Any, shape: Visual, X: np.ndarray, group: str) -> None:
        figures = self._figures(shape)
        if figures is None:
            self._left_out[shape.file or f"{shape.shape} of {shape.link}"] = None
            return
        touch = {"contype": "0", "conaffinity": "0"} if group == SEEN else {}
        colour = {} if shape.colour is None else {"rgba": numbers(shape.colour)}
        etree.SubElement(element, "geom", figures | place(X @ shape.X_LG) | {"group": group} | touch | colour)

    def _figures(self, shape: Visual) -> dict[str, str] | None:
        if shape.shape == "mesh":
            name = self._mesh(shape)
            return None if name is None else {"type": "mesh", "mesh": name}
        if min(shape.size) <= 0:
            return None
        half = {"box": [x / 2 for x in shape.size], "cylinder": [shape.size[0], shape.size[-1] / 2], "sphere": [shape.size[0]]}
        return {"type": shape.shape, "size": numbers(half[shape.shape])}

    def _mesh(self, shape: Visual) -> str | None:
        """The asset's name, None for a file that MuJoCo does not read."""
        if shape.path is None or not _readable(shape.path):
            return None
        file = self._names.relative(shape)
        key = file, shape.size
        if key not in self._meshes:
            name = free_name(Path(file).stem, list(self._meshes.values()))
            scale = {} if shape.size == (1.0, 1.0, 1.0) else {"scale": numbers(shape.size)}
            etree.SubElement(self._asset, "mesh", {"name": name, "file": file} | scale)
            self._meshes[key] = name
        return self._meshes[key]


def _readable(path: Path) -> bool:
    if path.suffix.lower() not in _READ:
        return False
    if path.suffix.lower() == ".obj":
        return True
    try:
        with path.open("rb") as stream:
            head = stream.read(84)
        triangles = int.from_bytes(head[80:84], "little")
        return 1 <= triangles <= _MOST_TRIANGLES and path.stat().st_size == 84 + 50 * triangles
    except OSError:
        return False
