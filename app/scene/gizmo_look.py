"""`GizmoLook`: what the gizmo shows at the moment, and where its parts are. Numbers only."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from app.scene.camera import Camera
from app.scene.gizmo_handles import ARROWS, BALL, KNOB, PLANES, RINGS, axis_index

PIXELS = 112.0  # logical pixels, length of an arrow
LARGEST = 0.24  # of the smaller side of the view
ARROW_FROM, RING, PLANE, BALL_RADIUS, KNOB_RADIUS = 0.15, 0.70, (0.24, 0.43), 0.085, 0.085
"""Inner end of an arrow, radius of a ring, near and far edge of a plane handle, and radii, in lengths of an arrow."""
SEEN = {"arrow": (0.16, 0.30), "plane": (0.14, 0.30), "ring": (0.06, 0.16)}
"""How far a handle is turned to the eye when it begins to show and when it shows in full: sine or cosine of the angle."""


@dataclass
class GizmoLook:
    """The tool's pose X_WT `(4, 4)`, the gizmo's axes, the handles offered, the one in hand or under the cursor, and the texts.

    `knob` is the point `(3,)` of the self-motion handle, `way` `(3,)` its unit direction where there is but one; `wanted` the
    pose that the tool cannot follow to.
    """

    shown: bool = False
    X_WT: np.ndarray = field(default_factory=lambda: np.eye(4))
    in_tool_axes: bool = False
    handles: tuple[str, ...] = ()
    hovered: str = ""
    active: str = ""
    knob: np.ndarray | None = None
    way: np.ndarray | None = None
    wanted: np.ndarray | None = None
    caption: str = ""
    words: str = ""

    @property
    def R_WG(self) -> np.ndarray:
        """Axes of the gizmo in W as columns, `(3, 3)`."""
        return self.X_WT[:3, :3] if self.in_tool_axes else np.eye(3)

    @property
    def centre(self) -> np.ndarray:
        """Origin of the tool in W, `(3,)`."""
        return self.X_WT[:3, 3]

    def pixels(self, camera: Camera) -> float:
        """Length of an arrow in logical pixels: always the same, smaller only in a small view."""
        return min(PIXELS, LARGEST * min(camera.width, camera.height))

    def length(self, camera: Camera, at: np.ndarray | None = None) -> float:
        """Length of an arrow in m, which looks the same from every distance; at a point `(3,)` other than the tool."""
        return self.pixels(camera) * camera.metres_per_pixel(self.centre if at is None else at)

    def sight(self, camera: Camera) -> np.ndarray:
        """Unit direction `(3,)` in W in which the eye sees the tool."""
        x, y, _ = camera.project(self.centre)
        return camera.ray(float(x), float(y))[1] if np.isfinite(x) else -camera.axes()[2]

    def opacity(self, handle: str, camera: Camera) -> float:
        """0…1: handles that are seen along their direction, where they could not be dragged, fade away."""
        if handle not in self.handles or (handle == KNOB and self.knob is None):
            return 0.0
        if handle in (BALL, KNOB):
            return 1.0
        along = abs(float(self.sight(camera) @ self.R_WG[:, axis_index(handle)]))
        kind = "arrow" if handle in ARROWS else "ring" if handle in RINGS else "plane"
        turned = np.sqrt(max(0.0, 1.0 - along**2)) if handle in ARROWS else along
        low, high = SEEN[kind]
        return float(np.clip((turned - low) / (high - low), 0.0, 1.0))

    def outline(self, handle: str, camera: Camera) -> np.ndarray:
        """The points `(k, 3)` in W that a cursor must come near to: along an arrow or ring, around a plane, a ball's centre."""
        if handle == KNOB:
            return self.knob[None]
        size, R = self.length(camera), self.R_WG
        if handle == BALL:
            return self.centre[None]
        if handle in ARROWS:
            return self.centre + size * np.linspace(ARROW_FROM, 1.0, 2)[:, None] * R[:, axis_index(handle)]
        k = axis_index(handle)
        u, v = R[:, (k + 1) % 3], R[:, (k + 2) % 3]
        if handle in PLANES:
            near, far = PLANE
            corners = np.array([[near, near], [far, near], [far, far], [near, far]])
            return self.centre + size * (corners[:, :1] * u + corners[:, 1:] * v)
        angle = np.linspace(0.0, 2 * np.pi, 97)[:, None]
        return self.centre + size * RING * (np.cos(angle) * u + np.sin(angle) * v)
