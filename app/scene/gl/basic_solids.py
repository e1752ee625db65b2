"""The solids everything in the scene is made of, with analytic normals. z is the axis of every round one."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from armature.app.scene.gl.mesh import Mesh, joined

SEGMENTS = 36
CREASE = np.cos(np.radians(50.0))


def ring(count: int = SEGMENTS) -> np.ndarray:
    """Unit vectors `(count + 1, 2)` once around, the last one equal to the first."""
    angle = np.linspace(0.0, 2 * np.pi, count + 1)
    return np.column_stack([np.cos(angle), np.sin(angle)])


def extrude(profile: np.ndarray, centres: np.ndarray | None = None, directions: np.ndarray | None = None) -> Mesh:
    """A cross-section moved along z: ring point j of profile point k lies at (centres_j + r_k directions_j, z_k).

    `profile` `(K, 2)` holds (r, z), outside to the left when walking along it with rising z. Circles have zero centres; a
    rounded rectangle has its corner centres. Edges sharper than 50° stay sharp, and open ends are closed flat.
    """
    directions = ring() if directions is None else directions
    centres = np.zeros_like(directions) if centres is None else centres
    profile = np.asarray(profile, float)
    step = np.diff(profile, axis=0)
    slope = np.column_stack([step[:, 1], -step[:, 0]])
    slope /= np.maximum(np.linalg.norm(slope, axis=1, keepdims=True), 1e-12)
    first, last = slope.copy(), slope.copy()
    for k in range(1, len(slope)):
        if slope[k - 1] @ slope[k] > CREASE:
            mean = slope[k - 1] + slope[k]
            last[k - 1] = first[k] = mean / np.linalg.norm(mean)
    strips = _strips(profile, np.stack([first, last], axis=1), centres, directions)
    return joined([strips, _cap(profile[0], -1.0, centres, directions), _cap(profile[-1], 1.0, centres, directions)])


def cylinder(radius: float, z0: float, z1: float, bevel: float = 0.0, top: float | None = None, segments: int = SEGMENTS) -> Mesh:
    """A cylinder, or a cone frustum with radius `top` at z1, with rounded edges of radius `bevel`."""
    top = radius if top is None else top
    bevel = min(bevel, 0.45 * radius, 0.45 * (top or radius), 0.45 * (z1 - z0))
    turn = np.linspace(0.0, np.pi / 2, 4)
    low = np.column_stack([radius - bevel + bevel * np.sin(turn), z0 + bevel - bevel * np.cos(turn)])
    high = np.column_stack([top - bevel + bevel * np.cos(turn), z1 - bevel + bevel * np.sin(turn)])
    profile = np.concatenate([low, high]) if bevel > 0 else np.array([[radius, z0], [top, z1]])
    return extrude(profile, directions=ring(segments))


def sphere(radius: float = 1.0, segments: int = SEGMENTS, bands: int = 18) -> Mesh:
    """A ball around the origin."""
    turn = np.linspace(-np.pi / 2, np.pi / 2, bands + 1)
    return extrude(radius * np.column_stack([np.cos(turn), np.sin(turn)]), directions=ring(segments))


def rounded_box(size: tuple[float, float], z0: float, z1: float, corner: float, bevel: float = 0.0) -> Mesh:
    """A box of `size` (x, y) from z0 to z1 with vertical edges of radius `corner` and horizontal ones of radius `bevel`."""
    corner = min(corner, 0.49 * min(size))
    bevel = min(bevel, 0.95 * corner, 0.45 * (z1 - z0))
    half = np.array(size) / 2 - corner
    directions, centres = [], []
    for quadrant, sign in enumerate([(1, 1), (-1, 1), (-1, -1), (1, -1)]):
        angle = (quadrant + np.linspace(0.0, 1.0, 6)) * np.pi / 2
        directions.append(np.column_stack([np.cos(angle), np.sin(angle)]))
        centres.append(np.tile(half * sign, (6, 1)))
    turn = np.linspace(0.0, np.pi / 2, 4)
    low = np.column_stack([corner - bevel + bevel * np.sin(turn), z0 + bevel - bevel * np.cos(turn)])
    high = np.column_stack([corner - bevel + bevel * np.cos(turn), z1 - bevel + bevel * np.sin(turn)])
    return extrude(
        np.concatenate([low, high]) if bevel > 0 else np.array([[corner, z0], [corner, z1]]),
        _closed(centres),
        _closed(directions),
    )


def arrow(length: float, shaft: float, segments: int = 18) -> Mesh:
    """A slim cylinder with a cone, along +z from the origin."""
    head = min(0.28 * length, 6.0 * shaft)
    tip = extrude(np.array([[2.3 * shaft, length - head], [0.0, length]]), directions=ring(segments))
    return joined([cylinder(shaft, 0.0, length - 0.98 * head, segments=segments), tip])


def tube(points: np.ndarray, radii: np.ndarray, bend: float) -> Mesh:
    """A round tube along the corner points `(K, 3)` with a radius at each; corners become arcs of radius up to `bend`."""
    path, radius = _filleted(np.asarray(points, float), np.asarray(radii, float), bend)
    tangent = np.gradient(path, axis=0)
    tangent[0], tangent[-1] = path[1] - path[0], path[-1] - path[-2]
    tangent /= np.linalg.norm(tangent, axis=1, keepdims=True)
    across = _carried(tangent)
    circle = ring()
    normals = circle[None, :, :1] * across[:, None] + circle[None, :, 1:] * np.cross(tangent, across)[:, None]
    positions = path[:, None] + radius[:, None, None] * normals
    grid = _grid_faces(len(path), len(circle))
    body = Mesh.of(positions.reshape(-1, 3), normals.reshape(-1, 3), grid)
    return joined([body, _disc(positions[0], -tangent[0]), _disc(positions[-1], tangent[-1])])


def hoop(start: float, end: float, thick: float, pieces: int = 32, segments: int = 12) -> Mesh:
    """The part from angle `start` to `end` (rad) of a ring of radius 1 around z, `2 thick` across, with closed ends."""
    angle = np.linspace(start, end, pieces + 1)
    out = np.column_stack([np.cos(angle), np.sin(angle), np.zeros_like(angle)])
    circle = ring(segments)
    normals = circle[None, :, :1] * out[:, None] - circle[None, :, 1:] * np.array([0.0, 0.0, 1.0])
    positions = out[:, None] + thick * normals
    body = Mesh.of(positions.reshape(-1, 3), normals.reshape(-1, 3), _grid_faces(len(out), len(circle)))
    back, ahead = (np.array([-out[k, 1], out[k, 0], 0.0]) for k in (0, -1))
    return joined([body, _disc(positions[0], -back), _disc(positions[-1], ahead)])


def _closed(parts: list[np.ndarray]) -> np.ndarray:
    """One line of points that ends where it begins."""
    return np.concatenate([*parts, parts[0][:1]])


def aligned(z: ArrayLike, origin: ArrayLike, x: np.ndarray | None = None) -> np.ndarray:
    """A pose `(4, 4)` at `origin` whose z axis points along `z`, with x as near to `x` as that allows."""
    z = np.asarray(z, float) / np.linalg.norm(z)
    for hint in (x, [1.0, 0, 0], [0, 1.0, 0]):
        if hint is not None and np.linalg.norm(_cross(z, hint)) > 1e-3 * np.linalg.norm(hint):
            break
    y = _cross(z, hint)
    y /= np.linalg.norm(y)
    X = np.eye(4)
    X[:3, :3] = np.column_stack([_cross(y, z), y, z])
    X[:3, 3] = origin
    return X


def _cross(a, b) -> np.ndarray:
    """a × b of two vectors `(3,)`; np.cross takes ten times as long."""
    return np.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


def _strips(profile: np.ndarray, slopes: np.ndarray, centres: np.ndarray, directions: np.ndarray) -> Mesh:
    """A strip between each two neighbours of the profile `(K, 2)`; `slopes` `(K - 1, 2, 2)` are its normals (r, z) there."""
    rings = _rings(profile, centres, directions)
    positions = np.stack([rings[:-1], rings[1:]], axis=1)
    normals = _rings(slopes.reshape(-1, 2), np.zeros_like(directions), directions)
    grid, count = _grid_faces(2, len(directions)), 2 * len(directions)
    faces = grid + count * np.arange(len(slopes))[:, None, None]
    return Mesh.of(positions.reshape(-1, 3), normals.reshape(-1, 3), faces)


def _rings(profile: np.ndarray, centres: np.ndarray, directions: np.ndarray) -> np.ndarray:
    """`(K, ring, 3)`: (centres + r directions, z) for every (r, z) of `profile` `(K, 2)`."""
    out = np.empty((len(profile), len(directions), 3))
    out[:, :, :2] = centres + profile[:, None, :1] * directions
    out[:, :, 2] = profile[:, 1:]
    return out


def _cap(end: np.ndarray, side: float, centres: np.ndarray, directions: np.ndarray) -> Mesh:
    edge = _rings(end[None], centres, directions)[0]
    if np.ptp(edge, axis=0).max() < 1e-12:
        return joined([])
    return _disc(edge, np.array([0.0, 0.0, side]))


def _disc(edge: np.ndarray, normal: np.ndarray) -> Mesh:
    count, middle = len(edge), edge.mean(axis=0)
    fan = np.column_stack([np.full(count - 1, count), np.arange(count - 1), np.arange(1, count)])
    turning = _cross(edge[0] - middle, edge[1] - middle) @ normal
    return Mesh.of(
        np.vstack([edge, edge[:-1].mean(axis=0)]), np.tile(normal, (count + 1, 1)), fan if turning > 0 else fan[:, ::-1]
    )


def _grid_faces(rows: int, columns: int) -> np.ndarray:
    corner = (np.arange(rows - 1)[:, None] * columns + np.arange(columns - 1)).ravel()
    right, up, both = corner + 1, corner + columns, corner + columns + 1
    return np.concatenate([np.column_stack([corner, right, both]), np.column_stack([corner, both, up])])


def _filleted(points: np.ndarray, radii: np.ndarray, bend: float) -> tuple[np.ndarray, np.ndarray]:
    """The path with every corner replaced by a quadratic arc, and the radius along it."""
    path, radius = [points[0]], [radii[0]]
    for k in range(1, len(points) - 1):
        before, after = points[k - 1] - points[k], points[k + 1] - points[k]
        reach_in, reach_out = (min(bend, 0.5 * np.linalg.norm(side)) for side in (before, after))
        start = points[k] + before / np.linalg.norm(before) * reach_in
        end = points[k] + after / np.linalg.norm(after) * reach_out
        for s in np.linspace(0.0, 1.0, 9):
            path.append((1 - s) ** 2 * start + 2 * s * (1 - s) * points[k] + s**2 * end)
            radius.append(radii[k])
    path.append(points[-1])
    radius.append(radii[-1])
    keep = np.r_[True, np.linalg.norm(np.diff(path, axis=0), axis=1) > 1e-9]
    return np.array(path)[keep], np.array(radius)[keep]


def _carried(tangent: np.ndarray) -> np.ndarray:
    """A unit vector across the path at every point, turning as little as possible along the way."""
    across = aligned(tangent[0], np.zeros(3))[:3, 0]
    out = []
    for t in tangent:
        across = across - (across @ t) * t
        across = across / np.linalg.norm(across)
        out.append(across)
    return np.array(out)
