"""Which pieces of a surface bound the reach: those beside which, on one side, no posture within the limits gets the point."""

from __future__ import annotations

import numpy as np

from armature.engine.kinematics.ik import ik
from armature.engine.model.joint_ranges import restricted
from armature.engine.model.robot import TASK_AXES
from armature.engine.singularities.positioning_part import Positioning

_ASIDE = 4e-3  # of the extent: how far beside the surface to ask
_CLOUDS, _STARTS = (1 << 16, 1 << 12, 1 << 8), 6  # nearest samples led to the place: of few, they are of every posture
_TOLERANCE = 1e-5  # of the extent
_FLAT = 1e-9  # of the extent: a piece no wider has no sides


class Sides:
    """Asks what the positioning part of an arm reaches beside its surfaces."""

    def __init__(self, part: Positioning):
        self.part = part
        self.arm = restricted(part.robot, joints=part.joints, q=part.q)
        self.positions = part.samples()
        self.cloud = part.points(self.positions)
        self.extent = float(np.ptp(self.cloud, axis=0).max())
        from scipy.spatial import cKDTree  # half a second to import, and no window needs it to open

        self.trees = [cKDTree(self.cloud[:size]) for size in _CLOUDS]
        self.task = tuple(TASK_AXES[row] for row in part.rows)

    def bounding(self, positions: np.ndarray) -> np.ndarray:
        """Whether each piece between neighbours of positions `(K, S, k)` bounds the reach `(K − 1, S − 1)`, on a curve `(V − 1)`.

        On each side of its middle, 0.4 % of the extent away, inverse kinematics starts from the nearest samples.
        """
        if min(positions.shape[:2]) < 2:
            line = positions.reshape(-1, positions.shape[2])
            middle = self.part.points(0.5 * (line[1:] + line[:-1]))
            across = np.cross(np.diff(self.part.points(line), axis=0), self._plane_normal())
            shape: tuple[int, ...] = (len(line) - 1,)
        else:
            corners = [positions[:-1, :-1], positions[1:, :-1], positions[:-1, 1:], positions[1:, 1:]]
            a, b, c, d = (self.part.points(p).reshape(-1, 3) for p in corners)
            middle = self.part.points(np.mean(corners, axis=0)).reshape(-1, 3)
            across = np.cross(d - a, c - b)
            shape = (positions.shape[0] - 1, positions.shape[1] - 1)
        size = np.linalg.norm(across, axis=1, keepdims=True)
        wide = size[:, 0] > (_FLAT * self.extent) ** min(2, len(shape))
        step = _ASIDE * self.extent * across[wide] / size[wide]
        bounds = np.zeros(len(middle), bool)
        bounds[wide] = ~(self.reached(middle[wide] + step) & self.reached(middle[wide] - step))
        return bounds.reshape(shape)

    def reached(self, points: np.ndarray) -> np.ndarray:
        """Which of the points `(N, 3)` in W some posture within the limits gets to."""
        T = np.tile(np.eye(4), (len(points), 1, 1))
        T[:, :3, 3] = points
        nearest = np.concatenate([tree.query(points, k=_STARTS)[1] for tree in self.trees], axis=1)
        reached = np.zeros(len(points), bool)
        for starts in nearest.T:
            left = np.flatnonzero(~reached)
            if not len(left):
                break
            q0 = self.part.at(self.positions[starts[left]])
            found = ik(
                self.arm, T[left], q0=q0, frame=self.part.frame, task=self.task, tolerance=_TOLERANCE * self.extent, restarts=0
            )
            reached[left] = found.success
        return reached

    def _plane_normal(self) -> np.ndarray:
        return np.linalg.svd(self.cloud[:2000] - self.cloud[:2000].mean(axis=0), full_matrices=False)[2][-1]
