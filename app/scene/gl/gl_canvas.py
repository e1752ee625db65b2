"""`GLCanvas`: the GL widget underneath the scene: when a frame is drawn, with what, and what becomes of an error in it."""

from __future__ import annotations

import sys
from functools import partial

from PySide6.QtGui import QMatrix4x4

from armature.app.scene.gl import gl_format

gl_format.match_pyopengl()

from OpenGL.error import GLError  # noqa: E402  (PyOpenGL must know the window system first)
from pyqtgraph.opengl import GLViewWidget  # noqa: E402

from armature.app.scene.camera.camera import Camera  # noqa: E402
from armature.app.scene.gl import gl_calls, gl_state, palette  # noqa: E402
from armature.app.scene.gl.frame_state import FrameState  # noqa: E402
from armature.app.scene.gl.gl_calls import GL  # noqa: E402
from armature.app.scene.gl.item_order import Acts, ItemOrder  # noqa: E402
from armature.app.scene.gl.scene_item import SceneItem  # noqa: E402
from armature.app.scene.gl.still_frame import StillFrame  # noqa: E402


class GLCanvas(GLViewWidget):
    """Draws its items through `camera`; repaints only on `update`."""

    def __init__(self, parent=None):
        self.camera = Camera()
        self.theme = palette.LIGHT
        self.frame_state: FrameState | None = None
        self.painted = 0  # frames
        self._seen: tuple = ()
        self._order = ItemOrder()
        self._covered = 0
        self._still: StillFrame | None = None
        self._target: gl_state.Target | None = None
        self._ahead = False  # the frame that is due is drawn already
        self._looks_closer = False  # an error of OpenGL was met: whose it is, the next frame finds out
        super().__init__(parent)
        self.opts["bgcolor"] = (0.0, 0.0, 0.0, 1.0)
        self.setFormat(gl_format.surface_format(gl_format.affordable_samples()))
        if gl_format.is_software():
            self._still = StillFrame(self, self._make_still_ready, self._draw_still)

    def paintGL(self) -> None:
        self.match_camera()
        size = self._drawn_size()
        paint = partial(self.paint_frame, self.camera, size, self.devicePixelRatioF(), covered=self._covered)
        if self._still is not None and self._still.due:
            self._still.draw(size, paint)
        else:
            paint(target=self._shown(size))
            if self._still is not None:
                self._still.wait()
        self.painted += 1

    def _shown(self, size: tuple[int, int]) -> gl_state.Target:
        """What Qt shows of this widget; it makes another one with each size and context."""
        if self._target is None or self._target[:2] != (self.defaultFramebufferObject(), (0, 0, *size)):
            self._target = gl_state.bound_target()
        return self._target

    def update(self) -> None:
        """Ask for a frame; however often, one is drawn."""
        self._ahead = False
        if self._still is not None:
            self._still.changed()
        super().update()

    def draw_ahead(self) -> None:
        """Draw now what is due when Qt paints next, if nothing changes until then; where a frame takes time of the processor."""
        if self._still is None or not self.isValid() or not self.isVisible():
            return
        self.makeCurrent()
        GL.glViewport(0, 0, *self._drawn_size())  # as Qt does before it paints; it may be that of another size
        self.paintGL()
        GL.glFlush()
        self.doneCurrent()
        self._ahead = True

    def paintEvent(self, event) -> None:
        """Qt's own, but for a frame that is drawn already."""
        if self._ahead:
            self._ahead = False
        else:
            super().paintEvent(event)

    def resizeEvent(self, event) -> None:
        """Without the frame that Qt draws here, because one is drawn when it paints what has another size."""
        self._ahead = False
        self.setUpdatesEnabled(False)
        super().resizeEvent(event)
        self.setUpdatesEnabled(True)

    def set_covered(self, height: int) -> None:
        """Something lies over the view's first `height` logical pixels: sentences stand below it."""
        if height != self._covered:
            self._covered = height
            self.update()

    def paint_frame(
        self,
        camera: Camera,
        size: tuple[int, int],
        scale: float,
        transparent: bool = False,
        covered: int = 0,
        target: gl_state.Target | None = None,
    ) -> None:
        """Draw with `camera` into the bound framebuffer, `target` where it is known, of `size` device pixels; the context is
        current."""
        seen = (camera.state(), self.theme, size, scale, transparent, covered)
        if self.frame_state is None or self.frame_state.camera is not camera or seen != self._seen:
            arrays = camera.matrix(), camera.eye, camera.axes()[0]
            for array in arrays:
                array.flags.writeable = False
            self.frame_state = FrameState(camera, self.theme, *arrays, size, scale, transparent, covered)
            self._seen = seen
        gl_state.begin(gl_state.bound_target() if target is None else target)
        GL.glGetError()  # what others left behind is no item's fault
        met = False
        try:
            with gl_calls.at_once() if self._looks_closer else gl_calls.collecting():
                self._draw(self.frame_state)
        except Exception:  # of a call that was collected
            met = True
            sys.excepthook(*sys.exc_info())
        gl_state.forget()
        met = GL.glGetError() != GL.GL_NO_ERROR or met
        if met and not self._looks_closer:
            self.update()
        self._looks_closer = met

    def _draw(self, frame: FrameState) -> None:
        self._each(self._order.match(self.items).preparing, frame)
        self._each(self._order.match(self.items).drawing_aside)
        gl_state.depth_mask(True)  # without it glClear leaves the depth of the last frame
        GL.glClearColor(0.0, 0.0, 0.0, 0.0 if frame.transparent else 1.0)
        GL.glClear(GL.GL_DEPTH_BUFFER_BIT | GL.GL_COLOR_BUFFER_BIT)
        for group in self._order.match(self.items).groups:
            group.draw(frame, self._each, one_by_one=self._looks_closer)

    def _each(self, acts: Acts, *args) -> None:
        """One that fails is reported to sys.excepthook once and left out until the next robot.

        Errors that only OpenGL knows of are read once a frame; after a frame that had one, after each item.
        """
        rest = iter(acts)
        while True:
            try:
                for item, act in rest:  # noqa: B007  (the handler below tells which it was)
                    act(*args)
                    if self._looks_closer and (error := GL.glGetError()):
                        raise GLError(error)
                return
            except Exception:
                item.broken = True
                sys.excepthook(*sys.exc_info())

    def viewMatrix(self) -> QMatrix4x4:
        return QMatrix4x4(self.camera.view_matrix().ravel().tolist())

    def projectionMatrix(self, region=None, viewport=None) -> QMatrix4x4:
        return QMatrix4x4(self.camera.projection_matrix().ravel().tolist())

    def cameraPosition(self):
        return self.camera.eye

    def initializeGL(self) -> None:
        # A dock that floats gets another context: what the old one held must go with it.
        self.context().aboutToBeDestroyed.connect(self._release_gl)
        super().initializeGL()

    def _release_gl(self) -> None:
        self._ahead, self._target = False, None
        self.makeCurrent()
        for item in self.items:
            if isinstance(item, SceneItem):
                item.release()
        if self._still is not None:
            self._still.release()
        self.default_vao.destroy()
        self.doneCurrent()

    def _draw_still(self) -> None:
        self._ahead = False
        super().update()

    def _make_still_ready(self) -> None:
        if self._still is not None and self.isValid():
            self.makeCurrent()
            self._still.make_ready(self._drawn_size())
            self.doneCurrent()

    def _drawn_size(self) -> tuple[int, int]:
        """Width and height in device pixels."""
        return max(1, self.deviceWidth()), max(1, self.deviceHeight())

    def match_camera(self) -> None:
        """Let the camera's pixels be those of the widget."""
        self.camera.width, self.camera.height = max(1, self.width()), max(1, self.height())

    def hideEvent(self, event) -> None:
        if self._still is not None:
            self._still.stop()
        super().hideEvent(event)
