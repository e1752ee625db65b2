"""A workspace in cubes of equal size: how many samples each holds."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from armature.engine.errors import EngineError
from armature.engine.model.frozen import Frozen
from armature.engine.reach.sampled_workspace import Workspace, check_sampled

MARGIN = 2  # empty cells all around
_CROWD = 8  # samples that a cell should hold on average
_MOST = 96  # cells along the longest side
_LARGEST = 1e8  # cells of a grid


@dataclass(frozen=True, eq=False)
class VoxelGrid(Frozen):
    """Cubes of edge `size` in m along the world axes, from the corner `origin` `(3,)` of least x, y, z, m in the world frame.

    `counts` `(nx, ny, nz)` is the number of sampled tool positions in each cube; a planar arm has one layer across its plane.
    """

    origin: np.ndarray
    size: float
    counts: np.ndarray

    def index(self, points: np.ndarray) -> tuple[np.ndarray, ...]:
        """Return the cell of each point as three index arrays `(N,)` for x, y and z, as in `counts[grid.index(points)]`.

        `points` `(N, 3)`: m in the world frame; points outside the grid count to the nearest cell.
        """
        cells = np.floor((points - self.origin) / self.size).astype(np.int64)
        return tuple(np.clip(cells, 0, np.array(self.counts.shape) - 1).T)

    @property
    def occupied(self) -> np.ndarray:
        """Array `(nx, ny, nz)` that is True for cells with at least one sample."""
        return self.counts > 0

    def centres(self) -> np.ndarray:
        """Centres `(k, 3)` of the occupied cells, m in the world frame."""
        return self.origin + (np.argwhere(self.occupied) + 0.5) * self.size

    def means(self, space: Workspace) -> np.ndarray:
        """Return the mean of `space.values` in each of the k occupied cells, `(k,)`, in the order of `centres`."""
        flat = np.ravel_multi_index(self.index(space.points), self.counts.shape)
        sums = np.bincount(flat, space.values, self.counts.size)
        full = self.counts.ravel() > 0
        return sums[full] / self.counts.ravel()[full]


def voxel_grid(space: Workspace, size: float | None = None) -> VoxelGrid:
    """Divide a workspace into cubes and count the samples in each.

    Args:
        space: result of `workspace`.
        size: edge of a cube, m; None: chosen for about eight samples per cube.

    Returns:
        A `VoxelGrid`, one layer thick for an arm that moves in a plane.

    Raises:
        EngineError: an invalid size, a size that needs more than 10⁸ cubes, or a workspace without points.
    """
    check_sampled(space)
    if size is not None and not (isinstance(size, (int, float, np.number)) and 0 < size < np.inf):
        raise EngineError(f"size must be the edge of a cube in m, above 0, got {size!r}")
    points, axes = space.points, list(space.axes)
    low, span = space.ends[0], space.ends[1] - space.ends[0]
    longest = float(span.max(initial=0.0)) or 1.0
    if size is None:
        cells = max(len(points) / _CROWD, 8.0)
        filled = float(np.prod(span[axes] / longest)) if axes else 1.0
        size = longest / min(_MOST, max(8.0, (cells / max(filled, 1e-6)) ** (1 / max(len(axes), 1))))
    margin = np.zeros(3, int)
    margin[axes] = MARGIN
    along = np.where(margin > 0, np.ceil(span / size) + 1 + 2 * margin, 1)
    if along.prod() > _LARGEST:
        raise EngineError(f"size = {size:.3g} m is too small: the workspace would have {along.prod():.1e} cubes")
    shape = along.astype(int)
    origin = np.where(margin > 0, low - margin * size - 0.5 * (np.ceil(span / size) * size + size - span), low - 0.5 * size)
    empty = VoxelGrid(origin, float(size), np.zeros(shape, np.int64))
    flat = np.ravel_multi_index(empty.index(points), tuple(shape))
    return VoxelGrid(origin, float(size), np.bincount(flat, minlength=int(np.prod(shape))).reshape(shape))
