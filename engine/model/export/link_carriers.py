"""Which link of a robot stands for each of its bodies in a file that knows links only, and what else hangs on it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from armature.engine.model.body import PRISMATIC, Frame
from armature.engine.model.export.xml_values import free_name
from armature.engine.model.robot import Robot

WORLD = "world"
_ON_AXIS = 1e-13  # m


@dataclass(frozen=True, eq=False)
class Carrier:
    """The link `name` at `X_BL` on a body (-1 for the world), and the further frames there, by name."""

    body: int
    name: str
    X_BL: np.ndarray
    others: dict[str, np.ndarray]


def carriers(robot: Robot, tool: str, on_axis: bool) -> list[Carrier]:
    """One per body, the world first; `tool` is what the tool is called.

    `on_axis`: the link of a turning body must have its origin on the joint's axis, as in URDF; where none has, one at the joint
    is added.
    """
    frames = _named_frames(robot, tool)
    taken, found = set(frames), list[Carrier]()
    for i in range(-1, len(robot.bodies)):
        own = {name: frame.X_BF for name, frame in frames.items() if frame.body == i}
        fitting = [name for name, X in own.items() if name in robot.links and _fits(robot, i, X, on_axis)]
        if fitting:
            name = fitting[0]
        else:
            name = WORLD if i < 0 else free_name(f"{_joint_name(robot, i)}_body", taken)
            taken.add(name)
        X = own.pop(name, np.eye(4))
        found.append(Carrier(i, name, X, own))
    return found


def tool_link(robot: Robot) -> str:
    """The frame that stands for the tool: a link where one stands there."""
    same = (name for name, link in robot.links.items() if _same(link, robot.tool_frame))
    return next(same, robot.tool)


def _named_frames(robot: Robot, tool: str) -> dict[str, Frame]:
    """Every frame of the robot that a file can name, links first, and its tool as `tool`."""
    frames = {name: frame for name, frame in robot.frames.items() if name not in {*robot.links, WORLD, "tool"}}
    return {**robot.links, **frames} | {tool: robot.tool_frame}


def joint_order(robot: Robot) -> list[int]:
    """Bodies as a file lists them, each branch to its end before the next."""
    order: list[int] = []
    todo = [i for i, body in enumerate(robot.bodies) if body.parent < 0][::-1]
    while todo:
        order.append(todo.pop())
        todo += [i for i, body in enumerate(robot.bodies) if body.parent == order[-1]][::-1]
    return order


def reordered(robot: Robot) -> list[str]:
    """That joints come back in another order, in a sentence."""
    order = [i for i in joint_order(robot) if i in robot.joint_bodies]
    if order == sorted(order):
        return []
    names = [robot.joint_names[robot.joint_bodies.index(i)] for i in order]
    return [f"Joints are written branch by branch, so their order changes: {', '.join(names)}."]


def _fits(robot: Robot, i: int, X: np.ndarray, on_axis: bool) -> bool:
    if i < 0:
        return bool(np.array_equal(X, np.eye(4))) if on_axis else True
    slides = robot.bodies[i].joint_type == PRISMATIC
    return not on_axis or slides or bool(np.abs(X[:2, 3]).max() <= _ON_AXIS)


def _same(one: Frame, other: Frame) -> bool:
    return one.body == other.body and bool(np.array_equal(one.X_BF, other.X_BF))


def _joint_name(robot: Robot, i: int) -> str:
    return robot.joint_names[i] if robot.coupling is None else robot.coupling.names[i]
