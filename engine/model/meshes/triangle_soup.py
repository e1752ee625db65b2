"""`Soup`: triangles as a mesh file gives them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

MAX_TRIANGLES = 4_000_000


class MeshError(Exception):
    """A mesh file that cannot be shown; the message has the reason in one line, without the file's name."""


@dataclass(frozen=True)
class Soup:
    """Points `(V, 3)` in the file's axes and triangles `(F, 3)` of point indices.

    `group` `(F,)` is the index of each triangle's colour in `colours`: sRGB red, green, blue in 0…1, or None for none.
    """

    points: np.ndarray
    faces: np.ndarray
    group: np.ndarray
    colours: tuple[tuple[float, float, float] | None, ...] = (None,)

    def validate(self) -> Soup:
        """Itself when it can be drawn. Raises MeshError."""
        if not len(self.faces):
            raise MeshError("contains no triangles")
        if len(self.faces) > MAX_TRIANGLES:
            raise MeshError(f"contains {len(self.faces):,} triangles; the limit is {MAX_TRIANGLES:,}")
        if self.faces.min() < 0 or self.faces.max() >= len(self.points):
            raise MeshError(f"refers to point {self.faces.max() + 1:,}, but has only {len(self.points):,} points")
        if not np.isfinite(self.points).all() or np.abs(self.points).max() > 1e9:
            raise MeshError("contains a point that is not a finite number")
        return self


def merge_soups(soups: Sequence[Soup]) -> Soup:
    """All soups as one."""
    if not soups:
        raise MeshError("contains no triangles")
    first_point = np.cumsum([0] + [len(s.points) for s in soups[:-1]])
    first_group = np.cumsum([0] + [len(s.colours) for s in soups[:-1]])
    return Soup(
        np.concatenate([s.points for s in soups]),
        np.concatenate([s.faces + k for s, k in zip(soups, first_point, strict=True)]),
        np.concatenate([s.group + k for s, k in zip(soups, first_group, strict=True)]),
        tuple(colour for s in soups for colour in s.colours),
    )
