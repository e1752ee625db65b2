"""How numbers are written: as few digits as say the same, and angles in the manner that the file has."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from pydantic_core import PydanticCustomError

from armature.engine.model.file_values import LARGEST, angle

_DIGITS = 13
_SAME = 4e-16  # of the angle; two steps of a double
TURNED = 1e-13  # of the largest entry of an inertia that was turned into other axes


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
    """The angle that a text means, in rad; anything else as it is."""
    try:
        return angle(value) if isinstance(value, str) else value
    except PydanticCustomError:  # no angle
        return value
