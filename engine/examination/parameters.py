"""Parameters of a robot as its file writes them: the input of all rules."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from armature.engine.examination.finding import Place
from armature.engine.model.frozen import Frozen
from armature.engine.model.robot import Robot
from armature.engine.model.visual import Visual

TOML, URDF, XACRO, MEMORY = "toml", "urdf", "xacro", "memory"
LIGHT = 5e-3  # share of the moving mass below which a link's parameters change nothing
POINT = 1e-4  # m
GRAMS, TONNE = 200.0, 1000.0


@dataclass(frozen=True, eq=False)
class LinkParameters(Frozen):
    """A link's inertial parameters: `mass` kg, `com` `(3,)` m in its frame L, `inertia` `(3, 3)` kg·m² about the CoM along L.

    It is fixed to `body` (-1: the world) at `X_BL`; `mass_at`, `com_at` and `inertia_at` are their places in the file; `R_LI`
    `(3, 3)` are the axes of the inertia in the file; `published` if the file cites a source that prints it like this.
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
class JointParameters:
    """A joint's parameters: limits in rad or m, `velocity`, `effort`, ±inf where unlimited; friction at the joint.

    `in_degrees` contains "limits" or "velocity" if the file has them in degrees; `rotor_inertia` is at the motor side of the
    gears; `friction_at` is "joint" or "motor"; `drive` is the place of motor and friction; `follows` marks a mimic joint.
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
    """A constant angle in rad; `exact` if the file has it in degrees or as a multiple of pi."""

    value: float
    where: Place
    exact: bool = False
    all_of: tuple[float, ...] = ()
    """The three angles of its rotation; `index` is its position among them."""
    index: int = 0


@dataclass(frozen=True)
class WrittenLength:
    """A constant length in m, or a component of the offset `(3,)`; `of_arm` is False for the base."""

    value: float
    where: Place
    all_of: tuple[float, ...] = ()
    of_arm: bool = True

    @property
    def size(self) -> float:
        """Length, or norm of the whole offset, m."""
        return math.hypot(*self.all_of) if self.all_of else abs(self.value)


@dataclass(frozen=True, eq=False)
class WrittenShape:
    """A shape of a link: `points` `(V, 3)` of its hull in m in the link's frame, None for a mesh that was not read;
    `visible` is False for a collision shape.
    """

    shape: Visual
    where: Place
    points: np.ndarray | None = None
    visible: bool = True


@dataclass(frozen=True, eq=False)
class Parameters:
    """All parameters of a robot; `kind` is "toml", "urdf", "xacro" or "memory" (the robot has no readable file);
    `text` is the text of a TOML file, `table` its parsed content.
    """

    robot: Robot
    kind: str
    whole: Place
    links: tuple[LinkParameters, ...]
    joints: tuple[JointParameters, ...]
    angles: tuple[WrittenAngle, ...] = ()
    lengths: tuple[WrittenLength, ...] = ()
    shapes: tuple[WrittenShape, ...] = ()
    text: str = ""
    table: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def moving_mass(self) -> float:
        """Mass in kg of all moving links; masses that are probably in g are converted."""
        return sum(self.likely_mass(link) for link in self.links if link.body >= 0)

    def likely_mass(self, link: LinkParameters) -> float:
        """Return the mass in kg; divided by 1000 if it exceeds a tonne and hundreds of times the other links."""
        others = [other.mass for other in self.links if other.body >= 0 and other.mass > 0 and other is not link]
        return 1e-3 * link.mass if others and link.mass > max(GRAMS * float(np.median(others)), TONNE) else link.mass

    @cached_property
    def weighty(self) -> tuple[LinkParameters, ...]:
        """Moving links without markers and sensors of a few grams."""
        light = LIGHT * self.moving_mass
        return tuple(
            link for link in self.links if link.body >= 0 and (link.mass > light or (not link.mass and link.inertia.any()))
        )


def is_solid(link: LinkParameters) -> bool:
    """Return True if the radius of gyration of a link exceeds 0.1 mm; smaller inertias are rounding errors."""
    return bool(np.abs(link.inertia).max() > POINT**2 * link.mass)


def limit_at(parameters: Parameters, joint: JointParameters, toml: str, *urdf: str) -> Place:
    """Return the place of a joint limit: its key in TOML, the element `<limit>` in URDF."""
    return deeper(joint.where, toml) if parameters.kind == TOML else deeper(joint.where, "limit", *urdf, line=joint.limit_line)


def deeper(where: Place, *keys: str | int, line: int | str | None = None) -> Place:
    """Return the place under these keys of another place."""
    return replace(where, key=(*where.key, *keys), line=where.line if line is None else line)


def robot_parameters(robot: Robot, meshes: Mapping[Path, np.ndarray]) -> Parameters:
    """Return the parameters of a robot in memory, each body as one link, without lines, angles and lengths of a file."""
    tree = robot.tree
    ends = (tree.q_min, tree.q_max) if robot.coupling is None else (robot.coupling.lower, robot.coupling.upper)
    joints = []
    for i, body in enumerate(robot.bodies):
        place = Place(f"joint {tree.joint_names[i]}", robot.source)
        lower, upper, velocity, effort = (float(x[i]) for x in (*ends, tree.qd_max, tree.tau_max))
        friction = body.friction
        joints.append(
            JointParameters(
                tree.joint_names[i],
                i,
                body.joint_type == "prismatic",
                lower=lower,
                upper=upper,
                velocity=velocity,
                effort=effort,
                where=place,
                drive=place,
                viscous=friction.viscous,
                coulomb=max(friction.coulomb),
                stiction=friction.stiction,
                rotor_inertia=body.rotor_inertia,
                follows=tree.joint_names[i] not in robot.joint_names,
            )
        )
    links = [_link(robot, i) for i in range(len(robot.bodies))] if robot.has_dynamics else []
    shapes = tuple(
        WrittenShape(shape, Place(f"link {shape.link}", robot.source), shape_points(shape, meshes)) for shape in robot.visuals
    )
    return Parameters(robot, MEMORY, Place(robot.name, robot.source), tuple(links), tuple(joints), shapes=shapes)


def _link(robot: Robot, i: int) -> LinkParameters:
    """Return body i with the name of its first link."""
    body = robot.bodies[i]
    name = next((name for name, frame in robot.links.items() if frame.body == i), f"body {i + 1}")
    at = Place(f"link {name}", robot.source)
    return LinkParameters(name, i, np.eye(4), body.mass, body.com, body.inertia, mass_at=at, com_at=at, inertia_at=at)


_ROUND = 24  # points per circle of a cylinder or sphere
_RIM = np.array([(np.cos(t), np.sin(t)) for t in 2 * np.pi * np.arange(_ROUND) / _ROUND])


def shape_points(shape: Visual, meshes: Mapping[Path, np.ndarray]) -> np.ndarray | None:
    """Return points `(V, 3)` in m in the link's frame whose hull is the shape; None for a mesh that was not read.

    Args:
        meshes: vertices `(V, 3)` of mesh files by path, before scaling.
    """
    if shape.shape == "mesh":
        if shape.path is None or shape.path not in meshes:
            return None
        own = meshes[shape.path] * np.array(shape.size)
    elif shape.shape == "box":
        own = np.array(list(product((-0.5, 0.5), repeat=3))) * shape.size
    elif shape.shape == "cylinder":
        own = _rims(shape.size[0], np.array([-0.5, 0.5]) * shape.size[1], np.ones(2))
    else:
        polar = np.linspace(0, np.pi, _ROUND // 2 + 1)
        own = _rims(shape.size[0], shape.size[0] * np.cos(polar), np.sin(polar))
    return own @ shape.X_LG[:3, :3].T + shape.X_LG[:3, 3]


def _rims(radius: float, heights: np.ndarray, shares: np.ndarray) -> np.ndarray:
    """Return circles at heights along z, each with a fraction of the radius."""
    return np.concatenate([np.column_stack([radius * share * _RIM, np.full(_ROUND, z)]) for z, share in zip(heights, shares)])
