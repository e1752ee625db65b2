"""Rule: joints that turn about, or slide along, one and the same axis."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from armature.engine.examination.figures import Figures
from armature.engine.examination.finding import DOUBTFUL, Finding
from armature.engine.examination.sizes import Sizes

CLOSE = 1e-9


def on_one_axis(figures: Figures, sizes: Sizes) -> Iterator[Finding]:
    """Two joints one after the other with the same axis move the arm as one joint does: a frame that is there twice."""
    robot = figures.robot
    children = [body.parent for body in robot.bodies]
    for joint in figures.joints:
        body = robot.bodies[joint.body]
        if body.parent < 0 or robot.bodies[body.parent].joint_type != body.joint_type or joint.follows:
            continue
        R, p = body.X_PJ[:3, :3], body.X_PJ[:3, 3]
        beside = 0.0 if joint.slides else float(np.hypot(p[0], p[1]))
        if abs(R[2, 2]) < 1 - CLOSE or beside > CLOSE * sizes.reach or children.count(body.parent) > 1:
            continue
        before = figures.joints[body.parent]
        if before.follows:
            continue
        yield Finding(
            "two joints on one axis",
            DOUBTFUL,
            joint.where,
            f"{joint.name} moves about the axis of {before.name}; together they move the arm as one joint does",
            "A frame was entered twice, or an angle between the axes (alpha, rpy) was left out",
        )
