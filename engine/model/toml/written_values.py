"""Notation of numbers: as few digits as necessary, and angles as the file has them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from pydantic_core import PydanticCustomError

from armature.engine.errors import LARGEST
from armature.engine.model.body import Friction
from armature.engine.model.file_values import angle
from armature.engine.model.toml.robot_schema import IN_DEGREES, IN_RAD
from armature.engine.rotations import quaternion, roll_pitch_yaw, rot_rpy

_DUST = 1e-15  # m or rad
_SAME_ROTATION = 1e-14  # of a rotation's entries
_DECIMALS = 6  # of an angle in degrees that the user wrote
_DIGITS = 13
_SAME = 4e-16  # of the angle; two steps of a double
TURNED = 1e-13  # of the largest entry of an inertia that was turned into other axes


def short_lengths(p: Iterable[float]) -> list[float]:
    """Lengths in m, or angles in rad, without rounding errors relative to 1."""
    return short([*p, 1.0], _DUST)[:-1]


def written_angle(x: float) -> float | str:
    """x rad as a fraction of pi where it is one, else with few digits."""
    return as_fraction(x) or short_lengths([x])[0]


def written_pose(X: np.ndarray) -> dict[str, Any]:
    """`xyz` and `rpy`, or `quaternion` if angles would lose digits, of a pose `(4, 4)`; without zero values."""
    entry: dict[str, Any] = {}
    if any(xyz := short_lengths(X[:3, 3])):
        entry["xyz"] = xyz
    angles = roll_pitch_yaw(X[:3, :3])
    if np.abs(rot_rpy(*angles)[:3, :3] - X[:3, :3]).max() > _SAME_ROTATION:
        return entry | {"quaternion": short(quaternion(X[:3, :3]))}
    rpy = [written_angle(x) for x in angles]
    return entry | ({"rpy": rpy} if any(rpy) else {})


def written_range(low: float, high: float, slides: bool) -> dict[str, Any]:
    """`limits_deg` where both are round in degrees, else `limits`; the same to the last bit."""
    degrees = None if slides else _in_degrees([low, high])
    return {"limits": [low, high]} if degrees is None else {"limits_deg": degrees}


def written_configurations(poses: Mapping[str, np.ndarray], slides: Sequence[bool]) -> dict[str, dict[str, Any]]:
    """The table of named poses by its name: in degrees where all are round so, else in rad; the same to the last bit."""
    named = {name: q for name, q in poses.items() if name != "zero"}
    if not named:
        return {}
    in_degrees: dict[str, Any] = {}
    for name, q in named.items():
        turns = _in_degrees([0.0 if slide else x for x, slide in zip(q, slides, strict=True)])
        if turns is None:
            return {IN_RAD: {name: [_exactly(x, slide) for x, slide in zip(q, slides, strict=True)] for name, q in named.items()}}
        in_degrees[name] = [float(x) if slide else turn for x, turn, slide in zip(q, turns, slides, strict=True)]
    return {IN_DEGREES: in_degrees}


def written_friction(friction: Friction) -> dict[str, Any]:
    """Viscous, Coulomb and static friction with few digits."""
    (viscous,), (stiction,) = short([friction.viscous]), short([friction.stiction])
    return {"viscous": viscous, "coulomb": [short([x])[0] for x in friction.coulomb], "stiction": stiction}


def written_limit(key: str, limit: float, slides: bool) -> dict[str, Any]:
    """The limit under `key`, or under `key`_deg where it is round in degrees; the same to the last bit."""
    degrees = None if slides else _in_degrees([limit])
    return {key: limit} if degrees is None else {f"{key}_deg": degrees[0]}


def _exactly(x: float, slides: bool) -> float | str:
    """A joint's value, as a fraction of pi where it is one to the last bit."""
    text = None if slides else as_fraction(x)
    return text if text is not None and angle(text) == x else float(x)


def _in_degrees(angles: Iterable[float]) -> list[float | int] | None:
    """Round numbers of degrees that are exactly these angles when read; None for other angles."""
    degrees_list: list[float | int] = []
    for x in angles:
        tries = (round(math.degrees(x), digits) for digits in range(_DECIMALS))
        found = next((degrees for degrees in tries if math.radians(degrees) == x), None)
        if found is None:
            return None
        degrees_list.append(int(found) if found == int(found) else found)
    return degrees_list


def plain(value: Any) -> Any:
    """`value` without arrays, tuples and numbers of numpy."""
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, (str, bytes)):
        return [plain(item) for item in value]
    return value


def is_number(value: Any) -> bool:
    """Whether it is a number that a robot file may hold."""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) <= LARGEST


def in_degrees(x: float) -> float | int:
    """The shortest number of degrees that is x rad, whole ones without a point."""
    for digits in range(_DIGITS):
        short = round(math.degrees(x), digits)
        if abs(math.radians(short) - x) <= _SAME * abs(x):
            return int(short) if digits == 0 else short
    return math.degrees(x)


def as_fraction(x: float) -> str | None:
    """x rad as a text such as "pi/2" or "-3*pi/4" where it is that; None where it is not, and for 0."""
    if abs(x) > 4 * math.pi * (1 + _SAME):
        return None
    for below in (1, 2, 3, 4, 6, 8, 12):
        above = round(x * below / math.pi)
        text = (
            ("-" if above < 0 else "") + (f"{abs(above)}*" if abs(above) != 1 else "") + "pi" + (f"/{below}" if below > 1 else "")
        )
        if above and abs(angle(text) - x) <= _SAME * abs(x):
            return text
    return None


def angle_like(x: Any, old: Any) -> Any:
    """The angle x rad: as a fraction of pi where `old` is a text, 0 or not there, and x is one; else the number."""
    if not is_number(x):
        return x
    text = as_fraction(x) if isinstance(old, str) or not old else None
    return x if text is None else text


def short(values: Any, same: float = _SAME) -> list[float]:
    """The numbers with as few digits as keep them to `same` of the largest, without dust and −0."""
    numbers = np.asarray(values, float)
    most = same * float(np.abs(numbers).max(initial=0.0))
    return [_short(float(x), most) for x in numbers]


def short_inertia(inertia: np.ndarray) -> list[Any]:
    """A symmetric matrix `(3, 3)` with few digits: its three moments where the axes are principal, else three rows."""
    numbers = np.array(short(((inertia + inertia.T) / 2).ravel(), TURNED)).reshape(3, 3)
    diagonal = np.diag(numbers)
    return (diagonal if np.array_equal(np.diag(diagonal), numbers) else numbers).tolist()


def _short(x: float, most: float) -> float:
    return next((y + 0.0 for digits in range(18) if abs((y := round(x, digits)) - x) <= most), x)


def number_of(value: Any) -> Any:
    """Angle in rad of a text; any other value unchanged."""
    try:
        return angle(value) if isinstance(value, str) else value
    except PydanticCustomError:  # no angle
        return value
