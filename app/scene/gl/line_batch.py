"""`LineBatch`: straight lines of constant width on the screen, full or dashed, in one draw call."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from armature.app.scene.gl.frame_state import FrameState
from armature.app.scene.gl.gl_calls import GL
from armature.app.scene.gl.point_buffer import Attribute, PointBuffer
from armature.app.scene.gl.scene_item import blended, opaque
from armature.app.scene.gl.shader_program import Program

LINE = np.dtype([("start", "f4", 3), ("end", "f4", 3), ("colour", "u1", 4), ("style", "f4", 2)])


def lines(starts: ArrayLike, ends: ArrayLike, colours: list[str], width: float, dash: float = 0.0) -> np.ndarray:
    """Records from `starts` to `ends` `(k, 3)` in W, `colours` "#rrggbb"; width and dash in logical pixels (0: no dashes)."""
    records = np.zeros(len(colours), LINE)
    records["start"], records["end"], records["style"] = starts, ends, (width, dash)
    records["colour"] = _bytes(tuple(colours))
    return records


def as_numbers(records: np.ndarray) -> np.ndarray:
    """A view of records of float32, and of what is as long, a row for each, as compiled code takes them."""
    return np.ndarray((len(records), records.itemsize // 4), np.float32, records)


@lru_cache(maxsize=64)
def _bytes(colours: tuple[str, ...]) -> np.ndarray:
    """Red, green, blue and opacity, `(k, 4)`."""
    return np.array([(*bytes.fromhex(colour[1:]), 255) for colour in colours], np.uint8).reshape(-1, 4)


class LineBatch:
    """The buffer and the program; a new set of lines replaces the last one."""

    def __init__(self):
        pieces = (Attribute(0, 3, 0), Attribute(1, 3, 12), Attribute(2, 4, 24, GL.GL_UNSIGNED_BYTE, True), Attribute(3, 2, 28))
        self._buffer = PointBuffer(LINE.itemsize, pieces, instanced=True)
        self._program = Program("line.vert", "line.frag")

    def upload(self, records: np.ndarray) -> None:
        """Take these records of LINE."""
        self._buffer.upload(records, GL.GL_STREAM_DRAW)

    def draw(self, frame: FrameState, opacity: float = 1.0) -> None:
        """Draw them; how they are blended is the caller's business."""
        self._program.use(clip=frame.clip, pixel=frame.pixel, scale=frame.scale, opacity=opacity)
        self._buffer.bind()
        GL.glDrawArraysInstanced(GL.GL_TRIANGLE_STRIP, 0, 4, self._buffer.count)

    def draw_in_front(self, frame: FrameState, records: np.ndarray, front: float) -> None:
        """Draw these over the arm: in the part `front` of the depths that is nearest to the eye."""
        self.upload(records)
        GL.glDepthRange(0.0, front)
        blended()
        self.draw(frame)
        opaque()
        GL.glDepthRange(0.0, 1.0)

    def release(self) -> None:
        """Give everything back."""
        self._buffer.release()
        self._program.release()
