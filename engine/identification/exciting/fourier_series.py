"""`FourierSeries`: periodic joint motion at rest at its ends, whose amplitude is always the largest that limits allow."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from armature.engine.trajectory.motion_limits import MotionLimits

_SMOOTH = 40.0  # the norm that stands for the largest of many values


@dataclass(frozen=True)
class FourierSeries:
    """q(t) = q_c + Σ_k a_k sin kωt + b_k cos kωt,  ω = 2π / duration,  with Σ k a_k = Σ k² b_k = 0

    so that qd = qdd = 0 at t = 0 and at the end. A shape `(n, 2 harmonics − 1)` has the free coefficients of each joint and,
    last, where in its range it moves. Its amplitude is as large as limits of position, speed, acceleration and jerk let it.
    `low`, `high` `(n,)` are the ends of the ranges; `share` of the amplitude is used.

    Source: Swevers, Ganseman, Tükel, De Schutter, Van Brussel, Optimal robot excitation and identification, IEEE Trans. Robotics
    and Automation 13(5), 1997.
    """

    harmonics: int
    duration: float
    low: np.ndarray
    high: np.ndarray
    limits: MotionLimits
    share: float = 1.0

    @property
    def size(self) -> tuple[int, int]:
        """Of a shape."""
        return len(self.low), 2 * self.harmonics - 1

    def random_shape(self, rng: np.random.Generator) -> np.ndarray:
        """A shape to begin with."""
        shape = rng.normal(size=self.size)
        shape[:, -1] *= 0.3
        return shape

    def with_share(self, share: float) -> FourierSeries:
        """The same with another share of the amplitude."""
        return replace(self, share=share)

    def rows(self, t: np.ndarray) -> np.ndarray:
        """What turns free coefficients into the unscaled series and three derivatives at t `(N,)`: `(4, N, 2 harmonics − 2)`."""
        k = np.arange(1, self.harmonics + 1)
        w = 2 * np.pi / self.duration * k
        sin, cos = np.sin(np.outer(t, w)), np.cos(np.outer(t, w))
        kinds = [(sin, cos), (cos * w, -sin * w), (-sin * w**2, -cos * w**2), (-cos * w**3, sin * w**3)]
        # the first coefficient of each kind follows from the others; higher harmonics are as fast, not as wide, as the first
        return np.array([np.hstack([s[:, 1:] / k[1:] - s[:, :1], c[:, 1:] / k[1:] - c[:, :1] * k[1:]]) for s, c in kinds])

    def motion(self, shape: np.ndarray, rows: np.ndarray, smooth: bool = False) -> np.ndarray:
        """q, qd, qdd `(3, N, n)` at the times of `rows`; with `smooth` a norm stands for peaks: it has slopes and is no less."""
        d = rows @ shape[:, :-1].T
        half, middle = 0.5 * (self.high - self.low), 0.5 * (self.high + self.low)
        bounds = np.array([half, self.limits.velocity, self.limits.acceleration, self.limits.jerk])
        ratios = np.abs(d if smooth else self._fine @ shape[:, :-1].T) / bounds[:, None, :]
        largest = ratios.max(axis=(0, 1))
        scale = largest * _norm(ratios / largest, axis=(0, 1)) if smooth else largest
        swing = _norm(ratios[0] / scale, axis=0) if smooth else ratios[0].max(axis=0) / scale
        d = d[:3] * (self.share / scale)
        d[0] += middle + half * np.tanh(shape[:, -1]) * (1.0 - swing)
        return d

    @cached_property
    def _fine(self) -> np.ndarray:
        return self.rows(np.linspace(0.0, self.duration, 200 * self.harmonics + 1))


def _norm(values: np.ndarray, axis) -> np.ndarray:
    """About the largest of values up to 1, with slopes; never less than it."""
    return (values**_SMOOTH).sum(axis=axis) ** (1.0 / _SMOOTH)
