"""The unit that a person types behind a number, and how many of the question's own it is."""

from __future__ import annotations

import math
from collections.abc import Container

_LENGTHS = {"m": 1.0, "cm": 0.01, "mm": 0.001}
_ANGLES = {"rad": 1.0, "°": math.radians(1.0), "deg": math.radians(1.0)}
_TIMES = ("", "/s", "/s²")
_FAMILIES = [{f"{unit}{per}": size for unit, size in sizes.items()} for sizes in (_LENGTHS, _ANGLES) for per in _TIMES]
"""Units of one kind, in the engine's."""


def without_unit(text: str, unit: str, letters: Container[str]) -> tuple[str, float]:
    """What stands before the unit, and the factor to the question's `unit`: "325 mm" of m is ("325", 0.001).

    Units are that of the question and its multiples. A name that is one of the question's `letters` is that letter.
    """
    text = text.strip()
    family = next((sizes for sizes in _FAMILIES if unit in sizes), {unit: 1.0} if unit else {})
    for known in sorted(family, key=len, reverse=True):
        for written in _ways(known):
            before = text.removesuffix(written)
            if before != text and written not in letters and before.strip() and not before[-1].isalpha():
                return before.strip(), family[known] / family[unit]
    return text, 1.0


def _ways(unit: str) -> list[str]:
    """How a unit is typed: N·m, N m, N*m or Nm; m/s² or m/s^2."""
    products = [unit.replace("·", sign) for sign in ("·", "⋅", "*", " ", "")]
    return list(dict.fromkeys(text.replace("²", power) for text in products for power in ("²", "^2")))
