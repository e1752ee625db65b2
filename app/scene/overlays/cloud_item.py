"""`CloudItem`: the points the tool can reach, coloured by a value."""

from __future__ import annotations

import numpy as np
from OpenGL import GL

from armature.app.scene.gl import gl_state
from armature.app.scene.gl.frame_state import FrameState
from armature.app.scene.gl.point_buffer import Attribute, PointBuffer
from armature.app.scene.gl.scene_item import SceneItem, blended
from armature.app.scene.gl.shader_program import Program

RECORD = np.dtype([("position", "f4", 3), ("colour", "u1", 4)])


def shuffled(records: np.ndarray) -> np.ndarray:
    """The records in an order that is not that of the sampling: near and far points mix and no layer hides the others."""
    return records[np.random.default_rng(0).permutation(len(records))]


class CloudItem(SceneItem):
    """Points are uploaded once; they are drawn see-through and behind the arm, which stays visible in the middle of them."""

    def __init__(self):
        super().__init__(depth=25)
        self.records = np.zeros(0, RECORD)
        self._is_new = False
        self._spacing = 0.01

    def set_records(self, records: np.ndarray) -> None:
        """Points in W with their colours `(N,)` of RECORD, in no order: see `shuffled`."""
        self.records, self._is_new = records, True
        places = records["position"][:20_000]
        self._spacing = float(np.ptp(places, axis=0).max()) / 240.0 if len(records) else 0.01

    def clear(self) -> None:
        """Take the points away."""
        self.records, self._is_new = np.zeros(0, RECORD), True

    def draw(self, frame: FrameState) -> None:
        if not len(self.records) and not self._is_new:
            return
        attributes = (Attribute(0, 3, 0), Attribute(1, 4, 12, GL.GL_UNSIGNED_BYTE, True))
        buffer = self.held("buffer", PointBuffer, RECORD.itemsize, attributes)
        if self._is_new:
            buffer.upload(self.records)
            self._is_new = False
        if not buffer.count:
            return
        blended()
        gl_state.enable(GL.GL_PROGRAM_POINT_SIZE)
        pixels = self._spacing * frame.camera.scale * frame.scale
        program = self.held("program", Program, "cloud.vert", "cloud.frag")
        program.use(clip=frame.clip, size=float(pixels), least=1.25 * frame.scale, opacity=0.72)
        buffer.bind()
        GL.glDrawArrays(GL.GL_POINTS, 0, buffer.count)
        gl_state.disable(GL.GL_PROGRAM_POINT_SIZE)

    def release(self) -> None:
        super().release()
        self._is_new = True
