"""The shapes of a robot on links whose frames are others now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from armature.engine.model.body import Frame
from armature.engine.model.robot import Robot
from armature.engine.model.visual import Visual


def moved_shapes(robot: Robot, links: Mapping[str, Frame], turns: Sequence[np.ndarray] | None = None) -> dict[str, Any]:
    """`visuals` and `collisions` of the robot, each on the one of `links` that its body carries, where they were.

    X_LG' = X_BL'⁻¹ X_BB' X_BL X_LG; `turns` are the poses X_BB' `(4, 4)` of the old body frames in the new ones, None where they
    are the same.
    """
    own: dict[int, tuple[str, Frame]] = {}
    for name, frame in links.items():
        own.setdefault(frame.body, (name, frame))

    def moved(shape: Visual) -> Visual:
        frame = robot.links[shape.link]
        name, new = own[frame.body]
        X_BG = frame.X_BF @ shape.X_LG
        if turns is not None and frame.body >= 0:
            X_BG = turns[frame.body] @ X_BG
        return replace(shape, link=name, X_LG=np.linalg.inv(new.X_BF) @ X_BG)

    return {"visuals": tuple(map(moved, robot.visuals)), "collisions": tuple(map(moved, robot.collisions))}
