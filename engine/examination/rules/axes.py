"""Rule: joints that turn about, or slide along, one and the same axis, among them a tool entered as a joint."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from armature.engine.examination.figures import URDF, XACRO, Figures
from armature.engine.examination.finding import DOUBTFUL, Finding
from armature.engine.examination.sizes import Sizes
from armature.engine.model.robot import Robot
from armature.engine.rotations import roll_pitch_yaw

CLOSE = 1e-9


def on_one_axis(figures: Figures, sizes: Sizes) -> Iterator[Finding]:
    """Two joints one after the other with the same axis move the arm as one joint does: a frame that is there twice."""
    robot = figures.robot
    children = [body.parent for body in robot.bodies]
    for joint in figures.joints:
        body = robot.bodies[joint.body]
        if body.parent < 0 or robot.bodies[body.parent].joint_type != body.joint_type or joint.follows:
            continue
        R, p = body.X_PJ[:3, :3], body.X_PJ[:3, 3]
        beside = 0.0 if joint.slides else float(np.hypot(p[0], p[1]))
        if abs(R[2, 2]) < 1 - CLOSE or beside > CLOSE * sizes.reach or children.count(body.parent) > 1:
            continue
        before = figures.joints[body.parent]
        if before.follows:
            continue
        X = None if joint.slides else _tool_offset(robot, joint.body)
        if X is not None:
            yield Finding(
                "tool entered as a joint",
                DOUBTFUL,
                joint.where,
                f"{joint.name}, the last joint, has the same axis as {before.name} and carries only the tool",
                _tool_advice(figures.kind, X),
            )
            continue
        yield Finding(
            "two joints on one axis",
            DOUBTFUL,
            joint.where,
            f"{joint.name} has the same axis as {before.name}; together they act as one joint",
            "A frame was entered twice, or an angle between the axes (alpha, rpy) was left out",
        )


def _tool_offset(robot: Robot, last: int) -> np.ndarray | None:
    """Pose `(4, 4)` of the tool in the link before the `last` body, all joints at 0; None where that is no tool of an arm.

    A tool is what the last of three joints or more carries, away from the link before, without a motor, rotor or friction of its
    own.
    """
    body, tool = robot.bodies[last], robot.tool_frame
    if tool.body != last or len(robot.bodies) < 3 or any(other.parent == last for other in robot.bodies):
        return None
    if body.rotor_inertia or body.friction.viscous or any(body.friction.coulomb):
        return None
    links = [frame for frame in robot.links.values() if frame.body == body.parent]
    X = np.linalg.inv(links[-1].X_BF) @ body.X_PJ @ tool.X_BF
    return X if np.linalg.norm(X[:3, 3]) > CLOSE else None


def _tool_advice(kind: str, X: np.ndarray) -> str:
    """The likely cause, and what to write instead of the joint."""
    if kind in (URDF, XACRO):
        return "Probably a tool entered as a joint: make it a fixed joint"
    numbers = ", ".join(f"{value:.6g}" for value in np.where(np.abs(X[:3, 3]) < CLOSE, 0.0, X[:3, 3]))
    turn = np.degrees(roll_pitch_yaw(X[:3, :3]))
    angles = ", ".join(f"{value:.6g}" for value in np.where(np.abs(turn) < CLOSE, 0.0, turn))
    rotated = f", rpy_deg = [{angles}]" if np.abs(turn).max() > CLOSE else ""
    return f"Probably a tool entered as a joint: remove the row and write under [tool] xyz = [{numbers}]{rotated}"
