"""Objects of a cell as numbers with names and as texts, and new objects."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from armature.app.state.units import Units, significant
from armature.engine import Cell, CellObject, Robot
from armature.engine.model.toml.written_values import in_degrees
from armature.engine.rotations import exact_roll_pitch_yaw

SHAPES = {
    "box": "Box",
    "cylinder": "Cylinder",
    "sphere": "Sphere",
    "capsule": "Capsule",
    "halfspace": "Half-space",
    "mesh": "Mesh",
}
LENGTH, ANGLE, PLAIN = True, False, None  # kinds of numbers, as `FormNumber` has them
_DECIMALS = 9  # of positions in m and angles in degrees that a drag sets


class Number(NamedTuple):
    """A number of an object: its name, its key and place in the object, its kind, and its value in m, rad or without unit."""

    name: str
    key: str
    place: int | None
    kind: bool | None
    value: float

    @property
    def is_size(self) -> bool:
        """Whether it belongs to the shape, not to the pose."""
        return self.key not in ("xyz", "rpy_deg")


def numbers(thing: CellObject) -> list[Number]:
    """Return the sizes of an object, its position and its rotation."""
    found = _triple("size ", "size", LENGTH, thing.size)
    found += [Number(key, key, None, LENGTH, vars(thing)[key]) for key in ("radius", "length") if vars(thing)[key] is not None]
    found += _triple("scale ", "scale", PLAIN, thing.scale) + _triple("normal ", "normal", PLAIN, thing.normal)
    found += _triple("", "xyz", LENGTH, thing.xyz)
    angles = None if thing.normal is not None else np.radians(thing.rpy_deg)
    return found + _triple("", "rpy_deg", ANGLE, angles, ("roll", "pitch", "yaw"))


def _triple(prefix: str, key: str, kind: bool | None, values: Any, names: tuple[str, ...] = ("x", "y", "z")) -> list[Number]:
    return [] if values is None else [Number(prefix + names[k], key, k, kind, float(values[k])) for k in range(3)]


def with_number(cell: Cell, name: str, i: int, value: float) -> Cell:
    """Return the cell where number i of an object has another value, in m, rad or without unit. Raises ModelError."""
    thing = cell[name]
    number = numbers(thing)[i]
    value = in_degrees(value) if number.kind is ANGLE else value
    old = vars(thing)[number.key]
    new = value if number.place is None else (*old[: number.place], value, *old[number.place + 1 :])
    return cell.with_changes(name, **{number.key: new})


def with_pose(cell: Cell, name: str, X_WO: np.ndarray) -> Cell:
    """Return the cell where an object has the pose X_WO `(4, 4)`; the z axis of a half-space is its normal."""
    values = {"xyz": np.round(X_WO[:3, 3], _DECIMALS)}
    if cell[name].normal is not None:
        values["normal"] = np.round(X_WO[:3, 2], _DECIMALS)
    else:
        values["rpy_deg"] = np.round(np.degrees(exact_roll_pitch_yaw(X_WO[:3, :3])), _DECIMALS)
    return cell.with_changes(name, **{key: value + 0.0 for key, value in values.items()})  # no −0


def with_new_object(cell: Cell, robot: Robot, shape: str, file: Path | None = None) -> Cell:
    """Return the cell with a new object of this shape in front of the robot; its name is free. Raises ModelError.

    The first half-space is a floor, every other one a wall behind the robot.
    """
    step = 10.0 ** math.floor(math.log10(robot.reach / 4))
    side = round(round(robot.reach / 4 / step) * step, 9)
    is_wall = any(thing.shape == "halfspace" for thing in cell.objects)  # else a floor
    sizes: dict[str, dict[str, Any]] = {
        "box": {"size": (side, side, side)},
        "sphere": {"radius": side / 2},
        "cylinder": {"radius": side / 4, "length": 2 * side},
        "capsule": {"radius": side / 4, "length": 2 * side},
        "halfspace": {"normal": (1.0, 0.0, 0.0) if is_wall else (0.0, 0.0, 1.0)},
        "mesh": {"file": file},
    }
    below = {"box": side / 2, "sphere": side / 2, "cylinder": side, "capsule": 1.25 * side}.get(shape, 0.0)
    base = robot.base[:3, 3]
    floor = base[2] if robot.floor is None else robot.floor
    away = 0.7 * robot.reach * (1.0 if shape != "halfspace" else -float(is_wall))
    xyz = np.round([base[0] + away, base[1], floor + below], 3) + 0.0
    return cell.with_object(free_name(cell, _stem(shape, file)), shape, **sizes[shape], xyz=xyz)


def _stem(shape: str, file: Path | None) -> str:
    """First part of the name of a new object."""
    stem = shape if file is None else "".join(c if c.isalnum() or c in "_-" else "_" for c in file.stem)[:50]
    return stem if stem[0].isalpha() or stem[0] == "_" else f"part_{stem}"


def free_name(cell: Cell, stem: str) -> str:
    """Return `stem`, or with a number the first name that no object has."""
    names = (stem, *(f"{stem}{k}" for k in range(2, len(cell.names) + 3)))
    return next(name for name in names if name not in cell.names)


def size_text(thing: CellObject, units: Units) -> str:
    """Return the shape with its sizes in short, such as "box 1 × 0.6 × 0.04"."""
    factor = units.factor(LENGTH)
    if thing.file is not None:
        return f"mesh {Path(thing.file).name}"
    if thing.normal is not None:
        return f"half-space ↑ {_list(thing.normal, 1.0)}"
    if thing.size is not None:
        return f"box {_list(thing.size, factor, ' × ')}"
    length = "" if thing.length is None else f", l {significant(thing.length * factor)}"
    return f"{thing.shape} r {significant((thing.radius or 0.0) * factor)}{length}"


def place_text(thing: CellObject, units: Units) -> str:
    """Return the position in short."""
    return _list(thing.xyz, units.factor(LENGTH))


def _list(values: tuple[float, ...], factor: float, between: str = ", ") -> str:
    return between.join(significant(x * factor, 3, 1.0) for x in values)
