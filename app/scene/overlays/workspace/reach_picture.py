"""How a sampled workspace looks: as points, as cubes or as its boundary, whole or cut open. Computed beside the GUI."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from armature import engine
from armature.app.scene.gl.mesh import Mesh
from armature.app.scene.overlays.workspace.cloud_item import RECORD, shuffled
from armature.app.scene.overlays.workspace.cut import Cut, clipped
from armature.app.style import colormap
from armature.engine import VoxelGrid, Workspace

STYLES = {"points": "Points", "voxels": "Voxels", "boundary": "Boundary"}
GLOSS = 40  # of 255
MOST_POINTS = 100_000  # drawn: they cover a cloud, and a million take a quarter of a second per frame to draw in software
# The four corners of the cube's face on the far side of each axis.
_FACES = {
    (axis, side): np.roll(np.array([[side, 0, 0], [side, 1, 0], [side, 1, 1], [side, 0, 1]])[:: 1 if side else -1], axis, axis=1)
    for axis in range(3)
    for side in (0, 1)
}


@dataclass(frozen=True, eq=False)
class ReachPicture:
    """Records for the cloud and a mesh in W with its opacity; one is empty. `low`, `high`: the ends of the colours; `left_out`:
    how many points that the cut keeps are not drawn."""

    records: np.ndarray
    mesh: Mesh | None
    opacity: float
    low: float
    high: float
    left_out: int = 0


def reach_picture(space: Workspace, style: str = "points", cut: Cut | None = None) -> ReachPicture:
    """The picture of a workspace in one of STYLES."""
    cut = cut or Cut()
    even, low, high = colormap.normalised(space.values)
    ends = space.ends
    if style == "points":
        kept = np.flatnonzero(cut.keeps(space.points, *ends))
        drawn = kept[:MOST_POINTS]  # the first of a Sobol sequence are spread as evenly as all
        records = np.zeros(len(drawn), RECORD)
        records["position"] = space.points[drawn]
        records["colour"] = colormap.lookup_bytes(even[drawn])
        return ReachPicture(shuffled(records), None, 1.0, low, high, len(kept) - len(drawn))
    grid = engine.voxel_grid(space)
    shade = np.zeros(grid.counts.shape)
    scale = high - low or 1.0
    shade[grid.occupied] = (grid.means(space) - low) / scale
    if style == "voxels":
        return ReachPicture(np.zeros(0, RECORD), _cubes(grid, shade, cut, ends), 1.0, low, high)
    return ReachPicture(np.zeros(0, RECORD), _boundary(grid, shade, cut, ends), 0.42 if cut.axis < 0 else 0.8, low, high)


def _cubes(grid: VoxelGrid, shade: np.ndarray, cut: Cut, ends) -> Mesh:
    """The faces between kept cells and empty ones, in the colour of their cell."""
    cells = np.argwhere(grid.occupied)
    cells = cells[cut.keeps(grid.origin + (cells + 0.5) * grid.size, *ends)]
    kept = np.zeros(np.array(grid.counts.shape) + 2, bool)
    kept[tuple(cells.T + 1)] = True
    corners, normals, colours = [], [], []
    for (axis, side), face in _FACES.items():
        beside = cells + 1
        beside[:, axis] += 1 if side else -1
        bare = cells[~kept[tuple(beside.T)]]
        corners.append(grid.origin + grid.size * (bare[:, None, :] + face))
        normals.append(np.broadcast_to((2 * side - 1) * np.eye(3)[axis], (len(bare), 4, 3)))
        colours.append(np.repeat(shade[tuple(bare.T)], 4))
    count = sum(len(c) for c in corners)
    quads = 4 * np.arange(count)[:, None]
    faces = np.concatenate([quads + [0, 1, 2], quads + [0, 2, 3]])
    return _painted(
        np.concatenate(corners).reshape(-1, 3), np.concatenate(normals).reshape(-1, 3), faces, np.concatenate(colours)
    )


def _boundary(grid: VoxelGrid, shade: np.ndarray, cut: Cut, ends) -> Mesh:
    """The boundary surface, each vertex in the colour of the occupied cells around it."""
    from scipy.ndimage import distance_transform_edt

    vertices, faces = engine.reach_surface(grid)
    nearest = distance_transform_edt(~grid.occupied, return_distances=False, return_indices=True)
    at = grid.index(vertices)
    colours = shade[tuple(axis[at] for axis in nearest)]
    across = np.cross(vertices[faces[:, 1]] - vertices[faces[:, 0]], vertices[faces[:, 2]] - vertices[faces[:, 0]])
    normals = np.zeros_like(vertices)
    for k in range(3):
        np.add.at(normals, faces[:, k], across)
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-30)
    whole = np.column_stack([vertices, normals, colours])
    kept, faces = clipped(whole, faces, cut.depth(vertices, *ends))
    return _painted(kept[:, :3], kept[:, 3:6], faces, kept[:, 6])


def _painted(positions: np.ndarray, normals: np.ndarray, faces: np.ndarray, shade: np.ndarray) -> Mesh:
    """A mesh with the colour map's colour at each vertex."""
    mesh = Mesh.of(positions, normals, faces)
    sRGB = colormap.lookup_bytes(shade)[:, :3] / 255.0
    mesh.vertices["colour"][:, :3] = np.round(255 * sRGB**1.1)  # the square root of linear light
    mesh.vertices["colour"][:, 3] = GLOSS
    return mesh
