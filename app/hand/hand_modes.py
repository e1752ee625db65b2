"""What a drag of the hand keeps: the whole pose, the position alone, or exactly the orientation it has."""

from __future__ import annotations

from enum import StrEnum

from armature.engine import Robot
from armature.engine.kinematics.task import movable_task, path_task


class HandMode(StrEnum):
    """The values are those of the settings."""

    POSE = "pose"
    POSITION = "position"
    LOCKED = "locked"


def choices(robot: Robot) -> tuple[HandMode, ...]:
    """The modes that differ for this robot: one whose task has no rotation, or nothing else, has the pose alone.

    An arm that cannot hold its orientation, for want of joints, has no mode that locks it.
    """
    movable = movable_task(robot)
    if not 0 < len(_rotations(movable)) < len(movable):
        return (HandMode.POSE,)
    return tuple(mode for mode in HandMode if mode is not HandMode.LOCKED or _rotations(path_task(robot)))


def task(robot: Robot, mode: HandMode) -> tuple[str, ...]:
    """The coordinates of the tool that the joints must bring about."""
    return tuple(axis for axis in path_task(robot) if mode is not HandMode.POSITION or not axis.startswith("r"))


def wish(robot: Robot, mode: HandMode) -> tuple[str, ...]:
    """The coordinates that the joints meet as nearly as they can: more than `task` where the joints are too few for all."""
    return robot.task if mode is HandMode.POSE else task(robot, mode)


def draggable(robot: Robot, mode: HandMode) -> tuple[str, ...]:
    """The coordinates that handles move."""
    return tuple(axis for axis in movable_task(robot) if mode is HandMode.POSE or not axis.startswith("r"))


def _rotations(coordinates: tuple[str, ...]) -> list[str]:
    return [axis for axis in coordinates if axis.startswith("r")]
