"""A robot as a MuJoCo model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from lxml import etree

from armature.engine.errors import ModelError
from armature.engine.model.body import PRISMATIC, Body
from armature.engine.model.export.export_parts import (
    WORLD,
    Carrier,
    MeshNames,
    Written,
    as_text,
    carriers,
    figure,
    free_name,
    joint_order,
    lengths,
    numbers,
    order_messages,
    place,
    some,
)
from armature.engine.model.inertia_rules import moments_text
from armature.engine.model.robot import Robot
from armature.engine.model.toml.written_values import short
from armature.engine.model.visual import Visual
from armature.engine.rotations import quaternion

LEAST = 1e-12  # kg and kg·m²: MuJoCo refuses bodies with less than 1e-15 of either
_ROUNDING = 1e-9  # relative: what a table's last digit makes of a flat body
_READ = (".stl", ".obj")
_MOST_TRIANGLES = 200_000  # of one STL file
SEEN, BOTH, TOUCHED = "2", "1", "3"  # groups; MuJoCo shows 0 to 2


def inertial_figures(body: Body, X_BL: np.ndarray) -> tuple[dict[str, str], str]:
    """Attributes of `<inertial>` in the link's frame, and a message about changed values, "" for none.

    MuJoCo rejects moving bodies without mass or moments, and a moment that exceeds the sum of the other two.
    """
    moments, R_BI = principal(body.inertia)
    lines = []
    if body.mass < LEAST:
        lines.append(f"MuJoCo does not accept a moving body without mass, so {LEAST:g} kg is written instead")
    low, middle, high = moments
    if (excess := high - low - middle) > 0:
        if excess > _ROUNDING * high:
            fitting = moments_text(np.array([low + excess / 2, middle + excess / 2, high]))
            lines.append(f"MuJoCo does not accept principal moments {moments_text(moments)}; {fitting} are written")
        moments = np.array([low + excess / 2, middle + excess / 2, high])
        moments[2] = min(moments[2], np.nextafter(moments[0] + moments[1], 0.0))
    moments = np.maximum(moments, LEAST)
    R, p = X_BL[:3, :3].T @ R_BI, X_BL[:3, :3].T @ (body.com - X_BL[:3, 3])
    low, middle, high = short(moments)
    moments = np.array([low, middle, high]) if high < low + middle else moments
    figures = {"pos": lengths(p), "mass": figure(max(body.mass, LEAST)), "diaginertia": numbers(moments)}
    if (quat := lengths(quaternion(R))) != "1 0 0 0":
        figures["quat"] = quat
    return figures, "; ".join(lines) + "." * bool(lines)


def principal(inertia: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Principal moments `(3,)`, smallest first, and right-handed axes R with I = R diag(moments) Rᵀ; exact for a diagonal I."""
    if np.count_nonzero(inertia - np.diag(np.diagonal(inertia))) == 0:
        order = np.argsort(np.diagonal(inertia), kind="stable")
        moments, R = np.diagonal(inertia)[order], np.eye(3)[:, order]
    else:
        moments, R = np.linalg.eigh(inertia)
    if np.linalg.det(R) < 0:
        R = R * [-1.0, 1.0, 1.0]
    return np.maximum(moments, 0.0), R


class GeomWriter:
    """Writes the geoms of links; meshes go into `<asset>` once each."""

    def __init__(self, robot: Robot, folder: Path, asset: Any):
        self._robot, self._asset, self._names = robot, asset, MeshNames(folder)
        self._meshes: dict[tuple[str, tuple[float, ...]], str] = {}
        self._left_out: dict[str, None] = {}

    def write(self, element: Any, link: str, X_LF: np.ndarray | None = None) -> None:
        """All shapes of a link in a body's element; `X_LF` is the link's frame in the body's, the identity when None."""
        X = np.eye(4) if X_LF is None else X_LF
        for shape in self._robot.visuals:
            if shape.link == link:
                self._geom(element, shape, X, BOTH if any(shape is one for one in self._robot.collisions) else SEEN)
        for shape in self._robot.collisions:
            if shape.link == link and not any(shape is one for one in self._robot.visuals):
                self._geom(element, shape, X, TOUCHED)

    def messages(self) -> list[str]:
        """Messages about omitted shapes and mesh paths."""
        lines = f"Omitted shapes, which MuJoCo cannot read (it reads only binary STL and OBJ): {some(self._left_out)}."
        outside = [f"Meshes are outside the file's folder: {some(self._names.outside)}."] * bool(self._names.outside)
        textures = ["Textures are omitted."] * any(shape.texture for shape in self._robot.visuals)
        return [lines] * bool(self._left_out) + outside + textures

    def _geom(self, element: Any, shape: Visual, X: np.ndarray, group: str) -> None:
        figures = self._figures(shape)
        if figures is None:
            self._left_out[shape.file or f"{shape.shape} of {shape.link}"] = None
            return
        touch = {"contype": "0", "conaffinity": "0"} if group == SEEN else {}
        colour = {} if shape.colour is None else {"rgba": numbers(shape.colour)}
        etree.SubElement(element, "geom", figures | place(X @ shape.X_LG) | {"group": group} | touch | colour)

    def _figures(self, shape: Visual) -> dict[str, str] | None:
        if shape.shape == "mesh":
            name = self._mesh(shape)
            return None if name is None else {"type": "mesh", "mesh": name}
        if min(shape.size) <= 0:
            return None
        half = {"box": [x / 2 for x in shape.size], "cylinder": [shape.size[0], shape.size[-1] / 2], "sphere": [shape.size[0]]}
        return {"type": shape.shape, "size": numbers(half[shape.shape])}

    def _mesh(self, shape: Visual) -> str | None:
        """The asset's name, None for a file that MuJoCo does not read."""
        if shape.path is None or not _readable(shape.path):
            return None
        file = self._names.relative(shape)
        key = file, shape.size
        if key not in self._meshes:
            name = free_name(Path(file).stem, list(self._meshes.values()))
            scale = {} if shape.size == (1.0, 1.0, 1.0) else {"scale": numbers(shape.size)}
            etree.SubElement(self._asset, "mesh", {"name": name, "file": file} | scale)
            self._meshes[key] = name
        return self._meshes[key]


def _readable(path: Path) -> bool:
    if path.suffix.lower() not in _READ:
        return False
    if path.suffix.lower() == ".obj":
        return True
    try:
        with path.open("rb") as stream:
            head = stream.read(84)
        triangles = int.from_bytes(head[80:84], "little")
        return 1 <= triangles <= _MOST_TRIANGLES and path.stat().st_size == 84 + 50 * triangles
    except OSError:
        return False


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
    losses = [*_bodies(world, robot, links, geoms), *_losses(robot), *order_messages(robot), *geoms.messages()]
    if len(asset) == 0:
        root.remove(asset)
    _copies(root, robot)
    _motors(root, robot)
    _poses(root, robot)
    about = (robot.title, robot.description, *robot.sources, *robot.remarks)
    return Written({path: as_text(root, about)}, tuple(losses))


def _bodies(world: Any, robot: Robot, links: list[Carrier], geoms: GeomWriter) -> list[str]:
    """Write the bodies, each inside its parent; return messages about changed values."""
    ground, lines = links[0], list[str]()
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
        lines += [f"{carrier.name}: {altered}"] * bool(altered)
        _joint(element, robot, i, body, np.linalg.inv(carrier.X_BL))
        geoms.write(element, carrier.name)
        _sites(element, carrier, geoms)
    return lines


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
    lines, names = list[str](), robot.tree.joint_names
    friction = [body.friction for body in robot.bodies]
    uneven = [names[i] for i, f in enumerate(friction) if f.coulomb[0] != f.coulomb[1]]
    if uneven:
        lines.append(f"MuJoCo has one Coulomb friction for both directions; the mean is written: {', '.join(uneven)}.")
    sticky = [names[i] for i, f in enumerate(friction) if f.stiction > max(f.coulomb)]
    if sticky:
        lines.append(f"MuJoCo has no static friction above Coulomb friction; it is omitted: {', '.join(sticky)}.")
    if any(body.restitution for body in robot.bodies):
        lines.append("MuJoCo's stops are springs; restitution is omitted.")
    if np.isfinite([robot.qd_max, robot.qdd_max]).any():
        lines.append("MuJoCo has no speed and acceleration limits; they are omitted.")
    one = [
        n
        for n, a, b in zip(robot.joint_names, robot.q_min, robot.q_max, strict=True)
        if np.isfinite(a) != np.isfinite(b) or a == b
    ]
    if one:
        lines.append(f"One-sided limits, and limits with equal ends, are omitted: {', '.join(one)}.")
    other = [text for held, text in _only_here(robot) if held]
    if other:
        lines.append(f"Not written to the model: {', '.join(other)}.")
    return lines


def _only_here(robot: Robot) -> list[tuple[bool, str]]:
    return [
        (not robot.task_reason and len(robot.task) < 6, "the task"),
        (robot.floor is not None, "the floor"),
        (robot.tool_limits != type(robot.tool_limits)(), "tool limits"),
        (bool(robot.ignored_contacts), "ignored contacts"),
        (robot.dh is not None, "the DH table, which is computed again from the axes"),
        (robot.title != robot.name or bool(robot.sources), "title and sources, written as a comment"),
    ]
