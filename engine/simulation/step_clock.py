"""The time of a simulated arm, counted in steps."""

from __future__ import annotations

import numpy as np

from armature.engine.rounding import in_decimals
from armature.engine.simulation.simulation_arguments import check_dt


class StepClock:
    """t = t₀ + k dt: a multiple of dt, so that no rounding adds up. Raises EngineError unless 1e-7 ≤ dt ≤ 1 s."""

    def __init__(self, dt: float):
        self._t0, self._k, self._dt, self._began = 0.0, 0, check_dt(dt), 0.0

    @property
    def t(self) -> float:
        """Simulated time, s."""
        return self.after(0)

    @property
    def dt(self) -> float:
        """Length of a step, s; may be set between steps."""
        return self._dt

    @dt.setter
    def dt(self, dt: float) -> None:
        dt = check_dt(dt)
        self._t0, self._k, self._dt = self.t, 0, dt

    @property
    def driven(self) -> float:
        """Seconds since the trajectory began."""
        return float(in_decimals(self.t - self._began, self.t))

    @property
    def timing(self) -> tuple[float, int, float]:
        """State of the clock; restored, it continues with the same bits."""
        return self._t0, self._k, self._began

    @timing.setter
    def timing(self, timing: tuple[float, int, float]) -> None:
        self._t0, self._k, self._began = timing

    def after(self, steps: int) -> float:
        """Return the time that many steps from now, s, without rounding noise."""
        return float(in_decimals(self._t0 + (self._k + steps) * self._dt, self._t0))

    def times(self, count: int) -> np.ndarray:
        """Return times of the present step and those after it `(count,)`, s, without rounding noise.

        They are the same numbers however steps are grouped.
        """
        return in_decimals(self._times(count), self._t0)

    def driven_times(self, count: int) -> np.ndarray:
        """Return `times` since the trajectory began, s."""
        return self._times(count) - self._began

    def _times(self, count: int) -> np.ndarray:
        return self._t0 + np.arange(self._k, self._k + count) * self._dt

    def advance(self, steps: int) -> None:
        """Count steps."""
        self._k += steps

    def begin(self) -> None:
        """Begin the trajectory now."""
        self._began = self.t

    def restart(self) -> None:
        """Return to t = 0, and begin the trajectory there."""
        self._t0, self._k, self._began = 0.0, 0, 0.0
