"""`StraightWay`: the singularities between two branches, on the straight line in the joint space."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize_scalar

from armature import engine
from armature.engine import Robot

STEPS = 96  # of the way, at which σ min is looked at
SINGULAR = 1e-6  # σ min below which a pose is singular but for rounding


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


def straight_way(robot: Robot, start: np.ndarray, end: np.ndarray, held: int | None = None) -> StraightWay:
    """The way q(s) = start + s (end − start), 0 ≤ s ≤ 1, both `(n,)`; the column of a joint that is `held` does not count.

    Every valley of σ min is followed to its bottom. Between branches that det J tells apart by its sign there is a singular pose.
    """

    def sigma(s) -> np.ndarray:
        return _sigma_min(robot, start + np.atleast_1d(s)[:, None] * (end - start), held)

    s = np.linspace(0.0, 1.0, STEPS + 1)
    values = sigma(s)
    inner = 1 + np.flatnonzero((values[1:-1] <= values[:-2]) & (values[1:-1] <= values[2:]))
    bottoms = [(values[0], 0.0), (values[-1], 1.0)]
    crossings = []
    for k in inner:
        found = minimize_scalar(
            lambda x: float(sigma(x)[0]), bounds=(s[k - 1], s[k + 1]), method="bounded", options={"xatol": 1e-12}
        )
        bottoms.append((float(found.fun), float(found.x)))
        if found.fun < SINGULAR:
            crossings.append(Crossing(float(found.x), _titles(robot, start + found.x * (end - start), held)))
    least, at = min(bottoms)
    return StraightWay(float(values[0]), float(least), float(at), tuple(crossings))


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
