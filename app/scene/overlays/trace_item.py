"""`TraceItem`: where the tool has been."""

from __future__ import annotations

from math import dist

import numpy as np

from armature.app.scene.gl import palette
from armature.app.scene.gl.frame_state import FrameState, rgb
from armature.app.scene.gl.gl_calls import GL
from armature.app.scene.gl.point_buffer import Attribute, PointBuffer
from armature.app.scene.gl.scene_item import SceneItem, blended
from armature.app.scene.gl.shader_program import Program
from armature.engine import Robot
from armature.engine.model.skeleton import Skeleton

CAPACITY = 4000
PIECES = (Attribute(0, 4, 0), Attribute(1, 4, 16))
WIDTH = 1.9


class TraceItem(SceneItem):
    """The last CAPACITY points, older ones paler; a leap of the arm breaks the line."""

    def __init__(self):
        super().__init__(depth=23)  # after the floor, which is seen through
        self._points = np.zeros((2 * CAPACITY, 4), np.float32)
        self._count = 0
        self._last: list[float] | None = None
        self.resolution = 1e-3

    def set_robot(self, robot: Robot, bones: Skeleton) -> None:
        self.resolution = 2e-3 * bones.scale

    @property
    def points(self) -> np.ndarray:
        """The points kept, oldest first, `(k, 3)` in W."""
        kept = self._points[: self._count]
        return kept[kept[:, 3] >= 0, :3]

    @property
    def records(self) -> np.ndarray:
        """Positions in W and −1 before a gap, else 0, oldest first, `(k, 4)`."""
        return self._points[: self._count].copy()

    def restore(self, records: np.ndarray) -> None:
        """Show the records of another trace, `(k, 4)`."""
        self.clear()
        self._count = min(len(records), len(self._points))
        self._points[: self._count] = records[len(records) - self._count :]
        self._last = self._points[self._count - 1, :3].tolist() if self._count else None

    def clear(self) -> None:
        """Forget everything."""
        self._count, self._last = 0, None

    def add(self, point: np.ndarray) -> None:
        """Go on to this point, unless it is hardly another one."""
        here = point.tolist()
        if self._last is not None:
            step = dist(here, self._last)
            if step < self.resolution:
                return
            if step > 250 * self.resolution:
                self._append((*here, -1.0))
        self._last = here
        self._append((*here, 0.0))

    def _append(self, record: tuple) -> None:
        if self._count == len(self._points):
            self._points[:CAPACITY] = self._points[CAPACITY:]
            self._count = CAPACITY
        self._points[self._count] = record
        self._count += 1

    def prepare(self, frame: FrameState) -> None:
        if self._count > 1:
            kept = self._points[max(0, self._count - CAPACITY) : self._count]
            self.held("buffer", PointBuffer, 16, PIECES, True).upload(kept, GL.GL_STREAM_DRAW)

    def draw(self, frame: FrameState) -> None:
        if self._count < 2:
            return
        buffer = self.held("buffer", PointBuffer, 16, PIECES, True)
        blended()
        width = WIDTH * frame.scale
        program = self.held("program", Program, "trace.vert", "trace.frag")
        program.use(clip=frame.clip, pixel=frame.pixel, width=width, pieces=float(buffer.count - 1), colour=rgb(palette.TRACE))
        buffer.bind()
        GL.glDrawArraysInstanced(GL.GL_TRIANGLE_STRIP, 0, 4, buffer.count - 1)
