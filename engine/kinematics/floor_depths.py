"""`FloorDepths`: how deep the links of an arm are below its floor."""

from __future__ import annotations

import numpy as np

from armature.engine.kinematics.poses import link_poses
from armature.engine.model.link_outline import link_outline
from armature.engine.model.robot import Robot


class FloorDepths:
    """Depths of the links that can fall, of an arm with a floor.

    d = z_floor − min over the link's outline of z

    `bodies` `(k,)` are their bodies, `links` `(k,)` their names, `far` `(k,)` m how far the outline is from the body's origin.
    """

    def __init__(self, robot: Robot):
        if robot.floor is None:
            raise ValueError(f"{robot.name} has no floor")
        self._robot, outline = robot, link_outline(robot)
        order = np.argsort(outline.bodies, kind="stable")
        self.bodies, self._first = np.unique(outline.bodies[order], return_index=True)
        carrier, X_BL = robot.link_table
        link = np.array([int(np.flatnonzero(carrier == body)[0]) for body in outline.bodies[order]], int)
        self.links = tuple(robot.link_names[k] for k in link[self._first])
        R_BL, p_BL = X_BL[link, :3, :3], X_BL[link, :3, 3]
        points = np.einsum("kij,ki->kj", R_BL, outline.points[order] - p_BL)
        self._link, self._balls = link, np.column_stack([points, np.ones(len(link))])
        self._offset = robot.floor + outline.radii[order]
        far = np.linalg.norm(outline.points[order], axis=1)
        self.far = np.maximum.reduceat(far, self._first) if len(far) else far

    def at(self, q: np.ndarray) -> np.ndarray:
        """Depths `(…, k)` m at q `(…, n)`, negative above the floor."""
        if not len(self.bodies):
            return np.zeros((*q.shape[:-1], 0))
        rows = link_poses(self._robot, q)[..., 2, :]
        heights = np.stack([rows[..., link, :] @ ball for link, ball in zip(self._link, self._balls, strict=True)], axis=-1)
        return np.maximum.reduceat(self._offset - heights, self._first, axis=-1)

    def above(self, q: np.ndarray) -> np.ndarray:
        """True `(…,)` where no link is below the floor at q `(…, n)`."""
        return np.asarray((self.at(q) <= 0.0).all(axis=-1))
