"""`Figures`: a robot's numbers as its file writes them, which is what an examination looks at."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from armature.engine.examination.finding import Place
from armature.engine.model.frozen import Frozen
from armature.engine.model.robot import Robot
from armature.engine.model.visual import Visual

TOML, URDF, XACRO, MEMORY = "toml", "urdf", "xacro", "memory"
LIGHT = 5e-3  # share of the moving mass below which a link's figures change nothing
POINT = 1e-4  # m
GRAMS, TONNE = 200.0, 1000.0


@dataclass(frozen=True, eq=False)
class LinkFigures(Frozen):
    """A link's inertial figures: `mass` kg, `com` `(3,)` m in its frame L, `inertia` `(3, 3)` kg·m² about the CoM along L.

    `body` carries it (-1 stands still) at `X_BL`; `mass_at`, `com_at` and `inertia_at` are where each of them stands; `R_LI`
    `(3, 3)` are the axes the file writes the inertia along; `published` where the file says that a source prints it so.
    """

    name: str
    body: int
    X_BL: np.ndarray
    mass: float
    com: np.ndarray
    inertia: np.ndarray
    mass_at: Place
    com_at: Place
    inertia_at: Place
    R_LI: np.ndarray = field(default_factory=lambda: np.eye(3))
    published: bool = False


@dataclass(frozen=True)
class JointFigures:
    """A joint's figures: limits in rad or m, `velocity`, `effort`, ±inf where unlimited; friction at the joint.

    `in_degrees` tells which of "limits" and "velocity" the file writes in degrees; `rotor_inertia` stands before the gears;
    `friction_at` is "joint" or "motor"; `drive` is where motor and friction stand; `follows` where it copies another joint.
    """

    name: str
    body: int
    slides: bool
    lower: float
    upper: float
    velocity: float
    effort: float
    where: Place
    drive: Place
    viscous: float = 0.0
    coulomb: float = 0.0
    stiction: float = 0.0
    friction_at: str = "joint"
    rotor_inertia: float = 0.0
    gear_ratio: float = 1.0
    in_degrees: frozenset[str] = frozenset()
    follows: bool = False
    limit_line: int | str | None = None


@dataclass(frozen=True)
class WrittenAngle:
    """A constant angle in rad; `exact` where the file writes it as degrees or as a multiple of pi."""

    value: float
    where: Place
    exact: bool = False
    all_of: tuple[float, ...] = ()
    """The three angles of the rotation it belongs to, `index` its place among them."""
    index: int = 0


@dataclass(frozen=True)
class WrittenLength:
    """A constant length in m, or the offset `(3,)` it is a part of; `of_arm` unless it says where the arm stands."""

    value: float
    where: Place
    all_of: tuple[float, ...] = ()
    of_arm: bool = True

    @property
    def size(self) -> float:
        """The length, that of the whole offset, m."""
        return math.hypot(*self.all_of) if self.all_of else abs(self.value)


@dataclass(frozen=True, eq=False)
class WrittenShape:
    """A shape of a link: `points` `(V, 3)` in m in the link's frame whose hull it fills, None for a mesh that was not read;
    `visible` unless it is a collision shape.
    """

    shape: Visual
    where: Place
    points: np.ndarray | None = None
    visible: bool = True


@dataclass(frozen=True, eq=False)
class Figures:
    """Everything there is to examine; `kind` is "toml", "urdf", "xacro" or "memory" (a robot whose file is not at hand);
    `text` that of a TOML file, and `table` what it holds.
    """

    robot: Robot
    kind: str
    whole: Place
    links: tuple[LinkFigures, ...]
    joints: tuple[JointFigures, ...]
    angles: tuple[WrittenAngle, ...] = ()
    lengths: tuple[WrittenLength, ...] = ()
    shapes: tuple[WrittenShape, ...] = ()
    text: str = ""
    table: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def moving_mass(self) -> float:
        """Mass in kg of all links that move, those that are in g in kg."""
        return sum(self.likely_mass(link) for link in self.links if link.body >= 0)

    def likely_mass(self, link: LinkFigures) -> float:
        """The mass in kg, a thousandth of it where it is more than a tonne and hundreds of times that of the other links."""
        others = [other.mass for other in self.links if other.body >= 0 and other.mass > 0 and other is not link]
        return 1e-3 * link.mass if others and link.mass > max(GRAMS * float(np.median(others)), TONNE) else link.mass

    @cached_property
    def weighty(self) -> tuple[LinkFigures, ...]:
        """The links that move and whose mass counts: no markers and sensors of a few grams."""
        light = LIGHT * self.moving_mass
        return tuple(
            link for link in self.links if link.body >= 0 and (link.mass > light or (not link.mass and link.inertia.any()))
        )


def is_solid(link: LinkFigures) -> bool:
    """Whether a link has an inertia beyond the dust of rounding: a radius of gyration of more than a tenth of a millimetre."""
    return bool(np.abs(link.inertia).max() > POINT**2 * link.mass)


def limit_at(figures: Figures, joint: JointFigures, toml: str, *urdf: str) -> Place:
    """Where a limit of a joint stands: under its key in TOML, in the element `<limit>` of a URDF."""
    return deeper(joint.where, toml) if figures.kind == TOML else deeper(joint.where, "limit", *urdf, line=joint.limit_line)


def deeper(where: Place, *keys: str | int, line: int | str | None = None) -> Place:
    """The place of a figure that stands under these keys of another one."""
    return replace(where, key=(*where.key, *keys), line=where.line if line is None else line)
