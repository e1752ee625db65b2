"""Mass, centre and inertia of a link from a shape and its pose on the link."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from armature.engine.errors import ModelError
from armature.engine.model.body import PRISMATIC
from armature.engine.model.checked_figures import floats
from armature.engine.model.dh.dh_extraction import frame_at
from armature.engine.model.draft.draft_text import Parts, with_values
from armature.engine.model.draft.written_places import Placed, needed_changes
from armature.engine.model.frozen import Frozen
from armature.engine.model.robot import Robot
from armature.engine.model.toml.written_values import short, short_inertia

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
_DIGITS = 9  # that are written of what a shape gives
_TINY = 1e-9  # m


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
        """Volume of the material, m³."""
        return self._volume(0.0) - (self._volume(self.wall) if self.wall else 0.0)

    def inertia(self, mass: float) -> np.ndarray:
        """I `(3, 3)` in kg·m² about the centre, along the axes of the shape.

        I = m (V₁ k₁ − V₂ k₂)/(V₁ − V₂), of the solid and of the hole; per kilogram k is for a cylinder (3 r² + l²)/12 across and
        r²/2 along, for a box (h² + l²)/12 and so on, for a sphere 2 r²/5.

        Source: Goldstein, Poole, Safko, Classical Mechanics, section 5.3; any table of moments of inertia.
        """
        whole, hole = self._volume(0.0), self._volume(self.wall) if self.wall else 0.0
        moments = whole * self._per_kilogram(0.0) - (hole * self._per_kilogram(self.wall) if hole else 0.0)
        return np.diag(mass * moments / (whole - hole))

    def _volume(self, wall: float) -> float:
        """Volume of the solid whose surface is `wall` inside the outer one."""
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


def link_span(robot: Robot, i: int) -> tuple[np.ndarray, np.ndarray]:
    """Start and end of link i, two points `(3,)` in m in the frame of the link.

    It starts on its joint's axis, at the end of the previous link (for a slide, at its outer end), and ends on the axis of the
    joint that it carries, at the foot of the common normal; the last link ends at its own frame, or at the tool if both would
    coincide.

    Args:
        robot: with links `base`, `link1`, … as in robot files.
        i: index of the joint that moves the link, from 0.
    """
    body, X_BL = robot.bodies[i], robot.links[f"link{i + 1}"].X_BF
    before = robot.links["base" if body.parent < 0 else f"link{body.parent + 1}"]
    origin = before.X_BF[:3, 3]
    z = float((body.X_PJ[:3, :3].T @ (origin - body.X_PJ[:3, 3]))[2])
    if body.joint_type == PRISMATIC and np.isfinite(robot.q_max[i]):
        z -= max(float(robot.q_max[i]), 0.0)
    start = np.array([0.0, 0.0, z])
    end = X_BL[:3, 3]
    child = next((other for other in robot.bodies if other.parent == i), None)
    if child is not None:
        point, axis = child.X_PJ[:3, 3], child.X_PJ[:3, 2]
        end = point + ((end - point) @ axis) * axis
    elif np.linalg.norm(end - start) < _TINY and robot.tool_frame.body == i:
        end = robot.tool_frame.X_BF[:3, 3]
    R, p = X_BL[:3, :3], X_BL[:3, 3]
    return R.T @ (start - p), R.T @ (end - p)


def along_link(robot: Robot, i: int) -> np.ndarray:
    """X_LS `(4, 4)` of a shape in the middle of link i, z along the link; along the joint's axis for a link without length."""
    start, end = link_span(robot, i)
    z = end - start
    length = float(np.linalg.norm(z))
    z = z / length if length > _TINY else robot.links[f"link{i + 1}"].X_BF[:3, :3].T[:, 2]
    return frame_at((start + end) / 2, z)


def with_shape(
    parts: Parts, table: Mapping[str, Any], robot: Robot, i: int, shape: Shape, mass: float, X_LS: np.ndarray | None
) -> Parts:
    """Link i with the mass, the centre and the inertia of a shape at X_LS in its frame.

    com = p_LS,  I_L = R_LS I_S R_SL.
    """
    if not isinstance(i, int) or not 0 <= i < robot.n:
        raise ModelError(f"joints: no joint {i}; the robot has {robot.n}, counted from 0")
    X = along_link(robot, i) if X_LS is None else floats(X_LS)
    if X.shape != (4, 4) or not np.isfinite(X).all() or not np.allclose(X[:3, :3] @ X[:3, :3].T, np.eye(3), atol=1e-6):
        raise ModelError(f"joints[{i}]: the pose of a shape must be 4×4 with an orthonormal rotation")
    inertia = X[:3, :3] @ shape.inertia(mass) @ X[:3, :3].T
    changes: list[Placed] = []
    for key, value in (("mass", _few(mass)), ("com", short(_few(X[:3, 3]))), ("inertia", short_inertia(_few(inertia)))):
        changes += needed_changes(table, ("joints", i, key), np.asarray(value).tolist() if key != "inertia" else value)
    return with_values(parts, changes)


def _few(values: Any) -> Any:
    """Rounded to nine digits of the largest."""
    numbers = np.asarray(values, float)
    most = float(np.abs(numbers).max())
    return numbers if most == 0 else np.round(numbers, _DIGITS - 1 - int(np.floor(np.log10(most))))
