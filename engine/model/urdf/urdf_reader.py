"""Reading URDF files: an own strict parse, because input that would compute wrongly must not pass.

What the file may hold and what is refused is documented in `robots/README.md`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from armature.engine.errors import ModelError, one_line
from armature.engine.model.file_bytes import MAX_JOINTS, MAX_LINKS, MAX_SHAPES, Unreadable, file_bytes, too_many
from armature.engine.model.robot import Robot
from armature.engine.model.toml.urdf_companion import with_companion
from armature.engine.model.urdf.mesh_files import MeshFinder
from armature.engine.model.urdf.tool_choice import tool_remark
from armature.engine.model.urdf.urdf_assembly import assemble_urdf
from armature.engine.model.urdf.urdf_joint import read_joint
from armature.engine.model.urdf.urdf_link import read_link
from armature.engine.model.urdf.urdf_shapes import Material, read_material
from armature.engine.model.urdf.urdf_tree import arrange
from armature.engine.model.urdf.urdf_xml import Node, UrdfError, parse

MAX_BYTES = 10_000_000


def read_urdf_robot(path: Path) -> Robot:
    """The robot described by the URDF file at `path` and the companion file beside it, where there is one.

    Raises:
        ModelError: with one line that names the file, the line, the element, what is wrong and what is valid.
    """
    try:
        data = file_bytes(path, MAX_BYTES)
    except Unreadable as error:
        raise _refused(path, error) from None
    return robot_of_urdf(data, path)


def robot_of_urdf(data: bytes, path: Path, lines: Sequence[str] = ()) -> Robot:
    """The robot that the text of a URDF describes, with the companion file beside `path`.

    `lines` has for each element, in their order, the line of the file that it was made of, where that is not the text's own.

    Raises:
        ModelError: as `read_urdf_robot`.
    """
    try:
        robot = replace(_robot(parse(data, lines), path), file_hash=hashlib.sha256(data).hexdigest())
    except (UrdfError, Unreadable) as error:
        raise _refused(path, error) from None
    robot = with_companion(robot, path)
    return replace(robot, remarks=(*robot.remarks, *tool_remark(robot.flange, robot.fingers)))


def _refused(path: Path, error: Exception) -> ModelError:
    return ModelError(one_line(f"{one_line(str(path), 200)}: {error}", 700))


def _robot(root: Node, path: Path) -> Robot:
    remarks: list[str] = []
    name = root.name()
    # What else stands in a URDF (transmissions, gazebo, sensors) is addressed to other programs.
    list(root.expect(("link", "joint", "material"), ("name", "version")))
    _check_size(root)
    materials: dict[str, Material] = {}
    for node in root.children("material"):
        material = read_material(node, materials)
        materials[material.name] = material
    finder = MeshFinder(path)
    links = [read_link(node, materials, finder, remarks) for node in root.children("link")]
    joints = [read_joint(node, remarks) for node in root.children("joint")]
    tree = arrange(root, links, joints)
    remarks += finder.remarks()
    copies = [joint.name for joint in tree.moving if joint.mimic is not None]
    if copies:
        remarks.append(f"Joints that copy others (mimic): {', '.join(copies)}.")
    return assemble_urdf(name, tree, remarks, path)


def _check_size(root: Node) -> None:
    """Raises UrdfError for more parts than a robot has, before any of them is read."""
    links = root.children("link")
    moving = sum(joint.text("type", "fixed") != "fixed" for joint in root.children("joint"))
    shapes = sum(link.count(("visual", "collision")) for link in links)
    for count, noun, most in (
        (moving, "moving joints", MAX_JOINTS),
        (len(links), "links", MAX_LINKS),
        (shapes, "shapes", MAX_SHAPES),
    ):
        if problem := too_many(count, noun, most):
            raise root.refused(problem)
