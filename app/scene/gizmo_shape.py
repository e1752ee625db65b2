"""The solids of the gizmo, each on a slot of its own and one arrow length in size, and the pose and opacity of every slot."""

from __future__ import annotations

import numpy as np

from app.scene import palette
from app.scene.camera import Camera
from app.scene.gizmo_handles import ARROWS, BALL, KNOB, PLANES, RINGS, axis_index
from app.scene.gizmo_look import ARROW_FROM, BALL_RADIUS, KNOB_RADIUS, PLANE, RING, GizmoLook
from app.scene.mesh import Mesh, joined
from app.scene.shapes import aligned, cylinder, extrude, ring, rounded_box, sphere

COLOURS = (palette.AXIS_X, palette.AXIS_Y, palette.AXIS_Z)
BACKS = ("rx back", "ry back", "rz back")
WAY, GHOST, LINE = "way", "ghost", "line"
# solid ones first: what shines through is drawn over them
SLOTS = (*ARROWS, BALL, *RINGS, KNOB, WAY, LINE, GHOST, *BACKS, *PLANES)
_SHAFT, _HEAD, _TUBE = 0.022, (0.07, 0.79), 0.017
_FRONT = np.radians(96.0)  # half the part of a ring that faces the eye
_OTHERS = 0.22  # opacity of the handles that are not in hand
_BACK, _PLANE, _GHOST = 0.16, 0.62, 0.55


def gizmo_mesh() -> Mesh:
    """Every part on its slot, in the axes that `placed` gives it."""
    slot = {name: k for k, name in enumerate(SLOTS)}
    parts = [sphere(BALL_RADIUS, segments=20, bands=10).painted("#eef2f6", slot[BALL])]
    for k, colour in enumerate(COLOURS):
        turned = aligned(np.eye(3)[k], np.zeros(3))
        parts.append(_arrow().moved(turned).painted(colour, slot[ARROWS[k]]))
        parts.append(_arc(-_FRONT, _FRONT).painted(colour, slot[RINGS[k]]))
        parts.append(_arc(_FRONT, 2 * np.pi - _FRONT).painted(colour, slot[BACKS[k]]))
        near, far = PLANE
        middle = np.full(3, 0.5 * (near + far))
        middle[k] = 0.0
        side = rounded_box((far - near, far - near), -0.006, 0.006, 0.03)
        parts.append(side.moved(aligned(np.eye(3)[k], middle, np.eye(3)[(k + 1) % 3])).painted(colour, slot[PLANES[k]]))
        thin = cylinder(0.014, 0.0, 0.42, segments=10)
        parts.append(thin.moved(turned).painted(colour, slot[GHOST]))
    parts.append(sphere(0.05, segments=16, bands=8).painted(palette.CAUTION, slot[GHOST]))
    parts.append(cylinder(1.0, 0.0, 1.0, segments=10).painted(palette.CAUTION, slot[LINE]))
    parts.append(sphere(KNOB_RADIUS, segments=20, bands=10).painted(palette.KNOB, slot[KNOB]))
    for side in (1.0, -1.0):
        cone = extrude(np.array([[0.075, 0.13], [0.0, 0.30]]), directions=ring(18))
        parts.append(cone.moved(aligned(np.array([0.0, 0.0, side]), np.zeros(3))).painted(palette.KNOB, slot[WAY]))
    return joined(parts)


def placed(look: GizmoLook, camera: Camera) -> tuple[np.ndarray, np.ndarray]:
    """Pose X_WS `(slots, 4, 4)`, with the size in it, and opacity `(slots,)` of every slot; what is hidden has no size."""
    poses, opacity = np.zeros((len(SLOTS), 4, 4)), np.zeros(len(SLOTS))
    poses[:, 3, 3] = 1.0
    size, sight = look.length(camera), look.sight(camera)
    for k, name in enumerate(SLOTS):
        shown, R, at = _part(name, look, camera, sight)
        if shown > 0.02:
            opacity[k] = shown
            poses[k, :3, :3] = R * (1.0 if name == LINE else size if name not in (KNOB, WAY) else look.length(camera, at))
            poses[k, :3, 3] = at
    return poses, opacity


def _part(name: str, look: GizmoLook, camera: Camera, sight: np.ndarray) -> tuple[float, np.ndarray, np.ndarray]:
    """Opacity, axes and origin of one slot."""
    nothing = 0.0, np.eye(3), look.centre
    if name in (GHOST, LINE):
        return _ghost(name, look, camera) if look.wanted is not None else nothing
    handle = KNOB if name == WAY else name.removesuffix(" back")
    shown = look.opacity(handle, camera)
    if shown == 0.0 or (name == WAY and look.way is None):
        return nothing
    if look.active and handle != look.active:
        shown *= _OTHERS
    if handle == KNOB:
        return shown, aligned(look.way, np.zeros(3))[:3, :3] if name == WAY else np.eye(3), look.knob
    R = look.R_WG
    if handle in RINGS:
        normal = R[:, axis_index(handle)]
        R = _facing(normal, sight)
        if name in BACKS:
            shown *= _BACK + (1.0 - _BACK) * float(np.clip((abs(normal @ sight) - 0.93) / 0.06, 0.0, 1.0))
    elif handle in PLANES:
        shown *= 1.0 if handle in (look.hovered, look.active) else _PLANE
    return shown, R, look.centre


def _ghost(name: str, look: GizmoLook, camera: Camera) -> tuple[float, np.ndarray, np.ndarray]:
    """The pose that the tool cannot follow to, and a line from the tool there."""
    if name == GHOST:
        return _GHOST, look.wanted[:3, :3], look.wanted[:3, 3]
    way = look.wanted[:3, 3] - look.centre
    far = float(np.linalg.norm(way))
    if far < 1e-6:
        return 0.0, np.eye(3), look.centre
    thick = 0.012 * look.length(camera)
    return _GHOST, aligned(way, np.zeros(3))[:3, :3] * np.array([thick, thick, far]), look.centre


def _facing(normal: np.ndarray, sight: np.ndarray) -> np.ndarray:
    """Axes of a ring as columns: z its normal, x towards the eye."""
    toward = -sight + (sight @ normal) * normal
    return aligned(normal, np.zeros(3), toward)[:3, :3]


def _arrow() -> Mesh:
    width, head = _HEAD
    tip = extrude(np.array([[width, head], [0.0, 1.0]]), directions=ring(20))
    return joined([cylinder(_SHAFT, ARROW_FROM, head + 0.01, segments=14), tip])


def _arc(start: float, end: float) -> Mesh:
    """A part of a torus about z, from angle to angle, rad."""
    angle, around = np.linspace(start, end, 49), ring(10)
    out = np.column_stack([np.cos(angle), np.sin(angle), np.zeros_like(angle)])
    normals = around[None, :, :1] * out[:, None] + around[None, :, 1:] * np.array([0.0, 0.0, 1.0])
    positions = RING * out[:, None] + _TUBE * normals
    rows, columns = normals.shape[:2]
    corner = (np.arange(rows - 1)[:, None] * columns + np.arange(columns - 1)).ravel()
    right, ahead, both = corner + 1, corner + columns, corner + columns + 1
    faces = np.concatenate([np.column_stack([corner, ahead, both]), np.column_stack([corner, both, right])])
    return Mesh.of(positions.reshape(-1, 3), normals.reshape(-1, 3), faces)
