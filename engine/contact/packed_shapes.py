"""Convex shapes as rows of one array, which kernels read: a core, swept by a sphere, in a frame along its own box."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from armature.engine.contact.hull_graph import hull_graph
from armature.engine.contact.shapes import Shape
from armature.engine.errors import EngineError, shown
from armature.engine.model.frozen import Frozen
from armature.engine.model.read_only import read_only

# Kinds of cores.
POINT, SEGMENT, BOX, CYLINDER, HULL, HALFSPACE = range(6)

# Columns of a row: the core of a shape, and the frame of its box on body BODY (-1: the world).
KIND = 0
RADIUS = 1  # of the sphere that sweeps the core, m
HALF = 2  # half edges of the core, 3; of a cylinder: radius, radius, half length
FIRST = 5  # of its vertices; of a group: of its shapes
COUNT = 6
BODY = 7
BALL = 8  # radius about the frame's origin
EDGES = 9  # half edges of the box about shape and radius, 3
ROT = 12  # R_BS row by row, 9
POS = 21  # p_BS, 3
WIDTH = 24

_SIZES = {"sphere": 1, "capsule": 2, "cylinder": 2, "box": 3, "halfspace": 0, "hull": 0}
_FAR = 1e9  # m: replaces the infinite size of a half-space


@dataclass(frozen=True, eq=False)
class PackedShapes(Frozen):
    """Shapes and groups of shapes as kernels read them.

    `rows` `(shapes + groups, WIDTH)`: shapes first; `vertices` `(k, 3)` of all hulls, each in the frame of its row, m; `graph`:
    first k + 1 offsets into itself, at which the neighbours of each vertex begin.
    """

    rows: np.ndarray
    vertices: np.ndarray
    graph: np.ndarray


def pack_shapes(groups: Sequence[tuple[int, Sequence[Shape]]]) -> PackedShapes:
    """Return the packed shapes of groups (body, shapes); row of group g is the number of all shapes + g. Raises EngineError."""
    rows, members, count = list[np.ndarray](), list[np.ndarray](), 0
    vertices, edges = [np.zeros((0, 3))], [np.zeros((0, 2), int)]
    for body, shapes in groups:
        first = len(rows)
        for shape in shapes:
            row, points, links = _packed(shape)
            row[BODY], row[FIRST], row[COUNT] = body, count, len(points)
            rows.append(row)
            vertices.append(points)
            edges.append(count + links)
            count += len(points)
        members.append(_group(body, first, rows[first:], vertices[first + 1 :]))
    ends = np.concatenate(edges)
    offsets = count + 1 + np.searchsorted(ends[:, 0], np.arange(count + 1))
    table = np.array([*rows, *members]).reshape(-1, WIDTH)
    return PackedShapes(
        read_only(table), read_only(np.concatenate(vertices)), read_only(np.concatenate([offsets, ends[:, 1]]), np.int64)
    )


def _packed(shape: Shape) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Row of a shape, its vertices in the row's frame, and the edges between them."""
    size = np.asarray(shape.size, float)
    if shape.kind not in _SIZES:
        raise EngineError(f"unknown kind of shape {shown(shape.kind)}; valid are {', '.join(_SIZES)}")
    if size.shape != (_SIZES[shape.kind],) or not (np.isfinite(size) & (size >= 0)).all():
        raise EngineError(f"a {shape.kind} has {_SIZES[shape.kind]} sizes in m, finite and ≥ 0, got {shown(shape.size)}")
    if shape.X_BS.shape != (4, 4) or not np.isfinite(shape.X_BS).all():
        raise EngineError(f"the pose of a {shape.kind} must be a 4×4 array of finite numbers")
    row, X = np.zeros(WIDTH), shape.X_BS
    points, links, half = np.zeros((0, 3)), np.zeros((0, 2), int), np.zeros(3)
    if shape.kind == "sphere":
        row[KIND], row[RADIUS] = POINT, size[0]
    elif shape.kind == "capsule":
        row[KIND], row[RADIUS], half = SEGMENT, size[0], np.array([0, 0, size[1] / 2])
    elif shape.kind == "cylinder":
        row[KIND], half = CYLINDER, np.array([size[0], size[0], size[1] / 2])
    elif shape.kind == "box":
        row[KIND], half = BOX, size / 2
    elif shape.kind == "halfspace":
        row[KIND], half = HALFSPACE, np.full(3, _FAR)
    else:
        points, links = hull_graph(shape.vertices)
        X_SO, half = box_about(points)
        points = (points - X_SO[:3, 3]) @ X_SO[:3, :3]
        row[KIND], X = HULL, X @ X_SO
    row[HALF : HALF + 3], row[EDGES : EDGES + 3] = half, half + row[RADIUS]
    corner = half[1:] if shape.kind == "cylinder" else half
    row[BALL] = row[RADIUS] + (np.linalg.norm(points, axis=1).max() if len(points) else np.linalg.norm(corner))
    row[ROT : ROT + 9], row[POS : POS + 3] = X[:3, :3].ravel(), X[:3, 3]
    return row, points, links


def _group(body: int, first: int, rows: Sequence[np.ndarray], vertices: Sequence[np.ndarray]) -> np.ndarray:
    """Row of a group: the frame, box and ball about all its shapes."""
    if len(rows) == 1:
        row = rows[0].copy()
    else:
        row = np.zeros(WIDTH)
        row[KIND] = BOX
        corners = [_in_body(row_, _outline(row_, points)) for row_, points in zip(rows, vertices, strict=True)]
        points = np.concatenate([*corners, np.zeros((int(not rows), 3))])
        X, half = box_about(points)
        row[EDGES : EDGES + 3], row[BALL] = half, np.linalg.norm(points - X[:3, 3], axis=1).max()
        row[ROT : ROT + 9], row[POS : POS + 3] = X[:3, :3].ravel(), X[:3, 3]
        if any(r[KIND] == HALFSPACE for r in rows):
            raise EngineError("a half-space must be the only shape of its group")
    row[BODY], row[FIRST], row[COUNT] = body, first, len(rows)
    return row


def outline(packed: PackedShapes, shape: int) -> np.ndarray:
    """Return points `(k, 3)` in the frame of the shape's body, m, whose convex hull contains the shape."""
    row = packed.rows[shape]
    first, count = int(row[FIRST]), int(row[COUNT])
    return _in_body(row, _outline(row, packed.vertices[first : first + count]))


def _outline(row: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Points `(k, 3)` in the row's frame whose convex hull contains the shape: vertices, or the corners of its box."""
    corners = np.array(np.meshgrid(*[(-1, 1)] * 3)).reshape(3, -1).T
    return points if row[KIND] == HULL else corners * row[EDGES : EDGES + 3]


def _in_body(row: np.ndarray, points: np.ndarray) -> np.ndarray:
    return points @ row[ROT : ROT + 9].reshape(3, 3).T + row[POS : POS + 3]


def box_about(points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the 4×4 pose and the half edges `(3,)` of a small box about points `(k, 3)`, m.

    Its edges are along the axes, or along the principal axes of the points where that box is smaller.
    """
    centred = points - points.mean(axis=0)
    _, axes = np.linalg.eigh(centred.T @ centred)
    axes = axes * (1.0, 1.0, np.sign(np.linalg.det(axes)))
    candidates = []
    for R in (np.eye(3), axes):
        local = points @ R
        low, high = local.min(axis=0), local.max(axis=0)
        X = np.eye(4)
        X[:3, :3], X[:3, 3] = R, R @ ((low + high) / 2)
        half = (high - low) / 2
        candidates.append((half[0] * half[1] + half[1] * half[2] + half[2] * half[0], X, half))
    _, X, half = min(candidates, key=lambda candidate: candidate[0])
    return X, half
