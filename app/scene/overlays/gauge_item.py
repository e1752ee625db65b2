"""`GaugeItem`: every joint's axis, and on it the joint's value between its limits."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from OpenGL import GL

from armature.app.scene.arm.drawn_pose import Pose
from armature.app.scene.arm.pose_item import PoseItem
from armature.app.scene.arm.skeleton import Skeleton
from armature.app.scene.gl import gl_state, palette
from armature.app.scene.gl.frame_state import FrameState, rgb
from armature.app.scene.gl.line_batch import LineBatch, lines
from armature.app.scene.gl.point_buffer import Attribute, PointBuffer
from armature.app.scene.gl.scene_item import blended
from armature.app.scene.gl.shader_program import Program
from armature.app.scene.labels.label import Label
from armature.app.scene.labels.label_group import LabelGroup
from armature.app.state.units import Units, number
from armature.engine import Robot

GAUGE = np.dtype([("pose", "f4", (4, 4)), ("state", "f4", 4)])
PIECES = tuple(Attribute(k, 4, 16 * k) for k in range(5))
WIDER = 2.1  # radius of an arc, in radii of the housing
HIDDEN = 0.4  # how much of what a link hides shines through it
SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
BEYOND = np.array([[1.42], [1.3], [1.3]], np.float32)  # of the value and both limits, in radii of the arc
NEAR = 0.05  # part of the range next to a limit that is shown amber


class GaugeItem(PoseItem):
    """Arcs around the axes that turn, rulers beside those that slide: where 0 is, the value, the limits and the way between.

    `gauges` has one record per joint: the axes and the place of the joint at 0 (transposed, in W; the last number is 1 where
    both limits hold, else 0), and its value, limits and radius; the radius of a joint that slides is negative.
    """

    def __init__(self):
        super().__init__(depth=24)
        self.setVisible(False)
        self.units = Units()
        self.gauges = np.zeros(0, GAUGE)
        self._slots, self._slides, self._shift = np.zeros(0, int), np.zeros(0, bool), np.zeros(0)
        self._ended = np.zeros(0, int)  # joints whose limits stand at places of their own
        self._labels: list[Label] = []
        self._labels_for: tuple | None = None
        self._are_new = False

    def set_robot(self, robot: Robot, bones: Skeleton) -> None:
        """A gauge for each joint of this robot, as large as its housing asks for."""
        bodies = list(robot.joint_bodies)
        self._slots, self._slides = np.array(bodies, int) + 1, np.array(robot.prismatic)
        self._shift = np.where(self._slides, 0.0, [bones.housings[b].shift for b in bodies])
        radii = np.array([bones.housings[b].radius for b in bodies])
        self.gauges = np.zeros(robot.n, GAUGE)
        limited, far = np.isfinite(robot.q_max - robot.q_min), np.where(self._slides, 0.5 * robot.reach, np.pi)
        state = self.gauges["state"]
        state[:, 1], state[:, 2] = np.where(limited, robot.q_min, -far), np.where(limited, robot.q_max, far)
        state[:, 3] = np.where(self._slides, -radii, WIDER * radii)
        self.gauges["pose"][:, 3, 3] = limited
        ends = limited & (self._slides | (state[:, 2] - state[:, 1] < 2 * np.pi - 1e-3))  # not where it turns all around
        self._ended = np.flatnonzero(ends)

    def follow(self, pose: Pose) -> None:
        X, q = pose.slots[self._slots], pose.q
        turn, slide = np.where(self._slides, 0.0, q), np.where(self._slides, q, 0.0)
        c, s = np.cos(turn)[:, None], np.sin(turn)[:, None]
        x, y, z = X[:, :3, 0], X[:, :3, 1], X[:, :3, 2]
        gauge = self.gauges["pose"]  # X_WJ = X_WB Rz(−q), or moved back along z by q
        gauge[:, 0, :3], gauge[:, 1, :3], gauge[:, 2, :3] = c * x - s * y, s * x + c * y, z
        gauge[:, 3, :3] = X[:, :3, 3] + (self._shift - slide)[:, None] * z
        self.gauges["state"][:, 0] = q
        self._are_new = True

    def prepare(self, frame: FrameState) -> None:
        super().prepare(frame)
        if self._are_new and len(self.gauges):
            self.held("buffer", PointBuffer, GAUGE.itemsize, PIECES, True).upload(self.gauges, GL.GL_STREAM_DRAW)
            self.held("axes", LineBatch).upload(self._axis_lines())
            self._are_new = False

    def draw(self, frame: FrameState) -> None:
        if not len(self.gauges):
            return
        buffer, axes = self.held("buffer", PointBuffer, GAUGE.itemsize, PIECES, True), self.held("axes", LineBatch)
        program = self.held("program", Program, "gauge.vert", "gauge.frag")
        program.use(clip=frame.clip, eye=frame.eye, calm=rgb(palette.GAUGE), near=rgb(palette.WARNING[1]))
        program.use(out=rgb(palette.WARNING[2]), ink=rgb(frame.theme.text), margin=NEAR)
        blended()
        for order, opacity in ((GL.GL_GREATER, HIDDEN), (GL.GL_LEQUAL, 1.0)):
            gl_state.depth_func(order)
            axes.draw(frame, opacity)
            program.use(opacity=opacity)
            buffer.bind()
            GL.glDrawArraysInstanced(GL.GL_TRIANGLE_STRIP, 0, 4, buffer.count)

    def _axis_lines(self) -> np.ndarray:
        place, z = self.gauges["pose"][:, 3, :3], self.gauges["pose"][:, 2, :3]
        q, low, high, radius = self.gauges["state"].T
        size = 1.5 * np.abs(radius)
        down, up = np.where(self._slides, np.minimum(low, q), 0.0) - size, np.where(self._slides, np.maximum(high, q), 0.0) + size
        return lines(place + down[:, None] * z, place + up[:, None] * z, [palette.GAUGE] * len(place), width=1.6, dash=9.0)

    def labels(self, frame: FrameState) -> Sequence[Label]:
        """The values at the pointers, which shine through solids as these do, and, smaller, the limits at their ends."""
        if not self.visible():
            return []
        made_for = self.units, frame.theme, self._ended
        if self._labels_for is None or any(a is not b for a, b in zip(made_for, self._labels_for, strict=True)):
            self._labels_for, self._labels = made_for, self._made_labels(frame.theme.text)
        points = self._points(self._across(frame.eye))
        ends = points[1:, self._ended].swapaxes(0, 1).reshape(-1, 3)
        return LabelGroup(self._labels, np.concatenate([points[0], ends]), self._values())

    def _made_labels(self, ink: str) -> list[Label]:
        """Without their places, the values without their texts, too."""
        nowhere, state, short = np.zeros(3), self.gauges["state"], self.units.short
        value = Label("", ink, nowhere, size=0.92, counts=True, hidden_by_solids=True, shines_through=True)
        ends = [short(float(end), bool(self._slides[j])) for j in self._ended.tolist() for end in state[j, 1:3]]
        return [value] * len(state) + [Label(text, ink, nowhere, size=0.76, rank=1, hidden_by_solids=True) for text in ends]

    def _values(self) -> list[str]:
        """The values in the user's units."""
        scale = [(self.units.factor(s), self.units.decimals(s) - 1, self.units.suffix(s)) for s in (False, True)]
        names = (f"q{str(j + 1).translate(SUBSCRIPTS)}" for j in range(len(self.gauges)))
        out = []
        for name, value, slides in zip(names, self.gauges["state"][:, 0].tolist(), self._slides.tolist(), strict=True):
            factor, decimals, suffix = scale[slides]
            out.append(f"{name} {number(value * factor, decimals)}{suffix}")
        return out

    def _across(self, eye: np.ndarray) -> np.ndarray:
        """From the axes of joints that slide to the far edges of their rulers, `(n, 3)` in W; 0 for joints that turn."""
        out, slides = np.zeros((len(self.gauges), 3)), self._slides
        if slides.any():
            pose, radius = self.gauges["pose"][slides], self.gauges["state"][slides, 3]
            across = np.cross(pose[:, 2, :3], eye - pose[:, 3, :3])
            across /= np.maximum(np.linalg.norm(across, axis=1, keepdims=True), 1e-9)
            out[slides] = across * -4.0 * radius[:, None]
        return out

    def _points(self, across: np.ndarray) -> np.ndarray:
        """Where the values and both limits stand on their gauges, BEYOND so many radii from the axis; `(3, n, 3)` in W."""
        pose, radius = self.gauges["pose"], np.maximum(self.gauges["state"][:, 3], 0.0)
        at = self.gauges["state"][:, :3].T
        slid, away = np.where(self._slides, at, 0.0)[..., None], BEYOND * radius
        around = (away * np.cos(at))[..., None] * pose[:, 0, :3] + (away * np.sin(at))[..., None] * pose[:, 1, :3]
        return pose[:, 3, :3] + slid * pose[:, 2, :3] + around + across

    def release(self) -> None:
        super().release()
        self._are_new = True
