"""How large an arm and its bodies are, which is what their other figures are measured by."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np

from armature.engine.examination.figures import Figures, LinkFigures
from armature.engine.model.body import PRISMATIC
from armature.engine.model.robot import Robot

LONGEST = 20.0  # m; no link and no slide of an arm is as long
_CORNERS = np.array(list(product((0, 1), repeat=3)), bool)


@dataclass(frozen=True, eq=False)
class Sizes:
    """`reach` in m from the first joint to the farthest frame; `low` and `high` `(n + 1, 3)` the box in its own axes that holds
    the joints, frames and shapes of every body, that of the stand last; `shaped` the bodies whose visible shapes were all
    measured; `tips` those that nothing hangs on and that have no shape: how far they reach is not known.
    """

    reach: float
    low: np.ndarray
    high: np.ndarray
    shaped: frozenset[int]
    tips: frozenset[int]

    def of(self, link: LinkFigures) -> float:
        """The diagonal of the box of a link's body, m."""
        return float(np.linalg.norm(self.high[link.body] - self.low[link.body]))

    def distance(self, link: LinkFigures, com: np.ndarray) -> float:
        """How far a point of the link's frame lies outside of the box of its body, m."""
        p = link.X_BL[:3, :3] @ com + _step(link.X_BL)
        outside = np.maximum(self.low[link.body] - p, p - self.high[link.body])
        return float(np.linalg.norm(np.maximum(outside, 0.0)))


def sizes_of(figures: Figures) -> Sizes:
    """The sizes of a robot."""
    robot, tree = figures.robot, figures.robot.tree
    points: list[list[np.ndarray]] = [[np.zeros(3)] for _ in range(len(robot.bodies) + 1)]
    for i, body in enumerate(robot.bodies):
        step = _step(body.X_PJ)
        points[body.parent].append(step)
        behind = step if body.parent >= 0 else step - _step(robot.base)
        points[i].append(np.array([0, 0, -body.X_PJ[:3, 2] @ behind]))  # a link goes back to beside the joint before
        if body.joint_type == PRISMATIC:
            span = _span(tree, i)
            points[i] += [np.array([0, 0, span]), np.array([0, 0, -span])]
    for frame in robot.frames.values():
        points[frame.body].append(_step(frame.X_BF))
    for written in figures.shapes:
        if written.points is not None and len(written.points):
            frame = robot.links[written.shape.link]
            corners = np.where(_CORNERS, written.points.max(axis=0), written.points.min(axis=0))
            points[frame.body] += list(corners @ frame.X_BF[:3, :3].T + frame.X_BF[:3, 3])
    low = np.array([np.min(own, axis=0) for own in points])
    high = np.array([np.max(own, axis=0) for own in points])
    measured = {robot.links[w.shape.link].body for w in figures.shapes if w.points is not None and w.visible}
    unread = {robot.links[w.shape.link].body for w in figures.shapes if w.points is None and w.visible}
    carrying = {body.parent for body in robot.bodies}
    tips = frozenset(range(len(robot.bodies))) - carrying - measured
    return Sizes(_reach(robot), low, high, frozenset(measured - unread), tips)


def _step(X: np.ndarray) -> np.ndarray:
    """The offset `(3,)` of a frame, in m where it is in mm: by an arm of 400 m nothing else would be too long."""
    return np.asarray(np.where(np.abs(X[:3, 3]) > LONGEST, 1e-3, 1.0) * X[:3, 3])


def _span(tree: Robot, i: int) -> float:
    ends = np.array([tree.q_min[i], tree.q_max[i]])
    span = float(np.abs(ends[np.isfinite(ends)]).max(initial=0.0))
    return 1e-3 * span if span > LONGEST else span


def _reach(robot: Robot) -> float:
    """The longest way over the placements from a first joint to a frame, slides fully out."""
    tree, way = robot.tree, np.zeros(len(robot.bodies) + 1)
    for i, body in enumerate(robot.bodies):
        step = float(np.linalg.norm(_step(body.X_PJ))) if body.parent >= 0 else 0.0
        way[i] = way[body.parent] + step + (_span(tree, i) if body.joint_type == PRISMATIC else 0.0)
    ends = [way[frame.body] + float(np.linalg.norm(_step(frame.X_BF))) for frame in robot.frames.values() if frame.body >= 0]
    return max(ends, default=0.0) or 1.0
