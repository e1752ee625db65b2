"""`MapAxis`: one joint of a map, from values to shares of its length and back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from armature.app.plots.axis_ticks import ticks
from armature.app.state.units import Units, number

BEYOND = 0.02  # of the range, shown hatched beyond a joint limit


Value = TypeVar("Value", float, np.ndarray)


@dataclass(frozen=True)
class MapAxis:
    """A joint's range in rad or m; `limited` says that its ends are joint limits."""

    name: str = ""
    low: float = -1.0
    high: float = 1.0
    limited: bool = False
    slides: bool = False

    @property
    def _margin(self) -> float:
        return BEYOND * (self.high - self.low) if self.limited else 0.0

    def share(self, value: Value) -> Value:
        """Where a value stands, 0 at the start of the axis and 1 at its end."""
        return (value - self.low + self._margin) / (self.high - self.low + 2 * self._margin)

    def value(self, share: float) -> float:
        """The value at a share of the axis, held within the range."""
        value = self.low - self._margin + share * (self.high - self.low + 2 * self._margin)
        return min(max(value, self.low), self.high)

    def title(self, units: Units) -> str:
        """Name and unit."""
        ends = "" if self.limited else ", no limits"
        return f"{self.name} / {units.symbol(self.slides)}{ends}"


def axis_ticks(axis: MapAxis, units: Units, most: int) -> list[tuple[float, str]]:
    """Values (rad, m) where ticks stand and their texts; degrees at parts of a turn."""
    factor = units.factor(axis.slides)
    low, high = axis.low * factor, axis.high * factor
    if units.symbol(axis.slides) == "°":
        step = next((s for s in (10, 15, 30, 45, 90, 180) if (high - low) / s <= max(most, 2)), 360)
        values, decimals = [float(k * step) for k in range(-int(-low // step), int(high // step) + 1)], 0
    else:
        values, decimals = ticks(low, high, max(most, 2))
    return [(value / factor, number(value, decimals)) for value in values]
