"""`LostMotionItem`: what the tool cannot do near a singularity, an arrow to move along or a ring to turn about."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from armature.app.scene.arm.drawn_pose import Pose
from armature.app.scene.arm.pose_item import PoseItem
from armature.app.scene.gl import palette
from armature.app.scene.gl.basic_solids import aligned, arrow, cylinder, hoop
from armature.app.scene.gl.frame_state import FrameState
from armature.app.scene.gl.gl_calls import GL
from armature.app.scene.gl.gpu_mesh import BODY, GpuMesh
from armature.app.scene.gl.mesh import Mesh, joined, linear
from armature.app.scene.gl.scene_item import opaque
from armature.app.scene.labels.label import Label
from armature.app.scene.overlays.lost_motion import LostMotion
from armature.engine.thresholds import Level

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

MOST = 4  # motions drawn at a time
ARROW, RING = 0.2, 0.16  # half the length of an arrow, and the radius of a ring, in reaches
FRONT = 0.01  # the part of the depths that is nearest to the eye: the arm does not hide it
TOLD = 2  # motions that are told in words


class LostMotionItem(PoseItem):
    """Both ways along an arrow, both ways around a ring, in a colour of its own; the words stand at the top of the view."""

    def __init__(self):
        super().__init__(depth=32)
        self.losses: tuple[LostMotion, ...] = ()
        self.level = Level.FINE
        self.points = np.zeros((0, 3))
        self.bodies = np.zeros(2 * MOST, BODY)
        self.bodies["state"] = 1.0, 0.0, 0.0, 1.0
        self._axes: list[np.ndarray] = []  # rows x, y and z of each
        self.explained_by: list[QWidget] = []  # texts of panels that say why; while one is seen the view does not repeat it
        self._labels_for: tuple | None = None
        self._labels: list[Label] = []

    def clear(self) -> None:
        self.set_losses(Level.FINE, ())

    def set_losses(self, level: Level, losses: tuple[LostMotion, ...]) -> None:
        """Show these, near a singularity (1) or at one (2); none for nothing."""
        self.level, self.losses = level, tuple(losses)[:MOST]
        self._axes = [aligned(loss.direction, np.zeros(3))[:3, :3].T for loss in self.losses]
        self.follow_again()

    def follow(self, pose: Pose) -> None:
        if not self.losses and not len(self.points):
            return
        X, reach = pose.X_WT, pose.robot.reach
        self.points = np.array([X[:3, :3] @ loss.place + X[:3, 3] for loss in self.losses]).reshape(-1, 3)
        self.bodies["pose"] = 0.0
        for k, (loss, point) in enumerate(zip(self.losses, self.points, strict=True)):
            placed = self.bodies["pose"][2 * k + loss.turns]
            placed[:3, :3], placed[3, :3], placed[3, 3] = self._axes[k] * ((RING if loss.turns else ARROW) * reach), point, 1.0

    def prepare(self, frame: FrameState) -> None:
        super().prepare(frame)
        if self.losses:
            self.on_card(_motions(), self.bodies)

    def drawn_by(self) -> tuple:
        return (bool(self.losses),)

    def draw(self, frame: FrameState) -> None:
        if not self.losses:
            return
        GL.glDepthRange(0.0, FRONT)
        opaque()
        self.shade_solids(frame, tint=linear(palette.LOST))
        self.held("mesh", GpuMesh).draw()
        GL.glDepthRange(0.0, 1.0)

    def pills(self, frame: FrameState) -> list[Label]:
        """Why, as pills at the top of the view; none while a panel says it."""
        if not self.visible() or any(not text.visibleRegion().isEmpty() for text in self.explained_by):
            return []
        made_for = (self.losses, self.level, frame.theme)
        if made_for != self._labels_for:
            ink = palette.WARNING_TEXT[frame.theme is palette.DARK][self.level]
            words = [loss.words for loss in self.losses if loss.words][:TOLD]
            self._labels_for, self._labels = made_for, [Label(text, ink, np.zeros(3), pill=True) for text in words]
        return self._labels


@cache
def _motions() -> Mesh:
    """An arrow and a ring for each motion, each on a slot of its own."""
    shapes = _arrow(), _ring()
    return joined([shape.painted("#ffffff", slot=2 * k + turns) for k in range(MOST) for turns, shape in enumerate(shapes)])


def _arrow() -> Mesh:
    """From −1 to 1 along z, a head at either end."""
    half = arrow(1.0, 0.035)
    turned = np.diag([1.0, -1.0, -1.0, 1.0])
    return joined([half, half.moved(turned)])


def _ring() -> Mesh:
    """Most of a circle of radius 1 about z with a head at either end, and a piece of its axis."""
    start, stop = np.radians([-145.0, 145.0])
    first, last = (np.array([np.cos(angle), np.sin(angle), 0.0]) for angle in (start, stop))
    parts = [hoop(start, stop, 0.05), cylinder(0.022, -1.25, 1.25, segments=16)]
    for end, way in ((last, 1.0), (first, -1.0)):
        tangent = way * np.array([-end[1], end[0], 0.0])
        parts.append(cylinder(0.13, 0.0, 0.36, top=0.005, segments=20).moved(aligned(tangent, end)))
    return joined(parts)
