"""Volume of the reachable positions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from armature.engine.errors import EngineError
from armature.engine.kinematics.floor_depths import FloorDepths
from armature.engine.kinematics.ik import ik
from armature.engine.model.robot import TASK_AXES
from armature.engine.reach.sampled_workspace import Workspace, check_sampled
from armature.engine.reach.voxels import voxel_grid

_CELLS = 100_000  # samples that the coarse grid is made of
_CHUNK = 2000
_RESTARTS = 6


@dataclass(frozen=True)
class ReachVolume:
    """Volume of a workspace: `value` ± `error` (one standard deviation) in m³, or m² for a planar arm.

    `unit` is "m³" or "m²"; `tests` is the number of random points near the boundary that were tested.
    """

    value: float
    error: float
    unit: str
    tests: int


def reach_volume(
    space: Workspace,
    tests: int = 20_000,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
    cancel: Callable[[], bool] | None = None,
) -> ReachVolume:
    """Compute the volume of all points that the tool's origin reaches with at least one orientation, m³, or m² for a planar arm.

    V = h³ (N + Σ s_k) with N the number of cells of edge h that are at least one cell away from the boundary of the workspace,
    and s_k the share of the random points in cell k at the boundary that inverse kinematics reaches, started from the nearest
    samples. h follows from the number of samples. Counting only occupied cells would be wrong by some percent.

    Args:
        space: result of `workspace`. If it was computed with `above_floor` or with a `cell`, points that the arm reaches only
            below the floor, or only in contact, do not count.
        tests: number of random points near the boundary.
        seed: seed of these points.
        progress: called with (number of points tested, `tests`).
        cancel: called repeatedly; if it returns True, the result uses the points tested so far.

    Returns:
        A `ReachVolume`: value and standard deviation, m³ or m².

    Raises:
        EngineError: a workspace without points or along a line, or invalid `tests` or `seed`.

    Source: Monte Carlo integration with a binomial error, stratified by cells.
    """
    from scipy.ndimage import binary_dilation, binary_erosion
    from scipy.spatial import cKDTree
    from scipy.stats import qmc

    check_sampled(space)
    axes = list(space.axes)
    if len(axes) < 2:
        raise EngineError("the workspace has no volume and no area, because the tool moves along a line at most")
    for name, value, least in (("tests", tests, 1), ("seed", seed, 0)):
        if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < least:
            raise EngineError(f"{name} must be a whole number ≥ {least}, got {value!r}")
    thin = space.points[:_CELLS]
    grid = voxel_grid(Workspace(thin, space.values[: len(thin)], space.q[: len(thin)], "", 0, True, space.robot))
    flat_axes = tuple(c for c in range(3) if c not in axes)
    full = np.asarray(grid.counts.sum(axis=flat_axes) > 0)
    block = np.ones((3,) * full.ndim, bool)
    inside = binary_erosion(full, block)
    shell = np.argwhere(binary_dilation(full, block) & ~inside)
    tree, near = cKDTree(space.points[:, axes]), space.robot.configurations["home"]
    u = qmc.Sobol(len(axes) + 1, rng=seed).random(1 << int(np.ceil(np.log2(max(tests, 2)))))[:tests]
    hits = done = 0
    while done < tests and not (cancel is not None and cancel()):
        part = u[done : done + _CHUNK]
        cells = shell[np.minimum((part[:, 0] * len(shell)).astype(int), len(shell) - 1)]
        at = grid.origin[axes] + (cells + part[:, 1:]) * grid.size
        hits += int(_reached(space, tree, at, axes, near).sum())
        done += len(part)
        if progress is not None:
            progress(done, tests)
    p = hits / max(done, 1)
    cell = grid.size ** len(axes)
    error = cell * len(shell) * np.sqrt(max(p * (1 - p), 1 / max(done, 1)) / max(done, 1))
    return ReachVolume(cell * (int(inside.sum()) + len(shell) * p), float(error), "m³" if len(axes) == 3 else "m²", done)


def _reached(space: Workspace, tree, at: np.ndarray, axes: list[int], home: np.ndarray) -> np.ndarray:
    """True for the points `(k, len(axes))` that the tool reaches, from the poses of the nearest samples or from random ones."""
    T = np.broadcast_to(np.eye(4), (len(at), 4, 4)).copy()
    T[:, :3, 3] = space.points[0]
    T[:, axes, 3] = at
    task, robot = tuple(TASK_AXES[c] for c in axes), replace(space.robot, task_axes="world")
    _, nearest = tree.query(at, k=min(2, len(space.points)))
    reached = np.zeros(len(at), bool)
    depths = None if space.robot.floor is None else FloorDepths(space.robot)
    starts = [*np.atleast_2d(nearest.T), None]
    for start in starts:
        left = np.flatnonzero(~reached)
        if len(left):
            q0, restarts = (space.q[start[left]], 0) if start is not None else (home, _RESTARTS)
            found = ik(robot, T[left], q0=q0, task=task, restarts=restarts)
            free = found.success if depths is None else found.success & depths.above(found.q)
            reached[left] = free if space.collides is None else free & ~space.collides(found.q)
    return reached
