"""What a drag of the hand keeps: the whole pose, the position alone, or exactly the orientation it has."""

from __future__ import annotations

from enum import StrEnum

from armature.engine import Robot


class HandMode(StrEnum):
    """The values are those of the settings."""

    POSE = "pose"
    POSITION = "position"
    LOCKED = "locked"


def choices(robot: Robot) -> tuple[HandMode, ...]:
    """The modes that differ for this robot: one whose task has no turns, or nothing else, knows the pose alone."""
    turns = sum(axis.startswith("r") for axis in robot.task)
    return tuple(HandMode) if 0 < turns < len(robot.task) else (HandMode.POSE,)


def task(robot: Robot, mode: HandMode) -> tuple[str, ...]:
    """The coordinates of the tool that the joints must bring about."""
    return tuple(axis for axis in robot.task if mode is not HandMode.POSITION or not axis.startswith("r"))


def draggable(robot: Robot, mode: HandMode) -> tuple[str, ...]:
    """The coordinates that handles move."""
    return tuple(axis for axis in robot.task if mode is HandMode.POSE or not axis.startswith("r"))
