"""`CloudItem`: the points the tool can reach, coloured by a value."""

from __future__ import annotations

import numpy as np

from armature.app.scene.gl import gl_state
from armature.app.scene.gl.frame_state import FrameState
from armature.app.scene.gl.gl_calls import GL
from armature.app.scene.gl.point_buffer import Attribute, PointBuffer
from armature.app.scene.gl.scene_item import SceneItem, blended
from armature.app.scene.gl.shader_program import Program
from armature.app.scene.gl.slow_picture import SlowPicture

RECORD = np.dtype([("position", "f4", 3), ("colour", "u1", 4)])
ATTRIBUTES = (Attribute(0, 3, 0), Attribute(1, 4, 12, GL.GL_UNSIGNED_BYTE, True))
PART = 12_500  # new points drawn in one frame: a fifth of its time in software


def shuffled(records: np.ndarray) -> np.ndarray:
    """The records in an order that is not that of the sampling: near and far points mix and no layer hides the others."""
    return records[np.random.default_rng(0).permutation(len(records))]


class CloudItem(SceneItem):
    """Points are uploaded once; they are drawn see-through and behind the arm, which stays visible in the middle of them.

    While the camera rests, their picture is kept and laid over the frames, and another one takes its place when it is whole.
    Where a pixel has several samples, they are drawn into each frame.
    """

    draws_aside = True

    def __init__(self):
        super().__init__(depth=25)
        self.records = np.zeros(0, RECORD)
        self._uploaded = self.records
        self._is_new = False
        self._is_kept = False  # in this frame, as a picture
        self._spacing = 0.01
        self._frame: FrameState | None = None  # that the picture is for
        self._seen: int | None = None  # points in the picture; None where there is none for this frame
        self._drawn: int | None = None  # points in the picture that is under way; None where none is

    def set_records(self, records: np.ndarray) -> None:
        """Points in W with their colours `(N,)` of RECORD, in no order: see `shuffled`."""
        self.records, self._is_new = records, True
        if not len(records):
            self._drawn = None  # nothing comes at once

    def clear(self) -> None:
        """Take the points away."""
        self.set_records(np.zeros(0, RECORD))

    def draw_aside(self) -> None:
        """Go on with the picture, unless the points are drawn into the frame itself."""
        view = self.view()
        frame = view.frame_state
        comes_up = self._is_new and not len(self._uploaded)
        is_known = frame is self._frame
        if not is_known:
            self._frame, self._seen, self._drawn = frame, 0 if comes_up else None, None
        self._is_kept = (is_known or comes_up) and frame.camera is view.camera and gl_state.target().samples == 0
        if self._is_kept:
            self._go_on(frame)
        elif self._is_new:
            self._upload()

    def draw(self, frame: FrameState) -> None:
        if not self._is_kept:
            self._draw_points(frame, 0, len(self._uploaded))
        elif self._seen:
            self._picture().lay_over()

    def _go_on(self, frame: FrameState) -> None:
        """New points come in parts, so that no frame takes much longer than the rest; after a move of the camera all at once."""
        if self._drawn is None:
            if self._is_new:
                self._upload()
            elif self._seen is not None:
                return
            if not len(self._uploaded):
                self._seen = 0
                return
            self._drawn = 0
            self._picture().begin(frame.size)
        count = len(self._uploaded)
        last = count if self._seen is None else min(count, self._drawn + PART)
        with self._picture().drawn():
            self._draw_points(frame, self._drawn, last)
        self._drawn = last
        if last == count:
            self._picture().turn_over()
            self._seen, self._drawn = count, None
        if self._drawn is not None or self._is_new:
            self.view().update()

    def _upload(self) -> None:
        self._buffer().upload(self.records)
        self._uploaded, self._is_new, self._drawn = self.records, False, None
        places = self.records["position"][:20_000]
        self._spacing = float(np.ptp(places, axis=0).max()) / 240.0 if len(places) else 0.01

    def _draw_points(self, frame: FrameState, first: int, last: int) -> None:
        if first == last:
            return
        blended()
        gl_state.enable(GL.GL_PROGRAM_POINT_SIZE)
        pixels = self._spacing * frame.camera.scale * frame.scale
        program = self.held("program", Program, "cloud.vert", "cloud.frag")
        program.use(clip=frame.clip, size=float(pixels), least=1.25 * frame.scale, opacity=0.72)
        self._buffer().bind()
        GL.glDrawArrays(GL.GL_POINTS, first, last - first)
        gl_state.disable(GL.GL_PROGRAM_POINT_SIZE)

    def _buffer(self) -> PointBuffer:
        return self.held("buffer", PointBuffer, RECORD.itemsize, ATTRIBUTES)

    def _picture(self) -> SlowPicture:
        return self.held("picture", SlowPicture)

    def release(self) -> None:
        super().release()
        self._is_new, self._frame = True, None
