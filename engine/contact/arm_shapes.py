"""Convex shapes of an arm, link by link."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from armature.engine.contact.contact_model import ContactGroup
from armature.engine.contact.drawn_shapes import drawn_shapes
from armature.engine.contact.mesh_hulls import flat_axes, mesh_hull
from armature.engine.contact.shapes import Shape
from armature.engine.model.frozen import Frozen
from armature.engine.model.link_outline import stand_in_box
from armature.engine.model.meshes.triangle_soup import MeshError
from armature.engine.model.robot import Robot
from armature.engine.model.visual import Visual

_CACHED = 8  # robots


@dataclass(frozen=True, eq=False)
class ArmShapes(Frozen):
    """Shapes of an arm: one group per link that has any, in the order of `robot.link_names`.

    `drawn` is True if they are the drawn solids of an arm without shapes; `remarks` report meshes that count as another shape,
    and links without any.
    """

    groups: tuple[ContactGroup, ...]
    drawn: bool
    remarks: tuple[str, ...] = ()


@lru_cache(_CACHED)
def arm_shapes(robot: Robot) -> ArmShapes:
    """Return the collision shapes of a robot, else the convex hulls of its visual shapes, else its drawn solids."""
    shapes, remarks = robot.collisions or robot.visuals, list[str]()
    if not shapes:
        return ArmShapes(_drawn_groups(robot), True)
    parts = [(shape.link, _shape(robot, shape, remarks)) for shape in shapes]
    bare = [link for link in _links(robot.visuals) if link not in _links(shapes)]
    if bare:
        remarks.append(f"{robot.name}: {', '.join(bare)}: no collision shape in the file, so contacts are not computed there")
    return ArmShapes(_groups(robot, parts), False, tuple(dict.fromkeys(remarks)))


def _links(shapes: Iterable[Visual]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(shape.link for shape in shapes))


def _groups(robot: Robot, parts: list[tuple[str, Shape]]) -> tuple[ContactGroup, ...]:
    shapes = {link: tuple(shape for name, shape in parts if name == link) for link in robot.link_names}
    return tuple(ContactGroup(link, robot.links[link].body, found) for link, found in shapes.items() if found)


def _drawn_groups(robot: Robot) -> tuple[ContactGroup, ...]:
    """Drawn solids of each body, with the name of its first link."""
    names = {frame.body: link for link, frame in reversed(list(robot.links.items()))}
    return _groups(robot, [(names[body], shape) for body, shape in drawn_shapes(robot) if body in names])


def _shape(robot: Robot, shape: Visual, remarks: list[str]) -> Shape:
    """Convex shape in the axes of its body; reports a mesh that counts as another shape."""
    frame = robot.links[shape.link]
    X = frame.X_BF @ shape.X_LG
    if shape.shape != "mesh":
        return Shape(shape.shape, tuple(float(x) for x in shape.size), X)
    name = f"{robot.name}: {shape.link}: mesh {shape.file or shape.path}"
    if shape.path is None:
        problem = "is outside the robot's folder, package and workspace" if shape.outside else "was not found"
    else:
        try:
            vertices = mesh_hull(shape.path) * shape.size
        except MeshError as error:
            problem = str(error)
        else:
            if len(flat_axes(vertices)) < 3:
                remarks.append(f"{name} is flat; it counts as a plate without thickness")
            return Shape("hull", (), X, vertices)
    edges, centre = stand_in_box(robot, frame.body, frame.X_BF[:3, 3])
    remarks.append(f"{name} {problem}; contacts are computed with a box from joint to joint instead")
    X_BS = np.eye(4)
    X_BS[:3, 3] = centre
    return Shape("box", tuple(float(x) for x in edges), X_BS)
