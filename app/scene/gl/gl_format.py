"""The OpenGL format the application asks for, and what kind of renderer answers."""

from __future__ import annotations

import os
import sys
from functools import cache

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QGuiApplication, QOffscreenSurface, QOpenGLContext, QSurfaceFormat

SOFTWARE_NAMES = ("llvmpipe", "softpipe", "swrast", "swiftshader", "microsoft basic render", "gdi generic", "software")
HARDWARE_SAMPLES = 4
GL_RENDERER = 0x1F01


def configure() -> None:
    """Ask for OpenGL 3.3 core with shared contexts. Call once, before the QApplication is made."""
    # A second GL widget cannot use the first one's programs unless contexts are shared.
    QCoreApplication.setAttribute(Qt.ApplicationAttribute.AA_ShareOpenGLContexts)
    QSurfaceFormat.setDefaultFormat(surface_format(samples=0))
    os.environ.setdefault("PYQTGRAPH_QT_LIB", "PySide6")
    os.environ.setdefault("PYOPENGL_ERROR_CHECKING", "0")  # half of every call's time; `GLCanvas` looks after each item


def surface_format(samples: int) -> QSurfaceFormat:
    """The format with `samples` per pixel (0: no multisampling)."""
    fmt = QSurfaceFormat()
    fmt.setRenderableType(QSurfaceFormat.RenderableType.OpenGL)
    fmt.setProfile(QSurfaceFormat.OpenGLContextProfile.CoreProfile)
    fmt.setVersion(3, 3)
    fmt.setDepthBufferSize(24)
    fmt.setStencilBufferSize(8)
    fmt.setSamples(samples)
    return fmt


def match_pyopengl() -> None:
    """Point PyOpenGL at the window system Qt really uses; call with a QGuiApplication, before OpenGL is imported."""
    if not sys.platform.startswith("linux") or "OpenGL.GL" in sys.modules or "PYOPENGL_PLATFORM" in os.environ:
        return
    platform = QGuiApplication.platformName() if QGuiApplication.instance() else os.environ.get("QT_QPA_PLATFORM", "")
    egl = platform.startswith(("wayland", "eglfs", "offscreen")) or "egl" in os.environ.get("QT_XCB_GL_INTEGRATION", "")
    if not platform:
        egl = not os.environ.get("DISPLAY") and bool(os.environ.get("WAYLAND_DISPLAY"))
    os.environ["PYOPENGL_PLATFORM"] = "egl" if egl else "glx"


@cache
def renderer_name() -> str:
    """What glGetString(GL_RENDERER) says, '' when no context can be made. Needs a QGuiApplication."""
    surface, context = QOffscreenSurface(), QOpenGLContext()
    surface.setFormat(surface_format(samples=0))
    surface.create()
    context.setFormat(surface_format(samples=0))
    if not context.create() or not context.makeCurrent(surface):
        return ""
    name = context.functions().glGetString(GL_RENDERER)
    context.doneCurrent()
    return name if isinstance(name, str) else bytes(name or b"").decode("utf-8", "replace")


def is_software() -> bool:
    """True when pixels are drawn by the processor, where multisampling would halve the frame rate."""
    name = renderer_name().lower()
    return not name or any(word in name for word in SOFTWARE_NAMES)


def affordable_samples() -> int:
    """Samples per pixel this renderer can draw fluidly."""
    return 0 if is_software() else HARDWARE_SAMPLES
