"""Units and phrases of findings."""

from __future__ import annotations

from armature.engine.model.robot import Robot


def torque_unit(robot: Robot, joint: int) -> str:
    """What a torque of a joint is in."""
    return "N" if robot.prismatic[joint] else "N·m"


def in_recording(number: int | None) -> str:
    """Which recording, where there are several."""
    return "" if number is None else f" in recording {number}"
