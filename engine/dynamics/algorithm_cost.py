"""Cost of Newton–Euler, composite rigid bodies and Lagrange for arms of increasing length: operations and time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from armature.engine.dynamics.counted_operations import Tally, composite_bodies, lagrange, newton_euler
from armature.engine.dynamics.lagrange import lagrange_terms
from armature.engine.dynamics.mass_matrix import mass_matrix
from armature.engine.dynamics.newton_euler import rnea
from armature.engine.model.body import REVOLUTE, Body, Frame
from armature.engine.model.robot import Robot

ALGORITHMS = ("newton-euler", "composite", "lagrange")
SIZES = (2, 3, 4, 5, 6, 8, 10, 13, 17, 22, 29, 38, 50)
_STATES = 32  # at a time: so few are not shared out to threads
_LEAST, _TRIES = 1e-3, 5  # s of a measurement, and how many of them


@dataclass(frozen=True)
class AlgorithmCost:
    """Cost of `ALGORITHMS` for an arm of n joints: multiplications and additions, and seconds per state."""

    n: int
    operations: tuple[int, ...]
    seconds: tuple[float, ...]


def algorithm_costs(sizes: Sequence[int] = SIZES, cancelled: Callable[[], bool] = lambda: False) -> Iterator[AlgorithmCost]:
    """Serial arms of these numbers of joints, one after the other.

    tau by Newton–Euler, O(n);  M by composite rigid bodies, O(n²);  tau by Lagrange with the slopes of M, O(n³)

    Args:
        sizes: numbers of joints.
        cancelled: called now and then; True ends it.
    """
    for n in sizes:
        robot, rng = serial_arm(n), np.random.default_rng(n)
        q, qd, qdd = rng.uniform(-2.0, 2.0, (3, _STATES, n))
        seconds = []
        for call in (partial(rnea, robot, q, qd, qdd), partial(mass_matrix, robot, q), partial(lagrange_terms, robot, q, qd)):
            if cancelled():
                return
            seconds.append(_seconds(call) / _STATES)
        operations = _operations(robot, q[0], qd[0], qdd[0])
        if cancelled():
            return
        yield AlgorithmCost(n, operations, tuple(seconds))


def growth(costs: Sequence[AlgorithmCost]) -> np.ndarray:
    """Exponents `(3,)` of n by which the operations grow over the longer half of the arms; at least two are needed."""
    longer = costs[len(costs) // 2 :] if len(costs) > 3 else costs
    x, y = np.log([cost.n for cost in longer]), np.log([cost.operations for cost in longer])
    return np.polyfit(x, y, 1)[0]


def _operations(robot: Robot, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray) -> tuple[int, ...]:
    tallies = Tally(), Tally(), Tally()
    newton_euler(tallies[0], robot, q, qd, qdd)
    composite_bodies(tallies[1], robot, q)
    lagrange(tallies[2], robot, q, qd, qdd)
    return tuple(tally.total for tally in tallies)


def _seconds(call: Callable[[], object]) -> float:
    """The fastest of a few measurements: all that disturbs makes them slower."""
    call()
    begun = time.perf_counter()
    call()
    rounds = max(1, round(_LEAST / max(time.perf_counter() - begun, 1e-7)))
    best = np.inf
    for _ in range(_TRIES):
        begun = time.perf_counter()
        for _ in range(rounds):
            call()
        best = min(best, (time.perf_counter() - begun) / rounds)
    return best


LENGTH, MASS = 0.2, 1.0  # m, kg of a link


def serial_arm(n: int) -> Robot:
    """Return a robot of n equal links on revolute joints, each axis perpendicular to the one before; without friction."""
    step = np.array([[1.0, 0, 0, LENGTH], [0, 0, -1, 0], [0, 1, 0, 0], [0, 0, 0, 1]])
    inertia = MASS * LENGTH**2 / 12 * np.diag([0.1, 1.0, 1.0])
    com = np.array([LENGTH / 2, 0.02, 0.01])
    bodies = tuple(Body(i - 1, REVOLUTE, step if i else np.eye(4), MASS, com, inertia) for i in range(n))
    links = {"base": Frame(-1, np.eye(4))} | {f"link{i + 1}": Frame(i, np.eye(4)) for i in range(n)}
    free = np.full(n, np.inf)
    return Robot(
        name=f"serial{n}",
        bodies=bodies,
        joint_names=tuple(f"joint{i + 1}" for i in range(n)),
        links=links,
        frames=links | {"world": Frame(-1, np.eye(4)), "tool": Frame(n - 1, step)},
        tool="tool",
        q_min=-free,
        q_max=free,
        qd_max=free,
        tau_max=free,
        gravity=np.array([0.0, 0.0, -9.81]),
        configurations={},
    )
