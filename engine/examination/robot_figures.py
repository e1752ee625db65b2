"""The figures of a robot without its file: as it is in memory."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from armature.engine.examination.figures import MEMORY, Figures, JointFigures, LinkFigures, WrittenShape
from armature.engine.examination.finding import Place
from armature.engine.examination.shape_points import shape_points
from armature.engine.model.robot import Robot


def robot_figures(robot: Robot, meshes: Mapping[Path, np.ndarray]) -> Figures:
    """The figures of any robot, a body as one link; without lines, and without the angles and lengths that a file would write."""
    tree = robot.tree
    ends = (tree.q_min, tree.q_max) if robot.coupling is None else (robot.coupling.lower, robot.coupling.upper)
    joints = []
    for i, body in enumerate(robot.bodies):
        place = Place(f"joint {tree.joint_names[i]}", robot.source)
        lower, upper, velocity, effort = (float(x[i]) for x in (*ends, tree.qd_max, tree.tau_max))
        friction = body.friction
        joints.append(
            JointFigures(
                tree.joint_names[i],
                i,
                body.joint_type == "prismatic",
                lower=lower,
                upper=upper,
                velocity=velocity,
                effort=effort,
                where=place,
                drive=place,
                viscous=friction.viscous,
                coulomb=max(friction.coulomb),
                stiction=friction.stiction,
                rotor_inertia=body.rotor_inertia,
                follows=tree.joint_names[i] not in robot.joint_names,
            )
        )
    links = [_link(robot, i) for i in range(len(robot.bodies))] if robot.has_dynamics else []
    shapes = tuple(
        WrittenShape(shape, Place(f"link {shape.link}", robot.source), shape_points(shape, meshes)) for shape in robot.visuals
    )
    return Figures(robot, MEMORY, Place(robot.name, robot.source), tuple(links), tuple(joints), shapes=shapes)


def _link(robot: Robot, i: int) -> LinkFigures:
    """Body i under the name of its first link."""
    body = robot.bodies[i]
    name = next((name for name, frame in robot.links.items() if frame.body == i), f"body {i + 1}")
    at = Place(f"link {name}", robot.source)
    return LinkFigures(name, i, np.eye(4), body.mass, body.com, body.inertia, mass_at=at, com_at=at, inertia_at=at)
