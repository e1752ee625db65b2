"""`GaugeItem`: every joint's axis, and on it the joint's value between its limits."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from armature.app.scene.arm.drawn_pose import Pose
from armature.app.scene.arm.pose_item import PoseItem
from armature.app.scene.arm.skeleton import Skeleton
from armature.app.scene.gl import gl_state, palette
from armature.app.scene.gl.frame_state import FrameState, rgb
from armature.app.scene.gl.gl_calls import GL
from armature.app.scene.gl.line_batch import LINE, LineBatch, as_numbers, lines
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
        self._slots, self._slides, self._shift = np.zeros(0, int), np.zeros(0, int), np.zeros(0)
        self._ended = np.zeros(0, int)  # joints whose limits stand at places of their own
        self._axes, self._places = np.zeros(0, LINE), np.zeros((0, 3))
        self._labels: list[Label] = []
        self._labels_for: tuple | None = None
        self._are_new = False

    def set_robot(self, robot: Robot, bones: Skeleton) -> None:
        """A gauge for each joint of this robot, as large as its housing asks for."""
        bodies = list(robot.joint_bodies)
        slides = np.array(robot.prismatic)
        self._slots, self._slides = np.array(bodies, int) + 1, slides.astype(int)
        self._shift = np.where(slides, 0.0, [bones.housings[b].shift for b in bodies])
        radii = np.array([bones.housings[b].radius for b in bodies])
        self.gauges = np.zeros(robot.n, GAUGE)
        limited, far = np.isfinite(robot.q_max - robot.q_min), np.where(slides, 0.5 * robot.reach, np.pi)
        state = self.gauges["state"]
        state[:, 1], state[:, 2] = np.where(limited, robot.q_min, -far), np.where(limited, robot.q_max, far)
        state[:, 3] = np.where(slides, -radii, WIDER * radii)
        self.gauges["pose"][:, 3, 3] = limited
        ends = limited & (slides | (state[:, 2] - state[:, 1] < 2 * np.pi - 1e-3))  # not where it turns all around
        self._ended = np.flatnonzero(ends)
        none = np.zeros((robot.n, 3))
        self._axes = lines(none, none, [palette.GAUGE] * robot.n, width=1.6, dash=9.0)
        self._places = np.zeros((robot.n + 2 * len(self._ended), 3))

    def follow(self, pose: Pose) -> None:
        from armature.app.scene.arm.pose_kernels import placed_gauges  # numba: not before the window is on screen

        gauges, axes = as_numbers(self.gauges), as_numbers(self._axes)
        placed_gauges.call(pose.slots, pose.q, self._slots, self._slides, self._shift, gauges, axes)
        self._are_new = True

    def prepare(self, frame: FrameState) -> None:
        super().prepare(frame)
        if self._are_new and len(self.gauges):
            self.held("buffer", PointBuffer, GAUGE.itemsize, PIECES, True).upload(self.gauges, GL.GL_STREAM_DRAW)
            self.held("axes", LineBatch).upload(self._axes)
            self._are_new = False

    def drawn_by(self) -> tuple:
        return (len(self.gauges),)

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

    def labels(self, frame: FrameState) -> Sequence[Label]:
        """The values at the pointers, which shine through solids as these do, and, smaller, the limits at their ends."""
        if not self.visible():
            return []
        made_for = self.units, frame.theme, self._ended
        if self._labels_for is None or any(a is not b for a, b in zip(made_for, self._labels_for, strict=True)):
            self._labels_for, self._labels = made_for, self._made_labels(frame.theme.text)
        from armature.app.scene.arm.pose_kernels import gauge_places  # numba: not before the window is on screen

        gauge_places.call(as_numbers(self.gauges), self._slides, self._ended, frame.eye, self._places)
        return LabelGroup(self._labels, self._places, self.figures(self._values, self.units))

    def _made_labels(self, ink: str) -> list[Label]:
        """Without their places, the values without their texts, too."""
        nowhere, state, short = np.zeros(3), self.gauges["state"], self.units.short
        value = Label("", ink, nowhere, size=0.92, counts=True, hidden_by_solids=True, shines_through=True)
        ends = [short(float(end), bool(self._slides[j])) for j in self._ended.tolist() for end in state[j, 1:3]]
        return [value] * len(state) + [Label(text, ink, nowhere, size=0.76, rank=1, hidden_by_solids=True) for text in ends]

    def _values(self, pose: Pose) -> list[str]:
        """In the user's units."""
        scale = [(self.units.factor(s), self.units.decimals(s) - 1, self.units.suffix(s)) for s in (False, True)]
        names = (f"q{str(j + 1).translate(SUBSCRIPTS)}" for j in range(len(self.gauges)))
        out = []
        for name, value, slides in zip(names, pose.q.tolist(), self._slides.tolist(), strict=True):
            factor, decimals, suffix = scale[slides]
            out.append(f"{name} {number(value * factor, decimals)}{suffix}")
        return out

    def release(self) -> None:
        super().release()
        self._are_new = True
