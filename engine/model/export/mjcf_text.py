"""A robot as a MuJoCo model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from lxml import etree

from armature.engine.errors import ModelError
from armature.engine.model.body import PRISMATIC, Body
from armature.engine.model.export.link_carriers import WORLD, Carrier, carriers, joint_order, reordered
from armature.engine.model.export.mjcf_inertia import inertial_figures
from armature.engine.model.export.mjcf_shapes import GeomWriter
from armature.engine.model.export.written_file import Written
from armature.engine.model.export.xml_values import as_text, figure, lengths, numbers, place
from armature.engine.model.robot import Robot


def mjcf_file(robot: Robot, path: Path) -> Written:
    """The MuJoCo model at `path`. Raises ModelError for an arm without masses, which MuJoCo refuses."""
    if not robot.has_dynamics:
        raise ModelError(f"{robot.name}: the robot has no masses, which MuJoCo needs; add masses, or write a URDF")
    root = etree.Element("mujoco", model=robot.name)
    etree.SubElement(root, "compiler", angle="radian", autolimits="true")
    option = etree.SubElement(root, "option", gravity=numbers(robot.gravity))
    etree.SubElement(option, "flag", contact="disable")  # as here; for contacts take this line out
    asset, world = etree.SubElement(root, "asset"), etree.SubElement(root, "worldbody")
    links, geoms = carriers(robot, "tool", on_axis=False), GeomWriter(robot, path.parent, asset)
    losses = [*_bodies(world, robot, links, geoms), *_losses(robot), *reordered(robot), *geoms.told()]
    if len(asset) == 0:
        root.remove(asset)
    _copies(root, robot)
    _motors(root, robot)
    _poses(root, robot)
    about = (robot.title, robot.description, *robot.sources, *robot.remarks)
    return Written({path: as_text(root, about)}, tuple(losses))


def _bodies(world: Any, robot: Robot, links: list[Carrier], geoms: GeomWriter) -> list[str]:
    """The bodies, each in the one it hangs on; what had to be altered, in sentences."""
    ground, said = links[0], list[str]()
    elements = {-1: world}
    if ground.name != WORLD:
        elements[-1] = etree.SubElement(world, "body", {"name": ground.name} | place(ground.X_BL))
    geoms.write(elements[-1], ground.name)
    _sites(elements[-1], ground, geoms)
    for i in joint_order(robot):
        carrier, body = links[i + 1], robot.bodies[i]
        parent = links[body.parent + 1]
        X_PL = np.linalg.inv(parent.X_BL) @ body.X_PJ @ carrier.X_BL
        element = elements[i] = etree.SubElement(elements[body.parent], "body", {"name": carrier.name} | place(X_PL))
        figures, altered = inertial_figures(body, carrier.X_BL)
        etree.SubElement(element, "inertial", figures)
        said += [f"{carrier.name}: {altered}"] * bool(altered)
        _joint(element, robot, i, body, np.linalg.inv(carrier.X_BL))
        geoms.write(element, carrier.name)
        _sites(element, carrier, geoms)
    return said


def _sites(element: Any, carrier: Carrier, geoms: GeomWriter) -> None:
    X_LB = np.linalg.inv(carrier.X_BL)
    for name, X_BF in carrier.others.items():
        if name == WORLD:
            continue
        etree.SubElement(element, "site", {"name": name} | place(X_LB @ X_BF))
        geoms.write(element, name, X_LB @ X_BF)


def _joint(element: Any, robot: Robot, i: int, body: Body, X_LB: np.ndarray) -> None:
    tree = robot.tree
    kind = "slide" if body.joint_type == PRISMATIC else "hinge"
    figures = {"name": tree.joint_names[i], "type": kind, "pos": lengths(X_LB[:3, 3]), "axis": lengths(X_LB[:3, 2])}
    if np.isfinite([tree.q_min[i], tree.q_max[i]]).all() and tree.q_min[i] < tree.q_max[i]:
        figures["range"] = numbers([tree.q_min[i], tree.q_max[i]])
    coulomb = sum(body.friction.coulomb) / 2
    for key, value in (("armature", body.rotor_inertia), ("damping", body.friction.viscous), ("frictionloss", coulomb)):
        if value:
            figures[key] = figure(value)
    if i in robot.joint_bodies and np.isfinite(most := robot.tau_max[robot.joint_bodies.index(i)]):
        figures["actuatorfrcrange"] = numbers([-most, most])
    etree.SubElement(element, "joint", figures)


def _copies(root: Any, robot: Robot) -> None:
    if robot.coupling is None:
        return
    equality, c = etree.SubElement(root, "equality"), robot.coupling
    for i, name in enumerate(c.names):
        if i not in robot.joint_bodies:
            leader = robot.joint_names[c.driver[i]]
            polynomial = numbers([c.offset[i], c.multiplier[i], 0, 0, 0])
            etree.SubElement(equality, "joint", joint1=name, joint2=leader, polycoef=polynomial)


def _motors(root: Any, robot: Robot) -> None:
    actuator = etree.SubElement(root, "actuator")
    for name, most in zip(robot.joint_names, robot.tau_max, strict=True):
        limit = {"ctrlrange": numbers([-most, most])} if np.isfinite(most) else {}
        etree.SubElement(actuator, "motor", {"name": name, "joint": name} | limit)


def _poses(root: Any, robot: Robot) -> None:
    keyframe = etree.SubElement(root, "keyframe")
    for name, q in robot.configurations.items():
        if name != "zero":
            every = q if robot.coupling is None else robot.coupling.position(q)
            etree.SubElement(keyframe, "key", name=name, qpos=numbers(every[joint_order(robot)]))


def _losses(robot: Robot) -> list[str]:
    said, names = list[str](), robot.tree.joint_names
    friction = [body.friction for body in robot.bodies]
    uneven = [names[i] for i, f in enumerate(friction) if f.coulomb[0] != f.coulomb[1]]
    if uneven:
        said.append(f"MuJoCo has one Coulomb friction for both directions; the mean is written: {', '.join(uneven)}.")
    sticky = [names[i] for i, f in enumerate(friction) if f.stiction > max(f.coulomb)]
    if sticky:
        said.append(f"MuJoCo has no static friction above Coulomb friction; it is omitted: {', '.join(sticky)}.")
    if any(body.restitution for body in robot.bodies):
        said.append("MuJoCo's stops are springs; restitution is omitted.")
    if np.isfinite([robot.qd_max, robot.qdd_max]).any():
        said.append("MuJoCo has no speed and acceleration limits; they are omitted.")
    one = [
        n
        for n, a, b in zip(robot.joint_names, robot.q_min, robot.q_max, strict=True)
        if np.isfinite(a) != np.isfinite(b) or a == b
    ]
    if one:
        said.append(f"One-sided limits, and limits with equal ends, are omitted: {', '.join(one)}.")
    other = [text for held, text in _only_here(robot) if held]
    if other:
        said.append(f"Not written to the model: {', '.join(other)}.")
    return said


def _only_here(robot: Robot) -> list[tuple[bool, str]]:
    return [
        (not robot.task_reason and len(robot.task) < 6, "the task"),
        (robot.floor is not None, "the floor"),
        (robot.tool_limits != type(robot.tool_limits)(), "tool limits"),
        (robot.dh is not None, "the DH table, which is computed again from the axes"),
        (robot.title != robot.name or bool(robot.sources), "title and sources, written as a comment"),
    ]
