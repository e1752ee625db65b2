"""`SceneView`: the 3D view of a robot, taken by the mouse and told by the document what to show."""

from __future__ import annotations

import sys

import numpy as np
from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QImage, QMatrix4x4

from app.scene import gl_format

gl_format.match_pyopengl()

from OpenGL import GL  # noqa: E402  (PyOpenGL must know the window system first)
from pyqtgraph.opengl import GLViewWidget  # noqa: E402

from app.scene import arm_model, offscreen, palette  # noqa: E402
from app.scene.camera import STANDARD_VIEWS, Camera  # noqa: E402
from app.scene.frame_state import FrameState  # noqa: E402
from app.scene.keys import press_key  # noqa: E402
from app.scene.picking import Hit, Picker  # noqa: E402
from app.scene.pointer import Pointer  # noqa: E402
from app.scene.skeleton import skeleton  # noqa: E402
from app.scene.stage import OVERLAYS, Stage  # noqa: E402
from app.scene.still_frame import StillFrame  # noqa: E402
from engine import Robot, link_poses  # noqa: E402

__all__ = ["OVERLAYS", "SceneView"]


class SceneView(GLViewWidget):
    """Shows a pose and reports what the mouse wants of it; whoever owns the pose answers with `set_q`."""

    joint_hovered = Signal(int)
    joint_clicked = Signal(int)
    joint_selected = Signal(int)
    drag_started = Signal(int)
    joint_dragged = Signal(int, float)
    drag_finished = Signal(int)
    file_dropped = Signal(str)

    def __init__(self, parent=None):
        self.camera = Camera()
        self._still: StillFrame | None = None
        super().__init__(parent)
        self.setObjectName("scene_view")
        self.setAccessibleName("3D view of the robot")
        self.setFormat(gl_format.surface_format(gl_format.affordable_samples()))
        self.setMouseTracking(True)
        self.setAcceptDrops(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumSize(160, 120)
        self.robot: Robot | None = None
        self.q = np.zeros(0)
        self.slot_poses = np.eye(4)[None]
        self.theme = palette.LIGHT
        self.frame_state: FrameState | None = None
        self.hovered = self.selected = -1
        self.pointer = Pointer(self)
        self.stage = Stage()
        for item in self.stage.items:
            self.addItem(item)
        self._picker: Picker | None = None
        self._fit_when_sized = False
        if gl_format.is_software():
            self._still = StillFrame(self, super().update)

    # What is shown

    def set_robot(self, robot: Robot, q: np.ndarray) -> None:
        """Show a robot at joint positions q `(n,)`; another one than before is framed."""
        self.pointer.cancel()
        bones = skeleton(robot)
        another = self.robot is None or (self.robot.name, self.robot.source) != (robot.name, robot.source)
        self.robot = robot
        self.stage.set_robot(robot, bones, arm_model.ArmModel(bones).mesh())
        self._picker = Picker(self.stage.arm.mesh, self.stage.arm.starts)
        self.hovered = self.selected = -1
        self.camera.scene_radius = bones.scale
        self._link_of_body = _one_link_per_body(robot)
        self.set_q(q)
        if another:
            self.standard_view("iso")
            self.fit()

    def set_q(self, q: np.ndarray) -> None:
        """Show joint positions q `(n,)` in rad or m."""
        q = np.asarray(q, float)
        self.set_poses(link_poses(self.robot, q), q)

    def set_poses(self, X_WL: np.ndarray, q: np.ndarray) -> None:
        """Show link poses `(n_links, 4, 4)` that somebody has already computed for q."""
        which, X_LB = self._link_of_body
        self.slot_poses = np.concatenate([np.eye(4)[None], X_WL[which] @ X_LB])
        self.q = np.array(q, float)
        self.stage.set_poses(self.slot_poses, self.q)
        self.update()

    def set_theme(self, dark: bool) -> None:
        """Dark or light surroundings."""
        self.theme = palette.theme(dark)
        self.update()

    def set_overlay(self, name: str, on: bool) -> None:
        """Show or hide one of OVERLAYS."""
        self.stage.set_overlay(name, on)
        self.update()

    def overlay(self, name: str) -> bool:
        """Whether one of OVERLAYS is shown."""
        return self.stage.overlay(name)

    def set_warning(self, level: int, joints=()) -> None:
        """Tint the arm near a singularity: 0 no, 1 amber, 2 red; `joints` (0-based) are the ones responsible."""
        self.stage.arm.set_warning(int(level), tuple(int(j) for j in joints))
        self.update()

    def highlight_joint(self, joint: int) -> None:
        """Light up a joint's link; -1 for none."""
        self.stage.arm.set_hovered(int(joint))
        self.update()

    def select_joint(self, joint: int) -> None:
        """Mark a joint's link as the one that F frames; -1 for none."""
        if joint != self.selected:
            self.selected = self.stage.arm.selected = joint
            self.joint_selected.emit(joint)
            self.update()

    def clear_trace(self) -> None:
        """Forget where the tool has been."""
        self.stage.trace.clear()
        self.update()

    def show_workspace(self, points: np.ndarray, values: np.ndarray) -> None:
        """Show reachable points `(N, 3)` in W, coloured from the lowest to the highest of `values` `(N,)`."""
        self.stage.cloud.set_points(np.asarray(points, float), np.asarray(values, float))
        self.update()

    def clear_workspace(self) -> None:
        """Take the cloud of reachable points away."""
        self.stage.cloud.clear()
        self.update()

    # How it is looked at

    def fit(self) -> None:
        """Frame the selected link, or all of the arm."""
        if self.robot is None:
            return
        self._fit_when_sized = not self.isVisible()
        self._match_camera_to(self.width(), self.height())
        self.camera.frame(self.stage.points_to_frame(self.selected), margin=1.6 if self.selected >= 0 else 1.3)
        self.update()

    def standard_view(self, name: str) -> None:
        """Look from one of STANDARD_VIEWS: front, back, left, right, top, bottom, iso."""
        if name not in STANDARD_VIEWS:
            raise ValueError(f"no view {name!r}; there are {', '.join(STANDARD_VIEWS)}")
        self.camera.look_from(name)
        self.update()

    def orbit(self, azim: float, elev: float) -> None:
        """Turn the camera around its target by so many degrees."""
        self.camera.orbit(azim, elev)
        self.update()

    def pick(self, x: float, y: float) -> Hit | None:
        """What lies under a pixel of the widget."""
        if self._picker is None:
            return None
        self._match_camera_to(self.width(), self.height())
        return self._picker.cast(*self.camera.ray(x, y), self.slot_poses)

    def point_under(self, x: float, y: float) -> np.ndarray:
        """The point `(3,)` in W under a pixel: on the arm, on the floor, or at the depth of the camera's target."""
        hit = self.pick(x, y)
        if hit is not None:
            return hit.point
        self._match_camera_to(self.width(), self.height())
        eye, ray = self.camera.ray(x, y)
        floor = self.stage.floor.height
        if abs(ray[2]) > 1e-6:
            away = (floor - eye[2]) / ray[2]
            if 0 < away < 4.0 * self.camera.distance:
                return eye + away * ray
        return eye + ray * self.camera.distance / -(ray @ self.camera.axes()[2])

    def set_hovered(self, joint: int) -> None:
        """Light up a joint because the cursor is on its link."""
        if joint != self.hovered:
            self.hovered = joint
            self.setCursor(Qt.CursorShape.OpenHandCursor) if joint >= 0 else self.unsetCursor()
            self.highlight_joint(joint)
            self.joint_hovered.emit(joint)

    def render_image(self, width: int, height: int) -> QImage:
        """The picture at any size in pixels, overlays and labels included."""
        return offscreen.render(self, width, height)

    # Drawing

    def paintGL(self) -> None:
        self._match_camera_to(self.width(), self.height())
        size = (max(1, self.deviceWidth()), max(1, self.deviceHeight()))
        scale = self.devicePixelRatioF()
        if self._still is None:
            self.paint_frame(self.camera, size, scale)
        elif self._still.due:
            self._still.draw(size, lambda: self.paint_frame(self.camera, size, scale))
        else:
            self.paint_frame(self.camera, size, scale)
            self._still.wait()

    def update(self) -> None:
        """Ask for a frame; however often, one is drawn."""
        if self._still is not None:
            self._still.changed()
        super().update()

    def paint_frame(self, camera: Camera, size: tuple[int, int], scale: float) -> None:
        """Draw with `camera` into the bound framebuffer of `size` device pixels; the context is current."""
        self.frame_state = FrameState(camera, self.theme, camera.matrix(), camera.eye, camera.axes()[0], size, scale)
        self.opts["bgcolor"] = (0.0, 0.0, 0.0, 1.0)
        region = (0, 0, camera.width, camera.height)
        GL.glDepthMask(GL.GL_TRUE)  # without it glClear leaves the depth of the last frame
        self.paint(region=region, viewport=region)

    def drawItemTree(self, item=None, useItemNames=False) -> None:
        """Draw all items; one that fails is reported to sys.excepthook once and left out until the next robot."""
        for each in sorted(self.items, key=lambda i: i.depthValue()):
            if not each.visible() or getattr(each, "broken", False):
                continue
            try:
                each.paint()
            except Exception:
                each.broken = True
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
        self.makeCurrent()
        for item in self.stage.items:
            item.release()
        if self._still is not None:
            self._still.release()
        self.default_vao.destroy()
        self.doneCurrent()

    def _match_camera_to(self, width: int, height: int) -> None:
        self.camera.width, self.camera.height = max(1, width), max(1, height)

    # Events

    def hideEvent(self, event) -> None:
        if self._still is not None:
            self._still.stop()
        super().hideEvent(event)

    def resizeGL(self, width: int, height: int) -> None:
        if self._fit_when_sized:
            self.fit()
            self._fit_when_sized = False

    def mousePressEvent(self, event) -> None:
        self.pointer.press(event)

    def mouseMoveEvent(self, event) -> None:
        self.pointer.move(event)

    def mouseReleaseEvent(self, event) -> None:
        self.pointer.release(event)

    def mouseDoubleClickEvent(self, event) -> None:
        self.pointer.double_click(event)
        self.pointer.press(event)

    def wheelEvent(self, event) -> None:
        self.pointer.wheel(event)
        event.accept()

    def leaveEvent(self, event) -> None:
        if not self.pointer.mode:
            self.set_hovered(-1)

    def keyPressEvent(self, event) -> None:
        if not press_key(self, event):
            event.ignore()

    def keyReleaseEvent(self, event) -> None:
        event.ignore()

    def event(self, event) -> bool:
        if event.type() == QEvent.Type.NativeGesture and self.pointer.pinch(event):
            return True
        return super().event(event)

    def dragEnterEvent(self, event) -> None:
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event) -> None:
        path = next((url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()), None)
        if path:
            event.acceptProposedAction()
            self.file_dropped.emit(path)


def _one_link_per_body(robot: Robot) -> tuple[np.ndarray, np.ndarray]:
    """For every body the index of one of its links, and that link's inverse pose on the body."""
    carrier, X_BL = robot.link_table
    which = np.array([int(np.flatnonzero(carrier == body)[0]) for body in range(robot.n)])
    return which, np.linalg.inv(X_BL[which])
