"""Curves over one axis, made small enough to be drawn without losing a peak."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from armature.app.state.units import number as fixed
from armature.app.state.units import significant

_CELLS = 100  # thinned at a time


@dataclass(frozen=True, eq=False)
class Curves:
    """Curves `y` `(k, m)` over `x` `(k,)` with a name and a colour each, which is #rrggbb, a name in `Tokens` or the number of a
    curve, such as "0". `style` 0 is a full line, 1, 2 … are dashed, −1 and −2 with wide gaps.

    `timed` says that x is a time and only grows; else x is `(k, m)` and `t` `(k,)` the times of the samples. `source` names a run
    where there are several.
    """

    x: np.ndarray
    y: np.ndarray
    names: tuple[str, ...]
    colours: tuple[str, ...]
    style: int = 0
    timed: bool = True
    source: str = ""
    t: np.ndarray | None = None

    def within(self, start: float, end: float) -> tuple[np.ndarray, np.ndarray]:
        """The samples from `start` to `end` and one more on either side; all where x is not a time."""
        if not self.timed:
            return self.x, self.y
        first = max(0, int(np.searchsorted(self.x, start)) - 1)
        last = int(np.searchsorted(self.x, end, side="right")) + 1
        return self.x[first:last], self.y[first:last]

    def at(self, t: float) -> np.ndarray | None:
        """x and y `(m, 2)` of the sample nearest to time t; None where there is none near."""
        times = self.x if self.timed else self.t
        if times is None or not len(times) or not times[0] <= t <= times[-1]:
            return None
        right = min(int(np.searchsorted(times, t)), len(times) - 1)
        left = max(right - 1, 0)
        k = left if t - times[left] <= times[right] - t else right
        return np.column_stack([np.broadcast_to(self.x[k], self.y[k].shape), self.y[k]])


def thinned(t: np.ndarray, values: np.ndarray, cell: float) -> tuple[np.ndarray, np.ndarray]:
    """Smallest and largest of `values` `(k, curves)` in each cell of `cell` seconds, where there are more than that.

    The cells lie at multiples of `cell`, so that a curve that moves on keeps its shape.
    """
    cells = np.floor(t / cell)
    starts = np.flatnonzero(np.r_[True, cells[1:] != cells[:-1]]) if len(t) else np.zeros(0, int)
    if 2 * len(starts) >= len(t):
        return t, values
    both, ends = np.empty((len(starts), 2, values.shape[1])), np.append(starts, len(t))
    for first in range(0, len(starts), _CELLS):  # numpy lets no other thread run meanwhile
        last = min(first + _CELLS, len(starts))
        part, cuts = values[ends[first] : ends[last]], starts[first:last] - starts[first]
        both[first:last, 0], both[first:last, 1] = np.fmin.reduceat(part, cuts), np.fmax.reduceat(part, cuts)
    return np.repeat(t[starts], 2), both.reshape(-1, values.shape[1])


def distinct(x: np.ndarray, y: np.ndarray, cell: tuple[float, float]) -> tuple[np.ndarray, np.ndarray]:
    """The points of one curve without those that fall into the same cell as the one before."""
    if len(x) < 3:
        return x, y
    a, b = np.round(x / cell[0]), np.round(y / cell[1])
    keep = np.r_[True, (a[1:] != a[:-1]) | (b[1:] != b[:-1])]
    keep[-1] = True
    return x[keep], y[keep]


def fitted(values: np.ndarray) -> tuple[float, float]:
    """A range with room above and below that never collapses on a flat curve; what is not a number does not count."""
    values = values[np.isfinite(values)]
    low, high = (float(values.min()), float(values.max())) if values.size else (-1.0, 1.0)
    flat = high - low < 1e-6 * max(1.0, abs(low), abs(high))
    margin = max(0.1 * abs(high), 1.0) if flat else max(0.06 * (high - low), 0.02 * max(abs(low), abs(high)))
    return low - margin, high + margin


def decades(values: np.ndarray) -> tuple[float, float]:
    """A vertical range of decimal logarithms with at least one power of ten in it; what is not a number does not count."""
    values = values[np.isfinite(values)]
    low, high = (float(values.min()), float(values.max())) if values.size else (-1.0, 1.0)
    low = min(low, np.ceil(high) - 1.0)
    return low, max(high, np.floor(low) + 1.0) + 0.06 * (high - low + 1.0)


def number(value: float, decimals: int) -> str:
    """A value as it stands at an axis."""
    return fixed(value, decimals) if abs(value) < 1e5 else significant(value, 2)
