"""The turntable camera: a pose around a target, rays through pixels, points to pixels. Numbers only, no Qt, no GL."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import cos, radians, sin, tan

import numpy as np

STANDARD_VIEWS = {
    "front": (0.0, 0.0),
    "back": (180.0, 0.0),
    "left": (-90.0, 0.0),
    "right": (90.0, 0.0),
    "top": (-90.0, 90.0),
    "bottom": (-90.0, -90.0),
    "iso": (-52.0, 24.0),
}


@dataclass
class Camera:
    """Eye on a sphere around `target`: `azimuth` from world x and `elevation` above the floor in degrees, z up.

    Pixels are logical widget pixels, x to the right and y down, (0, 0) the upper left corner. The orthographic picture shows
    the target as large as the perspective one does; its eye stands so far off that all of the scene lies before it.
    """

    target: np.ndarray = field(default_factory=lambda: np.zeros(3))
    distance: float = 3.0
    azimuth: float = STANDARD_VIEWS["iso"][0]
    elevation: float = STANDARD_VIEWS["iso"][1]
    fov: float = 34.0
    width: int = 1
    height: int = 1
    scene_radius: float = 1.0
    orthographic: bool = False

    def pose(self) -> tuple[float, ...]:
        """Where it stands: azimuth and elevation in degrees, target x, y, z and distance in m."""
        return self.azimuth, self.elevation, *self.target.tolist(), self.distance

    def set_pose(self, pose: tuple[float, ...]) -> None:
        """Go where `pose()` said."""
        self.azimuth, self.elevation, *target, self.distance = map(float, pose)
        self.target = np.array(target)

    def state(self) -> tuple[float, ...]:
        """All that decides where a point lands on the screen."""
        return *self.pose(), self.fov, self.width, self.height, self.scene_radius, self.orthographic

    def axes(self) -> np.ndarray:
        """Rows: right, up and back (towards the eye) in world axes, `(3, 3)`."""
        az, el = radians(self.azimuth), radians(self.elevation)
        c, s = cos(el), sin(el)
        right, up = (-sin(az), cos(az), 0.0), (-s * cos(az), -s * sin(az), c)
        return np.array([right, up, (c * cos(az), c * sin(az), s)])

    @property
    def eye(self) -> np.ndarray:
        """Position of the eye in W, `(3,)`."""
        return self.target + self.target_depth * self.axes()[2]

    @property
    def target_depth(self) -> float:
        """Distance in m from the eye to the target."""
        return self.distance + 2.0 * self._away() if self.orthographic else self.distance

    @property
    def scale(self) -> float:
        """Pixels that one metre spans where the clip coordinate w is 1; elsewhere as many divided by w."""
        return 0.5 * self.height / (self._tangent() * (self.distance if self.orthographic else 1.0))

    def view_matrix(self) -> np.ndarray:
        """World to eye coordinates, `(4, 4)`."""
        X = np.eye(4)
        X[:3, :3] = self.axes()
        X[:3, 3] = -X[:3, :3] @ self.eye
        return X

    def depth_range(self) -> tuple[float, float]:
        """Near and far distance in m: tight enough for 24 bits, wide enough for the whole floor."""
        if self.orthographic:
            return 0.0, 2.0 * self.target_depth
        return 0.02 * self.distance, 2.0 * self.distance + 2.0 * self._away()

    def projection_matrix(self) -> np.ndarray:
        """Eye to clip coordinates, `(4, 4)`."""
        near, far = self.depth_range()
        P = np.zeros((4, 4))
        P[0, 0], P[1, 1] = 2.0 * self.scale / self.width, 2.0 * self.scale / self.height
        if self.orthographic:
            P[2, 2], P[2, 3], P[3, 3] = 2 / (near - far), (far + near) / (near - far), 1.0
        else:
            P[2, 2], P[2, 3], P[3, 2] = (far + near) / (near - far), 2 * far * near / (near - far), -1.0
        return P

    def matrix(self) -> np.ndarray:
        """World to clip coordinates, `(4, 4)`."""
        return self.projection_matrix() @ self.view_matrix()

    def ray(self, x: float, y: float) -> tuple[np.ndarray, np.ndarray]:
        """Origin and unit direction in W of the ray through a pixel."""
        across, up = (x - 0.5 * self.width) / self.scale, (0.5 * self.height - y) / self.scale
        axes = self.axes()
        if self.orthographic:
            return self.eye + across * axes[0] + up * axes[1], -axes[2]
        direction = np.array([across, up, -1.0]) @ axes
        return self.eye, direction / np.linalg.norm(direction)

    def project(self, points: np.ndarray) -> np.ndarray:
        """Pixel x, y and depth in m along the view of points `(..., 3)` in W; x and y are NaN behind the eye."""
        local = (np.asarray(points, float) - self.eye) @ self.axes().T
        depth = -local[..., 2]
        ahead = np.where(depth > 1e-9, depth, np.nan)
        scale = self.scale / (ahead / ahead if self.orthographic else ahead)
        return np.stack([0.5 * self.width + local[..., 0] * scale, 0.5 * self.height - local[..., 1] * scale, depth], axis=-1)

    def metres_per_pixel(self, point: np.ndarray) -> float:
        """Length in m that one pixel spans at the depth of a point."""
        depth = 1.0 if self.orthographic else float((self.eye - point) @ self.axes()[2])
        return max(depth, 1e-9) / self.scale

    def orbit(self, dx: float, dy: float) -> None:
        """Turn around the target, in degrees; the elevation stops at the poles."""
        self.azimuth = (self.azimuth + dx + 180.0) % 360.0 - 180.0
        self.elevation = float(np.clip(self.elevation + dy, -90.0, 90.0))

    def pan(self, dx: float, dy: float) -> None:
        """Move so that the target follows a cursor that moved by (dx, dy) pixels."""
        right, up, _ = self.axes()
        self.target = self.target + self.metres_per_pixel(self.target) * (up * dy - right * dx)

    def zoom_about(self, point: np.ndarray, factor: float) -> None:
        """Scale the distance to a point by `factor`; the point stays on its pixel."""
        low, high = 1e-3 * self.scene_radius, 60.0 * self.scene_radius
        factor = float(np.clip(self.distance * factor, low, high)) / self.distance
        self.target = point + (self.target - point) * factor
        self.distance *= factor

    def frame(self, points: np.ndarray, margin: float = 1.12) -> None:
        """Look at points `(N, 3)` so that they fill the middle of the picture, up to `margin`."""
        axes, t, near = self.axes(), self._tangent(), 0.0 if self.orthographic else 1.0
        local = points @ axes.T
        centre = 0.5 * (local.min(axis=0) + local.max(axis=0))
        slope = np.array([t * self.width / self.height, t])
        for _ in range(3):
            # Nearer points spread wider: centre what the eye at this distance sees, then measure again.
            off = local - centre
            distance = float((np.abs(off[:, :2]) / slope + near * off[:, 2:]).max())
            seen = off[:, :2] / (distance - near * off[:, 2:]).clip(1e-9)
            centre[:2] += 0.5 * (seen.min(axis=0) + seen.max(axis=0)) * distance
        self.target = centre @ axes
        self.distance = max(distance * margin, 1e-3 * self.scene_radius)

    def look_from(self, name: str) -> None:
        """One of STANDARD_VIEWS; the target and distance stay."""
        self.azimuth, self.elevation = STANDARD_VIEWS[name]

    def _away(self) -> float:
        """A length in m that reaches from the target beyond the robot and its floor."""
        return float(np.linalg.norm(self.target)) + 4.0 * self.scene_radius

    def _tangent(self) -> float:
        return tan(radians(self.fov) / 2)
