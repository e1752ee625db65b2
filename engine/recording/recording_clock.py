"""The time axis of a recording, which goes on from 0 through simulation, pose edits and resets."""

from __future__ import annotations

import numpy as np


class RecordingClock:
    """Seconds since the recording began: simulated time while the arm moves by itself, wall time while it is posed by hand."""

    def __init__(self, wall: float):
        self._base, self._wall, self._sim = 0.0, wall, 0.0
        self._last = -np.inf

    def enter_simulation(self, sim: float, wall: float):
        """From now on simulated time counts; it stands at `sim`."""
        self._base, self._sim = self._base + (wall - self._wall), sim

    def leave_simulation(self, sim: float, wall: float):
        """From now on wall time counts; simulated time had come to `sim`."""
        self._base, self._wall = self._base + (sim - self._sim), wall

    def jump(self, before: float, after: float):
        """Simulated time was set from `before` to `after`: the recording's time goes on without the jump."""
        self._base, self._sim = self._base + (before - self._sim), after

    def simulated(self, t: np.ndarray) -> np.ndarray:
        """Recording times of rising simulated times `t` `(k,)`."""
        return self._later(self._base + (t - self._sim))

    def at(self, t: float) -> float:
        """Recording time of a simulated time since it began to count."""
        return self._base + (t - self._sim)

    def posed(self, wall: float) -> np.ndarray:
        """Recording time `(1,)` of what happens at wall time `wall`."""
        return self._later(np.array([self._base + (wall - self._wall)]))

    def _later(self, times: np.ndarray) -> np.ndarray:
        if not len(times):
            return times
        rising = np.maximum(times, np.nextafter(self._last, np.inf)) if times[0] <= self._last else times
        self._last = float(rising[-1])
        return rising
