"""`PointBuffer`: one vertex array over one buffer of records, for points, line pieces and labels; `PixelBuffer`."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass

import numpy as np

from armature.app.scene.gl import gl_state
from armature.app.scene.gl.buffer_data import fill_buffer
from armature.app.scene.gl.gl_calls import GL

COMPARED = 1 << 18  # bytes: what is longer is uploaded whether it has changed or not


@dataclass(frozen=True)
class Attribute:
    """One shader input: where it lies in a record and how it is read."""

    place: int
    size: int
    offset: int
    kind: int = GL.GL_FLOAT
    normalised: bool = False


class PointBuffer:
    """Records of `stride` bytes; with `instanced` each record is one instance."""

    def __init__(self, stride: int, attributes: tuple[Attribute, ...], instanced: bool = False):
        self.array, self.buffer = int(GL.glGenVertexArrays(1)), int(GL.glGenBuffers(1))
        self.count = 0
        self._known = b""
        gl_state.bind_array(self.array)
        GL.glBindBuffer(GL.GL_ARRAY_BUFFER, self.buffer)
        for a in attributes:
            GL.glVertexAttribPointer(a.place, a.size, a.kind, a.normalised, stride, ctypes.c_void_p(a.offset))
            GL.glEnableVertexAttribArray(a.place)
            GL.glVertexAttribDivisor(a.place, int(instanced))
        gl_state.bind_array(0)

    def upload(self, records: np.ndarray, usage: int = GL.GL_STATIC_DRAW) -> None:
        """Replace all records, unless they are few and equal."""
        known = records.tobytes() if records.nbytes < COMPARED else b""
        if known and known == self._known:
            return
        self._known = known
        GL.glBindBuffer(GL.GL_ARRAY_BUFFER, self.buffer)
        fill_buffer(GL.GL_ARRAY_BUFFER, records, usage)
        self.count = len(records)

    def bind(self) -> None:
        """Make it what the next draw call reads."""
        gl_state.bind_array(self.array)

    def release(self) -> None:
        """Give both GL objects back."""
        GL.glDeleteVertexArrays(1, [self.array])
        GL.glDeleteBuffers(1, [self.buffer])


class PixelBuffer:
    """Pixels of red, green, blue and opacity in one row, which shaders fetch by number."""

    def __init__(self):
        self.texture, self.buffer = int(GL.glGenTextures(1)), int(GL.glGenBuffers(1))
        gl_state.use_unit(0)
        GL.glBindBuffer(GL.GL_TEXTURE_BUFFER, self.buffer)
        GL.glBindTexture(GL.GL_TEXTURE_BUFFER, self.texture)
        GL.glTexBuffer(GL.GL_TEXTURE_BUFFER, GL.GL_RGBA8, self.buffer)

    def upload(self, pixels: np.ndarray) -> None:
        """Replace all pixels by these `(N, 4)`."""
        GL.glBindBuffer(GL.GL_TEXTURE_BUFFER, self.buffer)
        fill_buffer(GL.GL_TEXTURE_BUFFER, pixels, GL.GL_STREAM_DRAW)

    def release(self) -> None:
        """Give both GL objects back."""
        GL.glDeleteTextures([self.texture])
        GL.glDeleteBuffers(1, [self.buffer])


class EmptyArray:
    """A vertex array without inputs, for shapes a shader makes from the vertex number alone."""

    def __init__(self):
        self.array = int(GL.glGenVertexArrays(1))

    def bind(self) -> None:
        """Make it what the next draw call reads."""
        gl_state.bind_array(self.array)

    def release(self) -> None:
        """Give it back."""
        GL.glDeleteVertexArrays(1, [self.array])
