"""`SlowPicture`: what takes several frames to draw, laid over each of them as it last was whole."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from armature.app.scene.gl import gl_state
from armature.app.scene.gl.gl_calls import GL
from armature.app.scene.gl.point_buffer import EmptyArray
from armature.app.scene.gl.scene_item import blended
from armature.app.scene.gl.shader_program import Program


class SlowPicture:
    """Two textures as large as the frame, their colours multiplied by alpha: one is seen, into the other is drawn."""

    def __init__(self):
        self.textures = [int(t) for t in GL.glGenTextures(2)]
        self.targets = [int(f) for f in GL.glGenFramebuffers(2)]
        self.array, self.program = EmptyArray(), Program("screen.vert", "layer.frag")
        self._size = (0, 0)
        self._seen = 0

    def begin(self, size: tuple[int, int]) -> None:
        """Start another picture of `size` pixels, without what was drawn of the last one that nobody saw."""
        if size != self._size:
            self._resize(size)
        with self.drawn():
            GL.glClearColor(0.0, 0.0, 0.0, 0.0)
            GL.glClear(GL.GL_COLOR_BUFFER_BIT)

    @contextmanager
    def drawn(self) -> Generator[None]:
        """What is drawn meanwhile goes into the picture that nobody sees yet."""
        target, viewport, _ = gl_state.target()
        GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, self.targets[1 - self._seen])
        GL.glViewport(0, 0, *self._size)
        yield
        GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, target)
        GL.glViewport(*viewport)

    def turn_over(self) -> None:
        """It is whole: from now on it is seen, and the next one goes where the last one was."""
        self._seen = 1 - self._seen

    def lay_over(self) -> None:
        """Draw it over the frame where nothing stands before the far plane."""
        blended(premultiplied=True)
        self.program.use()
        self.program.use_texture("image", 0, self.textures[self._seen])
        self.array.bind()
        GL.glDrawArrays(GL.GL_TRIANGLES, 0, 3)

    def _resize(self, size: tuple[int, int]) -> None:
        self._size = size
        shown = gl_state.target().framebuffer
        for texture, target in zip(self.textures, self.targets, strict=True):
            GL.glBindTexture(GL.GL_TEXTURE_2D, texture)
            GL.glTexImage2D(GL.GL_TEXTURE_2D, 0, GL.GL_RGBA8, *size, 0, GL.GL_RGBA, GL.GL_UNSIGNED_BYTE, None)
            GL.glTexParameteri(GL.GL_TEXTURE_2D, GL.GL_TEXTURE_MIN_FILTER, GL.GL_NEAREST)
            GL.glTexParameteri(GL.GL_TEXTURE_2D, GL.GL_TEXTURE_MAG_FILTER, GL.GL_NEAREST)
            GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, target)
            GL.glFramebufferTexture2D(GL.GL_FRAMEBUFFER, GL.GL_COLOR_ATTACHMENT0, GL.GL_TEXTURE_2D, texture, 0)
        GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, shown)

    def release(self) -> None:
        """Give everything back."""
        GL.glDeleteTextures(self.textures)
        GL.glDeleteFramebuffers(2, self.targets)
        self.array.release()
        self.program.release()
