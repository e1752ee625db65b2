"""`CornerItem`: the world's axes in a corner of the view, as balls on sticks that lead to the standard views."""

from __future__ import annotations

from functools import cache

import numpy as np

from armature.app.scene.camera.camera import Camera
from armature.app.scene.gl import palette
from armature.app.scene.gl.basic_solids import aligned, cylinder, sphere
from armature.app.scene.gl.frame_state import FrameState
from armature.app.scene.gl.gpu_mesh import BODY, GpuMesh
from armature.app.scene.gl.mesh import Mesh, joined, linear
from armature.app.scene.gl.scene_item import SceneItem, opaque
from armature.app.scene.gl.shader_program import Program
from armature.app.scene.labels.label import Box, Label

VIEWS = ("front", "right", "top", "back", "left", "bottom")  # from where +x, +y, +z, −x, −y, −z points at the eye
WAYS = np.concatenate([np.eye(3), -np.eye(3)])
COLOURS = (palette.AXIS_X, palette.AXIS_Y, palette.AXIS_Z)
STICK, BALL, SMALL, MARGIN = 30.0, 9.0, 6.0, 14.0  # logical pixels
HALF = STICK + BALL
ROOMY, LEAST = 340.0, 0.5  # the view's shorter side from which on it has its full size, and its least share of that
WHITE = linear("#ffffff")
NEAREST = 0.004  # the part of the depth range, right before the eye, that the corner has for itself


class CornerItem(SceneItem):
    """Drawn over everything, without perspective, of one size unless the view is small. `hovered` is a ball, 0 to 5, or -1."""

    def __init__(self):
        super().__init__(depth=90)
        self.hovered = -1
        self._labels_for: FrameState | None = None
        self._labels: list[Label] = []
        self._boxes: tuple[FrameState, list[Box]] | None = None
        self._seen: tuple[FrameState, np.ndarray, np.ndarray] | None = None
        self.bodies = np.zeros(1 + len(WAYS), BODY)
        self.bodies["pose"] = np.eye(4)
        self.bodies["state"][:, 3] = 1.0

    def set_hovered(self, ball: int) -> bool:
        """Light up a ball, -1 for none; True when that is another one than before."""
        changed, self.hovered = ball != self.hovered, ball
        return changed

    def centres(self, camera: Camera) -> np.ndarray:
        """Pixel x and y and the nearness of the six balls, `(6, 3)`."""
        seen = WAYS @ camera.axes().T
        return np.column_stack([_hub(camera) + _size(camera) * STICK * seen[:, :2] * (1, -1), seen[:, 2]])

    def ball_at(self, camera: Camera, x: float, y: float) -> int:
        """The ball under a pixel, the nearest to the eye of several, -1 for none."""
        centres = self.centres(camera)
        hit = np.hypot(centres[:, 0] - x, centres[:, 1] - y) <= np.repeat(_size(camera) * np.array([BALL, SMALL]) + (1.0, 2.0), 3)
        return int(np.argmax(np.where(hit, centres[:, 2], -2.0))) if self.visible() and hit.any() else -1

    def boxes(self, frame: FrameState) -> list[Box]:
        """Left, top, width and height of its place in device pixels; none while it is hidden."""
        if not self.visible():
            return []
        if self._boxes is None or self._boxes[0] is not frame:
            half = _size(frame.camera) * HALF
            left, top = (_hub(frame.camera) - half).tolist()
            self._boxes = frame, [(left * frame.scale, top * frame.scale, 2 * half * frame.scale, 2 * half * frame.scale)]
        return self._boxes[1]

    def prepare(self, frame: FrameState) -> None:
        self.bodies["state"][1:, 2] = np.arange(len(WAYS)) == self.hovered
        self.on_card(_balls_on_sticks(), self.bodies)

    def drawn_by(self) -> tuple:
        return ()

    def draw(self, frame: FrameState) -> None:
        gpu = self.held("mesh", GpuMesh)
        if self._seen is None or self._seen[0] is not frame:
            clip, eye = _clip(frame.camera), 1e4 * frame.camera.axes()[2]
            clip.flags.writeable = eye.flags.writeable = False
            self._seen = frame, clip, eye
        _, clip, eye = self._seen
        program = self.held("program", Program, "solid.vert", "solid.frag")
        program.use(clip=clip, eye=eye, right=frame.right, tint=(0, 0, 0), glow=WHITE, opacity=1.0)
        opaque(closed=True)
        gpu.draw()

    def labels(self, frame: FrameState) -> list[Label]:
        """x, y and z on their balls."""
        if not self.visible():
            return []
        if self._labels_for is not frame:
            self._labels_for, self._labels = frame, self._made_labels(frame.camera)
        return self._labels

    def _made_labels(self, camera: Camera) -> list[Label]:
        out = []
        for letter, (x, y, near) in zip("xyz", self.centres(camera)[:3], strict=True):
            eye, ray = camera.ray(x, y)
            point = eye + ray * (1.0 + 1e-3 * (1.0 - near)) * camera.distance
            out.append(Label(letter, "#ffffff", point, size=0.86 * _size(camera), faint=True, fixed=True, bare=True))
        return out


def _size(camera: Camera) -> float:
    """Its share of the full size, less in small views, which it would fill."""
    return float(np.clip(min(camera.width, camera.height) / ROOMY, LEAST, 1.0))


def _hub(camera: Camera) -> np.ndarray:
    """The pixel `(2,)` where the axes meet."""
    return np.array([camera.width, camera.height]) - _size(camera) * (MARGIN + HALF)


def _clip(camera: Camera) -> np.ndarray:
    """World directions, one stick long, to clip coordinates in the corner, `(4, 4)`."""
    pixel = np.array([2.0 / camera.width, 2.0 / camera.height])
    X, axes = np.eye(4), camera.axes()
    X[:2, :3] = _size(camera) * STICK * pixel[:, None] * axes[:2]
    X[:2, 3] = (_hub(camera) * pixel - 1.0) * (1, -1)
    X[2, :3], X[2, 3] = -0.5 * NEAREST * axes[2], NEAREST - 1.0
    return X


@cache
def _balls_on_sticks() -> Mesh:
    """In sticks: a ball on every end, those below zero smaller and paler."""
    parts = [sphere(0.10, segments=12, bands=6).painted("#8a94a0")]
    for k, way in enumerate(WAYS):
        colour = COLOURS[k % 3] if k < 3 else _paler(COLOURS[k % 3])
        radius = (BALL if k < 3 else SMALL) / STICK
        if k < 3:
            parts.append(cylinder(0.065, 0.0, 1.0, segments=12).moved(aligned(way, np.zeros(3))).painted(colour))
        parts.append(sphere(radius, segments=20, bands=10).moved(aligned([0, 0, 1], way)).painted(colour, slot=1 + k, gloss=0.1))
    return joined(parts)


def _paler(colour: str) -> str:
    return "#" + "".join(f"{round(0.55 * int(colour[i : i + 2], 16) + 0.45 * 150):02x}" for i in (1, 3, 5))
