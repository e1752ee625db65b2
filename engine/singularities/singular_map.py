"""Maps of two joints: a measure of dexterity over their range, and the curves on which the arm is singular."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from armature.engine import batching
from armature.engine.errors import EngineError
from armature.engine.kinematics.chain_arm import chain_arm, world_axes_arm
from armature.engine.kinematics.task import singular_rows
from armature.engine.model.frozen import Frozen
from armature.engine.model.joint_ranges import joint_ranges
from armature.engine.model.read_only import read_only
from armature.engine.model.robot import TASK_AXES, Robot
from armature.engine.singularities.dexterity_measures import check_quantity, measure_batch
from armature.engine.singularities.map_curves import Crossings, link_points, sign_curves
from armature.engine.singularities.singular_problem import SingularityProblem
from armature.engine.singularities.singular_search import restore_many, segment_roots

_CHUNKS = 8
_FLAT = 1e-13  # of the largest determinant on the map: as good as zero
_LOW = 0.2  # of the map's median sigma_min: shallower valleys are ignored
_ON_CURVE = 1e-9  # of the characteristic length, largest sigma_min on a curve


@dataclass(frozen=True, eq=False)
class SingularityMap(Frozen):
    """Measure of singularity over two joints `i`, `j` (0-based), the other joints fixed at `q` `(n,)`, rad or m.

    `first` `(R,)` and `second` `(R,)` are the positions of joints i and j in rad or m, `values` `(R, R)` the `quantity` at
    (first[a], second[b]). `curves` are polylines `(K, 2)` of (q_i, q_j) with sigma_min < 1e-9; a polyline of one point is an
    isolated singular pose. `everywhere` is True if every pose of the map is singular. `complete` is False if it was cancelled;
    values that were not computed are then 0, and there are no curves.
    """

    q: np.ndarray
    i: int
    j: int
    first: np.ndarray
    second: np.ndarray
    quantity: str
    values: np.ndarray
    curves: tuple[np.ndarray, ...]
    everywhere: bool
    complete: bool


def singularity_map(
    robot: Robot,
    q,
    i: int,
    j: int,
    quantity: str = "sigma_min",
    resolution: int = 200,
    frame: str | None = None,
    task=None,
    progress: Callable[[int, int], None] | None = None,
    cancel: Callable[[], bool] | None = None,
) -> SingularityMap:
    """Compute a measure of the task Jacobian over two joints, with its exact zero curves.

    For a square Jacobian J, det J = 0 is found from sign changes on the grid, refined on the grid edges. Zeros without a sign
    change, and the zeros of sigma_min of other arms, are found by Newton steps in the two joints from the valleys of |det J| and
    sigma_min on the grid.

    Args:
        q: pose `(n,)` with the positions of the other joints, rad or m.
        i, j: the two joints, 0-based.
        quantity: "sigma_min" (smallest singular value), "manipulability", "inverse_condition", or "determinant" for square J, as
            in `singularity`.
        resolution: points per joint, over its limits, or without limits over ±180° (prismatic: ± the reach).
        frame, task: as for `singularity`.
        progress: called with (done, total) from the computing thread.
        cancel: called repeatedly; if it returns True, an incomplete map is returned.

    Returns:
        A `SingularityMap` with read-only arrays.

    Raises:
        DimensionError, EngineError (also if a mimic joint moves the frame), UnknownFrameError.
    """
    (batch,), single = batching.vectors(robot, q=q)
    if not single:
        raise EngineError(f"{robot.name}: q must be one pose of shape ({robot.n},)")
    if i == j or not all(isinstance(k, (int, np.integer)) and 0 <= k < robot.n for k in (i, j)):
        raise EngineError(f"{robot.name}: i = {i!r}, j = {j!r} must be two different joints from 0 to {robot.n - 1}")
    if not isinstance(resolution, (int, np.integer)) or not 2 <= resolution <= 2000:
        raise EngineError(f"resolution must be a whole number from 2 to 2000, not {resolution!r}")
    arm = chain_arm(robot, frame)
    if arm is not None and arm.robot is not robot:
        if idle := [robot.joint_names[k] for k in (i, j) if k not in arm.joints]:
            raise EngineError(f"{robot.name}: joint {idle[0]} does not move the frame; choose a joint that does")
        a, b = (int(np.flatnonzero(arm.joints == k)[0]) for k in (i, j))
        found = singularity_map(arm.robot, batch[0, arm.joints], a, b, quantity, resolution, frame, task, progress, cancel)
        return replace(found, q=read_only(batch[0]), i=int(i), j=int(j))
    batching.states(robot, q=q)
    rows = singular_rows(robot, task)
    check_quantity(robot, quantity, rows, frame)
    low, high = joint_ranges(robot)
    first, second = (np.linspace(low[k], high[k], resolution) for k in (i, j))
    grid = np.tile(batch[0], (resolution, resolution, 1))
    grid[..., i], grid[..., j] = first[:, None], second
    square = len(rows) == robot.n
    wanted = [quantity, *({"determinant" if square else "sigma_min"} - {quantity})]
    fields = {name: np.zeros((resolution, resolution)) for name in wanted}
    parts = [(name, part) for name in wanted for part in np.array_split(np.arange(resolution), min(_CHUNKS, resolution))]
    for done, (name, part) in enumerate(parts):
        if cancel is not None and cancel():
            return _result(batch[0], i, j, first, second, quantity, fields[quantity], (), False, False)
        values, _ = measure_batch(robot, grid[part].reshape(-1, robot.n), name, frame, task)
        fields[name][part] = values.reshape(len(part), resolution)
        if progress is not None:
            progress(done + 1, len(parts) + 1)
    other = world_axes_arm(robot, frame, rows)
    if other is None:
        curves, everywhere = _Curves(robot, batch[0], i, j, first, second, SingularityProblem(robot, frame, rows)).of(fields)
    elif {i, j} & set(other.locked):
        curves, everywhere = [], False  # the map does not depend on that joint, so there are lines, no curves
    else:
        problem = SingularityProblem(other.robot, None, other.rows)
        curves, everywhere = _Curves(other.robot, other.pose(batch[0]), i, j, first, second, problem).of(fields)
    if progress is not None:
        progress(len(parts) + 1, len(parts) + 1)
    return _result(batch[0], i, j, first, second, quantity, fields[quantity], curves, everywhere, True)


def _result(q, i, j, first, second, quantity, values, curves, everywhere, complete) -> SingularityMap:
    lines = tuple(read_only(c) for c in curves)
    q, first, second, values = (read_only(a) for a in (q, first, second, values))
    return SingularityMap(q, int(i), int(j), first, second, quantity, values, lines, everywhere, complete)


@dataclass(frozen=True, eq=False)
class _Curves:
    """Singular curves in the plane of two joints."""

    robot: Robot
    q: np.ndarray
    i: int
    j: int
    first: np.ndarray
    second: np.ndarray
    problem: SingularityProblem

    def of(self, fields: dict[str, np.ndarray]) -> tuple[list[np.ndarray], bool]:
        """The curves, and True if instead all of the map is singular."""
        if "determinant" in fields:
            det = fields["determinant"]
            size = float(np.abs(det).max())
            if size < _FLAT * self._usual_determinant():
                return [], True
            signs = np.where(np.abs(det) < _FLAT * size, 0, np.sign(det)).astype(int)
            crossed = sign_curves(self.first, self.second, signs, self._roots)
            return crossed + self._touching(det, signs, crossed), False
        sigma = fields["sigma_min"]
        if float(sigma.max()) < _ON_CURVE * self.robot.characteristic_length:
            return [], True
        across, along = _lowest(sigma)
        return self._bottoms((across | along) & (sigma <= _LOW * np.median(sigma)), np.zeros((0, 2))), False

    def _usual_determinant(self) -> float:
        """The largest |det J| at a few random poses; a map of rounding errors is far below it."""
        low, high = joint_ranges(self.robot)
        poses = np.random.default_rng(0).uniform(low, high, (64, self.robot.n))
        rows = [TASK_AXES[r] for r in self.problem.rows]
        return float(np.abs(measure_batch(self.robot, poses, "determinant", self.problem.frame, rows)[0]).max())

    def _roots(self, crossings: Crossings) -> np.ndarray:
        """Zeros `(E, 2)` of det between the two ends of each edge."""
        out = np.empty((len(crossings.a), 2))
        ends = np.ascontiguousarray(np.concatenate([crossings.a, crossings.b], axis=1))
        arm = self.problem.arm(self.robot.q_min, self.robot.q_max)
        batching.run(lambda lo, hi: segment_roots.call(arm, self.q, self.i, self.j, ends, out, lo, hi), len(out))
        return out

    def _touching(self, det: np.ndarray, signs: np.ndarray, crossed: list[np.ndarray]) -> list[np.ndarray]:
        """Curves of zeros without a change of sign, such as double zeros; without points on the curves `crossed`."""
        size = np.abs(det)
        across, along = _lowest(size)
        turns_across, turns_along = signs[:-1] * signs[1:] <= 0, signs[:, :-1] * signs[:, 1:] <= 0
        across[:-1][turns_across], across[1:][turns_across] = False, False
        along[:, :-1][turns_along], along[:, 1:][turns_along] = False, False
        return self._bottoms((across | along) & (size <= _LOW**2 * np.median(size)), np.concatenate([np.zeros((0, 2)), *crossed]))

    def _bottoms(self, low: np.ndarray, known: np.ndarray) -> list[np.ndarray]:
        """Polylines of zeros of sigma_min found by descent from the nodes `low`; without points near `known` `(K, 2)`."""
        a, b = np.nonzero(low)
        if not len(a):
            return []
        start = np.tile(self.q, (len(a), 1))
        start[:, self.i], start[:, self.j] = self.first[a], self.second[b]
        low, high = np.array(self.q), np.array(self.q)
        for k, side in ((self.i, self.first), (self.j, self.second)):
            low[k], high[k] = side[0], side[-1]
        out, reached = np.empty_like(start), np.empty(len(start))
        arm = self.problem.arm(low, high)
        batching.run(lambda lo, hi: restore_many.call(arm, start, 0, out, reached, lo, hi), len(start), 16)
        step = np.array([self.first[1] - self.first[0], self.second[1] - self.second[0]])
        points = out[:, [self.i, self.j]]
        near = np.isfinite(reached) & (np.abs(points - start[:, [self.i, self.j]]) < 3 * step).all(axis=1)
        if len(known):
            near &= (np.abs(points[:, None] - known) > 1.5 * step).any(axis=2).all(axis=1)
        return link_points(points[near], step)


def _lowest(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Local minima of each row, and of each column, of a grid."""
    walled = np.pad(values, 1, constant_values=np.inf)
    across = (values <= walled[:-2, 1:-1]) & (values <= walled[2:, 1:-1])
    along = (values <= walled[1:-1, :-2]) & (values <= walled[1:-1, 2:])
    return across, along
