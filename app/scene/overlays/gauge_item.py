"""`GaugeItem`: every joint's axis, and on it the joint's value between its limits."""

from __future__ import annotations

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
from armature.app.state.units import Units, number
from armature.engine import Robot

GAUGE = np.dtype([("pose", "f4", (4, 4)), ("state", "f4", 4)])
WIDER = 2.1  # radius of an arc, in radii of the housing
HIDDEN = 0.4  # how much of what a link hides shines through it
SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
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
        self._ended, self._ends_in = np.zeros(0, int), None
        self._end_texts: list[tuple[int, tuple[str, str]]] = []
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
        self._ended, self._ends_in = np.flatnonzero(ends), None

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

    def draw(self, frame: FrameState) -> None:
        if not len(self.gauges):
            return
        pieces = tuple(Attribute(k, 4, 16 * k) for k in range(5))
        buffer, axes = self.held("buffer", PointBuffer, GAUGE.itemsize, pieces, True), self.held("axes", LineBatch)
        if self._are_new:
            buffer.upload(self.gauges, GL.GL_STREAM_DRAW)
            axes.upload(self._axis_lines())
            self._are_new = False
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

    def labels(self, frame: FrameState) -> list[Label]:
        """The values at the pointers, which shine through solids as these do, and, smaller, the limits at their ends."""
        if not self.visible():
            return []
        ink, state = frame.theme.text, self.gauges["state"]
        across = self._across(frame.eye)
        points = self._points(state[:, 0], 1.42, across)
        out = [
            Label(text, ink, at, size=0.92, counts=True, hidden_by_solids=True, shines_through=True)
            for text, at in zip(self._values(), points, strict=True)
        ]
        low, high = self._points(state[:, 1], 1.3, across), self._points(state[:, 2], 1.3, across)
        for joint, texts in self._ends():
            for text, points in zip(texts, (low, high), strict=True):
                out.append(Label(text, ink, points[joint], size=0.76, rank=1, hidden_by_solids=True))
        return out

    def _values(self) -> list[str]:
        """The values in the user's units."""
        scale = [(self.units.factor(s), self.units.decimals(s) - 1, self.units.suffix(s)) for s in (False, True)]
        names = (f"q{str(j + 1).translate(SUBSCRIPTS)}" for j in range(len(self.gauges)))
        out = []
        for name, value, slides in zip(names, self.gauges["state"][:, 0].tolist(), self._slides.tolist(), strict=True):
            factor, decimals, suffix = scale[slides]
            out.append(f"{name} {number(value * factor, decimals)}{suffix}")
        return out

    def _ends(self) -> list[tuple[int, tuple[str, str]]]:
        """The joints whose limits stand at places of their own, and the limits in the user's units."""
        if self._ends_in is not self.units:
            state = self.gauges["state"]
            ends = [(j, bool(self._slides[j]), float(state[j, 1]), float(state[j, 2])) for j in self._ended.tolist()]
            short = self.units.short
            self._end_texts = [(j, (short(low, slides), short(high, slides))) for j, slides, low, high in ends]
            self._ends_in = self.units
        return self._end_texts

    def _across(self, eye: np.ndarray) -> np.ndarray:
        """From the axes of joints that slide to the far edges of their rulers, `(n, 3)` in W; 0 for joints that turn."""
        out, slides = np.zeros((len(self.gauges), 3)), self._slides
        if slides.any():
            pose, radius = self.gauges["pose"][slides], self.gauges["state"][slides, 3]
            across = np.cross(pose[:, 2, :3], eye - pose[:, 3, :3])
            across /= np.maximum(np.linalg.norm(across, axis=1, keepdims=True), 1e-9)
            out[slides] = across * -4.0 * radius[:, None]
        return out

    def _points(self, at: np.ndarray, beyond: float, across: np.ndarray) -> np.ndarray:
        """Where the values `at` `(n,)` stand on their gauges, `beyond` radii from the axis; `(n, 3)` in W."""
        pose, radius = self.gauges["pose"], np.maximum(self.gauges["state"][:, 3], 0.0)[:, None]
        angle, slid = at[:, None], np.where(self._slides, at, 0.0)[:, None]
        around = np.cos(angle) * pose[:, 0, :3] + np.sin(angle) * pose[:, 1, :3]
        return pose[:, 3, :3] + slid * pose[:, 2, :3] + beyond * radius * around + across

    def release(self) -> None:
        super().release()
        self._are_new = True
