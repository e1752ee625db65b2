"""Parameters of a URDF file and its companion as written there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from armature.engine.examination.finding import Place
from armature.engine.examination.parameters import (
    URDF,
    XACRO,
    JointParameters,
    LinkParameters,
    Parameters,
    WrittenAngle,
    WrittenLength,
    WrittenShape,
    deeper,
    shape_points,
)
from armature.engine.model.robot import Robot
from armature.engine.model.toml.toml_kind import companion_of
from armature.engine.model.urdf.mesh_finder import MeshFinder
from armature.engine.model.urdf.urdf_elements import JointPart, LinkPart, read_joint, read_link, read_material
from armature.engine.model.urdf.urdf_xml import Node, parse


def urdf_parameters(
    robot: Robot, data: bytes, path: Path, meshes: Mapping[Path, np.ndarray], lines: Sequence[str] = ()
) -> Parameters:
    """Return the parameters of a robot as its URDF file `data` has them; `meshes`: vertices `(V, 3)` by path, unscaled.

    With `lines` (see `robot_of_urdf`) the text was expanded from a xacro file, which cannot be repaired.
    """
    root = parse(data, lines)
    remarks: list[str] = []
    materials = {(m := read_material(node, {})).name: m for node in root.children("material")}
    finder = MeshFinder(path)
    links = [read_link(node, materials, finder, remarks) for node in root.children("link")]
    joints = {part.name: part for part in (read_joint(node, remarks) for node in root.children("joint"))}
    links = [link for link in links if link.name in robot.links]
    moving = [joints[name] for name in robot.tree.joint_names]
    lengths, angles = [], []
    for part in joints.values():
        origin = part.node.child("origin")
        if origin is not None:
            place = Place(f"joint {part.name}", path, _line(origin), ("joint", part.name, "origin"))
            xyz, rpy = (tuple(float(x) for x in origin.vector(key, 3, (0, 0, 0))) for key in ("xyz", "rpy"))
            of_arm = part.child in robot.links and robot.links[part.child].body >= 0
            lengths += [WrittenLength(x, deeper(place, "xyz"), xyz, of_arm) for x in xyz if x]
            angles += [WrittenAngle(x, deeper(place, "rpy"), False, rpy, k) for k, x in enumerate(rpy) if x]
    return Parameters(
        robot,
        XACRO if lines else URDF,
        Place(robot.name, path),
        tuple(_link(robot, part, path) for part in links if part.node.child("inertial") is not None),
        tuple(_joint(robot, i, part, path) for i, part in enumerate(moving)),
        tuple(angles),
        tuple(lengths),
        tuple(shape for part in links for shape in _shapes(part, path, meshes)),
    )


def _link(robot: Robot, part: LinkPart, path: Path) -> LinkParameters:
    inertial = part.node.child("inertial")
    assert inertial is not None
    where = Place(f"link {part.name}", path, _line(inertial), ("link", part.name, "inertial"))
    lines = {tag: _line(inertial.child(tag) or inertial) for tag in ("mass", "origin", "inertia")}
    frame = robot.links[part.name]
    return LinkParameters(
        part.name,
        frame.body,
        frame.X_BF,
        part.mass,
        part.com,
        part.inertia,
        deeper(where, "mass", "value", line=lines["mass"]),
        deeper(where, "origin", "xyz", line=lines["origin"]),
        deeper(where, "inertia", line=lines["inertia"]),
        R_LI=inertial.pose()[:3, :3],
    )


def _joint(robot: Robot, i: int, part: JointPart, path: Path) -> JointParameters:
    limit = part.node.child("limit")
    where = Place(f"joint {part.name}", path, _line(part.node), ("joint", part.name))
    body, column = robot.bodies[i], robot.tree.joint_names[i]
    of_companion = robot.companion_hash and column in robot.joint_names
    drive = Place(f"joint {part.name}", companion_of(path), None, ("joints", part.name)) if of_companion else where
    return JointParameters(
        part.name,
        i,
        part.kind == "prismatic",
        part.lower,
        part.upper,
        part.velocity,
        part.effort,
        where,
        drive,
        viscous=body.friction.viscous,
        coulomb=max(body.friction.coulomb),
        stiction=body.friction.stiction,
        rotor_inertia=body.rotor_inertia,
        follows=part.mimic is not None,
        limit_line=_line(limit or part.node),
    )


def with_companion_drives(parameters: Parameters, table: Mapping[str, Any]) -> Parameters:
    """Return the parameters with motors and gears of the companion file."""
    joints = []
    for joint in parameters.joints:
        own = table.get("joints", {}).get(joint.name, {})
        ratio = float(own.get("gear_ratio", 1.0))
        joints.append(
            replace(
                joint,
                rotor_inertia=joint.rotor_inertia / ratio**2,
                gear_ratio=ratio,
                friction_at=own.get("friction", {}).get("at", "joint"),
            )
        )
    return replace(parameters, joints=tuple(joints))


def _shapes(part: LinkPart, path: Path, meshes: Mapping[Path, np.ndarray]) -> list[WrittenShape]:
    out = []
    for tag, shapes in (("visual", part.visuals), ("collision", part.collisions)):
        nodes = [(k, node) for k, node in enumerate(part.node.children(tag)) if _is_known(node)]
        for (k, node), shape in zip(nodes, shapes, strict=True):
            line = _line(node.child("geometry") or node)
            place = Place(f"link {part.name}", path, line, ("link", part.name, f"{tag}[{k}]", "geometry", shape.shape))
            out.append(WrittenShape(shape, place, shape_points(shape, meshes), tag == "visual"))
    return out


def _is_known(node: Node) -> bool:
    geometry = node.child("geometry")
    return geometry is not None and any(geometry.children(tag) for tag in ("mesh", "box", "cylinder", "sphere"))


def _line(node: Node) -> int | str:
    return int(node.line) if node.line.isdigit() else node.line
