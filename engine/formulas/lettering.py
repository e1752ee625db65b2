"""Which arms are written in letters."""

from __future__ import annotations

import numpy as np

from armature.engine.model.robot import Robot

MOST_JOINTS = 3
_SQUARE = 1e-9


def no_letters(robot: Robot) -> str:
    """Why an arm gets no letters, in a sentence; empty where it does."""
    if robot.n > MOST_JOINTS:
        return f"{robot.name} has {robot.n} joints: letters are for up to three; with more they fill pages that nobody reads"
    if not robot.has_dynamics:
        return f"{robot.name} has no masses in its file to write letters for"
    frames = [*robot.links.values(), robot.tool_frame]
    rotations = [*(body.X_PJ[:3, :3] for body in robot.bodies), *(frame.X_BF[:3, :3] for frame in frames)]
    if any(np.abs(R - np.round(R)).max() > _SQUARE for R in rotations):
        return f"{robot.name} gets no letters: they are for arms whose frames stand at right angles to each other"
    return ""
