"""Places, units and notations of values in a robot file: `alpha` or `alpha_deg`, a rotation as a matrix."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from pydantic_core import PydanticCustomError

from armature.engine.errors import ModelError
from armature.engine.model.body import PRISMATIC
from armature.engine.model.file_entries import JointEntry, PoseEntry
from armature.engine.model.file_values import inertia_matrix
from armature.engine.model.inertia_rules import triangle_fault
from armature.engine.model.toml.robot_schema import IN_DEGREES, IN_RAD
from armature.engine.model.toml.toml_assembly import pose
from armature.engine.model.toml.written_values import angle_like, in_degrees, is_number, number_of, short
from armature.engine.rotations import quaternion, roll_pitch_yaw, rot_rpy

Where = tuple[str | int, ...]
Placed = tuple[Where, Any]
"""A place and its new value; None removes the key."""
POSES = ("base", "tool")
_DUST = 1e-15
_ANGLES = ("alpha", "theta", "limits", "velocity_limit", "acceleration_limit")


def raw_value(table: Any, where: Where) -> Any:
    """Value at a place as written; None without one."""
    for step in where:
        if isinstance(table, Mapping):
            table = table.get(step)
        elif isinstance(table, list) and isinstance(step, int) and 0 <= step < len(table):
            table = table[step]
        else:
            return None
    return table


def place_name(where: Where) -> str:
    """`joints[2].mass` for ("joints", 2, "mass")."""
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in where).lstrip(".")


def pose_changes(table: Mapping[str, Any], name: str, X_old: np.ndarray, X: np.ndarray) -> list[Placed]:
    """Changes that set the pose X `(4, 4)` of base or tool, which was X_old, in the notation of the file.

    An identity pose is removed from the file.
    """
    if np.abs(X - X_old).max() <= _DUST:
        return []
    if np.abs(X - np.eye(4)).max() <= _DUST:
        return [((name,), None)]
    entry = table.get(name, {})
    if "matrix" in entry:
        return [((name, "matrix"), [short(row) for row in X])]
    changes: list[Placed] = [((name, "xyz"), _lengths(X[:3, 3]))] if X[:3, 3].any() or "xyz" in entry else []
    turned = np.abs(X[:3, :3] - X_old[:3, :3]).max() > _DUST
    return changes + [((name, key), value) for key, value in _rotation(entry, X[:3, :3]).items() if turned]


def _lengths(p: np.ndarray) -> list[float]:
    """Lengths without rounding errors, relative to 1 m."""
    return short([*p, 1.0])[:3]


def _rotation(entry: Mapping[str, Any], R: np.ndarray) -> dict[str, Any]:
    """The one key of a pose's rotation."""
    if "quaternion" in entry:
        return {"quaternion": short(quaternion(R))}
    angles = short([*roll_pitch_yaw(R), 1.0])[:3]
    if "rpy_deg" in entry:
        return {"rpy_deg": [in_degrees(x) for x in angles]}
    return {"rpy": [angle_like(x, None) for x in angles]}


def pose_value(entry: Mapping[str, Any], key: str) -> Any:
    """xyz, rpy or rpy_deg of a pose in another notation; that of the identity if it is not given."""
    X = pose(PoseEntry.model_validate(dict(entry)))
    if key == "xyz":
        return X[:3, 3].tolist()
    if key not in ("rpy", "rpy_deg"):
        return None
    angles = roll_pitch_yaw(X[:3, :3]).tolist()
    if other := entry.get("rpy" if key == "rpy_deg" else "rpy_deg"):
        angles = [math.radians(x) for x in other] if key == "rpy" else [number_of(x) for x in other]
    return angles if key == "rpy" else [in_degrees(x) for x in angles]


def pose_in_notation(entry: Mapping[str, Any], key: str, value: Any) -> dict[str, Any] | None:
    """Keys of a pose to set where it has a matrix or a quaternion; None where `key` itself is the one."""
    if key not in ("xyz", "rpy", "rpy_deg") or not isinstance(value, list) or len(value) != 3:
        return None
    if not ("matrix" in entry or ("quaternion" in entry and key != "xyz")) or not all(map(is_number, value)):
        return None
    X = pose(PoseEntry.model_validate(dict(entry)))
    if key == "xyz":
        X[:3, 3] = value
    else:
        X[:3, :3] = rot_rpy(*(np.radians(value) if key == "rpy_deg" else value))[:3, :3]
    return {"matrix": X.tolist()} if "matrix" in entry else {"quaternion": quaternion(X[:3, :3]).tolist()}


def value_in_unit(table: Any, where: Where) -> Any:
    """Value at a place in the unit of `where`, from any notation; None if it is not given."""
    if _is_item(where):
        return raw_value(value_in_unit(table, where[:-1]), where[-1:])
    value = raw_value(table, where)
    if where[0] in POSES and len(where) == 2 and value is None:
        return pose_value(table.get(str(where[0]), {}), str(where[1]))
    other = in_other_unit(where)
    if other is None:
        return value
    if value is None:
        value = raw_value(table, other)
        value = None if value is None else _turned(table, where, value)
    return [number_of(item) for item in value] if isinstance(value, list) else number_of(value)


def _is_item(where: Where) -> bool:
    """Whether it is an item of a value that is an array, and no joint."""
    return len(where) > 1 and isinstance(where[-1], int) and (where[0] != "joints" or len(where) > 2)


def needed_changes(table: Mapping[str, Any], where: Where, value: Any) -> list[Placed]:
    """Changes that set `value`; none if the file already has it, explicitly or by default."""
    old = value_in_unit(table, where)
    same = old == value and isinstance(old, bool) == isinstance(value, bool)
    return [] if same or (old is None and _is_default(where, value)) else changes_in_notation(table, where, value)


def in_other_unit(where: Where) -> Where | None:
    """Place of the same value in the other unit, degrees or rad; None for values that are not angles."""
    if len(where) == 2 and where[0] in (IN_RAD, IN_DEGREES):
        return (IN_DEGREES if where[0] == IN_RAD else IN_RAD), where[1]
    key = str(where[-1])
    named = key.removesuffix("_deg")
    of_joint = len(where) == 3 and where[0] == "joints" and named in _ANGLES
    if not of_joint and not (len(where) == 2 and where[0] in POSES and named == "rpy"):
        return None
    return *where[:-1], named if key != named else f"{named}_deg"


def changes_in_notation(table: Mapping[str, Any], where: Where, value: Any) -> list[Placed]:
    """Changes that set a value in the notation of the file.

    Args:
        table: content of the file.
        where: keys and indices; angles in rad, or in degrees under a key that ends in _deg.
        value: plain, or None to remove the key.
    """
    if _is_item(where):
        items = value_in_unit(table, where[:-1])
        return changes_in_notation(table, where[:-1], [value if k == where[-1] else item for k, item in enumerate(items)])
    if where[0] == "joints" and where[2:] in _BOUND:
        return _BOUND[where[2:]](table, int(where[1]), value)
    if (
        where[0] in POSES
        and len(where) == 2
        and (changed := pose_in_notation(raw_value(table, where[:1]) or {}, str(where[1]), value))
    ):
        return [((where[0], key), item) for key, item in changed.items()]
    other = in_other_unit(where)
    if other is None or (value is None and raw_value(table, where) is not None):
        return [(where, value)]
    if raw_value(table, where) is None and raw_value(table, other) is not None:
        return [(other, None if value is None else _turned(table, other, value))]
    return [(where, _in_manner(table, where, value))]


def _in_manner(table: Any, where: Where, value: Any) -> Any:
    """Angles in rad as fractions of pi where the file has them so."""
    if str(where[-1]).endswith("_deg") or where[0] == IN_DEGREES:
        return value
    old = raw_value(table, where)
    if not isinstance(value, list):
        return angle_like(value, old) if str(where[-1]) in ("alpha", "theta") else value
    olds = old if isinstance(old, list) and len(old) == len(value) else [None] * len(value)
    slides = _slides(table, where, len(value))
    return [x if still else angle_like(x, was) for x, was, still in zip(value, olds, slides)]


def _turned(table: Any, where: Where, value: Any) -> Any:
    """Convert a value from the other unit to the unit of `where`."""
    degrees = str(where[-1]).endswith("_deg") or where[0] == IN_DEGREES
    items = value if isinstance(value, list) else [value]
    turn = _to_degrees if degrees else _to_rad
    turned = [x if still else turn(x) for x, still in zip(items, _slides(table, where, len(items)))]
    return _in_manner(table, where, turned if isinstance(value, list) else turned[0])


def _to_degrees(x: Any) -> Any:
    number = number_of(x)
    return in_degrees(number) if is_number(number) else x


def _to_rad(x: Any) -> Any:
    return math.radians(x) if is_number(x) else x


def _slides(table: Any, where: Where, count: int) -> list[bool]:
    """Which items of a value are lengths, not angles."""
    joints = table.get("joints", [])
    if where[0] in (IN_RAD, IN_DEGREES):
        slides = [joint.get("type") == PRISMATIC for joint in joints]
        return (slides + [False] * count)[:count]
    return [
        where[0] == "joints"
        and str(where[-1]).startswith(("limits", "velocity", "acceleration"))
        and joints[where[1]]["type"] == PRISMATIC
    ] * count


def _other_type(table: Mapping[str, Any], i: int, value: Any) -> list[Placed]:
    """Changes for another joint type: limits in the other unit are removed, and named poses have 0."""
    changes: list[Placed] = [(("joints", i, "type"), value)]
    joint = table["joints"][i]
    if value == joint.get("type"):
        return changes
    of_unit = (name + unit for name in ("limits", "velocity_limit", "acceleration_limit") for unit in ("", "_deg"))
    changes += [(("joints", i, key), None) for key in of_unit if key in joint]
    for kind in (IN_RAD, IN_DEGREES):
        changes += [((kind, name, i), 0.0) for name, q in table.get(kind, {}).items() if i < len(q) and q[i] != 0]
    return changes


def _first_mass(table: Mapping[str, Any], i: int, value: Any) -> list[Placed]:
    """A mass; where no joint has one yet, the others get 0, because all have one or none has."""
    joints = table["joints"]
    first = value is not None and not any("mass" in joint for joint in joints)
    return [(("joints", k, "mass"), value if k == i else 0.0) for k in (range(len(joints)) if first else [i])]


def _sound_inertia(table: Mapping[str, Any], i: int, value: Any) -> list[Placed]:
    """Changes for an inertia; the note on an inconsistent one is removed with it."""
    changes: list[Placed] = [(("joints", i, "inertia"), value)]
    try:
        fault = value is not None and triangle_fault(np.array(inertia_matrix(value)))
    except PydanticCustomError:  # not an inertia: the schema reports it
        return changes
    return changes if fault else [*changes, (("joints", i, "inertia_as_published"), None)]


_BOUND: dict[Where, Callable[[Mapping[str, Any], int, Any], list[Placed]]] = {
    ("type",): _other_type,
    ("mass",): _first_mass,
    ("inertia",): _sound_inertia,
}


def _is_default(where: Where, value: Any) -> bool:
    """Whether a key of a joint that is not written means this value."""
    if len(where) != 3 or where[0] != "joints" or value is None:
        return value is None
    field = JointEntry.model_fields.get(str(where[2]))
    return field is not None and not field.is_required() and isinstance(value, (int, float)) and field.default == value


def check_place(table: Mapping[str, Any], where: Sequence[str | int]) -> Where:
    """`where` as a tuple that leads to a value that is there or can be. Raises ModelError."""
    where = tuple(where)
    if not where:
        raise ModelError('give the path of the value to set, such as ("joints", 2, "a")')
    if where == ("joints",):
        raise ModelError('joints: set one joint at a time, such as ("joints", 0), or insert, remove or move one')
    for k, step in enumerate(where):
        holder = table if k == 0 else value_in_unit(table, where[:k])
        if isinstance(holder, list):
            fits = isinstance(step, int) and 0 <= step < len(holder)
        else:
            fits = isinstance(step, str) and (holder is None or isinstance(holder, Mapping))
        if not fits:
            there = f"; the robot has {len(holder)}, counted from 0" if isinstance(holder, list) else ""
            raise ModelError(f"{place_name(where)}: not a valid place in a robot file{there}")
    return where
