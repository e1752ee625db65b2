"""`Picker`: which link a ray meets first, by ray–triangle tests on the processor."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from armature.app.scene.gl.mesh import Mesh

BLOCK = 32  # triangles
NEAREST = 24  # blocks looked into at once
SLACK = 1e-9


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
    """Triangles of every slot in its own axes, in blocks of neighbours; their boxes sort out what the ray cannot meet.

    `joints` says which joint moves each body; joint i moves body i when None.
    """

    def __init__(self, mesh: Mesh, starts: np.ndarray, joints: tuple[int, ...] | None = None):
        self._joints = (-1, *(range(len(starts) - 2) if joints is None else joints))
        positions = mesh.vertices["position"].astype(float)
        blocks, slots = [np.zeros((0, BLOCK), np.int64)], []
        for slot, (first, last) in enumerate(pairwise(starts)):
            if last > first:
                blocks.append(int(first) + _blocks(positions[mesh.faces[first:last]].mean(axis=1)))
                slots += [slot] * len(blocks[-1])
        self._slot = np.array(slots, np.int64)
        corners = positions[mesh.faces[np.concatenate(blocks)]]  # (blocks, BLOCK, 3 corners, 3)
        self._a, self._e1, self._e2 = corners[:, :, 0], corners[:, :, 1] - corners[:, :, 0], corners[:, :, 2] - corners[:, :, 0]
        places = corners.reshape(len(corners), -1, 3)
        low, high = places.min(axis=1), places.max(axis=1)
        hair = SLACK * (1.0 + np.maximum(-low, high))
        self._boxes = low - hair, high + hair

    def cast(
        self, origin: np.ndarray, direction: np.ndarray, poses: np.ndarray, without: frozenset[int] = frozenset()
    ) -> Hit | None:
        """The first hit of the ray from `origin` along unit `direction` (both in W) at slot poses X_WS `(slots, 4, 4)`.

        It goes through the slots of `without`.
        """
        o = np.einsum("sji,sj->si", poses[:, :3, :3], origin - poses[:, :3, 3])
        d = np.einsum("sji,j->si", poses[:, :3, :3], direction)
        enters, leaves = _through_boxes(o[self._slot], d[self._slot], *self._boxes)
        met = (enters <= leaves) & (leaves >= 0)
        if without:
            met &= ~np.isin(self._slot, list(without))
        ahead = np.flatnonzero(met)
        ahead = ahead[np.argsort(enters[ahead], kind="stable")]
        best, distance = -1, np.inf
        while len(ahead) and enters[ahead[0]] <= distance:
            some, ahead = ahead[:NEAREST], ahead[NEAREST:]
            t = _times(o[self._slot[some]], d[self._slot[some]], self._a[some], self._e1[some], self._e2[some])
            k = int(np.argmin(t))
            if t[k] < distance:
                best, distance = int(self._slot[some[k]]), float(t[k])
        if best < 0:
            return None
        X, point = poses[best], origin + distance * direction
        return Hit(best, self._joints[best], distance, point, X[:3, :3].T @ (point - X[:3, 3]))


def _blocks(centres: np.ndarray) -> np.ndarray:
    """Indices of neighbouring triangles `(blocks, BLOCK)` by the places of their centres; the last one fills its block up.

    Neighbours are neighbours on the Z-order curve (Morton 1966), 10 bits per axis.
    """
    low, size = centres.min(axis=0), np.ptp(centres, axis=0)
    cell = ((centres - low) / np.where(size > 0, size, 1.0) * 1023).astype(np.int64)
    for shift, mask in ((16, 0x030000FF), (8, 0x0300F00F), (4, 0x030C30C3), (2, 0x09249249)):
        cell = (cell | (cell << shift)) & mask
    order = np.argsort(cell @ np.array([1, 2, 4]), kind="stable")
    return np.append(order, np.repeat(order[-1], -len(order) % BLOCK)).reshape(-1, BLOCK)


def _through_boxes(o: np.ndarray, d: np.ndarray, low: np.ndarray, high: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Where the lines o + t d enter and leave their boxes; they miss where they would leave before they enter."""
    inverse = 1.0 / np.where(np.abs(d) < 1e-12, 1e-12, d)
    one, other = (low - o) * inverse, (high - o) * inverse
    return np.minimum(one, other).max(axis=1), np.maximum(one, other).min(axis=1)


def _times(o: np.ndarray, d: np.ndarray, a: np.ndarray, e1: np.ndarray, e2: np.ndarray) -> np.ndarray:
    """Smallest t ≥ 0 with o + t d on a triangle of each block, inf for none.

    [−d, e1, e2] (t, u, v)ᵀ = o − a (Möller and Trumbore 1997).
    """
    d = d[:, None]
    p = _cross(d, e2)
    det = _dot(e1, p)
    flat = np.abs(det) < 1e-15
    inverse = 1.0 / np.where(flat, 1.0, det)
    s = o[:, None] - a
    u = _dot(s, p) * inverse
    q = _cross(s, e1)
    v = _dot(d, q) * inverse
    t = _dot(e2, q) * inverse
    # A hair of slack closes the seams between neighbours.
    met = ~flat & (u >= -SLACK) & (v >= -SLACK) & (u + v <= 1 + SLACK) & (t >= 0)
    return np.where(met, t, np.inf).min(axis=1)


def _cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    (ax, ay, az), (bx, by, bz) = np.moveaxis(a, -1, 0), np.moveaxis(b, -1, 0)
    return np.stack([ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx], axis=-1)


def _dot(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.einsum("...i,...i->...", a, b)
