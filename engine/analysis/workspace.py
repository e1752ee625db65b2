"""The space the tool can reach, sampled."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from engine.analysis.measures import check_quantity, measure_batch
from engine.errors import EngineError
from engine.kinematics.task import task_rows
from engine.model.arrays import read_only
from engine.model.robot import Robot

_CHUNK = 1 << 15  # a power of two keeps the Sobol points balanced


@dataclass(frozen=True, eq=False)
class Workspace:
    """Sampled reach: `points` `(N, 3)` m in W, `values` `(N,)` of `quantity`, the `q` `(N, n)` behind each.

    `complete` is False when it was cancelled.
    """

    points: np.ndarray
    values: np.ndarray
    q: np.ndarray
    quantity: str
    seed: int
    complete: bool


def workspace(
    robot: Robot,
    samples: int = 100_000,
    quantity: str = "manipulability",
    seed: int = 0,
    limits: bool = True,
    progress: Callable[[int, int], None] | None = None,
    cancel: Callable[[], bool] | None = None,
) -> Workspace:
    """Points the tool reaches, from scrambled Sobol samples of the joint space.

    Args:
        samples: how many.
        quantity: "manipulability", "sigma_min", "inverse_condition", or "determinant" where J is square.
        seed: the same seed gives the same points.
        limits: keep to the joint limits; False turns every revolute joint through the full circle.
        progress: called with (done, samples) from the computing thread after every chunk.
        cancel: asked before every chunk; True ends early with what there is.

    Returns:
        A `Workspace`, as far as it came.

    Raises:
        EngineError.

    Source: Sobol' 1967; Yoshikawa 1985 for the measure.
    """
    if isinstance(samples, bool) or not isinstance(samples, (int, np.integer)) or samples < 1:
        raise EngineError(f"samples = {samples!r} is not a whole number ≥ 1")
    check_quantity(robot, quantity, task_rows(robot))
    from scipy.stats import qmc  # half a second to import, and only this needs it

    low, high = joint_ranges(robot, limits)
    sobol = qmc.Sobol(robot.n, scramble=True, rng=seed)
    q, values, points = np.empty((samples, robot.n)), np.empty(samples), np.empty((samples, 3))
    done = 0
    while done < samples and not (cancel is not None and cancel()):
        part = slice(done, min(done + _CHUNK, samples))
        q[part] = low + sobol.random(_CHUNK)[: part.stop - done] * (high - low)
        values[part], points[part] = measure_batch(robot, q[part], quantity)
        done = part.stop
        if progress is not None:
            progress(done, samples)
    return Workspace(read_only(points[:done]), read_only(values[:done]), read_only(q[:done]), quantity, seed, done == samples)


def joint_ranges(robot: Robot, limits: bool = True) -> tuple[np.ndarray, np.ndarray]:
    """Finite lower and upper ends `(n,)` of the joint space: ±180° for a free revolute joint, ±reach for a free slide."""
    span = np.where(robot.prismatic, robot.reach, np.pi)
    free = (~robot.prismatic) & (not limits)
    low = np.where(np.isfinite(robot.q_min) & ~free, robot.q_min, -span)
    high = np.where(np.isfinite(robot.q_max) & ~free, robot.q_max, span)
    return low, high
