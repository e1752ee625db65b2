"""`unlike`: whether two arms can have the same joint positions and torques."""

from __future__ import annotations

from armature.engine.model.robot import Robot


def unlike(a: Robot, b: Robot) -> str:
    """Return why two arms do not have the same number and types of joints; empty if they do."""
    if a.n != b.n:
        return f"{a.name} has {a.n} joint{'s' * (a.n != 1)} and {b.name} has {b.n}"
    k = next((k for k in range(a.n) if a.joint_types[k] != b.joint_types[k]), None)
    if k is None:
        return ""
    return f"joint {k + 1} of {a.name} is {a.joint_types[k]} and that of {b.name} is {b.joint_types[k]}"
