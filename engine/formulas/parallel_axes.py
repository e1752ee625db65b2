"""Joints that turn about parallel axes one after the other, so that their angles add up."""

from __future__ import annotations

import numpy as np

from armature.engine.model.robot import Robot

_PARALLEL = 1e-12


def parallel_groups(robot: Robot) -> tuple[tuple[int, ...], ...]:
    """Groups of at least two joints, each turning about an axis parallel to that of the one before, if with slides between."""
    group_of: dict[int, list[int]] = {}
    groups: list[list[int]] = []
    for i, body in enumerate(robot.bodies):
        if robot.prismatic[i]:
            continue
        R, k = body.X_PJ[:3, :3], body.parent
        while k >= 0 and robot.prismatic[k]:
            R, k = robot.bodies[k].X_PJ[:3, :3] @ R, robot.bodies[k].parent
        if k >= 0 and np.hypot(R[0, 2], R[1, 2]) < _PARALLEL and group_of[k][-1] == k:
            group_of[i] = group_of[k]
            group_of[k].append(i)
        else:
            group_of[i] = [i]
            groups.append(group_of[i])
    return tuple(tuple(group) for group in groups if len(group) > 1)
