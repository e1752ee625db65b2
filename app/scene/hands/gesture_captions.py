"""What a gesture amounts to, in the user's units."""

from __future__ import annotations

import numpy as np

from armature.app.state.units import Units, number

_DECIMALS = {"m": 3, "mm": 1, "°": 1, "rad": 3}


def amount(value: float, units: Units, is_length: bool) -> str:
    """A length in m or an angle in rad, with its unit: "0.152 m", "34.5°"."""
    text = number(value * units.factor(is_length), _DECIMALS[units.symbol(is_length)])
    return text + units.suffix(is_length)


def shifts(shift: np.ndarray, axes: str, units: Units) -> str:
    """The components of a shift `(3,)` m along some of the axes: "Δx 0.152 m"."""
    return "   ".join(f"Δ{axis} {amount(float(shift['xyz'.index(axis)]), units, True)}" for axis in axes)


def turn(angle: float, units: Units) -> str:
    """A turn in rad with its sign: "+34.5°"."""
    text = amount(angle, units, False)
    return f"+{text}" if angle > 0 else text
