"""`Picker`: which link a ray meets first, by ray–triangle tests on the processor."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from app.scene.mesh import Mesh


@dataclass(frozen=True)
class Hit:
    """Where a ray meets slot `slot` (0 the world, i + 1 body i): `distance` in m, `point` in W, `local` in the slot's axes.

    `joint` moves what was hit; -1 for the pedestal.
    """

    slot: int
    joint: int
    distance: float
    point: np.ndarray
    local: np.ndarray


class Picker:
    """Triangles of every slot in its own axes; bounding balls sort out what the ray cannot meet.

    `joints` says which joint moves each body; joint i moves body i when None.
    """

    def __init__(self, mesh: Mesh, starts: np.ndarray, joints: tuple[int, ...] | None = None):
        self._joints = (-1, *(range(len(starts) - 2) if joints is None else joints))
        positions = mesh.vertices["position"].astype(float)
        self._corners, self._edges, self._balls = [], [], []
        for first, last in pairwise(starts):
            a, b, c = (positions[mesh.faces[first:last, k]] for k in range(3))
            self._corners.append(a)
            self._edges.append((b - a, c - a))
            self._balls.append(_ball(np.concatenate([a, b, c])))

    def cast(self, origin: np.ndarray, direction: np.ndarray, poses: np.ndarray) -> Hit | None:
        """The first hit of the ray from `origin` along unit `direction` (both in W) at slot poses X_WS `(slots, 4, 4)`."""
        best, distance = None, np.inf
        for slot, X in enumerate(poses):
            if not len(self._corners[slot]):
                continue
            o, d = X[:3, :3].T @ (origin - X[:3, 3]), X[:3, :3].T @ direction
            centre, radius = self._balls[slot]
            ahead = (centre - o) @ d
            if np.sum((o + ahead * d - centre) ** 2) > radius**2 or ahead + radius < 0 or ahead - radius > distance:
                continue
            t = _first_triangle(o, d, self._corners[slot], *self._edges[slot])
            if t < distance:
                best, distance = slot, t
        if best is None:
            return None
        X, point = poses[best], origin + distance * direction
        return Hit(best, self._joints[best], float(distance), point, X[:3, :3].T @ (point - X[:3, 3]))


def _ball(points: np.ndarray) -> tuple[np.ndarray, float]:
    if not len(points):
        return np.zeros(3), 0.0
    centre = 0.5 * (points.min(axis=0) + points.max(axis=0))
    return centre, float(np.linalg.norm(points - centre, axis=1).max()) * (1 + 1e-9)


def _first_triangle(o: np.ndarray, d: np.ndarray, a: np.ndarray, e1: np.ndarray, e2: np.ndarray) -> float:
    """Smallest t ≥ 0 with o + t d on a triangle, inf for none.  [−d, e1, e2] (t, u, v)ᵀ = o − a (Möller and Trumbore 1997)."""
    p = np.cross(d, e2)
    det = np.einsum("ij,ij->i", e1, p)
    flat = np.abs(det) < 1e-15
    inverse = 1.0 / np.where(flat, 1.0, det)
    s = o - a
    u = np.einsum("ij,ij->i", s, p) * inverse
    q = np.cross(s, e1)
    v = (q @ d) * inverse
    t = np.einsum("ij,ij->i", e2, q) * inverse
    # A hair of slack closes the seams between neighbours.
    met = ~flat & (u >= -1e-9) & (v >= -1e-9) & (u + v <= 1 + 1e-9) & (t >= 0)
    return float(t[met].min()) if met.any() else np.inf
