"""The links of an arm as plain values in a recording, so that whoever reads it can place them without the robot's file."""

from __future__ import annotations

from typing import Any

import numpy as np

from armature.engine.model.body import PRISMATIC
from armature.engine.model.robot import Robot
from armature.engine.rotations import quaternion

WORLD = "world"
_DECIMALS = 15  # of m and of a unit quaternion: below them there is only rounding


def link_tree(robot: Robot) -> dict[str, Any]:
    """The links of a robot, parents first; a placement is x y z in m and a quaternion w x y z.

    X_PL(q) = X_PJ X_J(multiplier · q + offset) X_JL

    Returns:
        `reach` in m; `tool`: `parent` and `placement` X_PT; `links`, each with `name`, `parent` ("world" for the root) and
        `placement` X_PJ, and one that moves with its `joint`, `type`, `multiplier`, `offset`, `stroke` (the two ends of what
        slides in m, None where it has none) and `frame` X_JL. A root link called "world" is none of them.
    """
    tool = robot.frames[robot.tool]
    carrier = next(name for name, frame in reversed(tuple(robot.links.items())) if frame.body == tool.body)
    return {
        "reach": robot.reach,
        "tool": {"parent": carrier, "placement": _plain(np.linalg.inv(robot.links[carrier].X_BF) @ tool.X_BF)},
        "links": [_link(robot, name) for name in robot.links if name != WORLD],
    }


def _link(robot: Robot, name: str) -> dict[str, Any]:
    frame, parent = robot.links[name], _parent(robot, name)
    carrier = robot.frames[parent]
    X_PB = np.linalg.inv(carrier.X_BF)
    if carrier.body == frame.body:
        return {"name": name, "parent": parent, "placement": _plain(X_PB @ frame.X_BF)}
    body, tree = robot.bodies[frame.body], robot.tree
    coupling = robot.coupling
    stroke = [float(end[frame.body]) for end in (tree.q_min, tree.q_max)]
    return {
        "name": name,
        "parent": parent,
        "placement": _plain(X_PB @ body.X_PJ),
        "joint": robot.joint_names[robot.body_joints[frame.body]],
        "type": body.joint_type,
        "multiplier": 1.0 if coupling is None else float(coupling.multiplier[frame.body]),
        "offset": 0.0 if coupling is None else float(coupling.offset[frame.body]),
        "stroke": stroke if body.joint_type == PRISMATIC and np.isfinite(stroke).all() else None,
        "frame": _plain(frame.X_BF),
    }


def _parent(robot: Robot, name: str) -> str:
    """The link that carries a link: as the file says, else the one on the body before."""
    if name in robot.link_parents:
        return robot.link_parents[name]
    body = robot.links[name].body
    if body < 0:
        return WORLD
    return next(other for other, frame in robot.links.items() if frame.body == robot.bodies[body].parent)


def _plain(X: np.ndarray) -> list[float]:
    placement = np.concatenate([X[:3, 3], quaternion(X[:3, :3])])
    return (np.round(placement, _DECIMALS) + 0.0).tolist()
