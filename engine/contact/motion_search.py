"""`MotionSearch`: contacts and clearance of a motion, proved between the times at which distances are computed."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Protocol

import numpy as np

from armature.engine.contact.contact_model import TOUCHING, ContactModel
from armature.engine.contact.motion_bounds import LeverArms

NEAR = 1e-6
"""Clearance in m that counts as contact, because proving a smaller one would take too many samples."""
_RESOLUTION = 2e-4  # s, of the time of the first contact
_CHUNK = 1000  # poses whose results are in memory at once


class MotionOverTime(Protocol):
    """Joint positions over time. `spans`: starts and ends `(2, K)`, s, of intervals in which the joints move continuously."""

    @property
    def spans(self) -> np.ndarray: ...

    def positions(self, t: np.ndarray) -> np.ndarray:
        """Return the joint positions `(K, n)`, rad or m, at times `(K,)`, s."""

    def paths(self, start: np.ndarray, end: np.ndarray) -> np.ndarray:
        """Return bounds `(K, n)` of ∫ |qd| dt, rad or m, from `start` to `end` `(K,)`, s, each within one of the spans."""


class ContactInterval(NamedTuple):
    """An arm touches from `start` to `end`, s; `pair`: index of the pair that touches first."""

    start: float
    end: float
    pair: int


class _Spans(NamedTuple):
    """Intervals `start` … `end` `(K,)`.

    `before` and `after` `(K, m)`: distances of the pairs at the ends; `moved` `(K, m)`: bounds of their change in between.
    """

    start: np.ndarray
    end: np.ndarray
    before: np.ndarray
    after: np.ndarray
    moved: np.ndarray

    def where(self, chosen: np.ndarray) -> _Spans:
        """Return the chosen intervals."""
        return _Spans(*(x[chosen] for x in self))

    @property
    def is_open(self) -> np.ndarray:
        """Whether a pair may touch in an interval, `(K,)` bool."""
        return (self.before + self.after <= self.moved).any(axis=1)


class MotionSearch:
    """Finds contacts of one motion.

    d_k(t_0) + d_k(t_1) > Σ_i r_ki ∫ |qd_i| dt  for all pairs k: no contact between t_0 and t_1

    Args:
        model: pairs that are tested.
        motion: joint positions over time.
        cancelled: called repeatedly; `Cancelled` is raised after it returned True.
        arms: r_ki; None: computed.
        ignored: pairs that do not count, `(m,)` bool.
        limit: distance in m from which a lower bound will do for `smallest_clearance`.
    """

    def __init__(
        self,
        model: ContactModel,
        motion: MotionOverTime,
        cancelled: Callable[[], bool] | None = None,
        arms: LeverArms | None = None,
        ignored: np.ndarray | None = None,
        limit: float = 0.0,
    ):
        self._model, self._motion, self._cancelled, self._ignored = model, motion, cancelled, ignored
        self._limit = limit
        (start, end), coupling = motion.spans, model.robot.coupling
        times, place = np.unique(np.concatenate([start, end]), return_inverse=True)
        paths, q = self._paths(start, end), motion.positions(times)
        q, reached = q if coupling is None else coupling.position(q), paths.max(axis=0)
        self._arms = (arms or LeverArms(model)).over(q.min(axis=0) - reached, q.max(axis=0) + reached)
        moved = paths @ self._arms.T
        d = self._distances(times, moved)
        self._all = _Spans(start, end, d[place[: len(start)]], d[place[len(start) :]], moved)

    def first_contact(self) -> tuple[float, int] | None:
        """Return time in s, at most 0.2 ms after the contact begins, and pair of the first contact; None: proved free."""
        spans, time, pair = self._all, np.inf, -1
        while True:
            time, pair = min((time, pair), *_known_contacts(spans))
            is_exact = (spans.end == time) & (spans.end - spans.start <= _RESOLUTION)
            spans = spans.where(spans.is_open & (spans.start < time) & ~is_exact)
            if not len(spans.start):
                return None if pair < 0 else (time, pair)
            spans = self._halved(spans)

    def contacts(self, resolution: float) -> list[ContactInterval]:
        """Return the intervals of contact, exact to `resolution` s; shorter contacts may be missing."""
        spans, found = self._all, list[ContactInterval]()
        while len(spans.start):
            touches = (spans.before + spans.after < -spans.moved).any(axis=1)  # one pair does from start to end
            is_short = spans.end - spans.start <= resolution
            least = np.minimum(spans.before, spans.after)
            touches |= is_short & (least <= TOUCHING).any(axis=1)
            for k in np.flatnonzero(touches):
                found.append(ContactInterval(float(spans.start[k]), float(spans.end[k]), int(least[k].argmin())))
            spans = self._halved(spans.where(spans.is_open & ~touches & ~is_short))
        return _merged(sorted(found))

    def smallest_clearance(self, tolerance: float, resolution: float) -> tuple[float, float, int] | None:
        """Return the smallest signed distance in m, its time in s and its pair; None if no distance is below the limit.

        It is exact to `tolerance` m, or to a motion of `resolution` s.
        """
        spans, found, best = self._all, None, self._limit
        while len(spans.start):
            for at, d in ((spans.start, spans.before), (spans.end, spans.after)):
                row, pair = np.unravel_index(d.argmin(), d.shape) if d.size else (0, 0)
                if d.size and d[row, pair] < best:
                    best, found = float(d[row, pair]), (float(d[row, pair]), float(at[row]), int(pair))
            bound = (spans.before + spans.after - spans.moved).min(axis=1, initial=np.inf) / 2
            spans = self._halved(spans.where((bound < best - tolerance) & (spans.end - spans.start > resolution)))
        return found

    def _halved(self, spans: _Spans) -> _Spans:
        if not len(spans.start):
            return spans
        middle = (spans.start + spans.end) / 2
        start, end = np.concatenate([spans.start, middle]), np.concatenate([middle, spans.end])
        moved = self._paths(start, end) @ self._arms.T
        d = self._distances(middle, moved)
        return _Spans(start, end, np.concatenate([spans.before, d]), np.concatenate([d, spans.after]), moved)

    def _paths(self, start: np.ndarray, end: np.ndarray) -> np.ndarray:
        """Bounds `(K, bodies)` of ∫ |qd| dt of all joints of the tree."""
        paths, coupling = self._motion.paths(start, end), self._model.robot.coupling
        return paths if coupling is None else np.abs(coupling.rate(paths))

    def _distances(self, t: np.ndarray, moved: np.ndarray) -> np.ndarray:
        """Distances `(len(t), m)`; lower bounds where these suffice."""
        limit = max(float(moved.max(initial=0.0)), NEAR, self._limit)
        parts = (self._motion.positions(t[k : k + _CHUNK]) for k in range(0, len(t), _CHUNK))
        d = np.concatenate([self._model.distances(q, limit, self._cancelled).distance for q in parts])
        if self._ignored is not None:
            d[:, self._ignored] = np.inf
        return d


def _known_contacts(spans: _Spans) -> list[tuple[float, int]]:
    """Time and pair of the earliest known contact at a start, and at an end."""
    # before + after <= moved <= 2 NEAR: the distance at one of the ends is at most NEAR
    near = (spans.before + spans.after <= spans.moved) & (spans.moved <= 2 * NEAR)
    found = []
    for at, d, touches in ((spans.start, spans.before, near), (spans.end, spans.after, False)):
        rows = np.flatnonzero(((d <= TOUCHING) | touches).any(axis=1))
        if len(rows):
            first = rows[at[rows].argmin()]
            found.append((float(at[first]), int(d[first].argmin())))
    return found or [(np.inf, -1)]


def _merged(found: list[ContactInterval]) -> list[ContactInterval]:
    """Join adjacent intervals, in the order of their starts."""
    result = list[ContactInterval]()
    for one in found:
        if result and one.start <= result[-1].end:
            result[-1] = result[-1]._replace(end=max(one.end, result[-1].end))
        else:
            result.append(one)
    return result
