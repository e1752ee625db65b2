"""Which handle of the gizmo lies under a pixel, and which of its points was met."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from armature.app.scene.camera.camera import Camera
from armature.app.scene.gizmo.gizmo_handles import BALL, KNOB, PLANES, RINGS
from armature.app.scene.gizmo.gizmo_look import GizmoLook

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
    sight = look.sight(camera)
    shown = [name for name, opacity in look.opacities(sight).items() if opacity >= GRASPABLE]
    if not shown:
        return None
    outlines = [look.outline(name, camera) for name in shown]
    pixels = camera.project(np.concatenate(outlines))[:, :2]
    if not np.isfinite(pixels).all():
        return None
    cursor, best, least, start = np.array([x, y]), None, 1.0, 0
    for handle, points in zip(shown, outlines, strict=True):
        at, start = pixels[start : start + len(points)], start + len(points)
        score, point = _met(handle, points, at, camera, cursor, look, sight)
        if score < least:
            least, best = score, (handle, point)
    if best is None:
        return None
    return Grasp(*best, cursor - camera.project(best[1])[:2])


def _met(
    handle: str, points: np.ndarray, at: np.ndarray, camera: Camera, cursor: np.ndarray, look: GizmoLook, sight: np.ndarray
) -> tuple[float, np.ndarray]:
    """Score (0 right on it, 1 and more missed) and the point met, for a handle's points at pixels `at`."""
    if handle in (BALL, KNOB):
        return 0.5 * float(np.linalg.norm(cursor - at[0])) / SPOT, points[0]
    if handle in PLANES:
        return (PLANE_SCORE, _on_plane(points, camera, cursor)) if _inside(at, cursor) else (np.inf, points[0])
    a, step = at[:-1], at[1:] - at[:-1]
    share = np.clip(((cursor - a) * step).sum(axis=1) / np.maximum((step * step).sum(axis=1), 1e-12), 0.0, 1.0)
    off = np.hypot(*(a + share[:, None] * step - cursor).T) / LINE
    if handle in RINGS:  # the half that faces away hides behind the one in front
        depth = (points[:-1] - look.centre) @ sight
        off[depth > 0.15 * look.length(camera)] = np.inf
    k = int(np.argmin(off))
    return float(off[k]), points[k] + share[k] * (points[k + 1] - points[k])


def _inside(corners: np.ndarray, cursor: np.ndarray) -> bool:
    """Whether the cursor is within a convex polygon of pixels `(k, 2)`."""
    step, to = np.roll(corners, -1, axis=0) - corners, cursor - corners
    side = step[:, 0] * to[:, 1] - step[:, 1] * to[:, 0]
    return bool((side >= 0).all() or (side <= 0).all())


def _on_plane(corners: np.ndarray, camera: Camera, cursor: np.ndarray) -> np.ndarray:
    origin, ray = camera.ray(*cursor)
    normal = np.cross(corners[1] - corners[0], corners[2] - corners[0])
    return origin + ray * float((corners[0] - origin) @ normal) / float(ray @ normal)
