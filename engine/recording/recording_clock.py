"""The time axis of a recording, which goes on from 0 through simulation, pose edits and resets."""

from __future__ import annotations

import numpy as np

from armature.engine.rounding import in_decimals

_WALL = 9  # decimals of times on the wall
_AFTER = 1e-9  # s by which a row is later than one at the same time


class RecordingClock:
    """Seconds since the recording began: simulated time while the arm moves by itself, wall time while it is posed by hand."""

    def __init__(self, wall: float):
        self._base, self._wall, self._sim = 0.0, wall, 0.0
        self._last = -np.inf

    def enter_simulation(self, sim: float, wall: float):
        """From now on simulated time counts; it stands at `sim`."""
        self._base, self._sim = self._posed(wall), sim

    def leave_simulation(self, sim: float, wall: float):
        """From now on wall time counts; simulated time had come to `sim`."""
        self._base, self._wall = self.at(sim), wall

    def jump(self, before: float, after: float):
        """Simulated time was set from `before` to `after`: the recording's time goes on without the jump."""
        self._base, self._sim = self.at(before), after

    def simulated(self, t: np.ndarray) -> np.ndarray:
        """Return recording times of rising simulated times `t` `(k,)`: multiples of the step without rounding noise."""
        return self._later(self._on_axis(t))

    def at(self, t: float) -> float:
        """Return the recording time of a simulated time since it began to count."""
        return float(self._on_axis(t))

    def posed(self, wall: float) -> np.ndarray:
        """Return the recording time `(1,)` of what happens at wall time `wall`."""
        return self._later(np.array([self._posed(wall)]))

    def _on_axis(self, t: np.ndarray | float) -> np.ndarray:
        return in_decimals(self._base + (t - self._sim), np.maximum(np.abs(t), max(abs(self._sim), self._base)))

    def _posed(self, wall: float) -> float:
        return round(self._base + (wall - self._wall), _WALL)

    def _later(self, times: np.ndarray) -> np.ndarray:
        if not len(times):
            return times
        rising = np.maximum(times, round(self._last + _AFTER, _WALL)) if times[0] <= self._last else times
        self._last = float(rising[-1])
        return rising
