"""Export to URDF, with a companion file for parameters that URDF does not have."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from lxml import etree

from armature.engine.errors import ModelError
from armature.engine.model.body import PRISMATIC, Body
from armature.engine.model.export.export_parts import (
    Carrier,
    MeshNames,
    Written,
    as_text,
    carriers,
    figure,
    joint_order,
    lengths,
    numbers,
    order_messages,
    origin,
    tool_link,
)
from armature.engine.model.robot import Robot
from armature.engine.model.toml.robot_writer import toml_key, toml_value
from armature.engine.model.toml.toml_kind import companion_of
from armature.engine.model.toml.written_values import TURNED, short, written_configurations, written_friction
from armature.engine.model.visual import Visual

_USUAL_GRAVITY = (0.0, 0.0, -9.81)
_UNLIMITED = "1e10"  # which Armature, as others do in practice, takes for no limit


def companion_text(robot: Robot) -> tuple[str, str]:
    """The file, and in words what of the dynamics only it holds, "" for nothing."""
    head: dict[str, Any] = {"title": robot.title, "description": robot.description, "sources": list(robot.sources)}
    head["remarks"] = list(robot.remarks) if robot.source is not None and robot.source.suffix == ".toml" else []
    head = {key: value for key, value in head.items() if value}
    if robot.floor is not None:
        head["floor"] = robot.floor
    if not robot.task_reason:
        head["task"] = list(robot.task)
    if robot.task_axes != "world":
        head["task_axes"] = robot.task_axes
    if not np.array_equal(robot.gravity, _USUAL_GRAVITY):
        head["gravity"] = robot.gravity
    head["tool"] = {"link": tool_link(robot)}
    limits = {key: value for key, value in asdict(robot.tool_limits).items() if value is not None}
    if limits:
        head["tool_limits"] = limits
    known = {*robot.link_names, "floor"}
    ignored = [list(pair) for pair in robot.ignored_contacts if known.issuperset(pair)]
    lines = [f"{key} = {toml_value(value)}" for key, value in head.items()]
    lines += ["", "[collision]", f"ignore = {toml_value(ignored)}"] if ignored else []
    for table, poses in written_configurations(robot.configurations, robot.prismatic.tolist()).items():
        lines += ["", f"[{table}]", *(f"{toml_key(name)} = {toml_value(q)}" for name, q in poses.items())]
    accelerations = robot.qdd_max.tolist()
    each = zip(robot.joint_names, robot.joint_bodies, accelerations, strict=True)
    joints = {name: _companion_joint(robot.bodies[i], limit) for name, i, limit in each}
    for name, figures in joints.items():
        if figures:
            lines += ["", f"[joints.{toml_value(name)}]", *(f"{key} = {toml_value(value)}" for key, value in figures.items())]
    return "\n".join(lines) + "\n", _words(head, joints)


def _companion_joint(body: Body, acceleration: float) -> dict[str, Any]:
    figures: dict[str, Any] = {}
    if body.rotor_inertia:
        figures["rotor_inertia"] = short([body.rotor_inertia])[0]
    friction = body.friction
    plus, minus = friction.coulomb
    if plus != minus or friction.stiction > plus:
        figures["friction"] = written_friction(friction)
    if body.restitution:
        figures["restitution"] = body.restitution
    if np.isfinite(acceleration):
        figures["acceleration_limit"] = acceleration
    return figures


def _words(head: dict[str, Any], joints: dict[str, dict[str, Any]]) -> str:
    found = {key for figures in joints.values() for key in figures}
    words = {
        "rotor_inertia": "rotor inertias",
        "friction": "direction-dependent and static friction",
        "restitution": "restitution",
        "acceleration_limit": "acceleration limits",
    }
    texts = [text for key, text in words.items() if key in found]
    texts += [text for key, text in {"gravity": "gravity", "task": "the task", "floor": "the floor"}.items() if key in head]
    texts.append("named poses")
    text = ", ".join(texts)
    return text[0].upper() + text[1:]


def urdf_files(robot: Robot, path: Path) -> Written:
    """The URDF at `path` and its companion. Raises ModelError where joints move no mass though others do."""
    _check_masses(robot)
    links, meshes = carriers(robot, tool_link(robot), on_axis=True), MeshNames(path.parent)
    root = etree.Element("robot", name=robot.name)
    for carrier in [links[0], *(links[i + 1] for i in joint_order(robot))]:
        if carrier.body >= 0:
            _joint(root, robot, carrier, links[robot.bodies[carrier.body].parent + 1])
        _link(root, robot, carrier, meshes)
    companion, messages = companion_text(robot)
    losses = [*_losses(robot), *order_messages(robot), *meshes.messages()]
    if messages:
        losses.append(f"{messages}: written to {companion_of(path).name}, which other programs do not read.")
    about = (robot.title, robot.description, *robot.sources)
    return Written({path: as_text(root, about), companion_of(path): companion}, tuple(losses))


def _check_masses(robot: Robot) -> None:
    moved = [body.mass > 0 or (body.joint_type != PRISMATIC and body.inertia.any()) for body in robot.bodies]
    for i in range(len(moved) - 1, -1, -1):
        if moved[i] and robot.bodies[i].parent >= 0:
            moved[robot.bodies[i].parent] = True
    if robot.has_dynamics and not all(moved):
        name = robot.tree.joint_names[moved.index(False)]
        raise ModelError(f"{robot.name}: joint {name} moves no mass, which URDF does not allow; give its link a mass")


def _link(root: Any, robot: Robot, carrier: Carrier, meshes: MeshNames) -> None:
    """The link of a body with its mass, and the other links on it, welded."""
    link = etree.SubElement(root, "link", name=carrier.name)
    if carrier.body >= 0 and robot.has_dynamics:
        _inertial(link, robot.bodies[carrier.body], carrier.X_BL)
    _shapes(link, robot, carrier.name, meshes)
    for name, X_BF in carrier.others.items():
        joint = etree.SubElement(root, "joint", name=f"{name}_fixed", type="fixed")
        etree.SubElement(joint, "parent", link=carrier.name)
        etree.SubElement(joint, "child", link=name)
        origin(joint, np.linalg.inv(carrier.X_BL) @ X_BF)
        _shapes(etree.SubElement(root, "link", name=name), robot, name, meshes)


def _inertial(link: Any, body: Body, X_BL: np.ndarray) -> None:
    if not body.mass and not body.inertia.any():
        return
    R = X_BL[:3, :3]
    inertial = etree.SubElement(link, "inertial")
    etree.SubElement(inertial, "origin", xyz=lengths(R.T @ (body.com - X_BL[:3, 3])), rpy="0 0 0")
    etree.SubElement(inertial, "mass", value=figure(body.mass))
    inertia = R.T @ body.inertia @ R
    inertia = np.reshape(short((inertia + inertia.T).ravel() / 2, TURNED), (3, 3))
    pairs = {"ixx": (0, 0), "ixy": (0, 1), "ixz": (0, 2), "iyy": (1, 1), "iyz": (1, 2), "izz": (2, 2)}
    etree.SubElement(inertial, "inertia", {key: numbers(inertia[at]) for key, at in pairs.items()})


def _shapes(link: Any, robot: Robot, name: str, meshes: MeshNames) -> None:
    for tag, shapes in (("visual", robot.visuals), ("collision", robot.collisions)):
        for shape in shapes:
            if shape.link == name:
                _shape(etree.SubElement(link, tag), shape, tag == "visual", meshes)


def _shape(element: Any, shape: Visual, coloured: bool, meshes: MeshNames) -> None:
    origin(element, shape.X_LG)
    geometry = etree.SubElement(element, "geometry")
    if shape.shape == "mesh":
        mesh = etree.SubElement(geometry, "mesh", filename=meshes.name(shape))
        if shape.size != (1.0, 1.0, 1.0):
            mesh.set("scale", numbers(shape.size))
    elif shape.shape == "box":
        etree.SubElement(geometry, "box", size=numbers(short(shape.size)))
    else:
        keys = ("radius", "length") if shape.shape == "cylinder" else ("radius",)
        etree.SubElement(geometry, shape.shape, {key: figure(x) for key, x in zip(keys, shape.size, strict=True)})
    if coloured and shape.colour is not None:
        material = etree.SubElement(element, "material", name=shape.material)
        etree.SubElement(material, "color", rgba=numbers(shape.colour))


def _joint(root: Any, robot: Robot, carrier: Carrier, parent: Carrier) -> None:
    """Write the joint that carries a body; its frame is the link frame, at X_PJ X_BL for q = 0."""
    i, body, tree = carrier.body, robot.bodies[carrier.body], robot.tree
    low, high = float(tree.q_min[i]), float(tree.q_max[i])
    slides, limited = body.joint_type == PRISMATIC, np.isfinite([low, high]).any()
    kind = "prismatic" if slides else "revolute" if limited else "continuous"
    joint = etree.SubElement(root, "joint", name=tree.joint_names[i], type=kind)
    etree.SubElement(joint, "parent", link=parent.name)
    etree.SubElement(joint, "child", link=carrier.name)
    origin(joint, np.linalg.inv(parent.X_BL) @ body.X_PJ @ carrier.X_BL)
    etree.SubElement(joint, "axis", xyz=lengths(carrier.X_BL[2, :3]))
    limit = etree.SubElement(joint, "limit")
    if limited:
        limit.set("lower", _end(low, "-"))
        limit.set("upper", _end(high, ""))
    own = i in robot.joint_bodies
    k = robot.joint_bodies.index(i) if own else -1
    for key, most in (("effort", robot.tau_max), ("velocity", robot.qd_max)):
        limit.set(key, numbers(most[k]) if own and np.isfinite(most[k]) else _UNLIMITED)
    friction = body.friction
    if friction.viscous or any(friction.coulomb):
        coulomb = sum(friction.coulomb) / 2
        etree.SubElement(joint, "dynamics", damping=figure(friction.viscous), friction=figure(coulomb))
    if not own and robot.coupling is not None:
        leader, c = robot.joint_names[robot.coupling.driver[i]], robot.coupling
        etree.SubElement(joint, "mimic", joint=leader, multiplier=numbers(c.multiplier[i]), offset=numbers(c.offset[i]))


def _end(value: float, sign: str) -> str:
    return numbers(value) if np.isfinite(value) else sign + _UNLIMITED


def _losses(robot: Robot) -> list[str]:
    texts = []
    free = [name for i, name in enumerate(robot.tree.joint_names) if robot.tree.prismatic[i] and not _limited(robot.tree, i)]
    if free:
        texts.append(
            f"Unlimited prismatic joints have no limits in the file, which some programs read as 0 to 0: {', '.join(free)}."
        )
    copies = [i for i in range(len(robot.bodies)) if i not in robot.joint_bodies]
    odd = [i for i in copies if robot.bodies[i].rotor_inertia or robot.bodies[i].restitution]
    if odd:
        names = ", ".join(robot.tree.joint_names[i] for i in odd)
        texts.append(f"Rotor inertia and restitution of mimic joints are omitted: {names}.")
    if any(shape.texture for shape in robot.visuals):
        texts.append("Textures are omitted.")
    if robot.group:
        texts.append("The group (textbook or industrial) is not saved.")
    return texts


def _limited(robot: Robot, i: int) -> bool:
    return bool(np.isfinite([robot.q_min[i], robot.q_max[i]]).any())
