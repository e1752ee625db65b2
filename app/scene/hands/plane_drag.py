"""`PlaneDrag`: two lengths that bring a grabbed point under the cursor."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from PySide6.QtCore import QPointF

from armature.app.scene.camera.camera import Camera

FARTHEST = 20.0  # from where it began, in distances of the eye: beyond, the plane runs to its horizon


class PlaneDrag:
    """One gesture in the plane of two unit vectors through a point; values are measured from where it began."""

    def __init__(self, camera: Camera, point: np.ndarray, at: QPointF, lengths: Mapping[str, tuple[np.ndarray, float]]):
        """`point` `(3,)` in W grabbed at pixel `at`; by its name the way `(3,)` in W of each length and what it is there, m."""
        self._camera, self._point, self._lengths = camera, np.asarray(point, float), lengths
        one, other = (way for way, _ in lengths.values())
        self._normal = np.cross(one, other)
        self._begun = self._met(at.x(), at.y())
        self._last = np.zeros(3)

    def value(self, x: float, y: float) -> dict[str, float]:
        """What the lengths are with the cursor at pixel (x, y)."""
        now = self._met(x, y)
        if now is not None and self._begun is not None:
            self._last = now - self._begun
        return {name: value + float(self._last @ way) for name, (way, value) in self._lengths.items()}

    def _met(self, x: float, y: float) -> np.ndarray | None:
        """Where the ray through a pixel meets the plane, None where it does not."""
        eye, ray = self._camera.ray(x, y)
        steep = float(ray @ self._normal)
        away = float((self._point - eye) @ self._normal) / steep if abs(steep) > 1e-9 else np.inf
        return eye + away * ray if 0.0 < away < FARTHEST * float(np.linalg.norm(self._point - eye)) else None
