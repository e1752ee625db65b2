"""`Trajectory`: joint positions over time as piecewise polynomials."""

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
_CLOSES = 1e-6  # rad, m (per s): largest gap between end and start of a loop


@dataclass(frozen=True, eq=False)
class Trajectory(Frozen):
    """Joint positions over time as piecewise polynomials.

    q(t) = Σ c_ik (t − b_i)^k  for b_i ≤ t < b_{i+1},  k = 0…5

    `breaks` `(m + 1,)`: the times b_i in s, from 0; `coefficients` `(m, n, 6)`: c_ik of each joint, rad or m per s^k. `marks`:
    times of the waypoints in s. `payloads`: pairs (t, Payload or None), the payload from time t in s. `loops`: True if the motion
    repeats from the start, False if the arm then holds the last pose. `origin`: name, text and values of the user-defined
    function that it was sampled from, else None.
    """

    breaks: np.ndarray
    coefficients: np.ndarray
    marks: tuple[float, ...] = ()
    payloads: tuple[tuple[float, Payload | None], ...] = ()
    loops: bool = False
    origin: Mapping[str, Any] | None = None
    """Name, text and values of the user-defined function that it was sampled from."""

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
        """Duration in s: the last of the `breaks`."""
        return float(self.breaks[-1])

    def sample(self, t) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return q, qd, qdd at time t; before the start and after the end of a trajectory without loop, it is at rest.

        Args:
            t: s, a number or `(N,)`.

        Returns:
            Three arrays `(n,)` or `(N, n)`; rad, rad/s, rad/s² (prismatic: m, m/s, m/s²).

        Raises:
            DimensionError.
        """
        q, qd, qdd = self._at(t, 3)
        return q, qd, qdd

    def jerk(self, t) -> np.ndarray:
        """Return the jerk qddd at time t, `(n,)` or `(N, n)`, rad/s³ or m/s³."""
        return self._at(t, 4)[3]

    def _at(self, t, count: int) -> tuple[np.ndarray, ...]:
        """Return q and its derivatives, `count` arrays."""
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
        """Joint positions at the start of the trajectory, `(n,)`, rad or m."""
        return self.coefficients[0, :, 0]

    @property
    def end(self) -> np.ndarray:
        """Joint positions at the end of the trajectory, `(n,)`, rad or m."""
        return self._end(0)

    def _end(self, derivative: int) -> np.ndarray:
        """Derivative of q at the end of the last piece, `(n,)`."""
        u = np.full((1, 1), self.breaks[-1] - self.breaks[-2])
        return _horner(self.coefficients[-1:], u, derivative + 1)[derivative][0]

    def describe(self) -> dict[str, Any]:
        """Return the trajectory as numbers, lists and dicts, for the metadata of a recording.

        Keys: `duration` (s), `loops`, `marks` (s), `payloads`, `breaks` (s), `coefficients` (of the polynomials of q: rad or m
        per s^k) and, if known, `origin`.
        """
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
        """Return the trajectory that `describe` returned as `data`; raises KeyError, TypeError, ValueError or DimensionError."""
        held = tuple((float(t), None if payload is None else Payload(**payload)) for t, payload in data["payloads"])
        marks, origin = tuple(data["marks"]), data.get("origin")
        return cls(np.array(data["breaks"]), np.array(data["coefficients"]), marks, held, bool(data["loops"]), origin)

    def payload_at(self, t: float) -> Payload | None:
        """Return the payload at time t, None without one; a grasp or release at t is included."""
        inside = t % self.duration if self.loops else t
        held = [payload for when, payload in self.payloads if when <= inside]
        return held[-1] if held else None

    def scaled(self, factor: float) -> Trajectory:
        """Return the same path at `factor` times the speed: q(factor t). Raises TrajectoryError unless 0.001 ≤ factor ≤ 1000."""
        if not (isinstance(factor, (int, float, np.number)) and 1e-3 <= factor <= 1e3):
            raise TrajectoryError(f"the speed factor of a trajectory must be 0.001 to 1000, got {factor!r}")
        return replace(
            self,
            breaks=self.breaks / factor,
            coefficients=self.coefficients * float(factor) ** np.arange(DEGREE + 1),
            marks=tuple(t / factor for t in self.marks),
            payloads=tuple((t / factor, payload) for t, payload in self.payloads),
        )

    def reversed(self) -> Trajectory:
        """Return the motion backwards, q(duration − t); where a payload was grasped, it is released."""
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
        """Return this trajectory followed by `other`, whose times are shifted by the duration of this one.

        Raises TrajectoryError if `other` does not start at the joint positions at which this one ends, within 1e-6 rad or m.
        """
        if other.n != self.n or np.abs(self.end - other.start).max() > _CLOSES:
            raise TrajectoryError("the second trajectory must start where the first one ends; move its start there")
        T = self.duration
        return replace(
            self,
            breaks=np.concatenate([self.breaks, T + other.breaks[1:]]),
            coefficients=np.concatenate([self.coefficients, other.coefficients]),
            marks=(*self.marks, *(T + t for t in other.marks)),
            payloads=(*self.payloads, *((T + t, payload) for t, payload in other.payloads)),
        )

    def looped(self) -> Trajectory:
        """Return the trajectory as an endless loop.

        Raises TrajectoryError unless it ends as it begins; `then(reversed())` ensures this.
        """
        if np.abs(self.end - self.start).max() > _CLOSES:
            raise TrajectoryError(
                "a loop must end where it begins; append the reversed trajectory, or add the start as the last waypoint"
            )
        if np.abs(self._end(1) - self.coefficients[0, :, 1]).max() > _CLOSES:
            raise TrajectoryError("a loop must end with the velocity it begins with")
        return replace(self, loops=True)


def seconds(t) -> np.ndarray:
    """Return times as finite floats, a number or `(N,)`. Raises DimensionError."""
    try:
        times = np.asarray(t, float)
    except (TypeError, ValueError, OverflowError):
        times = np.full((), np.nan)
    if times.ndim > 1 or not np.isfinite(times).all():
        raise DimensionError("t must be a finite number of seconds, or N of them with shape (N,)")
    return times


def _horner(c: np.ndarray, u: np.ndarray, count: int) -> list[np.ndarray]:
    """Return value and derivatives, `count` arrays `(N, n)`, of polynomials c `(N, n, 6)` at u `(N, 1)`."""
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
    """Return a rest at q `(n,)` for `duration` s."""
    return Trajectory(np.array([0.0, duration]), np.asarray(q, float)[None, :, None])
