"""The tables of a robot file below its top level: poses, friction, joints."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Annotated, Any, Literal, Self

import numpy as np
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationInfo, model_validator

from armature.engine.errors import shown
from armature.engine.model.body import PRISMATIC
from armature.engine.model.file_bytes import MAX_SHAPES
from armature.engine.model.file_values import (
    Angle,
    Angles,
    Coulomb,
    Identifier,
    Inertia,
    Lengths,
    Matrix,
    NotNegative,
    Number,
    Positive,
    Quaternion,
    Round,
    Sentence,
    Share,
    Shares,
    Vector,
    angle,
    array_of,
    number,
    refusal,
)
from armature.engine.model.inertia_rules import inertia_fault, triangle_fault
from armature.engine.model.tool_limits import ToolLimits


class Entry(BaseModel):
    """A table of a robot file; unknown keys are errors."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    def only_one_of(self, *fields: str) -> None:
        """Refuses the table if more than one of `fields` is written in it."""
        given = [field for field in fields if field in self.model_fields_set]
        if len(given) > 1:
            raise refusal(f"duplicates {given[0]}; give only one of them", given[1])


class PoseEntry(Entry):
    """A pose: `xyz` in m with a rotation as `rpy`, `rpy_deg` or `quaternion`, or a whole 4×4 `matrix`."""

    xyz: Vector = (0.0, 0.0, 0.0)
    rpy: Angles = (0.0, 0.0, 0.0)
    rpy_deg: Vector | None = None
    quaternion: Quaternion | None = None
    matrix: Matrix | None = None

    @model_validator(mode="after")
    def _is_a_pose(self) -> Self:
        self.only_one_of("rpy", "rpy_deg", "quaternion", "matrix")
        self.only_one_of("xyz", "matrix")
        if self.quaternion is not None and abs(np.linalg.norm(self.quaternion) - 1) > 1e-5:
            raise refusal(f"must have length 1, got {np.linalg.norm(self.quaternion):.9g}", "quaternion")
        if self.matrix is not None:
            X = np.array(self.matrix)
            R = X[:3, :3]
            if np.abs(R @ R.T - np.eye(3)).max() > 1e-6 or np.linalg.det(R) < 0 or (X[3] != [0, 0, 0, 1]).any():
                raise refusal("is not a pose: the rotation must be orthonormal and right-handed, the last row 0 0 0 1", "matrix")
        return self


class ToolEntry(PoseEntry):
    """The tool: a pose in the frame of a link; see `robots/README.md` for the link where none is named."""

    link: str | None = None


class ToolLimitsEntry(Entry):
    """How fast the tool may go along lines and arcs, in m and rad per s, s², s³."""

    speed: Positive | None = None
    acceleration: Positive | None = None
    jerk: Positive | None = None
    angular_speed: Positive | None = None
    angular_acceleration: Positive | None = None
    angular_jerk: Positive | None = None

    def limits(self) -> ToolLimits:
        """The same as the engine has it."""
        return ToolLimits(**dict(self))


def _link_name(value: Any) -> str:
    if not isinstance(value, str) or not value.strip() or not value.isprintable() or len(value) > 200:
        raise refusal(f"must be the name of a link, got {shown(value)}")
    return value


LinkPair = Annotated[tuple, BeforeValidator(array_of(2, _link_name, 'two names of links, such as ["link2", "link4"]'))]


class CollisionEntry(Entry):
    """Pairs of links, or of a link and "floor", whose contact does not count."""

    ignore: list[LinkPair] = Field(default_factory=list, max_length=MAX_SHAPES)

    def check(self, links: Iterable[str]) -> None:
        """Raise a refusal for a pair of equal names, or for a name that is neither in `links` nor "floor"."""
        known = [*links, "floor"]
        for i, pair in enumerate(self.ignore):
            for name in pair:
                if name not in known:
                    raise refusal(f"{shown(name)} is not a link; valid are {', '.join(known)}", f"collision.ignore[{i}]")
            if pair[0] == pair[1]:
                raise refusal(f"names {shown(pair[0])} twice; give two links", f"collision.ignore[{i}]")


class FrictionEntry(Entry):
    """Friction of a joint, with values `at` the joint or at the motor before the gears."""

    at: Literal["joint", "motor"] = "joint"
    viscous: NotNegative = 0.0
    coulomb: Coulomb = (0.0, 0.0)
    stiction: NotNegative = 0.0


class ShapeEntry(Entry):
    """A shape of a link in its DH frame: a mesh by its file and a scale, or a box, a cylinder or a sphere, in m."""

    mesh: Sentence | None = None
    scale: Vector = (1.0, 1.0, 1.0)
    box: Lengths | None = None
    cylinder: Round | None = None
    sphere: NotNegative | None = None
    xyz: Vector = (0.0, 0.0, 0.0)
    rpy: Angles = (0.0, 0.0, 0.0)
    colour: Shares | None = None
    collision: bool = False

    @model_validator(mode="after")
    def _is_one_shape(self) -> Self:
        if sum(shape is not None for shape in (self.mesh, self.box, self.cylinder, self.sphere)) != 1:
            raise refusal("must have one of mesh, box, cylinder, sphere")
        if not all(self.scale):
            raise refusal("must not contain a zero", "scale")
        return self


def _range(value: Any, info: ValidationInfo) -> tuple[float, float]:
    in_metres_or_degrees = info.data.get("type") == PRISMATIC or info.field_name == "limits_deg"
    return array_of(2, number if in_metres_or_degrees else angle, "two values [lower, upper]")(value)


Range = Annotated[tuple, BeforeValidator(_range)]


class JointEntry(Entry):
    """One row of the DH table with the joint that moves in it and the link it carries."""

    name: Identifier | None = None
    parent: Identifier | None = None
    type: Literal["revolute", "prismatic"]

    a: Number = 0.0
    alpha: Angle = 0.0
    alpha_deg: Number | None = None
    d: Number = 0.0
    theta: Angle = 0.0
    theta_deg: Number | None = None

    limits: Range | None = None
    limits_deg: Range | None = None
    velocity_limit: Positive | None = None
    velocity_limit_deg: Positive | None = None
    acceleration_limit: Positive | None = None
    acceleration_limit_deg: Positive | None = None
    torque_limit: Positive | None = None
    restitution: Share = 0.0

    mass: NotNegative | None = None
    com: Vector = (0.0, 0.0, 0.0)
    inertia: Inertia = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    inertia_as_published: Sentence | None = None

    friction: FrictionEntry = FrictionEntry()
    rotor_inertia: NotNegative = 0.0
    gear_ratio: Number = 1.0

    shapes: list[ShapeEntry] = Field(default_factory=list)

    @model_validator(mode="after")
    def _is_a_joint(self) -> Self:
        for field in ("alpha", "theta", "limits", "velocity_limit", "acceleration_limit"):
            self.only_one_of(field, f"{field}_deg")
        if self.gear_ratio == 0:
            raise refusal("must not be 0; omit it for a direct drive", "gear_ratio")
        self._check_units()
        given, field = (self.limits, "limits") if self.limits is not None else (self.limits_deg, "limits_deg")
        if given is not None and self.range is not None and not self.range[0] < self.range[1]:
            lower, upper = given
            raise refusal(f"must be [lower, upper] with lower < upper, got [{lower:g}, {upper:g}]", field)
        self._check_inertia()
        return self

    def _check_units(self) -> None:
        for field in ("limits_deg", "velocity_limit_deg", "acceleration_limit_deg"):
            value = getattr(self, field)
            if self.type == PRISMATIC and value is not None:
                raise refusal(f"a prismatic joint moves in metres; use {field.removesuffix('_deg')}", field)

    def _check_inertia(self) -> None:
        if self.mass is None:
            for field in ("com", "inertia", "inertia_as_published"):
                if field in self.model_fields_set:
                    raise refusal("needs a mass in the same joint", field)
            return
        I_c = np.array(self.inertia)
        if fault := inertia_fault(I_c):
            raise refusal(fault, "inertia")
        fault = triangle_fault(I_c)
        if fault and self.inertia_as_published is None:
            raise refusal(f'{fault}; if it is published like this, cite the source in inertia_as_published = "..."', "inertia")
        if self.inertia_as_published is not None and not fault:
            raise refusal(
                "is only for a physically inconsistent inertia; this one is consistent, remove the key", "inertia_as_published"
            )

    @property
    def range(self) -> tuple[float, float] | None:
        """Lower and upper limit in rad or m; None if unlimited."""
        if self.limits_deg is not None:
            return math.radians(self.limits_deg[0]), math.radians(self.limits_deg[1])
        return self.limits

    @property
    def turns(self) -> dict[str, tuple[float, str]]:
        """alpha and theta in rad, each with the key that it is written under."""
        return {key: (self._in_rad(key), key if vars(self)[f"{key}_deg"] is None else f"{key}_deg") for key in ("alpha", "theta")}

    @property
    def acceleration(self) -> float | None:
        """Acceleration limit in rad/s² or m/s²; None if unknown."""
        return self._in_rad("acceleration_limit")

    @property
    def speed(self) -> float | None:
        """Speed limit in rad/s or m/s; None if unlimited."""
        return self._in_rad("velocity_limit")

    def _in_rad(self, key: str) -> Any:
        """Value of a key in rad, from degrees if it is written so."""
        degrees = vars(self)[f"{key}_deg"]
        return vars(self)[key] if degrees is None else math.radians(degrees)
