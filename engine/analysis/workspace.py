"""The space the tool can reach, sampled."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from engine.analysis.reach_quantities import AFTERWARDS, MEASURES, QUANTITIES, check_reach_quantity
from engine.errors import EngineError
from engine.model.arrays import read_only
from engine.model.robot import Robot

_CHUNK = 1 << 15  # a power of two keeps the Sobol points balanced


@dataclass(frozen=True, eq=False)
class Workspace:
    """Sampled reach: `points` `(N, 3)` m in W, `values` `(N,)` of `quantity`, the `q` `(N, n)` behind each.

    `complete` is False when it was cancelled; `robot` is the arm with the limits that were sampled.
    """

    points: np.ndarray
    values: np.ndarray
    q: np.ndarray
    quantity: str
    seed: int
    complete: bool
    robot: Robot = field(repr=False)

    @cached_property
    def ends(self) -> tuple[np.ndarray, np.ndarray]:
        """The lowest and the highest coordinate of all points, `(3,)` each, m in W."""
        columns = self.points.T  # numpy takes a column's extreme five times as fast as that of all three at once
        return np.array([x.min() for x in columns]), np.array([x.max() for x in columns])

    @property
    def axes(self) -> tuple[int, ...]:
        """The coordinates 0…2 in which the reach extends: two for an arm that moves in a plane."""
        low, high = self.ends
        return tuple(int(c) for c in np.flatnonzero(high - low > 1e-6 * self.robot.reach))


def workspace(
    robot: Robot,
    samples: int = 100_000,
    quantity: str = "manipulability",
    seed: int = 0,
    limits: bool = True,
    joints: Sequence[int] | None = None,
    q=None,
    progress: Callable[[int, int], None] | None = None,
    cancel: Callable[[], bool] | None = None,
    partial: Callable[[Workspace], None] | None = None,
) -> Workspace:
    """Points the tool reaches, from scrambled Sobol samples of the joint space.

    Args:
        samples: how many.
        quantity: what `values` are, a name of `engine.analysis.reach_quantities.QUANTITIES`.
        seed: the same seed gives the same points.
        limits: keep to the joint limits; False turns every revolute joint through the full circle.
        joints: the joints that move, 0-based; the others stay at `q` `(n,)`, rad or m, the home pose when None. All when None.
        progress: called with (done, samples) from the computing thread after every chunk.
        cancel: asked before every chunk; True ends early with what there is.
        partial: called with the samples so far whenever they have grown by a quarter, for a picture that grows.

    Returns:
        A `Workspace`, as far as it came.

    Raises:
        EngineError, MissingDynamicsError where the quantity needs masses.

    Source: Sobol' 1967; Yoshikawa 1985 for the measure.
    """
    if isinstance(samples, bool) or not isinstance(samples, (int, np.integer)) or samples < 1:
        raise EngineError(f"samples = {samples!r} is not a whole number ≥ 1")
    check_reach_quantity(robot, quantity)
    from scipy.stats import qmc  # half a second to import, and only this needs it

    arm = restricted(robot, limits, joints, q)
    low, high = joint_ranges(arm)
    sobol = qmc.Sobol(robot.n, scramble=True, rng=seed)
    table, values, points = np.empty((samples, robot.n)), np.empty(samples), np.empty((samples, 3))
    measure = MEASURES.get(quantity, MEASURES["manipulability"])
    done, told = 0, 0

    def so_far(complete: bool) -> Workspace:
        at, value, pose = (_seen(part[:done]) for part in (points, values, table))
        space = Workspace(at, value, pose, quantity, seed, complete, arm)
        return replace(space, values=read_only(AFTERWARDS[quantity](space))) if quantity in AFTERWARDS and done else space

    while done < samples and not (cancel is not None and cancel()):
        part = slice(done, min(done + _CHUNK, samples))
        table[part] = low + sobol.random(_CHUNK)[: part.stop - done] * (high - low)
        values[part], points[part] = measure(robot, table[part])
        done = part.stop
        if progress is not None:
            progress(done, samples)
        if partial is not None and 1.25 * told <= done < samples:
            told = done
            partial(so_far(False))
    return so_far(done == samples)


def _seen(part: np.ndarray) -> np.ndarray:
    """A view that refuses to be written to, of what nobody writes to any more."""
    part.setflags(write=False)
    return part


def restricted(robot: Robot, limits: bool = True, joints: Sequence[int] | None = None, q=None) -> Robot:
    """The arm with the limits that are to be sampled. Raises EngineError for joints that it does not have."""
    low, high = np.array(robot.q_min), np.array(robot.q_max)
    if not limits:
        low[~robot.prismatic], high[~robot.prismatic] = -np.pi, np.pi
    if joints is not None:
        chosen = sorted({int(j) for j in joints})
        if not chosen or chosen[0] < 0 or chosen[-1] >= robot.n:
            raise EngineError(f"{robot.name}: joints {list(joints)!r} are not some of 0…{robot.n - 1}")
        pose = np.asarray(robot.configurations["home"] if q is None else q, float)
        if pose.shape != (robot.n,) or not np.isfinite(pose).all():
            raise EngineError(f"{robot.name}: q must be {robot.n} finite numbers")
        still = np.setdiff1d(np.arange(robot.n), chosen)
        low[still] = high[still] = pose[still]
    return replace(robot, q_min=low, q_max=high, configurations={})


def joint_ranges(robot: Robot) -> tuple[np.ndarray, np.ndarray]:
    """Finite lower and upper ends `(n,)` of the joint space: ±180° for a free revolute joint, ±reach for a free slide."""
    span = np.where(robot.prismatic, robot.reach, np.pi)
    return np.where(np.isfinite(robot.q_min), robot.q_min, -span), np.where(np.isfinite(robot.q_max), robot.q_max, span)


__all__ = ["QUANTITIES", "Workspace", "joint_ranges", "restricted", "workspace"]
