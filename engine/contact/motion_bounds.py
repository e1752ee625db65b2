"""Upper bounds of how far the shapes of an arm move while its joints do."""

from __future__ import annotations

import numpy as np

from armature.engine.contact.contact_model import ContactModel
from armature.engine.contact.packed_shapes import COUNT, FIRST, outline

_MARGIN = 0.01  # m beyond a range of a prismatic joint, so that a motion in small steps does not leave it with every step


class LeverArms:
    """`lever_arms` of a model; computed again only if a prismatic joint leaves the range for which they are known."""

    def __init__(self, model: ContactModel):
        self._model = model
        self._range: tuple[np.ndarray, np.ndarray] | None = None
        self._arms = np.zeros((0, 0))

    def over(self, low: np.ndarray, high: np.ndarray) -> np.ndarray:
        """Return r `(m, bodies)` for prismatic joints between `low` and `high` `(bodies,)`, m."""
        slides, known = self._model.robot.tree.prismatic, self._range
        if known is None or (slides & ((low < known[0]) | (high > known[1]))).any():
            low, high = (low, high) if known is None else (np.minimum(low, known[0]), np.maximum(high, known[1]))
            margin = 0.1 * (high - low) + _MARGIN
            self._range = low - margin, high + margin
            self._arms = lever_arms(self._model, *self._range)
        return self._arms


def lever_arms(model: ContactModel, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Return r `(m, bodies)`: the distance of pair k changes at most by Σ_i r_ki |Δq_i| while the joints of the tree move by Δq.

    r_ki is the largest distance of a group's points from the axis of joint i (m/rad; prismatic: 1), in any pose with prismatic
    joints between `low` and `high` `(bodies,)` m; 0 for joints that move both groups of the pair, or neither.

    Source: Schwarzer, Saha, Latombe, Adaptive dynamic collision checking, IEEE Transactions on Robotics 21, 2005.
    """
    arms = np.array([_group_arms(model, g, low, high) for g in range(len(model.groups))]).reshape(-1, len(low))
    first, second = arms[model.pairs[:, 0]], arms[model.pairs[:, 1]]
    return np.where((first > 0) & (second > 0), 0.0, first + second)


def _group_arms(model: ContactModel, group: int, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Largest distances of a group from the axes of the joints that move it, 0 for all others."""
    tree, packed = model.robot.tree, model.packed
    row = packed.rows[len(packed.rows) - len(model.groups) + group]
    shapes = range(int(row[FIRST]), int(row[FIRST]) + int(row[COUNT]))
    arms, i = np.zeros(len(tree.bodies)), model.groups[group].body
    points = np.concatenate([np.zeros((0, 3)), *(outline(packed, k) for k in shapes)])
    radius = 0.0  # of balls around the points
    while i >= 0 and len(points):
        body = tree.bodies[i]
        if tree.prismatic[i]:
            arms[i] = 1.0
            points = points + (0.0, 0.0, (low[i] + high[i]) / 2)
            radius += (high[i] - low[i]) / 2
        else:
            across = np.hypot(points[:, 0], points[:, 1])
            arms[i] = across.max() + radius
            # all poses of the points are in one ball around a point of the axis
            centre = (points[:, 2].min() + points[:, 2].max()) / 2
            radius += np.hypot(across, points[:, 2] - centre).max()
            points = np.array([[0.0, 0.0, centre]])
        points = points @ body.X_PJ[:3, :3].T + body.X_PJ[:3, 3]
        i = body.parent
    return arms
