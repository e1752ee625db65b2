"""`Cell`: the objects around an arm, which it must not touch."""

from __future__ import annotations

import difflib
import hashlib
import math
import os
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import ValidationError

from armature.engine.contact.cell_meshes import mesh_file, mesh_points
from armature.engine.contact.cell_schema import MAX_OBJECTS, REQUIRED, ObjectEntry
from armature.engine.contact.shapes import FLOOR, Shape
from armature.engine.errors import ModelError, one_line
from armature.engine.model.frozen import Frozen
from armature.engine.model.read_only import read_only
from armature.engine.model.robot import Robot
from armature.engine.model.toml.robot_file import complaint
from armature.engine.model.toml.written_values import plain
from armature.engine.rotations import rot_rpy


@dataclass(frozen=True)
class CellObject(Frozen):
    """An object O of a cell.

    Attributes:
        name: letters, digits, `_` and `-`.
        shape: `"box"`, `"cylinder"`, `"sphere"`, `"capsule"`, `"halfspace"` or `"mesh"`. A mesh counts as its convex hull.
        size: edges x, y, z of a box, m.
        radius: of a cylinder, sphere or capsule, m.
        length: of a cylinder, or between the two centres of a capsule, along z, m.
        normal: direction in W out of a half-space, of any length, `(0, 0, 1)` if omitted; its surface passes through `xyz`. A
            half-space has no `rpy_deg`.
        file: mesh file, `.stl`, `.obj` or `.dae`, in m before scaling.
        scale: factors x, y, z of the mesh, or one number for all three, 1 if omitted.
        xyz: position of the object's centre, or of the mesh's origin, in W, m.
        rpy_deg: roll, pitch and yaw in degrees about the fixed axes x, y and z of W.
        color: red, green, blue and optionally opacity, 0 to 1; None for the default colour.
        digest: SHA-256 of `points`, computed, "" without a mesh; objects that were loaded before and after a change of the mesh
            file are therefore not equal.
        points: vertices of the convex hull of the mesh `(k, 3)`, scaled, in O, m; computed from `file`.

    Raises:
        ModelError: a value is invalid; one line with the name, the key and the valid values.
    """

    name: str
    shape: str
    size: tuple[float, float, float] | None = None
    radius: float | None = None
    length: float | None = None
    normal: tuple[float, float, float] | None = None
    file: str | os.PathLike[str] | None = None
    scale: tuple[float, float, float] | float | None = None
    xyz: tuple[float, float, float] = (0.0, 0.0, 0.0)
    rpy_deg: tuple[float, float, float] = (0.0, 0.0, 0.0)
    color: tuple[float, ...] | None = None
    digest: str = field(default="", repr=False)
    points: np.ndarray = field(default_factory=lambda: read_only(np.zeros((0, 3))), compare=False, repr=False)

    def __post_init__(self):
        given = {key: plain(value) for key, value in vars(self).items() if value is not None and key in ObjectEntry.model_fields}
        if self.file is not None:
            given["file"] = os.fspath(self.file)
        try:
            entry = ObjectEntry.model_validate(given)
        except ValidationError as error:
            raise ModelError(one_line(f"object {self.name}: {complaint(error, lambda _: ObjectEntry, REQUIRED)}")) from None
        values: dict[str, Any] = dict(entry)
        if entry.shape == "halfspace":
            values["normal"] = entry.normal or (0.0, 0.0, 1.0)
        if entry.file is not None:
            try:
                path, scale = mesh_file(entry.file, Path()), entry.scale or (1.0, 1.0, 1.0)
                points = mesh_points(path, scale)
                values |= {"file": path, "scale": scale, "points": points, "digest": hashlib.sha256(points.tobytes()).hexdigest()}
            except ModelError as error:
                raise ModelError(one_line(f"object {self.name}: file: {error}")) from None
        vars(self).update(values)

    @cached_property
    def X_WO(self) -> np.ndarray:
        """Pose of the object in W `(4, 4)`, read-only; the z axis of a half-space is its normal."""
        if self.normal is None:
            X = rot_rpy(*np.radians(self.rpy_deg))
        else:
            x, y, z = self.normal
            X = rot_rpy(0.0, math.atan2(math.hypot(x, y), z), math.atan2(y, x))  # turns z to the normal
        X[:3, 3] = self.xyz
        return read_only(X)

    @cached_property
    def shapes(self) -> tuple[Shape, ...]:
        """Convex shapes of the object in W, as `collision` uses them; each has `kind`, `size` in m, a 4×4 pose and `vertices`."""
        if self.shape == "mesh":
            return (Shape("hull", (), self.X_WO, self.points),)
        sizes: dict[str, tuple[Any, ...]] = {"box": self.size or (), "sphere": (self.radius,), "halfspace": ()}
        return (Shape(self.shape, sizes.get(self.shape, (self.radius, self.length)), self.X_WO),)


@dataclass(frozen=True)
class Cell(Frozen):
    """Objects around an arm, in the world frame W; two cells are equal if their name, description and objects are.

    `source` is the file of the cell and `text` its content, whose comments `save_cell` keeps; both are empty for a new one.
    """

    objects: tuple[CellObject, ...] = ()
    name: str = "cell"
    description: str = ""
    source: Path | None = field(default=None, compare=False)
    text: str = field(default="", compare=False, repr=False)

    def __post_init__(self):
        vars(self)["objects"] = tuple(self.objects)
        if len(self.objects) > MAX_OBJECTS:
            raise ModelError(f"cell {self.name}: has {len(self.objects):,} objects; at most {MAX_OBJECTS:,} are supported")
        if twice := [name for k, name in enumerate(self.names) if name in self.names[:k]]:
            raise ModelError(f"cell {self.name}: {twice[0]!r} is the name of two objects; each needs its own")

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the objects, in their order."""
        return tuple(thing.name for thing in self.objects)

    def __getitem__(self, name: str) -> CellObject:
        """Return the object with this name. Raises ModelError that lists the names."""
        return self.objects[self._place(name)]

    def with_object(self, name: str, shape: str, **values: Any) -> Cell:
        """Return the cell with another object.

        Args:
            name: name of the new object.
            shape: its shape, as in `CellObject`.
            values: its other values by name, as in `CellObject`, such as `size=(1.0, 0.6, 0.02)`, `xyz=(0.4, 0.0, 0.0)`.

        Returns:
            A new `Cell`; this one does not change.

        Raises:
            ModelError: a value is invalid, or an object has this name.
        """
        return replace(self, objects=(*self.objects, CellObject(name, shape, **values)))

    def with_changes(self, name: str, /, **values: Any) -> Cell:
        """Return the cell with other values of one object.

        Args:
            name: name of the object.
            values: new values by name, as in `CellObject`, such as `xyz=(0.4, 0.0, 0.1)`; a new `name` renames it.

        Returns:
            A new `Cell`; this one does not change.

        Raises:
            ModelError: no object has this name, or a value is invalid.
        """
        k = self._place(name)
        if unknown := values.keys() - ObjectEntry.model_fields.keys():
            raise ModelError(f"object {name}: {min(unknown)}: unknown; valid are {', '.join(ObjectEntry.model_fields)}")
        return replace(self, objects=(*self.objects[:k], replace(self.objects[k], **values), *self.objects[k + 1 :]))

    def without_object(self, name: str) -> Cell:
        """Return the cell without the object of this name.

        Args:
            name: name of the object.

        Returns:
            A new `Cell`; this one does not change.

        Raises:
            ModelError: no object has this name.
        """
        k = self._place(name)
        return replace(self, objects=(*self.objects[:k], *self.objects[k + 1 :]))

    def describe(self) -> dict[str, str]:
        """Return name and hash as the metadata of a recording store them, by the keys `name` and `sha256`."""
        return {"name": self.name, "sha256": self.hash}

    def collides(self, robot: Robot, q: np.ndarray) -> np.ndarray:
        """Return whether an arm touches itself, its floor or an object.

        Args:
            robot: arm.
            q: joint positions `(N, n)`, rad or m.

        Returns:
            `(N,)` bool.
        """
        from armature.engine.contact.arm_contacts import arm_contacts  # numba: not while a window opens

        return arm_contacts(robot, self.objects).collides(q)

    def contact_pairs(self, robot: Robot, q: np.ndarray) -> list[tuple[str, str] | None]:
        """Return the names of the pair in the deepest contact of each pose.

        Args:
            robot: arm.
            q: joint positions `(N, n)`, rad or m.

        Returns:
            A pair of names per pose; None without contact.
        """
        from armature.engine.contact.arm_contacts import arm_contacts  # numba: not while a window opens
        from armature.engine.contact.contact_model import TOUCHING

        model = arm_contacts(robot, self.objects)
        found, names = model.nearest(q, TOUCHING), model.pair_names
        return [names[k] if k >= 0 else None for k in map(int, found.pair_index)]

    @cached_property
    def hash(self) -> str:
        """SHA-256, in hexadecimal, of names, shapes, sizes and poses; colours, comments and file names do not change it."""
        total = hashlib.sha256()
        for thing in self.objects:
            total.update(thing.name.encode())
            for shape in thing.shapes:
                total.update(f"\0{shape.kind}{shape.size}{shape.X_BS.tolist()}{shape.vertices.tolist()}".encode())
        return total.hexdigest()

    def _place(self, name: str) -> int:
        if name in self.names:
            return self.names.index(name)
        close = difflib.get_close_matches(str(name), self.names, n=1)
        hint = f"did you mean {close[0]}? " if close else ""
        raise ModelError(one_line(f"cell {self.name}: no object {name!r}; {hint}valid are {', '.join(self.names) or 'none'}"))


def floor_cell(height: float | None) -> Cell:
    """Return a cell with the floor at the height z in m as its only object; an empty cell for None."""
    return Cell() if height is None else Cell().with_object(FLOOR, "halfspace", xyz=(0.0, 0.0, height))
