"""`Trajectory`: what every joint should do at every time, as polynomials between breaks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import comb, factorial
from typing import Any

import numpy as np

from armature.engine.errors import DimensionError, TrajectoryError
from armature.engine.model.frozen import Frozen
from armature.engine.model.payload import Payload
from armature.engine.model.read_only import read_only

DEGREE = 5
_CLOSES = 1e-6  # rad, m (per s): a loop may miss its beginning by this much


@dataclass(frozen=True, eq=False)
class Trajectory(Frozen):
    """Positions of n joints over time.

    q(t) = Σ c_ik (t − b_i)^k  for b_i ≤ t < b_{i+1},  k = 0…5

    `breaks` `(m + 1,)` s, from 0 on; `coefficients` `(m, n, 6)` rad or m per s^k; `marks` the times at which waypoints are
    reached; `payloads` pairs (t, Payload or None): what the tool holds from t on; `loops` whether time begins again at the end.
    """

    breaks: np.ndarray
    coefficients: np.ndarray
    marks: tuple[float, ...] = ()
    payloads: tuple[tuple[float, Payload | None], ...] = ()
    loops: bool = False
    origin: Mapping[str, Any] | None = None
    """Where it was sampled from a function that the user wrote: its name, text and values."""

    def __post_init__(self):
        object.__setattr__(self, "breaks", read_only(self.breaks))
        c = np.asarray(self.coefficients, float)
        padded = np.zeros((*c.shape[:2], DEGREE + 1))
        padded[:, :, : c.shape[2]] = c
        object.__setattr__(self, "coefficients", read_only(padded))

    @property
    def n(self) -> int:
        """Number of joints."""
        return self.coefficients.shape[1]

    @property
    def duration(self) -> float:
        """Seconds from the first to the last break."""
        return float(self.breaks[-1])

    def sample(self, t) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """q, qd, qdd at time t; at rest before the beginning and after the end of a trajectory that does not loop.

        Args:
            t: s, a number or `(N,)`.

        Returns:
            Three arrays `(n,)` or `(N, n)`, rad or m (per s, s²).

        Raises:
            DimensionError.
        """
        q, qd, qdd = self._at(t, 3)
        return q, qd, qdd

    def jerk(self, t) -> np.ndarray:
        """qddd at time t, `(n,)` or `(N, n)`, rad/s³ or m/s³."""
        return self._at(t, 4)[3]

    def _at(self, t, count: int) -> tuple[np.ndarray, ...]:
        """q and its derivatives, so many arrays in all."""
        times = seconds(t)
        given = times.reshape(-1)
        inside = np.mod(given, self.duration) if self.loops else np.clip(given, 0.0, self.duration)
        piece = np.clip(np.searchsorted(self.breaks, inside, side="right") - 1, 0, len(self.coefficients) - 1)
        u = (inside - self.breaks[piece])[:, None]
        values = _horner(self.coefficients[piece], u, count)
        resting = (given < 0.0) | (given > self.duration) if not self.loops else np.zeros(len(given), bool)
        for value in values[1:]:
            value[resting] = 0.0
        return tuple(value[0] if times.ndim == 0 else value for value in values)

    @property
    def start(self) -> np.ndarray:
        """q at the beginning, `(n,)`."""
        return self.coefficients[0, :, 0]

    @property
    def end(self) -> np.ndarray:
        """q at the end, `(n,)`."""
        return self._end(0)

    def _end(self, derivative: int) -> np.ndarray:
        """q, qd, … as the last piece ends, `(n,)`."""
        u = np.full((1, 1), self.breaks[-1] - self.breaks[-2])
        return _horner(self.coefficients[-1:], u, derivative + 1)[derivative][0]

    def describe(self) -> dict[str, Any]:
        """All of it as plain values, for the metadata of a recording."""
        return {
            "duration": self.duration,
            "loops": self.loops,
            "marks": list(self.marks),
            "payloads": [[t, None if payload is None else payload.describe()] for t, payload in self.payloads],
            "breaks": self.breaks.tolist(),
            "coefficients": self.coefficients.tolist(),
            **({} if self.origin is None else {"origin": dict(self.origin)}),
        }

    @classmethod
    def from_description(cls, data: Mapping[str, Any]) -> Trajectory:
        """Return the trajectory of a `describe` result; raises KeyError, TypeError, ValueError or DimensionError."""
        held = tuple((float(t), None if payload is None else Payload(**payload)) for t, payload in data["payloads"])
        marks, origin = tuple(data["marks"]), data.get("origin")
        return cls(np.array(data["breaks"]), np.array(data["coefficients"]), marks, held, bool(data["loops"]), origin)

    def payload_at(self, t: float) -> Payload | None:
        """What the tool holds at time t; what happens at t itself has happened."""
        inside = t % self.duration if self.loops else t
        held = [payload for when, payload in self.payloads if when <= inside]
        return held[-1] if held else None

    def scaled(self, factor: float) -> Trajectory:
        """The same path `factor` times as fast: q(factor t). Raises TrajectoryError unless 0.001 ≤ factor ≤ 1000."""
        if not (isinstance(factor, (int, float, np.number)) and 1e-3 <= factor <= 1e3):
            raise TrajectoryError(f"a trajectory is run 0.001 to 1000 times as fast, not {factor!r}")
        return replace(
            self,
            breaks=self.breaks / factor,
            coefficients=self.coefficients * float(factor) ** np.arange(DEGREE + 1),
            marks=tuple(t / factor for t in self.marks),
            payloads=tuple((t / factor, payload) for t, payload in self.payloads),
        )

    def reversed(self) -> Trajectory:
        """The same path backwards: q(T − t); what was grasped is released there."""
        h = np.diff(self.breaks)[::-1, None]
        c = self.coefficients[::-1]
        # Σ c_k (h − u)^k, written out in powers of u
        turned = np.zeros_like(c)
        for k in range(DEGREE + 1):
            for j in range(k + 1):
                turned[:, :, j] += c[:, :, k] * comb(k, j) * h ** (k - j) * (-1) ** j
        T = self.duration
        held = [None, *(payload for _, payload in self.payloads)]
        back = [(T - t, before) for (t, _), before in zip(self.payloads, held, strict=False)]
        if held[-1] is not None:
            back.append((0.0, held[-1]))
        return replace(
            self,
            breaks=T - self.breaks[::-1],
            coefficients=turned,
            marks=tuple(T - t for t in reversed(self.marks)),
            payloads=tuple(reversed(back)),
        )

    def then(self, other: Trajectory) -> Trajectory:
        """This trajectory and `other` after it, which must begin where this one ends. Raises TrajectoryError."""
        if other.n != self.n or np.abs(self.end - other.start).max() > _CLOSES:
            raise TrajectoryError("a trajectory goes on where the one before it ended; these two do not meet")
        T = self.duration
        return replace(
            self,
            breaks=np.concatenate([self.breaks, T + other.breaks[1:]]),
            coefficients=np.concatenate([self.coefficients, other.coefficients]),
            marks=(*self.marks, *(T + t for t in other.marks)),
            payloads=(*self.payloads, *((T + t, payload) for t, payload in other.payloads)),
        )

    def looped(self) -> Trajectory:
        """The same over and over. Raises TrajectoryError unless it ends as it begins; `then(reversed())` makes it so."""
        if np.abs(self.end - self.start).max() > _CLOSES:
            raise TrajectoryError("a loop must end where it begins; let it run back first, or add its start as the last waypoint")
        if np.abs(self._end(1) - self.coefficients[0, :, 1]).max() > _CLOSES:
            raise TrajectoryError("a loop must end as fast as it begins")
        return replace(self, loops=True)


def seconds(t) -> np.ndarray:
    """Times as finite floats, a number or `(N,)`. Raises DimensionError."""
    try:
        times = np.asarray(t, float)
    except (TypeError, ValueError, OverflowError):
        times = np.full((), np.nan)
    if times.ndim > 1 or not np.isfinite(times).all():
        raise DimensionError("times are a finite number of seconds, or (N,) of them")
    return times


def _horner(c: np.ndarray, u: np.ndarray, count: int) -> list[np.ndarray]:
    """Value and derivatives, `count` arrays `(N, n)`, of polynomials c `(N, n, 6)` at u `(N, 1)`."""
    u = np.repeat(u, c.shape[1], axis=1)
    taylor = [c[:, :, DEGREE].copy(), *(np.zeros(c.shape[:2]) for _ in range(count - 1))]  # k-th derivative / k!
    for k in range(DEGREE - 1, -1, -1):
        for d in range(count - 1, -1, -1):
            taylor[d] *= u
            taylor[d] += taylor[d - 1] if d else c[:, :, k]
    for d in range(2, count):
        taylor[d] *= factorial(d)
    return taylor


def at_rest(q, duration: float) -> Trajectory:
    """Standing still at q `(n,)` for `duration` s."""
    return Trajectory(np.array([0.0, duration]), np.asarray(q, float)[None, :, None])
