"""`<link>` elements of a URDF file: mass and inertia, and what the link looks like."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from armature.engine.model.inertia_rules import InertiaRemark, principal_moments, triangle_fault
from armature.engine.model.urdf.mesh_files import MeshFinder
from armature.engine.model.urdf.urdf_shapes import Material, read_visual
from armature.engine.model.urdf.urdf_xml import Node
from armature.engine.model.visual import Visual

_CHILDREN = ("inertial", "visual", "collision")


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
        raise inertial.refused("has no <mass>")
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
    # Exporters round until a moment is negative; what counts is the body a joint moves, and that is checked when it is whole.
    if fault := triangle_fault(inertia):
        low, middle, high = principal_moments(inertia)
        excess = high - low - middle
        remarks.append(InertiaRemark(f"Link {name} (line {tensor.line}): {fault}, by {excess:.3g} kg·m²; used as written."))
    R = X_LI[:3, :3]
    return mass, X_LI[:3, 3], R @ inertia @ R.T
