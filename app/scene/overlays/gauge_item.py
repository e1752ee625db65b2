"""`GaugeItem`: every joint's axis, and on it the joint's value between its limits."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from armature.app.scene.arm.drawn_pose import Pose
from armature.app.scene.arm.pose_item import PoseItem
from armature.app.scene.gl import gl_state, palette
from armature.app.scene.gl.frame_state import FrameState, rgb
from armature.app.scene.gl.gl_calls import GL
from armature.app.scene.gl.line_batch import LINE, LineBatch, lines
from armature.app.scene.gl.point_buffer import Attribute, PointBuffer
from armature.app.scene.gl.scene_item import blended
from armature.app.scene.gl.shader_program import Program
from armature.app.scene.labels.label import Label, LabelGroup
from armature.app.state.units import number
from armature.engine import Robot
from armature.engine.model.skeleton import Skeleton

GAUGE = np.dtype([("pose", "f4", (4, 4)), ("state", "f4", 4)])
PIECES = tuple(Attribute(k, 4, 16 * k) for k in range(5))
WIDER = 2.1  # radius of an arc, in radii of the housing
HIDDEN = 0.4  # how much of what a link hides shines through it
SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
NEAR = 0.05  # part of the range next to a limit that is shown amber
BEYOND = 1.42, 1.3  # from the axis to a joint's value and to its limits, in radii of the arc
RULER = 4.0  # far edge of a ruler, in radii
REACHES_OUT = 1.5  # of an axis beyond its joint, in radii


class GaugeItem(PoseItem):
    """Arcs around the axes that turn, rulers beside those that slide: where 0 is, the value, the limits and the way between.

    `gauges` has one record per joint: the axes and the place of the joint at 0 (transposed, in W; the last number is 1 where
    both limits hold, else 0), and its value, limits and radius; the radius of a joint that slides is negative.
    """

    def __init__(self):
        super().__init__(depth=24)
        self.setVisible(False)
        self.gauges = np.zeros(0, GAUGE)
        self._slots, self._slides, self._shift = np.zeros(0, int), np.zeros(0, int), np.zeros(0)
        self._ended = np.zeros(0, int)  # joints whose limits stand at places of their own
        self._axes = np.zeros(0, LINE)
        self._labels: list[Label] = []
        self._labels_for: tuple | None = None

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

    def follow(self, pose: Pose) -> None:
        """Draw them where their joints are at 0, X_WJ = X_WB Rot_z(−q) or X_WB Trans_z(−q)."""
        X, q, slides = pose.slots[self._slots], pose.q, self._slides == 1
        place, (value, low, high, radius) = self.gauges["pose"], self.gauges["state"].T
        c, s = np.cos(np.where(slides, 0.0, q))[:, None], np.sin(np.where(slides, 0.0, q))[:, None]
        x, y, z = X[:, :3, :3].transpose(2, 0, 1)
        place[:, 0, :3], place[:, 1, :3], place[:, 2, :3] = c * x - s * y, s * x + c * y, z
        place[:, 3, :3] = X[:, :3, 3] + (self._shift - np.where(slides, q, 0.0))[:, None] * z
        value[:] = q
        size = REACHES_OUT * np.abs(radius)
        down, up = (np.where(slides, end, 0.0) for end in (np.minimum(low, q), np.maximum(high, q)))
        self._axes["start"] = place[:, 3, :3] + (down - size)[:, None] * z
        self._axes["end"] = place[:, 3, :3] + (up + size)[:, None] * z

    def prepare(self, frame: FrameState) -> None:
        super().prepare(frame)
        if len(self.gauges):
            self.held("buffer", PointBuffer, GAUGE.itemsize, PIECES, True).upload(self.gauges, GL.GL_STREAM_DRAW)
            self.held("axes", LineBatch).upload(self._axes)

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
        ends = np.repeat(self._ended, 2)
        rows = np.concatenate([np.arange(len(self.gauges)), ends])
        at = np.concatenate([self.gauges["state"][:, 0], self.gauges["state"][self._ended, 1:3].ravel()])
        places = self._beside(rows, at, np.where(np.arange(len(rows)) < len(self.gauges), *BEYOND), frame.eye)
        return LabelGroup(self._labels, places, self.figures(self._values))

    def _beside(self, rows: np.ndarray, at: np.ndarray, beyond: np.ndarray, eye: np.ndarray) -> np.ndarray:
        """Places `(k, 3)` in W of positions `at` `(k,)` of joints `rows`: `beyond` the arc, or at the far edge of the ruler."""
        place, radius, slides = self.gauges["pose"][rows].astype(float), self.gauges["state"][rows, 3], self._slides[rows] == 1
        x, y, z, origin = (place[:, k, :3] for k in range(4))
        across = np.cross(z, eye - origin)  # of the line of sight, where the ruler lies
        across *= (-RULER * radius / np.maximum(np.linalg.norm(across, axis=1), 1e-9))[:, None]
        around = (beyond * radius)[:, None] * (np.cos(at)[:, None] * x + np.sin(at)[:, None] * y)
        return origin + np.where(slides[:, None], at[:, None] * z + across, around)

    def _made_labels(self, ink: str) -> list[Label]:
        """Without their places, the values without their texts, too."""
        nowhere, state, short = np.zeros(3), self.gauges["state"], self.units.short
        value = Label("", ink, nowhere, size=0.92, plain=True, hidden_by_solids=True, shines_through=True)
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
