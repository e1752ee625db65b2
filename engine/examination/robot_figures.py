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
    joints = []
    for i, body in enumerate(robot.bodies):
        place = Place(f"joint {tree.joint_names[i]}", robot.source)
        limits = [float(figure[i]) for figure in (tree.q_min, tree.q_max, tree.qd_max, tree.tau_max)]
        friction = body.friction
        joints.append(
            JointFigures(
                tree.joint_names[i],
                i,
                body.joint_type == "prismatic",
                *limits,
                place,
                place,
                viscous=friction.viscous,
                coulomb=max(friction.coulomb),
                stiction=friction.stiction,
                rotor_inertia=body.rotor_inertia,
                follows=tree.joint_names[i] not in robot.joint_names,
            )
        )
    links = tuple(
        LinkFigures(name, i, np.eye(4), body.mass, body.com, body.inertia, *(3 * [Place(f"link {name}", robot.source)]))
        for i, body in enumerate(robot.bodies)
        if (name := _first_link(robot, i))
    )
    shapes = tuple(
        WrittenShape(shape, Place(f"link {shape.link}", robot.source), shape_points(shape, meshes)) for shape in robot.visuals
    )
    return Figures(
        robot, MEMORY, Place(robot.name, robot.source), links if robot.has_dynamics else (), tuple(joints), shapes=shapes
    )


def _first_link(robot: Robot, body: int) -> str:
    return next((name for name, frame in robot.links.items() if frame.body == body), f"body {body + 1}")
