"""`StraightWay`: the singularities between branches, on straight lines in the joint space."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from armature import engine
from armature.engine import Robot

STEPS = 512  # of the way, at which σ min is looked at: crossings closer together count as one
SINGULAR = 1e-6  # σ min below which a pose is singular but for rounding
NARROW = 1e-10  # of the way: a valley's bottom is known
GOLDEN = (np.sqrt(5.0) - 1.0) / 2.0


@dataclass(frozen=True, eq=False)
class Crossing:
    """A singular pose on the way: after which share of it, 0 to 1, and the titles of its causes, such as "elbow stretched"."""

    share: float
    titles: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class StraightWay:
    """`sigma` is σ min where the way begins, `least` the smallest on it, after the share `at`; `crossings` in their order."""

    sigma: float
    least: float
    at: float
    crossings: tuple[Crossing, ...]

    @property
    def titles(self) -> tuple[str, ...]:
        """The causes, each once, in the order in which they are met."""
        return tuple(dict.fromkeys(title for crossing in self.crossings for title in crossing.titles))


def straight_ways(
    robot: Robot, start: np.ndarray, ends: np.ndarray, held: int | None = None, cancelled: Callable[[], bool] = lambda: False
) -> tuple[StraightWay, ...] | None:
    """The ways q(s) = start + s (end − start), 0 ≤ s ≤ 1, from `(n,)` to each of `(m, n)`; None where it was `cancelled`.

    Every valley of σ min is followed to its bottom. Between branches that det J tells apart by its sign there is a singular pose.
    The column of a joint that is `held` does not count.
    """

    def sigma(way, s) -> np.ndarray:
        return _sigma_min(robot, start + s[:, None] * (ends[way] - start), held)

    m, s = len(ends), np.linspace(0.0, 1.0, STEPS + 1)
    values = sigma(np.repeat(np.arange(m), len(s)), np.tile(s, m)).reshape(m, len(s))
    inner = values[:, 1:-1]
    way, k = np.nonzero((inner <= values[:, :-2]) & (inner <= values[:, 2:]))
    bottoms = _bottoms(partial(sigma, way), s[k], s[k + 2], cancelled)
    if bottoms is None:
        return None
    at, least = bottoms
    ways = []
    for j, (end, first, last) in enumerate(zip(ends, values[:, 0], values[:, -1], strict=True)):
        found = [(float(least[i]), float(at[i])) for i in np.flatnonzero(way == j)]
        crossings = [Crossing(x, _titles(robot, start + x * (end - start), held)) for value, x in found if value < SINGULAR]
        ways.append(StraightWay(float(first), *min([(float(first), 0.0), (float(last), 1.0), *found]), tuple(crossings)))
    return tuple(ways)


def _bottoms(
    f: Callable[[np.ndarray], np.ndarray], low: np.ndarray, high: np.ndarray, cancelled: Callable[[], bool]
) -> tuple[np.ndarray, np.ndarray] | None:
    """Where f `(N,)` is least between low and high `(N,)`, and how much it is there: golden sections, all at once.

    At once, because thousands of small calls wake the GUI's thread for Python's lock, and take it again before it runs.
    """
    x1, x2 = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
    f1, f2 = f(x1), f(x2)
    while np.any(high - low > NARROW):
        if cancelled():
            return None
        left = f1 < f2
        low, high = np.where(left, low, x1), np.where(left, x2, high)
        new = np.where(left, high - GOLDEN * (high - low), low + GOLDEN * (high - low))
        value = f(new)
        x1, x2 = np.where(left, new, x2), np.where(left, x1, new)
        f1, f2 = np.where(left, value, f2), np.where(left, f1, value)
    return np.where(f1 < f2, x1, x2), np.minimum(f1, f2)


def _sigma_min(robot: Robot, q: np.ndarray, held: int | None) -> np.ndarray:
    """The smallest singular value `(N,)` of S J at q `(N, n)`, S = diag(1, 1, 1, L, L, L), as `singularity` scales it."""
    L = robot.characteristic_length
    A = engine.jacobian(robot, q) / np.array([1.0, 1.0, 1.0, 1.0 / L, 1.0 / L, 1.0 / L])[:, None]
    return np.linalg.svd(A if held is None else np.delete(A, held, axis=2), compute_uv=False)[:, 5]


def _titles(robot: Robot, q: np.ndarray, held: int | None) -> tuple[str, ...]:
    report = engine.singularity(robot, q)
    if report.sigma_min < SINGULAR and report.causes:
        return tuple(dict.fromkeys(cause.title.lower() for cause in report.causes))
    return ("the six joints" if held is None else f"the six joints other than {robot.joint_names[held]}",)
