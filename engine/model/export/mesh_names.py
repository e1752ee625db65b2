"""How a written file refers to meshes: by their files, which stay where they are."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from armature.engine.model.real_path import real_path
from armature.engine.model.visual import Visual

_SHOWN = 3


class MeshNames:
    """Names of the mesh files of a written file in `folder`; `packages`, `outside` and `lost` collect what a reader may miss."""

    def __init__(self, folder: Path):
        self._folder = real_path(folder.absolute())
        self.outside: dict[str, None] = {}
        self.lost: dict[str, None] = {}
        self.packages: dict[str, None] = {}

    def name(self, shape: Visual) -> str:
        """The name a URDF gives a mesh: as it was written where it is of a package, else relative to the folder."""
        if shape.file.startswith("package://"):
            self.packages[shape.file.removeprefix("package://").partition("/")[0]] = None
            return shape.file
        return self.relative(shape) or shape.file

    def relative(self, shape: Visual) -> str:
        """The file relative to the folder, or in full where it lies elsewhere; empty where there is none."""
        if shape.path is None:
            self.lost[shape.file] = None
            return ""
        place = real_path(shape.path)
        if place.is_relative_to(self._folder):
            return place.relative_to(self._folder).as_posix()
        self.outside[place.name] = None
        try:
            return Path(os.path.relpath(place, self._folder)).as_posix()
        except ValueError:  # another drive
            return place.as_posix()

    def told(self) -> list[str]:
        """What to know about them, in sentences."""
        said = []
        if self.packages:
            said.append(
                f"Meshes are named by package; the program that reads the file must find the package: {some(self.packages)}."
            )
        if self.outside:
            where = "which Armature reads only if the file is in their package or robot folder"
            said.append(f"Meshes are outside the file's folder, {where}: {some(self.outside)}.")
        if self.lost:
            said.append(f"Missing meshes keep their previous path: {some(self.lost)}.")
        return said


def some(names: Iterable[str]) -> str:
    """The first few of them."""
    listed = list(dict.fromkeys(names))
    return f"{', '.join(listed[:_SHOWN])}{f' and {len(listed) - _SHOWN} more' if len(listed) > _SHOWN else ''}"
