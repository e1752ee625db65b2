"""The arm as solids made from its numbers; made ahead in the background where a robot is read there."""

from __future__ import annotations

from functools import lru_cache

from armature.app.scene.arm.arm_model import ArmModel
from armature.app.scene.gl.solids import Solids
from armature.engine import Robot
from armature.engine.model.skeleton import Skeleton, skeleton

KEPT = 4  # robots: who undoes an edit or compares two arms comes back to them


@lru_cache(KEPT)
def built_arm(robot: Robot) -> tuple[Skeleton, Solids]:
    """Where its housings and tubes stand, and their solids."""
    bones = skeleton(robot.tree)
    return bones, Solids.of(robot, ArmModel(bones).mesh())
