"""Pictures of the scene at any size, whatever size the window has."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from OpenGL import GL
from PySide6.QtCore import QSize
from PySide6.QtGui import QImage
from PySide6.QtOpenGL import QOpenGLFramebufferObject, QOpenGLFramebufferObjectFormat

if TYPE_CHECKING:
    from app.scene.view import SceneView

SAMPLES = 4
NORMAL_HEIGHT = 900.0


class RenderError(Exception):
    """A picture the renderer cannot make; the message says why in one line."""


def render(view: SceneView, width: int, height: int) -> QImage:
    """Draw what `view` shows into an image of width × height pixels; texts and lines grow with tall pictures."""
    if not view.isValid():
        view.grabFramebuffer()
    if not view.isValid():
        raise RenderError("no OpenGL 3.3 context could be made on this display")
    scale = max(1.0, height / NORMAL_HEIGHT)
    camera = replace(view.camera, width=max(1, round(width / scale)), height=max(1, round(height / scale)))
    narrower = (view.camera.width / view.camera.height) / (camera.width / camera.height)
    camera.distance *= max(1.0, narrower)
    view.makeCurrent()
    try:
        return _drawn(view, camera, width, height, scale)
    finally:
        view.doneCurrent()


def _drawn(view: SceneView, camera, width: int, height: int, scale: float) -> QImage:
    most = min(int(GL.glGetIntegerv(GL.GL_MAX_RENDERBUFFER_SIZE)), *(int(v) for v in GL.glGetIntegerv(GL.GL_MAX_VIEWPORT_DIMS)))
    if not (0 < width <= most and 0 < height <= most):
        raise RenderError(f"a picture of {width}x{height} is outside what this renderer can draw (1 to {most} pixels a side)")
    fmt = QOpenGLFramebufferObjectFormat()
    fmt.setAttachment(QOpenGLFramebufferObject.Attachment.CombinedDepthStencil)
    fmt.setSamples(min(SAMPLES, int(GL.glGetIntegerv(GL.GL_MAX_SAMPLES))))
    target = QOpenGLFramebufferObject(QSize(width, height), fmt)
    if not target.isValid() or not target.bind():
        raise RenderError(f"the renderer has no memory for a picture of {width}x{height}")
    GL.glViewport(0, 0, width, height)
    view.paint_frame(camera, (width, height), scale)
    target.release()
    image = target.toImage()
    return image.convertToFormat(QImage.Format.Format_RGB888)
