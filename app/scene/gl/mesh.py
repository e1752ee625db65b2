"""`Mesh`: triangles of many bodies in one array, each vertex knowing the body that carries it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

# One vertex as the shaders read it: 32 bytes.
VERTEX = np.dtype([("position", "f4", 3), ("normal", "f4", 3), ("colour", "u1", 4), ("slot", "u2"), ("housing", "u2")])


@dataclass(frozen=True)
class Mesh:
    """Vertices `(V,)` of VERTEX, in the axes of the slot they belong to, and triangles `(F, 3)` of vertex indices.

    A slot is a place for one pose: 0 is the world, slot i + 1 is body i. `colour` is linear RGB (square-root coded, so
    that dark tones keep their steps) with gloss as the fourth number; `housing` marks what belongs to the joint itself.
    """

    vertices: np.ndarray
    faces: np.ndarray

    @staticmethod
    def of(positions: np.ndarray, normals: np.ndarray, faces: np.ndarray) -> Mesh:
        """A white mesh on slot 0 from positions and unit normals `(V, 3)`."""
        vertices = np.zeros(len(positions), VERTEX)
        vertices["position"], vertices["normal"] = positions, normals
        vertices["colour"] = 255
        return Mesh(vertices, np.asarray(faces, np.uint32).reshape(-1, 3))

    def moved(self, X: np.ndarray) -> Mesh:
        """The mesh carried by a rigid pose `(4, 4)`."""
        out = self.vertices.copy()
        out["position"] = self.vertices["position"] @ X[:3, :3].T + X[:3, 3]
        out["normal"] = self.vertices["normal"] @ X[:3, :3].T
        return replace(self, vertices=out)

    def painted(self, colour: str, slot: int = 0, housing: bool = False, gloss: float = 0.35) -> Mesh:
        """The mesh in one colour ("#rrggbb") on one slot."""
        out = self.vertices.copy()
        out["colour"] = paint(colour, gloss)
        out["slot"], out["housing"] = slot, 255 * housing
        return replace(self, vertices=out)

    def on_slot(self, slot: int) -> Mesh:
        """The mesh as it is, all of it on one slot."""
        out = self.vertices.copy()
        out["slot"] = slot
        return replace(self, vertices=out)

    def slot_order(self, slots: int) -> tuple[Mesh, np.ndarray]:
        """The mesh with its triangles sorted by slot, and where each slot's triangles begin, `(slots + 1,)`."""
        owner = self.vertices["slot"][self.faces[:, 0]]
        order = np.argsort(owner, kind="stable")
        return replace(self, faces=self.faces[order]), np.searchsorted(owner[order], np.arange(slots + 1))


def joined(meshes: Sequence[Mesh]) -> Mesh:
    """All meshes as one."""
    if not meshes:
        return Mesh(np.zeros(0, VERTEX), np.zeros((0, 3), np.uint32))
    ends = np.cumsum([len(m.vertices) for m in meshes])
    vertices = np.empty(ends[-1], VERTEX)  # np.concatenate compares the fields of each mesh with those of the next
    for m, end in zip(meshes, ends, strict=True):
        vertices[end - len(m.vertices) : end] = m.vertices
    faces = [m.faces + np.uint32(end - len(m.vertices)) for m, end in zip(meshes, ends, strict=True)]
    return Mesh(vertices, np.concatenate(faces))


def srgb(colour: str) -> np.ndarray:
    """Red, green, blue in 0…1 of "#rrggbb"."""
    return np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255.0


@cache
def paint(colour: str, gloss: float) -> np.ndarray:
    """The four bytes of a vertex in one colour ("#rrggbb")."""
    out = encoded(srgb(colour), gloss)
    out.setflags(write=False)
    return out


def encoded(colour: Sequence[float] | np.ndarray, gloss: float) -> np.ndarray:
    """An sRGB colour in 0…1 and a gloss as the four bytes of a vertex."""
    return np.append(np.round(255 * np.sqrt(_linear(np.asarray(colour, float)))), round(255 * gloss)).astype(np.uint8)


@cache
def linear(colour: str) -> np.ndarray:
    """Linear RGB in 0…1 of an sRGB "#rrggbb"; read-only."""
    out = _linear(srgb(colour))
    out.setflags(write=False)
    return out


def _linear(code: np.ndarray) -> np.ndarray:
    return np.where(code <= 0.04045, code / 12.92, ((code + 0.055) / 1.055) ** 2.4)


def vertex_normals(positions: np.ndarray, faces: np.ndarray) -> np.ndarray:
    """Area-weighted unit normals `(V, 3)` of triangles `(F, 3)`, without a loop over vertices."""
    a, b, c = (positions[faces[:, k]] for k in range(3))
    area = np.cross(b - a, c - a)
    total = np.stack([np.bincount(faces.ravel(), np.repeat(area[:, k], 3), len(positions)) for k in range(3)], axis=1)
    length = np.linalg.norm(total, axis=1, keepdims=True)
    return np.divide(total, length, out=np.zeros_like(total), where=length > 0)
