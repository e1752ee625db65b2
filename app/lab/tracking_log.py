"""`TrackingLog`: how far off its trajectory the arm was in one run of the lab, over time and by round."""

from __future__ import annotations

import numpy as np

SMOOTH = 1.0  # s over which the mean of the curve is taken


class TrackingLog:
    """|q − q*| as the norm over all joints, and the load's mass as the law tells it, NaN where it tells none."""

    def __init__(self, period: float):
        self._period = period
        self._rows: list[tuple[float, float, float]] = []

    def take(self, t: float, off: float, mass: float) -> None:
        """One look at the arm at time t s."""
        if not self._rows or t > self._rows[-1][0]:
            self._rows.append((t, off, mass))

    @property
    def begun(self) -> bool:
        """Whether the arm was looked at."""
        return bool(self._rows)

    @property
    def mass(self) -> float:
        """As it was told last."""
        return self._rows[-1][2] if self._rows else np.nan

    def rms(self, k: int) -> float:
        """Over round k of the trajectory, from 0; NaN before it has begun."""
        rows = np.array(self._rows).reshape(-1, 3)
        inside = rows[(rows[:, 0] // self._period) == k, 1]
        return float(np.sqrt(np.mean(inside**2))) if len(inside) else np.nan

    def curve(self) -> tuple[np.ndarray, np.ndarray]:
        """t and the root of the mean square over the last `SMOOTH` s, `(N,)` each."""
        rows = np.array(self._rows).reshape(-1, 3)
        t, total = rows[:, 0], np.concatenate([[0.0], np.cumsum(rows[:, 1] ** 2)])
        first = np.searchsorted(t, t - SMOOTH)
        count = np.arange(1, len(t) + 1) - first
        return t, np.sqrt((total[1:] - total[first]) / np.maximum(count, 1))
