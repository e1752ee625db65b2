"""Where a value stands in a robot file, in which unit and manner: `alpha` as `alpha_deg`, a rotation as a matrix."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from armature.engine.errors import ModelError
from armature.engine.model.body import PRISMATIC
from armature.engine.model.draft.written_values import angle_like, in_degrees, number_of
from armature.engine.model.file_entries import JointEntry, PoseEntry
from armature.engine.model.named_poses import IN_DEGREES, IN_RAD
from armature.engine.model.toml.toml_assembly import pose
from armature.engine.rotations import quaternion, roll_pitch_yaw, rot_rpy

Where = tuple[str | int, ...]
Placed = tuple[Where, Any]

POSES = ("base", "tool")
_ANGLES = ("alpha", "theta", "limits", "velocity_limit")


def found(table: Any, where: Where) -> Any:
    """What a file holds there as it is written; None where it holds nothing."""
    for step in where:
        if isinstance(table, Mapping):
            table = table.get(step)
        elif isinstance(table, list) and isinstance(step, int) and 0 <= step < len(table):
            table = table[step]
        else:
            return None
    return table


def value_at(table: Any, where: Where) -> Any:
    """What a file says there in the unit of `where`, whichever way it is written; None where it says nothing."""
    if _is_item(where):
        items = value_at(table, where[:-1])
        return items[where[-1]] if isinstance(items, list) and 0 <= where[-1] < len(items) else None
    value = found(table, where)
    if where[0] in POSES and len(where) == 2 and value is None:
        return _pose_value(table.get(str(where[0]), {}), str(where[1]))
    other = in_other_unit(where)
    if other is None:
        return value
    if value is None:
        value = found(table, other)
        return None if value is None else _turned(table, where, value)
    return [number_of(item) for item in value] if isinstance(value, list) else number_of(value)


def _is_item(where: Where) -> bool:
    """Whether it is an item of a value that is an array, and no joint."""
    return len(where) > 1 and isinstance(where[-1], int) and (where[0] != "joints" or len(where) > 2)


def in_other_unit(where: Where) -> Where | None:
    """Where the same value stands in degrees instead of rad, or the other way round; None for what is no angle."""
    if len(where) == 2 and where[0] in (IN_RAD, IN_DEGREES):
        return (IN_DEGREES if where[0] == IN_RAD else IN_RAD), where[1]
    key = str(where[-1])
    named = key.removesuffix("_deg")
    of_joint = len(where) == 3 and where[0] == "joints" and named in _ANGLES
    if not of_joint and not (len(where) == 2 and where[0] in POSES and named == "rpy"):
        return None
    return *where[:-1], named if key != named else f"{named}_deg"


def as_written(table: Mapping[str, Any], where: Where, value: Any) -> list[Placed]:
    """What to write, and where, so that a file says `value` there and goes on in its own manner.

    Args:
        table: the file as it is.
        where: keys and indices; angles in rad, or in degrees under a key that ends in _deg.
        value: plain, or None to remove the key.
    """
    if _is_item(where):
        items = value_at(table, where[:-1])
        return as_written(table, where[:-1], [value if k == where[-1] else item for k, item in enumerate(items)])
    if where[0] == "joints" and where[2:] == ("type",):
        return _other_type(table, int(where[1]), value)
    if where[0] in POSES and len(where) == 2 and (changed := _pose_written(found(table, where[:1]) or {}, str(where[1]), value)):
        return [((where[0], key), item) for key, item in changed.items()]
    other = in_other_unit(where)
    if other is None or (value is None and found(table, where) is not None):
        return [(where, value)]
    if found(table, where) is None and found(table, other) is not None:
        return [(other, None if value is None else _turned(table, other, value))]
    return [(where, _in_manner(table, where, value))]


def _in_manner(table: Any, where: Where, value: Any) -> Any:
    """Angles in rad as fractions of pi where the file has them so."""
    if str(where[-1]).endswith("_deg") or where[0] == IN_DEGREES:
        return value
    old = found(table, where)
    if not isinstance(value, list):
        return angle_like(value, old) if str(where[-1]) in ("alpha", "theta") else value
    olds = old if isinstance(old, list) and len(old) == len(value) else [None] * len(value)
    slides = _slides(table, where, len(value))
    return [x if still else angle_like(x, was) for x, was, still in zip(value, olds, slides)]


def _turned(table: Any, where: Where, value: Any) -> Any:
    """A value that stands in the other unit, in the unit of `where`."""
    degrees = str(where[-1]).endswith("_deg") or where[0] == IN_DEGREES
    items = value if isinstance(value, list) else [value]
    turn = _to_degrees if degrees else _to_rad
    turned = [x if still else turn(x) for x, still in zip(items, _slides(table, where, len(items)))]
    if not degrees and isinstance(value, list):
        turned = _in_manner(table, where, turned)
    return turned if isinstance(value, list) else turned[0]


def _to_degrees(x: Any) -> Any:
    number = number_of(x)
    return in_degrees(number) if isinstance(number, (int, float)) and math.isfinite(number) else x


def _to_rad(x: Any) -> Any:
    return math.radians(x) if isinstance(x, (int, float)) else x


def _slides(table: Any, where: Where, count: int) -> list[bool]:
    """Which items of a value are lengths, not angles."""
    joints = table.get("joints", [])
    if where[0] in (IN_RAD, IN_DEGREES):
        slides = [joint.get("type") == PRISMATIC for joint in joints]
        return (slides + [False] * count)[:count]
    return [
        where[0] == "joints" and str(where[-1]).startswith(("limits", "velocity")) and joints[where[1]]["type"] == PRISMATIC
    ] * count


def _pose_value(entry: Mapping[str, Any], key: str) -> Any:
    """xyz, rpy or rpy_deg of a pose that is written another way or, where it says nothing, is at the origin."""
    X = pose(PoseEntry.model_validate(dict(entry)))
    if key == "xyz":
        return X[:3, 3].tolist()
    if key not in ("rpy", "rpy_deg"):
        return None
    angles = roll_pitch_yaw(X[:3, :3]).tolist()
    if other := entry.get("rpy" if key == "rpy_deg" else "rpy_deg"):
        angles = [math.radians(x) for x in other] if key == "rpy" else [number_of(x) for x in other]
    return angles if key == "rpy" else [in_degrees(x) for x in angles]


def _pose_written(entry: Mapping[str, Any], key: str, value: Any) -> dict[str, Any] | None:
    """Keys of a pose to set where it has a matrix or a quaternion; None where `key` itself is the one."""
    if key not in ("xyz", "rpy", "rpy_deg") or not isinstance(value, list) or len(value) != 3:
        return None
    if not ("matrix" in entry or ("quaternion" in entry and key != "xyz")) or not all(map(_is_number, value)):
        return None
    X = pose(PoseEntry.model_validate(dict(entry)))
    if key == "xyz":
        X[:3, 3] = value
    else:
        X[:3, :3] = rot_rpy(*(np.radians(value) if key == "rpy_deg" else value))[:3, :3]
    return {"matrix": X.tolist()} if "matrix" in entry else {"quaternion": quaternion(X[:3, :3]).tolist()}


def _is_number(x: Any) -> bool:
    return isinstance(x, (int, float)) and math.isfinite(x)


def _other_type(table: Mapping[str, Any], i: int, value: Any) -> list[Placed]:
    """Another type of joint: limits in the other unit mean nothing, and named poses have it at 0."""
    changes: list[Placed] = [(("joints", i, "type"), value)]
    joint = table["joints"][i]
    if value == joint.get("type"):
        return changes
    changes += [
        (("joints", i, key), None) for key in ("limits", "limits_deg", "velocity_limit", "velocity_limit_deg") if key in joint
    ]
    for kind in (IN_RAD, IN_DEGREES):
        changes += [((kind, name, i), 0.0) for name, q in table.get(kind, {}).items() if i < len(q) and q[i] != 0]
    return changes


def is_default(where: Where, value: Any) -> bool:
    """Whether a key of a joint that is not written means this value."""
    if len(where) != 3 or where[0] != "joints" or value is None:
        return value is None
    field = JointEntry.model_fields.get(str(where[2]))
    return field is not None and not field.is_required() and isinstance(value, (int, float)) and field.default == value


def checked(table: Mapping[str, Any], where: Sequence[str | int]) -> Where:
    """`where` as a tuple that leads to a value that is there or can be. Raises ModelError."""
    where = tuple(where)
    if not where:
        raise ModelError('name the value that is to be set, such as ("joints", 2, "a")')
    for k, step in enumerate(where):
        holder = table if k == 0 else value_at(table, where[:k])
        if isinstance(holder, list):
            fits = isinstance(step, int) and 0 <= step < len(holder)
        else:
            fits = isinstance(step, str) and (holder is None or isinstance(holder, Mapping))
        if not fits:
            there = f"; there are {len(holder)}, counted from 0" if isinstance(holder, list) else ""
            raise ModelError(f"{place_name(where)}: there is no such place in a robot file{there}")
    return where


def place_name(where: Where) -> str:
    """`joints[2].mass` for ("joints", 2, "mass")."""
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in where).lstrip(".")
