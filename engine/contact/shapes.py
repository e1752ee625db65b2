"""`Shape`: a convex shape with which contacts are computed."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from armature.engine.model.frozen import Frozen
from armature.engine.model.read_only import read_only

FLOOR = "floor"
"""Name of the floor among links and objects."""


@dataclass(frozen=True, eq=False)
class Shape(Frozen):
    """A convex shape S, fixed to a body or to the world B.

    `kind` and `size` in m: "sphere" (radius), "capsule" (radius, distance of its two centres on z), "cylinder" (radius, length
    along z), "box" (edges x, y, z), all centred at the origin of S; "halfspace" (), all points of S with z ≤ 0; "hull" (), the
    convex hull of `vertices` `(k, 3)` in S, m. `X_BS` is its 4×4 pose.
    """

    kind: str
    size: tuple[float, ...]
    X_BS: np.ndarray = field(default_factory=lambda: np.eye(4))
    vertices: np.ndarray = field(default_factory=lambda: np.zeros((0, 3)))

    def __post_init__(self):
        vars(self).update(X_BS=read_only(self.X_BS), vertices=read_only(self.vertices))


def is_level(shapes: tuple[Shape, ...], height: float | None) -> bool:
    """Whether the shapes of an object in W are the half-space below the height z in m; False for None."""
    kinds, X = [shape.kind for shape in shapes], shapes[0].X_BS
    return kinds == ["halfspace"] and height is not None and X[2, 2] == 1.0 and X[2, 3] == height
