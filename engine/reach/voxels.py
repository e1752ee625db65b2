"""Voxels of the reachable positions, and their surface."""

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
    """Grid of cubes along the world axes, with the number of sampled tool positions in each.

    `size`: edge of a cube, m; `origin` `(3,)`: corner of the grid with the smallest x, y and z, m in the world frame; `counts`
    `(nx, ny, nz)`: number of tool positions in each cube. For an arm that moves in a plane the grid is one cube thick.
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


# The eight corners of a cell of the dual grid, and its twelve edges by axis.
_CORNERS = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)])
_EDGES = [(a, b) for a in range(8) for b in range(a + 1, 8) if np.abs(_CORNERS[a] - _CORNERS[b]).sum() == 1]
_SMOOTHING = 0.8  # cells


def reach_surface(grid: VoxelGrid) -> tuple[np.ndarray, np.ndarray]:
    """Return the surface around the occupied cells of a workspace as a triangle mesh.

    Surface nets: every 2×2×2 block of cell centres that the surface passes through has one vertex, the mean of the points where
    the surface cuts the edges of the block. Every edge between two cell centres that the surface cuts has one quadrilateral, made
    of two triangles. For a planar workspace the surface is flat and consists of the occupied cells themselves.

    Args:
        grid: result of `voxel_grid`.

    Returns:
        Vertices `(V, 3)`, m in the world frame, and triangles `(T, 3)`, indices of vertices with the normal outwards.

    Source: Gibson, Constrained elastic surface nets, 1998.
    """
    from scipy.ndimage import gaussian_filter

    if 1 in grid.counts.shape:
        return _flat(grid)
    field = gaussian_filter(grid.occupied.astype(float), _SMOOTHING) - 0.5
    return _nets(field, grid.origin + 0.5 * grid.size, grid.size)


def _nets(field: np.ndarray, origin: np.ndarray, size: float) -> tuple[np.ndarray, np.ndarray]:
    """Return vertices `(V, 3)`, m, and quads `(F, 4)` of the surface field = 0; samples at origin + size · index, > 0 inside."""
    shape = np.array(field.shape) - 1
    value = np.stack([field[x : x + shape[0], y : y + shape[1], z : z + shape[2]] for x, y, z in _CORNERS])
    inside = value > 0
    crossed = inside.any(axis=0) & ~inside.all(axis=0)
    value, cells = value[:, crossed], np.argwhere(crossed)
    total, count = np.zeros((len(cells), 3)), np.zeros(len(cells))
    for a, b in _EDGES:
        cut = (value[a] > 0) != (value[b] > 0)
        s = value[a, cut] / (value[a, cut] - value[b, cut])
        total[cut] += _CORNERS[a] + s[:, None] * (_CORNERS[b] - _CORNERS[a])
        count[cut] += 1
    vertices = origin + size * (cells + total / count[:, None])
    number = np.full(shape, -1)
    number[crossed] = np.arange(len(cells))
    return vertices, np.concatenate([_quads(field > 0, number, axis) for axis in range(3)])


def _quads(inside: np.ndarray, number: np.ndarray, axis: int) -> np.ndarray:
    """Two triangles for every grid edge along `axis` whose ends lie on different sides."""
    u, v = (axis + 1) % 3, (axis + 2) % 3
    first = np.moveaxis(inside, (axis, u, v), (0, 1, 2))
    cell = np.moveaxis(number, (axis, u, v), (0, 1, 2))
    a, b = first[:-1, 1:-1, 1:-1], first[1:, 1:-1, 1:-1]
    i, j, k = np.nonzero(a != b)
    ring = [cell[i, j, k], cell[i, j + 1, k], cell[i, j + 1, k + 1], cell[i, j, k + 1]]
    out = a[i, j, k]
    quad = np.where(out[:, None], np.stack(ring, axis=1), np.stack(ring[::-1], axis=1))
    return np.concatenate([quad[:, [0, 1, 2]], quad[:, [0, 2, 3]]])


def _flat(grid: VoxelGrid) -> tuple[np.ndarray, np.ndarray]:
    """The occupied cells of a reach in a plane, as squares."""
    flat = [c for c in range(3) if grid.counts.shape[c] > 1]
    cells = np.argwhere(grid.occupied)
    steps = np.zeros((4, 3))
    if len(flat) == 2:
        steps[[1, 2], flat[0]] = 1.0
        steps[[2, 3], flat[1]] = 1.0
    corners = cells[:, None, :] + steps
    thin = [c for c in range(3) if c not in flat]
    corners[..., thin] += 0.5
    base = 4 * np.arange(len(cells))[:, None]
    triangles = np.concatenate([base + [0, 1, 2], base + [0, 2, 3]])
    return grid.origin + grid.size * corners.reshape(-1, 3), triangles
