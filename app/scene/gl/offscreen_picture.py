"""Pictures of the scene at any size, whatever size the window has."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from OpenGL import GL
from PySide6.QtCore import QSize
from PySide6.QtGui import QImage, QPainter
from PySide6.QtOpenGL import QOpenGLFramebufferObject, QOpenGLFramebufferObjectFormat

if TYPE_CHECKING:
    from armature.app.scene.camera.camera import Camera
    from armature.app.scene.gl.gl_canvas import GLCanvas

SAMPLES = 4
NORMAL_HEIGHT = 900.0
TILE = 2048  # pixels a side drawn at once: four samples of more need more memory than many a renderer has
MOST_PIXELS = 150_000_000


class RenderError(Exception):
    """A picture the renderer cannot make; the message says why in one line."""


def render(view: GLCanvas, width: int, height: int, transparent: bool = False) -> QImage:
    """Draw what `view` shows into an image of width × height pixels; texts and lines grow with tall pictures.

    The arm, its shadow and the overlays stand on nothing where it is `transparent`.
    """
    return begun(view, width, height, transparent)()


def begun(view: GLCanvas, width: int, height: int, transparent: bool = False) -> Callable[[], QImage]:
    """Take the memory that `render` needs, half of its work; the rest, to be called later, draws what there is to see then."""
    if not view.isValid():
        view.grabFramebuffer()
    if not view.isValid():
        raise RenderError("OpenGL 3.3 is not available on this display")
    scale = max(1.0, height / NORMAL_HEIGHT)
    camera = replace(view.camera, width=max(1, round(width / scale)), height=max(1, round(height / scale)))
    narrower = (view.camera.width / view.camera.height) / (camera.width / camera.height)
    camera.distance *= max(1.0, narrower)
    view.makeCurrent()
    try:
        check_size(width, height)
        target = _target(width, height)
    finally:
        view.doneCurrent()

    def draw() -> QImage:
        view.makeCurrent()
        try:
            return _drawn(view, camera, target, (width, height), scale, transparent)
        finally:
            view.doneCurrent()

    return draw


def check_size(width: int, height: int) -> None:
    """Raise RenderError for a size that this renderer, whose context is current, cannot draw."""
    most = min(int(v) for v in GL.glGetIntegerv(GL.GL_MAX_VIEWPORT_DIMS))
    if not (0 < width <= most and 0 < height <= most):
        raise RenderError(f"a picture of {width}x{height} is too large for this renderer (1 to {most} pixels a side)")
    if width * height > MOST_PIXELS:
        millions = MOST_PIXELS // 1_000_000
        raise RenderError(f"a picture of {width}x{height} does not fit in memory (up to {millions} million pixels)")


def _target(width: int, height: int) -> QOpenGLFramebufferObject:
    fmt = QOpenGLFramebufferObjectFormat()
    fmt.setAttachment(QOpenGLFramebufferObject.Attachment.CombinedDepthStencil)
    fmt.setSamples(min(SAMPLES, int(GL.glGetIntegerv(GL.GL_MAX_SAMPLES))))
    target = QOpenGLFramebufferObject(QSize(min(width, TILE), min(height, TILE)), fmt)
    if not target.isValid():
        raise RenderError(f"not enough memory for a picture of {width}x{height}")
    return target


def _drawn(
    view: GLCanvas, camera: Camera, target: QOpenGLFramebufferObject, size: tuple[int, int], scale: float, transparent: bool
) -> QImage:
    (width, height), across, down = size, target.width(), target.height()
    image = QImage(width, height, QImage.Format.Format_RGBA8888_Premultiplied if transparent else QImage.Format.Format_RGB888)
    if image.isNull():
        raise RenderError(f"not enough memory for a picture of {width}x{height}")
    image.fill(0)
    painter = QPainter(image)
    for top in range(0, height, down):
        for left in range(0, width, across):
            if not target.bind():
                raise RenderError(f"the renderer cannot draw a picture of {width}x{height} pixels")
            # The whole picture's viewport, of which the tile sees its part.
            GL.glViewport(-left, top + down - height, width, height)
            view.paint_frame(camera, size, scale, transparent)
            target.release()
            painter.drawImage(left, top, target.toImage())
    painter.end()
    return image
