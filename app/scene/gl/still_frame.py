"""`StillFrame`: an antialiased picture once nothing moves, where the renderer is too slow to antialias every frame."""

from __future__ import annotations

import time
from collections.abc import Callable
from math import ceil

from OpenGL import GL
from PySide6.QtCore import QObject, QSize, QTimer
from PySide6.QtOpenGL import QOpenGLFramebufferObject, QOpenGLFramebufferObjectFormat

SAMPLES = 4
AFTER_MS = 220


class StillFrame(QObject):
    """Counts from the last change; `due` is true when the next frame may take its time."""

    def __init__(self, parent: QObject, make_ready: Callable[[], None], repaint: Callable[[], None]):
        super().__init__(parent)
        self.due = self._is_coming = False
        self._rests_from, self._rest = 0.0, AFTER_MS / 1e3
        self._make_ready, self._repaint = make_ready, repaint
        self._target: QOpenGLFramebufferObject | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._on_rest)
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._on_ready)

    def changed(self) -> None:
        """Something moves: frames are drawn fast again."""
        if self._is_coming:
            self.due = self._is_coming = False
            self._soon.stop()

    def wait(self) -> None:
        """A fast frame has been drawn; a fine one follows unless something changes first."""
        self._rests_from = time.monotonic()
        if not self._timer.isActive():  # to start it anew with each frame takes longer than to look at the time once it is over
            self._timer.start(round(1e3 * self._rest))

    def stop(self) -> None:
        """No more frames are wanted."""
        self._timer.stop()
        self._soon.stop()

    def make_ready(self, size: tuple[int, int]) -> None:
        """Make what `draw` draws into, unless there is one in which that size has room; the context must be current.

        It takes as long as to draw, so one that grows is as large as the one before, too: docks that come and go need no other.
        """
        wanted, had = QSize(*size), QSize() if self._target is None else self._target.size()
        if has_room(had, wanted):
            return
        fmt = QOpenGLFramebufferObjectFormat()
        fmt.setAttachment(QOpenGLFramebufferObject.Attachment.CombinedDepthStencil)
        fmt.setSamples(SAMPLES)
        both = wanted.expandedTo(had)
        self._target = QOpenGLFramebufferObject(both if has_room(both, wanted) else wanted, fmt)

    def draw(self, size: tuple[int, int], paint: Callable[[], None]) -> None:
        """Call `paint` into several samples per pixel and merge them into the framebuffer that is bound now."""
        shown = int(GL.glGetIntegerv(GL.GL_DRAW_FRAMEBUFFER_BINDING))
        self.make_ready(size)
        if self._target is None or not self._target.bind():
            GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, shown)
            paint()
            return
        paint()
        GL.glBindFramebuffer(GL.GL_READ_FRAMEBUFFER, self._target.handle())
        GL.glBindFramebuffer(GL.GL_DRAW_FRAMEBUFFER, shown)
        box = (0, 0, *size)
        GL.glBlitFramebuffer(*box, *box, GL.GL_COLOR_BUFFER_BIT, GL.GL_NEAREST)
        GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, shown)

    def release(self) -> None:
        """Give the samples back; the context must be current."""
        self.stop()
        self._target = None

    def _on_rest(self) -> None:
        """To make ready takes as long as to draw, so the picture is drawn a turn later."""
        left = self._rests_from + self._rest - time.monotonic()
        if left > 1e-3:
            self._timer.start(ceil(1e3 * left))
            return
        self._make_ready()
        self._is_coming = True
        self._soon.start()

    def _on_ready(self) -> None:
        self.due = True
        self._repaint()


def has_room(target: QSize, wanted: QSize) -> bool:
    """Whether what is `wanted` can be drawn into a part of the target, without wasting more than half of it."""
    fits = target.width() >= wanted.width() and target.height() >= wanted.height()
    return fits and target.width() * target.height() <= 2 * wanted.width() * wanted.height()
