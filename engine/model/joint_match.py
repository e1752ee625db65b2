"""`unlike`: whether two arms can have the same joint positions and torques."""

from __future__ import annotations

from armature.engine.model.robot import Robot


def unlike(a: Robot, b: Robot) -> str:
    """Return why two arms do not have the same number and types of joints; empty if they do."""
    if a.n != b.n:
        return f"{a.name} and {b.name} have {a.n} and {b.n} joints"
    return "" if a.joint_types == b.joint_types else f"the joints of {a.name} and {b.name} are of other types"
