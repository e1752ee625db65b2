"""`CoordinateItem`: where the tool is, as numbers and as the way there along the world's axes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from armature.app.scene.arm.drawn_pose import Pose
from armature.app.scene.arm.pose_item import PoseItem
from armature.app.scene.gl import palette
from armature.app.scene.gl.frame_state import FrameState
from armature.app.scene.gl.line_batch import LineBatch, as_numbers, lines
from armature.app.scene.gl.scene_item import blended
from armature.app.scene.labels.label import Label, LabelGroup
from armature.app.state.units import number
from armature.engine import Robot
from armature.engine.model.skeleton import Skeleton

BEFORE = 0.12  # of the reach: as far before the tool its numbers are, so that the wrist does not hide them
COLOURS = [palette.AXIS_X, palette.AXIS_Y, palette.AXIS_Z]


class CoordinateItem(PoseItem):
    """Dashed lines: along the floor by y from the x axis and by x from the y axis, and up to the tool."""

    def __init__(self):
        super().__init__(depth=22)
        self.setVisible(False)
        self.floor, self._tool, self._before = 0.0, np.zeros(3), 0.0
        self._ink = ""
        self._labels: list[Label] = []
        self._lines = lines(np.zeros((3, 3)), np.zeros((3, 3)), COLOURS, width=2.0, dash=6.0)

    def set_robot(self, robot: Robot, bones: Skeleton) -> None:
        self.floor = bones.floor

    def follow(self, pose: Pose) -> None:
        (x, y, z), floor = pose.tool.tolist(), self.floor
        self._before = BEFORE * pose.robot.reach
        as_numbers(self._lines)[:, :6] = (0, y, floor, x, y, floor), (x, 0, floor, x, y, floor), (x, y, floor, x, y, z)
        self._tool = pose.tool

    def prepare(self, frame: FrameState) -> None:
        super().prepare(frame)
        self.held("lines", LineBatch).upload(self._lines)

    def drawn_by(self) -> tuple:
        return ()

    def draw(self, frame: FrameState) -> None:
        blended()
        self.held("lines", LineBatch).draw(frame)

    def labels(self, frame: FrameState) -> Sequence[Label]:
        """x, y and z beside the tool, faint where something stands before it."""
        if not self.visible():
            return []
        if frame.theme.text != self._ink:
            self._ink = frame.theme.text
            told = Label("", self._ink, np.zeros(3), shift=(0.0, -34.0), rank=-1, plain=True)
            self._labels = [told._replace(hidden_by_solids=True, shines_through=True)]
        near = frame.nearer(self._tool, self._before)
        return LabelGroup(self._labels, near, self.figures(self._text))

    def _text(self, pose: Pose) -> list[str]:
        factor, unit = self.units.factor(prismatic=True), self.units.symbol(prismatic=True)
        x, y, z = (number(value * factor, 0 if unit == "mm" else 3) for value in pose.tool.tolist())
        return [f"x {x}   y {y}   z {z} {unit}"]
