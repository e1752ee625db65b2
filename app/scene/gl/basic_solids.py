"""The solids everything in the scene is made of, with analytic normals. z is the axis of every round one."""

from __future__ import annotations

from functools import cache
from math import sqrt

import numpy as np

from armature.app.scene.gl.mesh import Mesh, joined
from armature.engine.model.read_only import read_only
from armature.engine.rotations import pose_along as aligned

SEGMENTS = 36
CREASE = np.cos(np.radians(50.0))
_S = np.linspace(0.0, 1.0, 9)[:, None]
ARC = np.hstack([(1 - _S) ** 2, 2 * _S * (1 - _S), _S**2])  # shares of start, corner and end in a quadratic arc


@cache
def ring(count: int = SEGMENTS) -> np.ndarray:
    """Unit vectors `(count + 1, 2)` once around, the last one equal to the first."""
    angle = np.linspace(0.0, 2 * np.pi, count + 1)
    return read_only(np.column_stack([np.cos(angle), np.sin(angle)]))


def extrude(profile: np.ndarray, centres: np.ndarray | None = None, directions: np.ndarray | None = None) -> Mesh:
    """A cross-section moved along z: ring point j of profile point k lies at (centres_j + r_k directions_j, z_k).

    `profile` `(K, 2)` holds (r, z), outside to the left when walking along it with rising z. Circles have zero centres; a
    rounded rectangle has its corner centres. Edges sharper than 50° stay sharp, and open ends are closed flat.
    """
    directions = ring() if directions is None else directions
    centres = np.zeros_like(directions) if centres is None else centres
    profile = np.asarray(profile, float)
    rings = _rings(profile, centres, directions)
    ends = tuple(k for k in (0, -1) if abs(rings[k] - rings[k][0]).max() >= 1e-12)
    normals = _rings(_slopes(profile).reshape(-1, 2), np.zeros_like(directions), directions).reshape(-1, 3)
    flat = [np.repeat([[0.0, 0.0, -1.0 - 2 * k]], len(directions) + 1, axis=0) for k in ends]
    faces = _extruded_faces(len(profile) - 1, len(directions), ends)
    return Mesh.of(_extruded_points(rings, ends), np.concatenate([normals, *flat]), faces)


def cylinder(radius: float, z0: float, z1: float, bevel: float = 0.0, top: float | None = None, segments: int = SEGMENTS) -> Mesh:
    """A cylinder, or a cone frustum with radius `top` at z1, with rounded edges of radius `bevel`."""
    top = radius if top is None else top
    bevel = min(bevel, 0.45 * radius, 0.45 * (top or radius), 0.45 * (z1 - z0))
    if bevel > 0 and top == radius:
        return _rounded(segments, radius, bevel, z0, z1, 0.0, 0.0)
    profile = _profile(radius, top, bevel, z0, z1) if bevel > 0 else np.array([[radius, z0], [top, z1]])
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
    if bevel > 0:
        return _rounded(0, corner, bevel, z0, z1, *half)
    directions, signs = _corners()
    return extrude(np.array([[corner, z0], [corner, z1]]), signs * half, directions)


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
    beside = np.array([_cross(t, a) for t, a in zip(tangent, across, strict=True)])
    normals = circle[None, :, :1] * across[:, None] + circle[None, :, 1:] * beside[:, None]
    return _bent(path[:, None] + radius[:, None, None] * normals, normals, tangent[0], tangent[-1])


def hoop(start: float, end: float, thick: float, pieces: int = 32, segments: int = 12) -> Mesh:
    """The part from angle `start` to `end` (rad) of a ring of radius 1 around z, `2 thick` across, with closed ends."""
    angle = np.linspace(start, end, pieces + 1)
    out = np.column_stack([np.cos(angle), np.sin(angle), np.zeros_like(angle)])
    circle = ring(segments)
    normals = circle[None, :, :1] * out[:, None] - circle[None, :, 1:] * np.array([0.0, 0.0, 1.0])
    back, ahead = (np.array([-out[k, 1], out[k, 0], 0.0]) for k in (0, -1))
    return _bent(out[:, None] + thick * normals, normals, back, ahead)


@cache
def _corners() -> tuple[np.ndarray, np.ndarray]:
    """Once around a rounded rectangle: unit vectors outwards `(25, 2)`, and in which quadrant each corner is, as signs."""
    quarter = np.arange(24) // 6
    angle = (quarter + np.tile(np.linspace(0.0, 1.0, 6), 4)) * np.pi / 2
    signs = np.array([(1, 1), (-1, 1), (-1, -1), (1, -1)])[quarter]
    around = np.column_stack([np.cos(angle), np.sin(angle), signs])
    around = np.concatenate([around, around[:1]])
    return read_only(around[:, :2]), read_only(around[:, 2:])


def _cross(a, b) -> np.ndarray:
    """a × b of two vectors `(3,)`; np.cross takes ten times as long."""
    return np.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


def _profile(low: float, high: float, bevel: float, z0: float, z1: float) -> np.ndarray:
    """(r, z) `(8, 2)` from radius `low` at z0 to `high` at z1, with edges of radius `bevel`."""
    turn = np.linspace(0.0, np.pi / 2, 4)
    below = np.column_stack([low - bevel + bevel * np.sin(turn), z0 + bevel - bevel * np.cos(turn)])
    return np.concatenate([below, np.column_stack([high - bevel + bevel * np.cos(turn), z1 - bevel + bevel * np.sin(turn)])])


def _rounded(segments: int, *sizes: float) -> Mesh:
    """A bevelled cylinder, or for no segments a rounded box; `sizes` radius, bevel, z0, z1 and where its corners' centres are."""
    one, shares = _unit_rounded(segments)
    vertices = one.vertices.copy()
    vertices["position"] = (np.array(sizes) @ shares).reshape(-1, 3)
    return Mesh(vertices, one.faces)


@cache
def _unit_rounded(segments: int) -> tuple[Mesh, np.ndarray]:
    """One such solid, and what each point of any gets from each of its six sizes, `(6, 3 V)`: faces and normals stay."""
    directions, signs = (ring(segments), np.zeros((segments + 1, 2))) if segments else _corners()
    rings = [_rings(_profile(r, r, *rest), signs * (x, y), directions) for r, *rest, x, y in np.eye(6)]
    shares = np.array([_extruded_points(one, (0, -1)).ravel() for one in rings])
    return extrude(_profile(1.0, 1.0, 0.1, 0.0, 1.0), signs, directions), shares


def _extruded_points(rings: np.ndarray, ends: tuple[int, ...]) -> np.ndarray:
    """Both sides of every strip between rings `(K, count, 3)`, then each end that is closed."""
    strips = np.stack([rings[:-1], rings[1:]], axis=1).reshape(-1, 3)
    return np.concatenate([strips, *(_disc(rings[k]) for k in ends)])


def _slopes(profile: np.ndarray) -> np.ndarray:
    """Normals (r, z) of the strips between neighbours of the profile `(K, 2)`, at both their ends, `(K - 1, 2, 2)`."""
    step = np.diff(profile, axis=0)
    slope = np.column_stack([step[:, 1], -step[:, 0]])
    slope /= np.maximum(np.sqrt((slope**2).sum(axis=1, keepdims=True)), 1e-12)
    smooth = (slope[:-1] * slope[1:]).sum(axis=1) > CREASE
    mean = slope[:-1][smooth] + slope[1:][smooth]
    mean /= np.sqrt((mean**2).sum(axis=1, keepdims=True))
    ends = np.stack([slope, slope], axis=1)
    ends[:-1, 1][smooth] = ends[1:, 0][smooth] = mean
    return ends


@cache
def _extruded_faces(strips: int, count: int, ends: tuple[int, ...]) -> np.ndarray:
    """Triangles of so many strips between rings of `count` points, and of a fan on each end, first (0) or last (−1)."""
    parts = [_grid_faces(2, count) + 2 * count * k for k in range(strips)]
    parts += [_fan(count, end) + 2 * count * strips + k * (count + 1) for k, end in enumerate(ends)]
    return read_only(np.concatenate(parts), np.uint32)


def _rings(profile: np.ndarray, centres: np.ndarray, directions: np.ndarray) -> np.ndarray:
    """`(K, ring, 3)`: (centres + r directions, z) for every (r, z) of `profile` `(K, 2)`."""
    out = np.empty((len(profile), len(directions), 3))
    out[:, :, :2] = centres + profile[:, None, :1] * directions
    out[:, :, 2] = profile[:, 1:]
    return out


def _bent(rings: np.ndarray, normals: np.ndarray, back: np.ndarray, ahead: np.ndarray) -> Mesh:
    """Rings `(K, count, 3)`, which turn about the way from one to the next, closed flat; that way where they begin and end."""
    rows, count = rings.shape[:2]
    ends = [np.repeat(way[None], count + 1, axis=0) for way in (-back, ahead)]
    positions = np.concatenate([rings.reshape(-1, 3), _disc(rings[0]), _disc(rings[-1])])
    return Mesh.of(positions, np.concatenate([normals.reshape(-1, 3), *ends]), _bent_faces(rows, count))


def _disc(edge: np.ndarray) -> np.ndarray:
    """The points of a ring `(count, 3)`, whose last one is its first, and their middle."""
    return np.concatenate([edge, edge[:-1].sum(axis=0, keepdims=True) / (len(edge) - 1)])


@cache
def _bent_faces(rows: int, count: int) -> np.ndarray:
    fans = [_fan(count, end) + rows * count + k * (count + 1) for k, end in enumerate((0, -1))]
    return read_only(np.concatenate([_grid_faces(rows, count), *fans]), np.uint32)


def _fan(count: int, end: int) -> np.ndarray:
    """Triangles between a ring of so many points and its middle, which comes last, at the first end (0) or the last (−1)."""
    fan = np.column_stack([np.full(count - 1, count), np.arange(count - 1), np.arange(1, count)])
    return fan if end else fan[:, ::-1]


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
        path.extend(ARC @ np.array([start, points[k], end]))
        radius.extend([radii[k]] * len(ARC))
    path.append(points[-1])
    radius.append(radii[-1])
    keep = np.r_[True, np.linalg.norm(np.diff(path, axis=0), axis=1) > 1e-9]
    return np.array(path)[keep], np.array(radius)[keep]


def _carried(tangent: np.ndarray) -> np.ndarray:
    """A unit vector across the path at every point, turning as little as possible along the way."""
    across = aligned(tangent[0], np.zeros(3))[:3, 0]
    out = np.empty_like(tangent)
    for k, t in enumerate(tangent):
        across = across - (across @ t) * t
        out[k] = across = across / sqrt(across @ across)
    return out
