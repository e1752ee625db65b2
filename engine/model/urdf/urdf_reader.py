"""Reading URDF files with a strict parser, so that no invalid input is computed with.

`robots/README.md` documents supported and rejected contents.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from armature.engine.errors import ModelError, one_line
from armature.engine.model.body import PRISMATIC, REVOLUTE, Body, Frame, Friction
from armature.engine.model.coupling import chained_coupling
from armature.engine.model.file_bytes import MAX_JOINTS, MAX_LINKS, MAX_SHAPES, Unreadable, UrdfError, file_bytes, too_many
from armature.engine.model.inertia_rules import inertia_fault
from armature.engine.model.robot import Robot
from armature.engine.model.toml.urdf_companion import with_companion
from armature.engine.model.urdf.mesh_finder import MeshFinder
from armature.engine.model.urdf.srdf_reader import with_srdf
from armature.engine.model.urdf.urdf_elements import JointPart, LinkPart, Material, read_joint, read_link, read_material
from armature.engine.model.urdf.urdf_tree import UrdfTree, arrange, named_tool, tool_remark
from armature.engine.model.urdf.urdf_xml import Node, parse

_GRAVITY = (0.0, 0.0, -9.81)
MAX_BYTES = 10_000_000


def assemble_urdf(name: str, tree: UrdfTree, remarks: Sequence[str], source: Path | None) -> Robot:
    """The `Robot` of a checked tree. Raises UrdfError where a joint moves no mass though others do."""
    bodies, links = _bodies(tree)
    moving = tree.moving
    own = [i for i, joint in enumerate(moving) if joint.mimic is None]
    has_dynamics = any(body.mass > 0 for body in bodies)
    if has_dynamics:
        _check_masses(bodies, moving)
        _check_inertias(bodies, tree)
    if links.get("world", links[tree.root]).body >= 0 or not np.array_equal(links.get("world", links[tree.root]).X_BF, np.eye(4)):
        raise tree.links["world"].node.error("only the root link may be called world, because the world does not move")
    flange = _tool(tree)
    limits = [(joint.lower, joint.upper, joint.velocity, joint.effort) for joint in moving]
    lower, upper, velocity, effort = np.array(limits, float).reshape(-1, 4).T
    place = {joint.name: i for i, joint in enumerate(moving)}
    mimics = {i: joint.mimic for i, joint in enumerate(moving) if joint.mimic is not None}
    copies = {i: (place[mimic.joint], mimic.multiplier, mimic.offset) for i, mimic in mimics.items()}
    coupling = chained_coupling([joint.name for joint in moving], copies, lower, upper) if copies else None
    if coupling is not None:
        (lower, upper), velocity, effort = coupling.common_limits(), coupling.common_speeds(velocity), effort[own]
    return Robot(
        name=name,
        bodies=tuple(bodies),
        joint_names=tuple(moving[i].name for i in own),
        links=links,
        frames=links | {"world": Frame(-1, np.eye(4))} | ({} if "tool" in links else {"tool": links[flange]}),
        tool="tool",
        q_min=lower,
        q_max=upper,
        qd_max=velocity,
        tau_max=effort,
        gravity=np.array(_GRAVITY),
        configurations={},
        has_dynamics=has_dynamics,
        source=source,
        remarks=tuple(remarks),
        flange=flange,
        fingers=tuple(joint.name for joint in moving if joint.name in tree.fingers),
        link_parents={name: joint.parent for name, joint in tree.carrier.items()},
        coupling=coupling,
        visuals=tuple(v for link in tree.links.values() for v in link.visuals),
        collisions=tuple(v for link in tree.links.values() for v in link.collisions),
    )


def rotation_to_axis(axis: np.ndarray) -> np.ndarray:
    """R `(3, 3)` with R z = axis, a unit vector; exact, a permutation, where the axis is one of the frame's own."""
    k = int(np.argmax(np.abs(axis)))
    if abs(axis[k]) == 1.0:
        R = np.roll(np.eye(3), (k + 1) % 3, axis=0)  # columns x, y, z of the new frame in cyclic order, z along ±axis k
        return R if axis[k] > 0 else R @ np.diag([1.0, -1.0, -1.0])
    x = np.cross(np.eye(3)[int(np.argmin(np.abs(axis)))], axis)
    x /= np.linalg.norm(x)
    return np.column_stack([x, np.cross(axis, x), axis])


def _bodies(tree: UrdfTree) -> tuple[list[Body], dict[str, Frame]]:
    """One body per moving joint, with the links that fixed joints put on it; every link as a frame on a body."""
    bodies: list[Body] = []
    links = {tree.root: Frame(-1, np.eye(4))}
    for name, link in tree.links.items():
        joint = tree.carrier.get(name)
        if joint is not None:
            parent = links[joint.parent]
            if joint.moves:
                links[name] = _hang(bodies, joint, parent)
            else:
                links[name] = Frame(parent.body, parent.X_BF @ joint.X_PJ)
        _load(bodies, links[name], link)
    return bodies, links


def _hang(bodies: list[Body], joint: JointPart, parent: Frame) -> Frame:
    """Adds the body of a moving joint, its z along the joint's axis; the link's frame on it."""
    R = np.eye(4)
    R[:3, :3] = rotation_to_axis(joint.axis)
    friction = Friction(joint.damping, (joint.friction, joint.friction), joint.friction)
    kind = PRISMATIC if joint.kind == "prismatic" else REVOLUTE
    bodies.append(Body(parent.body, kind, parent.X_BF @ joint.X_PJ @ R, friction=friction))
    return Frame(len(bodies) - 1, R.T)


def _load(bodies: list[Body], frame: Frame, link: LinkPart) -> None:
    if frame.body >= 0 and (link.mass or link.inertia.any()):
        R, p = frame.X_BF[:3, :3], frame.X_BF[:3, 3]
        bodies[frame.body] = bodies[frame.body].with_mass(link.mass, p + R @ link.com, R @ link.inertia @ R.T)


def _check_masses(bodies: list[Body], moving: list[JointPart]) -> None:
    mass = np.array([body.mass for body in bodies])
    inertia = np.array([np.trace(body.inertia) for body in bodies])
    for i in range(len(bodies) - 1, -1, -1):
        if bodies[i].parent >= 0:
            mass[bodies[i].parent] += mass[i]
            inertia[bodies[i].parent] += inertia[i]
    for i, joint in enumerate(moving):
        slides = bodies[i].joint_type == PRISMATIC
        if mass[i] == 0 and (slides or inertia[i] == 0):
            raise joint.node.error(
                f"moves no mass: link {joint.child!r} and the links after it have none; give the link an <inertial>, or make the "
                "joint fixed"
            )


def _check_inertias(bodies: list[Body], tree: UrdfTree) -> None:
    for body, joint in zip(bodies, tree.moving, strict=True):
        # A point mass away from the origin leaves rounding where its inertia about itself should be nothing.
        rounding = 1e-12 * np.abs(body.inertia_at_origin()).max()
        if np.abs(body.inertia).max() > rounding and (fault := inertia_fault(body.inertia)):
            inertial = tree.links[joint.child].node.child("inertial") or joint.node
            raise inertial.error(f"the body that joint {joint.name!r} moves {fault}")


def _tool(tree: UrdfTree) -> str:
    """The link that carries the tool: one with a usual name, else the end of the chain with the most moving joints.

    A finger carries no tool: the chain ends at the link that the fingers hang on. A usual name is one of `TOOL_NAMES`, in that
    order. Among equal chains the one with fingers counts, then that with more links, then the first in the file.
    """
    links = [name for name in tree.links if not tree.on_finger(name)]
    named = named_tool(name for name in links if name != tree.root)
    if named is not None:
        return named
    hands = {joint.parent for joint in tree.joints.values() if joint.name in tree.fingers}
    depth: dict[str, tuple[int, int]] = {tree.root: (0, 0)}
    for joint in tree.joints.values():
        moving, count = depth[joint.parent]
        depth[joint.child] = (moving + joint.moves, count + 1)
    return max(links, key=lambda name: (depth[name][0], name in hands, depth[name][1]))


def read_urdf_robot(path: Path) -> Robot:
    """Robot of the URDF file at `path`, its SRDF and its companion file, if there are any.

    Raises:
        ModelError: one line with the file, the line, the element, the mistake and the valid values.
    """
    try:
        data = file_bytes(path, MAX_BYTES)
    except Unreadable as error:
        raise _refused(path, error) from None
    return robot_of_urdf(data, path)


def robot_of_urdf(data: bytes, path: Path, lines: Sequence[str] = ()) -> Robot:
    """Robot of a URDF text, with the SRDF and the companion file of `path`.

    `lines` has the original line of each element, in their order, if it differs from the line of the text.

    Raises:
        ModelError: as `read_urdf_robot`.
    """
    try:
        robot = replace(_robot(parse(data, lines), path), file_hash=hashlib.sha256(data).hexdigest())
    except (UrdfError, Unreadable) as error:
        raise _refused(path, error) from None
    robot = with_companion(with_srdf(robot, path), path)
    return replace(robot, remarks=(*robot.remarks, *tool_remark(robot.flange, robot.fingers)))


def _refused(path: Path, error: Exception) -> ModelError:
    return ModelError(one_line(f"{one_line(str(path), 200)}: {error}", 700))


def _robot(root: Node, path: Path) -> Robot:
    remarks: list[str] = []
    name = root.name()
    # Other elements (transmissions, gazebo, sensors) are for other programs.
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
            raise root.error(problem)
