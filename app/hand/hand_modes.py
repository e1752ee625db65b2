"""What a drag of the hand keeps: the whole pose, the position alone, or exactly the orientation it has."""

from __future__ import annotations

from engine import Robot

MODES = ("pose", "position", "locked")


def choices(robot: Robot) -> tuple[str, ...]:
    """The modes that differ for this robot: one whose task has no turns, or nothing else, knows the pose alone."""
    turns = sum(axis.startswith("r") for axis in robot.task)
    return MODES if 0 < turns < len(robot.task) else MODES[:1]


def task(robot: Robot, mode: str) -> tuple[str, ...]:
    """The coordinates of the tool that the joints must bring about."""
    return tuple(axis for axis in robot.task if mode != "position" or not axis.startswith("r"))


def draggable(robot: Robot, mode: str) -> tuple[str, ...]:
    """The coordinates that handles move."""
    return tuple(axis for axis in robot.task if mode == "pose" or not axis.startswith("r"))
