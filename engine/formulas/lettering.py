"""`no_letters`: whether an arm has formulas with symbols. The window needs it at its start, before compiled code is imported."""

from __future__ import annotations

import numpy as np

from armature.engine.model.robot import Robot

MOST_JOINTS = 3
_SQUARE = 1e-9


def no_letters(robot: Robot) -> str:
    """Return the reason why formulas of an arm have no symbols; empty if they have."""
    if robot.n > MOST_JOINTS:
        return f"{robot.name} has {robot.n} joints: symbols such as m1 and a1 are limited to three joints (more are unreadable)"
    if not robot.has_dynamics:
        return f"{robot.name} has no masses, so symbols such as m1 and a1 are not available"
    frames = [*robot.links.values(), robot.tool_frame]
    rotations = [*(body.X_PJ[:3, :3] for body in robot.bodies), *(frame.X_BF[:3, :3] for frame in frames)]
    if any(np.abs(R - np.round(R)).max() > _SQUARE for R in rotations):
        return f"{robot.name} has frames that are not at right angles, so symbols such as m1 and a1 are not available"
    return ""
