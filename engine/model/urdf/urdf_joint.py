"""`<joint>` elements of a URDF file."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from armature.engine.model.urdf.urdf_xml import Node

TYPES = ("revolute", "continuous", "prismatic", "fixed")
_OTHERS = {"floating": "six degrees of freedom", "planar": "three degrees of freedom", "ball": "three degrees of freedom"}
_CHILDREN = ("origin", "parent", "child", "axis", "limit", "dynamics", "mimic", "calibration", "safety_controller")


@dataclass(frozen=True)
class Mimic:
    """q = multiplier · q of `joint` + offset."""

    joint: str
    multiplier: float
    offset: float
    node: Node


@dataclass(frozen=True, eq=False)
class JointPart:
    """A joint as the file gives it: `X_PJ` its frame in the parent link's, `axis` `(3,)` a unit vector in its frame.

    `lower`, `upper`, `velocity`, `effort` are ±inf where unlimited.
    """

    node: Node
    name: str
    kind: str
    parent: str
    child: str
    X_PJ: np.ndarray
    axis: np.ndarray
    lower: float
    upper: float
    velocity: float
    effort: float
    damping: float
    friction: float
    mimic: Mimic | None

    @property
    def moves(self) -> bool:
        """Whether it is no fixed joint."""
        return self.kind != "fixed"


def read_joint(node: Node, remarks: list[str]) -> JointPart:
    """The joint of a `<joint>` element; adds to `remarks` what a user should know. Raises UrdfError."""
    name, kind = node.name(), _kind(node)
    list(node.expect(_CHILDREN, ("name", "type")))
    parent, child = (_link(node, tag) for tag in ("parent", "child"))
    lower, upper, velocity, effort = _limits(node, name, kind, remarks)
    damping, friction = _dynamics(node)
    return JointPart(
        node=node,
        name=name,
        kind=kind,
        parent=parent,
        child=child,
        X_PJ=node.pose(),
        axis=_axis(node, kind),
        lower=lower,
        upper=upper,
        velocity=velocity,
        effort=effort,
        damping=damping,
        friction=friction,
        mimic=_mimic(node, name, kind),
    )


def _kind(node: Node) -> str:
    kind = node.text("type")
    if kind in _OTHERS:
        raise node.refused(f"type {kind!r}, a joint of {_OTHERS[kind]}, is not supported; supported are {', '.join(TYPES)}")
    if kind not in TYPES:
        raise node.refused(f"unknown type {kind[:40]!r}; valid are {', '.join(TYPES)}")
    return kind


def _link(node: Node, tag: str) -> str:
    end = node.child(tag)
    if end is None:
        raise node.refused(f"has no <{tag}>")
    list(end.expect(attributes=("link",)))
    return end.name("link")


def _axis(node: Node, kind: str) -> np.ndarray:
    element = node.child("axis")
    if element is None:
        return np.array([1.0, 0.0, 0.0])
    list(element.expect(attributes=("xyz",)))
    axis = element.vector("xyz", 3, (1, 0, 0))
    length = float(np.linalg.norm(axis))
    if length < 1e-6 and kind != "fixed":
        raise element.refused("xyz is zero; an axis needs a direction")
    return axis / (length or 1.0)


def _limits(node: Node, name: str, kind: str, remarks: list[str]) -> tuple[float, float, float, float]:
    limit = node.child("limit")
    if kind == "fixed":
        return 0.0, 0.0, math.inf, math.inf
    if limit is None:
        if kind != "continuous":
            raise node.refused(f"has no <limit>; a {kind} joint needs one (an unlimited revolute joint has the type continuous)")
        return -math.inf, math.inf, math.inf, math.inf
    list(limit.expect(attributes=("lower", "upper", "velocity", "effort")))
    velocity, effort = _most(limit, "velocity", name, remarks), _most(limit, "effort", name, remarks)
    lower, upper = limit.limit("lower"), limit.limit("upper")
    if kind == "continuous":
        return -math.inf, math.inf, velocity, effort
    if lower is None and upper is None:
        remarks.append(f"Joint {name} (line {limit.line}): no lower and upper limit given; treated as unlimited.")
        return -math.inf, math.inf, velocity, effort
    lower, upper = lower or 0.0, upper or 0.0
    if lower > upper or math.inf in (lower, -upper):
        raise limit.refused(f"lower limit {lower:g} is above the upper limit {upper:g}")
    return lower, upper, velocity, effort


def _most(limit: Node, attribute: str, name: str, remarks: list[str]) -> float:
    value = limit.limit(attribute)
    if value is not None and value < 0:
        raise limit.refused(f"{attribute} must be 0 or more, got {value:g}")
    if not value:
        given = "missing" if value is None else "0"
        remarks.append(f"Joint {name} (line {limit.line}): {attribute} limit {given}; treated as unlimited.")
    return value or math.inf


def _dynamics(node: Node) -> tuple[float, float]:
    element = node.child("dynamics")
    if element is None:
        return 0.0, 0.0
    list(element.expect(attributes=("damping", "friction")))
    return element.not_negative("damping", 0.0), element.not_negative("friction", 0.0)


def _mimic(node: Node, name: str, kind: str) -> Mimic | None:
    element = node.child("mimic")
    if element is None or kind == "fixed":
        return None
    list(element.expect(attributes=("joint", "multiplier", "offset")))
    leader = element.name("joint")
    if leader == name:
        raise element.refused("the joint copies itself")
    return Mimic(leader, element.number("multiplier", 1.0), element.number("offset", 0.0), element)
