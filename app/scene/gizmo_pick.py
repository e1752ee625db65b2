"""Which handle of the gizmo lies under a pixel, and which of its points was met."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.scene.camera import Camera
from app.scene.gizmo_handles import ARROWS, BALL, HANDLES, KNOB, PLANES, RINGS
from app.scene.gizmo_look import GizmoLook

LINE, SPOT = 7.0, 12.0  # logical pixels from a line, and from the middle of a ball
GRASPABLE = 0.35  # opacity from which a handle can be taken
PLANE_SCORE = 0.8  # a line over a plane counts first unless it is just missed


@dataclass(frozen=True)
class Grasp:
    """A handle, the point `(3,)` in W on it that is meant, and how far the cursor is from that point in pixels `(2,)`."""

    handle: str
    point: np.ndarray
    off: np.ndarray


def grasp(look: GizmoLook, camera: Camera, x: float, y: float) -> Grasp | None:
    """The handle under a pixel, by the distance on the screen; None where there is none."""
    cursor, best, least = np.array([x, y]), None, 1.0
    for handle in HANDLES:
        if look.opacity(handle, camera) < GRASPABLE:
            continue
        points = look.outline(handle, camera)
        met = _met(handle, points, camera, cursor, look)
        if met is not None and met[0] < least:
            point = met[1]
            least, best = met[0], Grasp(handle, point, cursor - camera.project(point)[:2])
    return best


def _met(handle: str, points: np.ndarray, camera: Camera, cursor: np.ndarray, look: GizmoLook) -> tuple[float, np.ndarray] | None:
    """Score (0 right on it, 1 just missed) and the point met; None when missed."""
    at = camera.project(points)[:, :2]
    if not np.isfinite(at).all():
        return None
    if handle in (BALL, KNOB):
        return 0.5 * float(np.linalg.norm(cursor - at[0])) / SPOT, points[0]
    if handle in PLANES:
        return (PLANE_SCORE, _on_plane(points, camera, cursor)) if _inside(at, cursor) else None
    a, b = at[:-1], at[1:]
    step = b - a
    share = np.clip(np.einsum("ij,ij->i", cursor - a, step) / np.maximum(np.einsum("ij,ij->i", step, step), 1e-12), 0.0, 1.0)
    off = np.linalg.norm(a + share[:, None] * step - cursor, axis=1) / LINE
    if handle in RINGS:
        # the half that faces away hides behind the one in front, unless the ring is seen from above
        depth = (0.5 * (points[:-1] + points[1:]) - look.centre) @ look.sight(camera) / look.length(camera)
        off = np.where(depth > 0.15, np.inf, off)
    k = int(np.argmin(off))
    point = points[k] + share[k] * (points[k + 1] - points[k])
    return (float(off[k]), point) if handle in ARROWS or np.isfinite(off[k]) else None


def _inside(corners: np.ndarray, cursor: np.ndarray) -> bool:
    """Whether the cursor is within a convex polygon of pixels `(k, 2)`."""
    step, to = np.roll(corners, -1, axis=0) - corners, cursor - corners
    side = step[:, 0] * to[:, 1] - step[:, 1] * to[:, 0]
    return bool((side >= 0).all() or (side <= 0).all())


def _on_plane(corners: np.ndarray, camera: Camera, cursor: np.ndarray) -> np.ndarray:
    origin, ray = camera.ray(*cursor)
    normal = np.cross(corners[1] - corners[0], corners[2] - corners[0])
    return origin + ray * float((corners[0] - origin) @ normal) / float(ray @ normal)
