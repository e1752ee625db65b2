"""`Shape`: a solid or hollow body of one material whose mass and inertia closed forms give."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from armature.engine.errors import ModelError
from armature.engine.model.frozen import Frozen

SHAPES = {
    "cylinder": ("diameter", "length"),
    "tube": ("diameter", "wall", "length"),
    "box": ("width", "height", "length", "wall"),
    "sphere": ("diameter", "wall"),
}
"""The lengths that each kind has; a wall of 0 means solid, which a tube is not."""

MATERIALS = {
    "steel": 7850.0,
    "stainless steel": 7900.0,
    "cast iron": 7200.0,
    "aluminium": 2700.0,
    "magnesium": 1800.0,
    "titanium": 4430.0,
    "brass": 8500.0,
    "carbon fibre": 1600.0,
    "glass fibre": 1900.0,
    "ABS": 1050.0,
    "PLA": 1240.0,
    "PETG": 1270.0,
    "nylon": 1140.0,
    "acetal": 1410.0,
    "wood": 700.0,
}
"""Densities in kg/m³ as handbooks round them; fibres with their resin."""

_MOST = 1000.0  # m


@dataclass(frozen=True)
class Shape(Frozen):
    """A body with its centre at the origin and its length along z; lengths in m.

    `kind` is "cylinder", "tube", "box" or "sphere"; `diameter` the outer one; `width` along x and `height` along y of a box;
    `wall` the thickness of a wall: of a tube and of a box with four walls and open ends, all round of a sphere; 0 is solid.

    Raises:
        ModelError: another kind, a length that the kind has not, one that is not above 0, or a wall that is too thick.
    """

    kind: str
    length: float = 0.0
    diameter: float = 0.0
    width: float = 0.0
    height: float = 0.0
    wall: float = 0.0

    def __post_init__(self):
        if self.kind not in SHAPES:
            raise ModelError(f"shape: must be one of {', '.join(SHAPES)}, got {self.kind!r}")
        for name in ("length", "diameter", "width", "height", "wall"):
            self._check(name, vars(self)[name])
        thickest = min(vars(self)[name] for name in SHAPES[self.kind] if name in ("diameter", "width", "height")) / 2
        if self.wall > thickest:
            raise ModelError(f"{self.kind}: the wall must be at most {thickest:g} m (half of the width), got {self.wall:g} m")

    def _check(self, name: str, value: float) -> None:
        if name not in SHAPES[self.kind]:
            if value != 0:
                raise ModelError(f"{self.kind}: no size {name}; valid are {', '.join(SHAPES[self.kind])}")
            return
        number = isinstance(value, (int, float)) and not isinstance(value, bool)
        may_be_solid = name == "wall" and self.kind != "tube"
        if not number or not 0 <= value <= _MOST or (value == 0 and not may_be_solid):
            least = "0 (solid) or more" if may_be_solid else "above 0"
            raise ModelError(f"{self.kind}: {name} must be {least} and at most {_MOST:g} m, got {value!r}")

    @property
    def volume(self) -> float:
        """Of its material, m³."""
        return self._volume(0.0) - (self._volume(self.wall) if self.wall else 0.0)

    def inertia(self, mass: float) -> np.ndarray:
        """I `(3, 3)` in kg·m² about the centre, along the axes of the shape.

        I = m (V₁ k₁ − V₂ k₂)/(V₁ − V₂), of the whole and of what is missing inside; per kilogram k is for a cylinder
        (3 r² + l²)/12 across and r²/2 along, for a box (h² + l²)/12 and so on, for a sphere 2 r²/5.

        Source: Goldstein, Poole, Safko, Classical Mechanics, section 5.3; any table of moments of inertia.
        """
        whole, hole = self._volume(0.0), self._volume(self.wall) if self.wall else 0.0
        moments = whole * self._per_kilogram(0.0) - (hole * self._per_kilogram(self.wall) if hole else 0.0)
        return np.diag(mass * moments / (whole - hole))

    def _volume(self, wall: float) -> float:
        """Of the solid that lies by `wall` inside the surface."""
        d = self.diameter - 2 * wall
        if self.kind == "box":
            return (self.width - 2 * wall) * (self.height - 2 * wall) * self.length
        return math.pi * d**3 / 6 if self.kind == "sphere" else math.pi * d**2 / 4 * self.length

    def _per_kilogram(self, wall: float) -> np.ndarray:
        """Ixx, Iyy, Izz of that solid per kilogram, m²."""
        length2 = self.length**2
        if self.kind == "box":
            w2, h2 = (self.width - 2 * wall) ** 2, (self.height - 2 * wall) ** 2
            return np.array([h2 + length2, w2 + length2, w2 + h2]) / 12
        r2 = (self.diameter / 2 - wall) ** 2
        if self.kind == "sphere":
            return np.full(3, 2 * r2 / 5)
        across = (3 * r2 + length2) / 12
        return np.array([across, across, r2 / 2])
