"""`<link>` elements of a URDF file: mass and inertia, and what the link looks like."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from armature.engine.model.inertia_rules import InertiaRemark, principal_moments, triangle_fault
from armature.engine.model.urdf.mesh_finder import MeshFinder
from armature.engine.model.urdf.urdf_xml import Node
from armature.engine.model.visual import Visual

TYPES = ("revolute", "continuous", "prismatic", "fixed")
_OTHERS = {"floating": "six degrees of freedom", "planar": "three degrees of freedom", "ball": "three degrees of freedom"}
_JOINT_CHILDREN = ("origin", "parent", "child", "axis", "limit", "dynamics", "mimic", "calibration", "safety_controller")
_SIZES = {"box": (("size", 3),), "cylinder": (("radius", 1), ("length", 1)), "sphere": (("radius", 1),)}
_CHILDREN = ("inertial", "visual", "collision")


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
    list(node.expect(_JOINT_CHILDREN, ("name", "type")))
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
        raise node.error(f"type {kind!r}, a joint of {_OTHERS[kind]}, is not supported; supported are {', '.join(TYPES)}")
    if kind not in TYPES:
        raise node.error(f"unknown type {kind[:40]!r}; valid are {', '.join(TYPES)}")
    return kind


def _link(node: Node, tag: str) -> str:
    end = node.child(tag)
    if end is None:
        raise node.error(f"has no <{tag}>")
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
        raise element.error("xyz is zero; an axis needs a direction")
    return axis / (length or 1.0)


def _limits(node: Node, name: str, kind: str, remarks: list[str]) -> tuple[float, float, float, float]:
    limit = node.child("limit")
    if kind == "fixed":
        return 0.0, 0.0, math.inf, math.inf
    if limit is None:
        if kind != "continuous":
            raise node.error(f"has no <limit>; a {kind} joint needs one (an unlimited revolute joint has the type continuous)")
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
        raise limit.error(f"lower limit {lower:g} is above the upper limit {upper:g}")
    return lower, upper, velocity, effort


def _most(limit: Node, attribute: str, name: str, remarks: list[str]) -> float:
    value = limit.limit(attribute)
    if value is not None and value < 0:
        raise limit.error(f"{attribute} must be 0 or more, got {value:g}")
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
        raise element.error("the joint mimics itself")
    return Mimic(leader, element.number("multiplier", 1.0), element.number("offset", 0.0), element)


@dataclass(frozen=True)
class Material:
    """A named colour (r, g, b, a) or texture; the file name of a texture may be empty, as some exporters write it."""

    name: str = ""
    colour: tuple[float, float, float, float] | None = None
    texture: str = ""


def read_material(node: Node, known: dict[str, Material]) -> Material:
    """A `<material>` element; one that only names a material stands for that. Raises UrdfError."""
    list(node.expect(("color", "texture"), ("name",)))
    name = node.text("name", "")
    color, texture = node.child("color"), node.child("texture")
    if color is None and texture is None:
        return known.get(name, Material(name))
    colour = None
    if color is not None:
        r, g, b, a = (float(x) for x in np.clip(color.vector("rgba", 4), 0.0, 1.0))
        colour = (r, g, b, a)
    return Material(name, colour, "" if texture is None else texture.text("filename", "").strip())


def read_visual(node: Node, link: str, known: dict[str, Material], finder: MeshFinder, remarks: list[str]) -> Visual | None:
    """The shape of a `<visual>` or `<collision>`; None, with a remark, for one that cannot be shown. Raises UrdfError."""
    shape = _shape(node, link, remarks)
    if shape is None:
        return None
    size, path, file = _measures(shape, finder)
    element = node.child("material")
    material = Material() if element is None else read_material(element, known)
    texture = finder.find(node, material.texture) if material.texture else None
    return Visual(link, shape.tag, node.pose(), size, path, file, material.name, material.colour, texture, file in finder.outside)


def _shape(node: Node, link: str, remarks: list[str]) -> Node | None:
    geometry = node.child("geometry")
    if geometry is None:
        raise node.error("has no <geometry>")
    others = list(geometry.expect((*_SIZES, "mesh")))
    shapes = [child for tag in (*_SIZES, "mesh") for child in geometry.children(tag)]
    if len(shapes) > 1:
        raise shapes[1].error("is a second shape; give each shape its own <geometry>")
    if not shapes and not others:
        raise geometry.error("is empty; it must contain a mesh, box, cylinder or sphere")
    if not shapes:
        remarks.append(f"Link {link} (line {geometry.line}): shape {others[0][:40]!r} is not supported and not shown.")
        return None
    return shapes[0]


def _measures(shape: Node, finder: MeshFinder) -> tuple[tuple[float, ...], Path | None, str]:
    """Size, and of a mesh its file and its name as written; None for a missing file, which `finder` counts."""
    if shape.tag == "mesh":
        list(shape.expect(attributes=("filename", "scale")))
        scale = shape.vector("scale", 3, (1, 1, 1))
        if not scale.all():
            raise shape.error("scale must not contain a zero")
        name = shape.text("filename")
        return tuple(float(x) for x in scale), finder.find(shape, name.strip()), name.strip()
    keys = _SIZES[shape.tag]
    list(shape.expect(attributes=tuple(key for key, _ in keys)))
    size = np.concatenate([shape.vector(key, count) for key, count in keys])
    if (size < 0).any():
        raise shape.error(f"has a negative size, {size.min():g}")
    return tuple(float(x) for x in size), None, ""


@dataclass(frozen=True, eq=False)
class LinkPart:
    """A link as given: `mass` kg, `com` `(3,)` m in the link's frame, `inertia` `(3, 3)` kg·m² about the CoM along its axes."""

    node: Node
    name: str
    mass: float = 0.0
    com: np.ndarray = field(default_factory=lambda: np.zeros(3))
    inertia: np.ndarray = field(default_factory=lambda: np.zeros((3, 3)))
    visuals: tuple[Visual, ...] = ()
    collisions: tuple[Visual, ...] = ()


def read_link(node: Node, materials: dict[str, Material], finder: MeshFinder, remarks: list[str]) -> LinkPart:
    """The link of a `<link>` element; adds to `remarks` what a user should know. Raises UrdfError."""
    name = node.name()
    list(node.expect(_CHILDREN, ("name",)))
    mass, com, inertia = _inertial(node, name, remarks)
    looks = {
        tag: tuple(v for child in node.children(tag) if (v := read_visual(child, name, materials, finder, remarks)) is not None)
        for tag in ("visual", "collision")
    }
    return LinkPart(node, name, mass, com, inertia, looks["visual"], looks["collision"])


def _inertial(node: Node, name: str, remarks: list[str]) -> tuple[float, np.ndarray, np.ndarray]:
    inertial = node.child("inertial")
    if inertial is None:
        return 0.0, np.zeros(3), np.zeros((3, 3))
    list(inertial.expect(("origin", "mass", "inertia")))
    element = inertial.child("mass")
    if element is None:
        raise inertial.error("has no <mass>")
    list(element.expect(attributes=("value",)))
    mass, X_LI = element.not_negative("value"), inertial.pose()
    tensor = inertial.child("inertia")
    if tensor is None:
        remarks.append(InertiaRemark(f"Link {name} (line {inertial.line}): no <inertia> given; treated as a point mass."))
        return mass, X_LI[:3, 3], np.zeros((3, 3))
    list(tensor.expect(attributes=("ixx", "ixy", "ixz", "iyy", "iyz", "izz")))
    xx, yy, zz = (tensor.number(key) for key in ("ixx", "iyy", "izz"))
    xy, xz, yz = (tensor.number(key, 0.0) for key in ("ixy", "ixz", "iyz"))
    inertia = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    # Exporters round until a moment is negative; the inertia is checked later, for the whole moving body.
    if fault := triangle_fault(inertia):
        low, middle, high = principal_moments(inertia)
        excess = high - low - middle
        remarks.append(InertiaRemark(f"Link {name} (line {tensor.line}): {fault}, by {excess:.3g} kg·m²; used as written."))
    R = X_LI[:3, :3]
    return mass, X_LI[:3, 3], R @ inertia @ R.T
