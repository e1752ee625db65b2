"""Sizes of an arm and its bodies: the reference of most rules."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np

from armature.engine.examination.parameters import LinkParameters, Parameters
from armature.engine.model.body import PRISMATIC
from armature.engine.model.robot import Robot

LONGEST = 20.0  # m; longer than any link or stroke of an arm
_CORNERS = np.array(list(product((0, 1), repeat=3)), bool)


@dataclass(frozen=True, eq=False)
class Sizes:
    """Sizes of an arm.

    `reach` in m from the first joint to the farthest frame; `low` and `high` `(n + 1, 3)`, m: the box along the axes of each
    body that contains its joints, frames and shapes, the fixed base last; `shaped`: bodies whose visible shapes were all
    measured; `tips`: last bodies without shape, whose length is unknown.
    """

    reach: float
    low: np.ndarray
    high: np.ndarray
    shaped: frozenset[int]
    tips: frozenset[int]

    def of(self, link: LinkParameters) -> float:
        """Return the diagonal of the box of a link's body, m."""
        return float(np.linalg.norm(self.high[link.body] - self.low[link.body]))

    def distance(self, link: LinkParameters, com: np.ndarray) -> float:
        """Return the distance of a point of the link's frame from the box of its body, m; 0 inside."""
        p = link.X_BL[:3, :3] @ com + _step(link.X_BL)
        outside = np.maximum(self.low[link.body] - p, p - self.high[link.body])
        return float(np.linalg.norm(np.maximum(outside, 0.0)))


def sizes_of(parameters: Parameters) -> Sizes:
    """Measure a robot."""
    robot, tree = parameters.robot, parameters.robot.tree
    points: list[list[np.ndarray]] = [[np.zeros(3)] for _ in range(len(robot.bodies) + 1)]
    for i, body in enumerate(robot.bodies):
        step = _step(body.X_PJ)
        points[body.parent].append(step)
        behind = step if body.parent >= 0 else step - _step(robot.base)
        points[i].append(np.array([0, 0, -body.X_PJ[:3, 2] @ behind]))  # the body extends to the level of the previous joint
        if body.joint_type == PRISMATIC:
            span = _span(tree, i)
            points[i] += [np.array([0, 0, span]), np.array([0, 0, -span])]
    for frame in robot.frames.values():
        points[frame.body].append(_step(frame.X_BF))
    for written in parameters.shapes:
        if written.points is not None and len(written.points):
            frame = robot.links[written.shape.link]
            corners = np.where(_CORNERS, written.points.max(axis=0), written.points.min(axis=0))
            points[frame.body] += list(corners @ frame.X_BF[:3, :3].T + frame.X_BF[:3, 3])
    low = np.array([np.min(own, axis=0) for own in points])
    high = np.array([np.max(own, axis=0) for own in points])
    measured = {robot.links[w.shape.link].body for w in parameters.shapes if w.points is not None and w.visible}
    unread = {robot.links[w.shape.link].body for w in parameters.shapes if w.points is None and w.visible}
    carrying = {body.parent for body in robot.bodies}
    tips = frozenset(range(len(robot.bodies))) - carrying - measured
    return Sizes(_reach(robot), low, high, frozenset(measured - unread), tips)


def _step(X: np.ndarray) -> np.ndarray:
    """Return the offset `(3,)` of a frame in m; values above 20 m are taken as mm."""
    return np.asarray(np.where(np.abs(X[:3, 3]) > LONGEST, 1e-3, 1.0) * X[:3, 3])


def _span(tree: Robot, i: int) -> float:
    ends = np.array([tree.q_min[i], tree.q_max[i]])
    span = float(np.abs(ends[np.isfinite(ends)]).max(initial=0.0))
    return 1e-3 * span if span > LONGEST else span


def _reach(robot: Robot) -> float:
    """Return the largest sum of offsets from a first joint to a frame, with prismatic joints fully extended, m."""
    tree, way = robot.tree, np.zeros(len(robot.bodies) + 1)
    for i, body in enumerate(robot.bodies):
        step = float(np.linalg.norm(_step(body.X_PJ))) if body.parent >= 0 else 0.0
        way[i] = way[body.parent] + step + (_span(tree, i) if body.joint_type == PRISMATIC else 0.0)
    ends = [way[frame.body] + float(np.linalg.norm(_step(frame.X_BF))) for frame in robot.frames.values() if frame.body >= 0]
    return max(ends, default=0.0) or 1.0
