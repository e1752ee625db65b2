"""`GizmoLook`: what the gizmo shows at the moment, and where its parts are. Numbers only."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from armature.app.scene.camera.camera import Camera
from armature.app.scene.gizmo.gizmo_handles import ARROWS, BALL, KNOB, PLANES, RINGS

PIXELS = 112.0  # logical pixels, length of an arrow
LARGEST = 0.24  # of the smaller side of the view
ARROW_FROM, RING, PLANE, BALL_RADIUS, KNOB_RADIUS = 0.15, 0.70, (0.24, 0.43), 0.085, 0.085
"""Inner end of an arrow, radius of a ring, near and far edge of a plane handle, and radii, in lengths of an arrow."""
SEEN = {"arrow": (0.16, 0.30), "plane": (0.14, 0.30), "ring": (0.06, 0.16)}
"""How far a handle is turned to the eye when it begins to show and when it shows in full: sine or cosine of the angle."""


def _outlines() -> dict[str, np.ndarray]:
    """Points `(k, 3)` of every handle in the gizmo's axes, in lengths of an arrow."""
    angle, (near, far) = np.linspace(0.0, 2 * np.pi, 97), PLANE
    square, out = np.array([[near, near], [far, near], [far, far], [near, far]]), {BALL: np.zeros((1, 3))}
    for k in range(3):
        u, v, w = np.roll(np.eye(3), -k, axis=0)[[1, 2, 0]]
        out[ARROWS[k]] = np.outer([ARROW_FROM, 1.0], w)
        out[RINGS[k]] = RING * (np.outer(np.cos(angle), u) + np.outer(np.sin(angle), v))
        out[PLANES[k]] = square @ np.array([u, v])
    return out


OUTLINES = _outlines()


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

    def opacities(self, sight: np.ndarray) -> dict[str, float]:
        """0…1 for every handle that can be seen at all from a direction: the others could not be dragged along it."""
        along = np.abs(sight @ self.R_WG)
        turned = {"arrow": np.sqrt(np.maximum(0.0, 1.0 - along**2)), "ring": along, "plane": along}
        out: dict[str, float] = {}
        for kind, family in (("arrow", ARROWS), ("ring", RINGS), ("plane", PLANES)):
            low, high = SEEN[kind]
            shares = np.minimum((turned[kind] - low) / (high - low), 1.0).tolist()
            out |= {name: share for name, share in zip(family, shares, strict=True) if share > 0 and name in self.handles}
        out |= {BALL: 1.0} if BALL in self.handles else {}
        return out | ({KNOB: 1.0} if KNOB in self.handles and self.knob is not None else {})

    def outline(self, handle: str, camera: Camera) -> np.ndarray:
        """The points `(k, 3)` in W that a cursor must come near to: along an arrow or ring, around a plane, a ball's centre."""
        if handle == KNOB and self.knob is not None:
            return self.knob[None]
        return self.centre + self.length(camera) * OUTLINES[handle] @ self.R_WG.T
