"""The solids of the gizmo, each on a slot of its own and one arrow length in size, and the pose and opacity of every slot."""

from __future__ import annotations

import numpy as np

from armature.app.scene.camera.camera import Camera
from armature.app.scene.gizmo.gizmo_handles import ARROWS, BALL, KNOB, PLANES, RINGS
from armature.app.scene.gizmo.gizmo_look import ARROW_FROM, BALL_RADIUS, KNOB_RADIUS, PLANE, RING, GizmoLook
from armature.app.scene.gl import palette
from armature.app.scene.gl.basic_solids import aligned, cylinder, extrude, ring, rounded_box, sphere
from armature.app.scene.gl.mesh import Mesh, joined

COLOURS = (palette.AXIS_X, palette.AXIS_Y, palette.AXIS_Z)
BACKS = ("rx back", "ry back", "rz back")
WAY, GHOST, LINE = "way", "ghost", "line"
# solid ones first: what shines through is drawn over them
SLOTS = (*ARROWS, BALL, *RINGS, KNOB, WAY, LINE, GHOST, *BACKS, *PLANES)
_SLOT = {name: k for k, name in enumerate(SLOTS)}
_SHAFT, _HEAD, _TUBE = 0.022, (0.07, 0.79), 0.017
_FRONT = np.radians(96.0)  # half the part of a ring that faces the eye
_OTHERS = 0.22  # opacity of the handles that are not in hand
_BACK, _PLANE, _GHOST = 0.16, 0.62, 0.55
_THREAD = 0.012  # radius of the line to the ghost


def gizmo_mesh() -> Mesh:
    """Every part on its slot, in the axes that `placed` gives it."""
    slot = _SLOT
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
    for end in (1.0, -1.0):
        cone = extrude(np.array([[0.075, 0.13], [0.0, 0.30]]), directions=ring(18))
        parts.append(cone.moved(aligned(np.array([0.0, 0.0, end]), np.zeros(3))).painted(palette.KNOB, slot[WAY]))
    return joined(parts)


def placed(look: GizmoLook, camera: Camera) -> tuple[np.ndarray, np.ndarray]:
    """Pose X_WS `(slots, 4, 4)`, with the size in it, and opacity `(slots,)` of every slot; what is hidden has no size."""
    poses, opacity = np.zeros((len(SLOTS), 4, 4)), np.zeros(len(SLOTS))
    poses[:, 3, 3] = 1.0
    size, sight, R = look.length(camera), look.sight(camera), look.R_WG
    faces = _facing(R, sight)

    def put(name: str, shown: float, axes: np.ndarray, at: np.ndarray) -> None:
        k = _SLOT[name]
        opacity[k], poses[k, :3, :3], poses[k, :3, 3] = shown, axes, at

    for handle, seen in look.opacities(sight).items():
        shown = seen * (_OTHERS if look.active and handle != look.active else 1.0)
        if handle in RINGS:
            k = RINGS.index(handle)
            from_above = float(np.clip((abs(R[:, k] @ sight) - 0.93) / 0.06, 0.0, 1.0))
            put(handle, shown, size * faces[k], look.centre)
            put(BACKS[k], shown * (_BACK + (1.0 - _BACK) * from_above), size * faces[k], look.centre)
        elif look.knob is not None and handle == KNOB:
            there = look.length(camera, look.knob)
            put(KNOB, shown, there * np.eye(3), look.knob)
            if look.way is not None:
                put(WAY, shown, there * aligned(look.way, np.zeros(3))[:3, :3], look.knob)
        else:
            faint = handle in PLANES and handle not in (look.hovered, look.active)
            put(handle, shown * (_PLANE if faint else 1.0), size * R, look.centre)
    if look.wanted is not None:
        put(GHOST, _GHOST, size * look.wanted[:3, :3], look.wanted[:3, 3])
        way = look.wanted[:3, 3] - look.centre
        far = float(np.linalg.norm(way))
        if far > 1e-6:
            put(LINE, _GHOST, aligned(way, np.zeros(3))[:3, :3] * [_THREAD * size, _THREAD * size, far], look.centre)
    return poses, opacity


def _facing(R: np.ndarray, sight: np.ndarray) -> np.ndarray:
    """Axes `(3, 3, 3)` of the three rings, as columns: z the normal, x towards the eye."""
    normals = R.T
    toward = -sight + (normals @ sight)[:, None] * normals
    length = np.linalg.norm(toward, axis=1, keepdims=True)
    x = np.where(length > 1e-6, toward / np.maximum(length, 1e-12), np.roll(normals, -1, axis=0))
    return np.stack([x, np.cross(normals, x), normals], axis=2)


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
