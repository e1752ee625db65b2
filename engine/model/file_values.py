"""Values of a robot file: numbers, angles and short texts; an invalid one causes a message with the valid values."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Annotated, Any

import pydantic.fields  # noqa: F401 (before others: shiboken's import hook cannot inspect pydantic half loaded)
from pydantic import BeforeValidator
from pydantic_core import PydanticCustomError

from armature.engine.errors import LARGEST, shown

_FACTOR = r"(?:pi|\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)"
_ANGLE = re.compile(rf"\s*([+-]?)\s*({_FACTOR}(?:\s*[*/]\s*{_FACTOR})*)\s*")
_NAME = re.compile(r"[^\W\d][\w-]{0,63}")
_ROWS = "four rows of four numbers"


def refusal(problem: str, field: str = "") -> PydanticCustomError:
    """Error with the message `problem` about `field` of the validated table, or about the value itself."""
    return PydanticCustomError("robot_file", "{problem}", {"problem": problem, "field": field})


def number(value: Any) -> float:
    """Return a finite number between -1e9 and 1e9; booleans and texts are invalid."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise refusal(f"must be a number, got {shown(value)}")
    if isinstance(value, float) and not math.isfinite(value):
        raise refusal(f"must be a finite number, got {shown(value)}")
    if abs(value) > LARGEST:
        raise refusal(f"must be a number between -1e9 and 1e9, got {shown(value)}")
    return float(value)


def _bounded(is_valid: Callable[[float], bool], valid: str) -> Callable[[Any], float]:
    """Return a validator of the numbers for which `is_valid` is true, described by `valid`."""

    def check(value: Any) -> float:
        if not is_valid(x := number(value)):
            raise refusal(f"must be {valid}, got {shown(value)}")
        return x

    return check


def angle(value: Any) -> float:
    """An angle in rad: a number, or a product of numbers and pi written as text, such as "pi/2" or "-3*pi/4"."""
    if not isinstance(value, str):
        return number(value)
    match = _ANGLE.fullmatch(value) if len(value) <= 60 else None
    if match is None:
        raise refusal(f'must be an angle in rad, a number or a text such as "pi/2" or "-3*pi/4", got {shown(value)}')
    sign, product = match.groups()
    factors = re.split(r"([*/])", product)
    result = -1.0 if sign == "-" else 1.0
    for operator, factor in zip(["*", *factors[1::2]], factors[::2], strict=True):
        x = math.pi if factor.strip() == "pi" else float(factor)
        if operator == "/" and x == 0.0:
            raise refusal(f"must be an angle, got {shown(value)}, which divides by zero")
        result = result * x if operator == "*" else result / x
    if not abs(result) <= LARGEST:
        raise refusal(f"must be an angle between -1e9 and 1e9 rad, got {shown(value)}")
    return result


def array_of(count: int, item: Callable[[Any], Any], what: str) -> Callable[[Any], tuple]:
    """A validator of arrays of exactly `count` items, described by `what`."""

    def check(value: Any) -> tuple:
        if not isinstance(value, list) or len(value) != count:
            raise refusal(f"must be {what}, got {shown(value)}")
        return tuple(item(entry) for entry in value)

    return check


def identifier(value: Any) -> str:
    """Return a name for column heads and menus: letters, digits, _ and -, at most 64, a letter or _ first."""
    if not isinstance(value, str) or not _NAME.fullmatch(value):
        raise refusal(f"must be a name of letters, digits, _ and - (at most 64, no digit first), got {shown(value)}")
    return value


def sentence(value: Any) -> str:
    """A text of one printable line, at most 1,000 characters."""
    if not isinstance(value, str):
        raise refusal(f"must be a text, got {shown(value)}")
    line = " ".join(value.split())
    if not line or len(line) > 1000 or not line.isprintable():
        raise refusal("must be a printable text of 1 to 1000 characters")
    return line


def inertia_matrix(value: Any) -> tuple[tuple[float, ...], ...]:
    """Three principal moments, or a 3×3 matrix row by row, as a 3×3 matrix."""
    if isinstance(value, list) and len(value) == 3 and not any(isinstance(entry, list) for entry in value):
        x, y, z = (number(entry) for entry in value)
        return (x, 0.0, 0.0), (0.0, y, 0.0), (0.0, 0.0, z)
    what = "three moments [Ixx, Iyy, Izz] or a 3×3 matrix of rows, in kg·m²"
    return array_of(3, array_of(3, number, what), what)(value)


def coulomb_pair(value: Any) -> tuple[float, float]:
    """One friction level, or one for each direction."""
    if isinstance(value, list):
        return array_of(2, not_negative, "a number or [positive direction, negative direction], both 0 or more")(value)
    x = not_negative(value)
    return x, x


not_negative = _bounded(lambda x: x >= 0, "0 or more")
share = _bounded(lambda x: 0 <= x <= 1, "between 0 and 1")
positive = _bounded(lambda x: x > 0, "more than 0")

Number = Annotated[float, BeforeValidator(number)]
Share = Annotated[float, BeforeValidator(share)]
NotNegative = Annotated[float, BeforeValidator(not_negative)]
Positive = Annotated[float, BeforeValidator(positive)]
Angle = Annotated[float, BeforeValidator(angle)]
Identifier = Annotated[str, BeforeValidator(identifier)]
Sentence = Annotated[str, BeforeValidator(sentence)]
Shares = Annotated[tuple, BeforeValidator(array_of(4, share, "four numbers from 0 to 1 [red, green, blue, opacity]"))]
Lengths = Annotated[tuple, BeforeValidator(array_of(3, not_negative, "three lengths [x, y, z], 0 or more"))]
Round = Annotated[tuple, BeforeValidator(array_of(2, not_negative, "two lengths [radius, length], 0 or more"))]
Vector = Annotated[tuple, BeforeValidator(array_of(3, number, "three numbers [x, y, z]"))]
Angles = Annotated[tuple, BeforeValidator(array_of(3, angle, "three angles [roll, pitch, yaw]"))]
Quaternion = Annotated[tuple, BeforeValidator(array_of(4, number, "four numbers [w, x, y, z]"))]
Matrix = Annotated[tuple, BeforeValidator(array_of(4, array_of(4, number, _ROWS), _ROWS))]
Inertia = Annotated[tuple, BeforeValidator(inertia_matrix)]
Coulomb = Annotated[tuple, BeforeValidator(coulomb_pair)]
