"""Point masses of an arm, and the constraints that leave them n = 3N − k coordinates: found by trying, checked by rank."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from armature.app.state.units import significant
from armature.engine.kinematics.poses import body_point
from armature.engine.model.robot import Robot

POSES = 12  # random ones at which a constraint must hold
EXACT = 1e-9  # m
SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


@dataclass(frozen=True, eq=False)
class Constraint:
    """`words` such as "|r₁| = l₁"; `measure` maps the places of the masses `(N, 3)` m to what must stay `wanted`, in `unit`."""

    words: str
    measure: Callable[[np.ndarray], float]
    wanted: float
    unit: str = "m"


@dataclass(frozen=True, eq=False)
class PointMasses:
    """Bodies that are points, the pivot `(3,)` m in W from which r is measured, and their constraints."""

    bodies: tuple[int, ...]
    names: tuple[str, ...]
    pivot: np.ndarray
    constraints: tuple[Constraint, ...]

    def places(self, robot: Robot, q: np.ndarray) -> np.ndarray:
        """r `(N, 3)` m from the pivot, world axes."""
        return np.array([body_point(robot, q, k, robot.bodies[k].com) for k in self.bodies]) - self.pivot


def point_masses(robot: Robot) -> PointMasses | None:
    """Of an arm whose masses are points, with as many constraints as they need; None for any other."""
    heavy = tuple(k for k, body in enumerate(robot.bodies) if body.mass > 0)
    rigid = any(body.inertia.any() for body in robot.bodies)
    if rigid or not heavy or robot.coupling is not None or not robot.has_dynamics:
        return None
    pivot = robot.bodies[0].X_PJ[:3, 3]
    names = tuple(f"m{number}".translate(SUBSCRIPTS) for number in range(1, len(heavy) + 1))
    masses = PointMasses(heavy, names, pivot, ())
    rng = np.random.default_rng(0)
    low, high = (np.where(np.isfinite(edge), edge, other) for edge, other in ((robot.q_min, -3.0), (robot.q_max, 3.0)))
    tried = [masses.places(robot, low + (high - low) * rng.random(robot.n)) for _ in range(POSES)]
    found: list[Constraint] = []
    gradients = np.zeros((0, 3 * len(heavy)))
    for candidate in _candidates(len(heavy)):
        values = [candidate.measure(r) for r in tried]
        if np.ptp(values) > EXACT:
            continue
        rows = np.vstack([gradients, _gradient(candidate.measure, tried[0])])
        if np.linalg.matrix_rank(rows, tol=1e-6) == len(rows):
            gradients = rows
            wanted = _rounded(values[0])
            found.append(Constraint(candidate.words.format(significant(wanted)), candidate.measure, wanted, candidate.unit))
    if len(found) != 3 * len(heavy) - robot.n:
        return None
    return PointMasses(heavy, names, pivot, tuple(found))


def _candidates(N: int) -> Iterator[Constraint]:
    """What may hold, the simplest first: planes, distances from the pivot and from one mass to another, masses on one line."""
    r, number = ([f"{letter}{k + 1}".translate(SUBSCRIPTS) for k in range(N)] for letter in ("r", ""))
    for k in range(N):
        for axis, letter in enumerate("xyz"):
            yield Constraint(f"{letter}{number[k]} = {{}}", partial(_coordinate, k, axis), 0.0)
        yield Constraint(f"|{r[k]}| = l{number[k]}", partial(_distance, k, None), 0.0)
    for k in range(N):
        for j in range(k):
            yield Constraint(f"|{r[k]} − {r[j]}| = l{number[k]}", partial(_distance, k, j), 0.0)
            for axis, letter in enumerate("xyz"):
                yield Constraint(f"({r[j]} × {r[k]}){letter} = {{}}", partial(_turn, k, j, axis), 0.0, "m²")


def _coordinate(k: int, axis: int, places: np.ndarray) -> float:
    return float(places[k, axis])


def _distance(k: int, j: int | None, places: np.ndarray) -> float:
    return float(np.linalg.norm(places[k] if j is None else places[k] - places[j]))


def _turn(k: int, j: int, axis: int, places: np.ndarray) -> float:
    return float(np.cross(places[j], places[k])[axis])


def _gradient(measure: Callable[[np.ndarray], float], places: np.ndarray) -> np.ndarray:
    """By central differences, `(1, 3N)`."""
    slopes, h = np.empty(places.size), 1e-6
    for i in range(places.size):
        ahead, behind = places.copy(), places.copy()
        ahead.flat[i] += h
        behind.flat[i] -= h
        slopes[i] = (measure(ahead) - measure(behind)) / (2 * h)
    return slopes[None]


def _rounded(value: float) -> float:
    return round(value, 9) + 0.0
