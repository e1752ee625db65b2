"""`DepthCopy`: the depths of what has been drawn so far, as a texture for what is drawn next."""

from __future__ import annotations

import numpy as np
from OpenGL.raw.GL.VERSION import GL_1_1

from armature.app.scene.gl import gl_state
from armature.app.scene.gl.gl_calls import GL, at_once

FAR = 1.0
Ends = tuple[int, int, int, int]
"""Left, bottom, right and top of a box in pixels from the lower left."""


class DepthCopy:
    """As large as the viewport; where a driver does not copy depths, everything counts as far away."""

    def __init__(self):
        self.texture, self._target = int(GL.glGenTextures(1)), int(GL.glGenFramebuffers(1))
        self._size = (0, 0)
        self._works, self._tried = True, (-1, 0, 0)

    def take(self, edges: np.ndarray) -> None:
        """Copy what the bound framebuffer holds between these edges `(4,)`: left, top, right and bottom in pixels from the upper
        left of the viewport."""
        source, (left, bottom, width, height), _ = gl_state.target()
        high, wide = bottom + height, left + width
        x, y, right, low = edges.tolist()
        box = max(0, int(left + x)), max(0, int(high - low)), min(wide, int(left + right)), min(high, int(high - y))
        if self._tried == (source, wide, high):
            self._copy(source, box)
        else:
            with at_once():
                self._try(source, (wide, high), box)

    def _try(self, source: int, size: tuple[int, int], box: Ends) -> None:
        """From another framebuffer, or one of another size, for the first time."""
        if self._size != size:
            GL.glBindFramebuffer(GL.GL_DRAW_FRAMEBUFFER, self._target)
            self._resize(*size)
        self._tried = source, *size
        GL.glGetError()  # what another item left behind says nothing about copying
        self._copy(source, box)
        if GL.glGetError():
            self._works = False
            GL.glBindFramebuffer(GL.GL_DRAW_FRAMEBUFFER, self._target)
            self._clear()
            GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, source)

    def _copy(self, source: int, box: Ends) -> None:
        """What `source` holds in a box."""
        if self._works and box[0] < box[2] and box[1] < box[3]:
            GL.glBindFramebuffer(GL.GL_DRAW_FRAMEBUFFER, self._target)
            GL.glBindFramebuffer(GL.GL_READ_FRAMEBUFFER, source)
            GL.glBlitFramebuffer(*box, *box, GL.GL_DEPTH_BUFFER_BIT, GL.GL_NEAREST)
            GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, source)

    def _resize(self, width: int, height: int) -> None:
        """The format is that of the framebuffers that Qt makes: depths are copied between equal ones only."""
        self._size = width, height
        GL.glBindTexture(GL.GL_TEXTURE_2D, self.texture)
        GL_1_1.glTexImage2D(
            GL.GL_TEXTURE_2D, 0, GL.GL_DEPTH24_STENCIL8, width, height, 0, GL.GL_DEPTH_STENCIL, GL.GL_UNSIGNED_INT_24_8, None
        )
        GL.glTexParameteri(GL.GL_TEXTURE_2D, GL.GL_TEXTURE_MIN_FILTER, GL.GL_NEAREST)
        GL.glTexParameteri(GL.GL_TEXTURE_2D, GL.GL_TEXTURE_MAG_FILTER, GL.GL_NEAREST)
        GL.glFramebufferTexture2D(GL.GL_DRAW_FRAMEBUFFER, GL.GL_DEPTH_STENCIL_ATTACHMENT, GL.GL_TEXTURE_2D, self.texture, 0)
        GL.glDrawBuffer(GL.GL_NONE)
        self._clear()

    def _clear(self) -> None:
        gl_state.depth_mask(True)
        GL.glClearDepth(FAR)
        GL.glClear(GL.GL_DEPTH_BUFFER_BIT)

    def release(self) -> None:
        """Give both GL objects back."""
        GL.glDeleteTextures([self.texture])
        GL.glDeleteFramebuffers(1, [self._target])
