"""`unlike`, `same_kinematics`: whether two arms can have the same joint positions and torques, and whether they move alike."""

from __future__ import annotations

import numpy as np

from armature.engine.model.robot import Robot


def unlike(a: Robot, b: Robot) -> str:
    """Return why two arms do not have the same number and types of joints; empty if they do."""
    if a.n != b.n:
        return f"{a.name} and {b.name} have {a.n} and {b.n} joints"
    return "" if a.joint_types == b.joint_types else f"the joints of {a.name} and {b.name} are of other types"


def same_kinematics(a: Robot, b: Robot) -> bool:
    """Return whether the tools of two arms have equal poses at equal joint positions; False for arms with mimic joints."""
    if unlike(a, b) or a.coupling is not None or b.coupling is not None:
        return False
    if [body.parent for body in a.bodies] != [body.parent for body in b.bodies] or a.tool_frame.body != b.tool_frame.body:
        return False
    one, other = ([arm.base, arm.tool_frame.X_BF, *(body.X_PJ for body in arm.bodies)] for arm in (a, b))
    return np.array_equal(one, other)
