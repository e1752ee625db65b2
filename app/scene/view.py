"""`SceneView`: the 3D view of a robot, taken by the mouse and told by the document what to show."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QImage

from app.scene.camera_canvas import CameraCanvas  # isort: skip  (settles which window system PyOpenGL talks to)
from app.dh_walk import DHStep
from app.scene import arm_model, offscreen, palette
from app.scene.camera import STANDARD_VIEWS
from app.scene.gizmo import Gizmo
from app.scene.hover import Hover
from app.scene.joint_nudge import JointNudge
from app.scene.keys import press_key
from app.scene.picking import Hit
from app.scene.pointer import Pointer
from app.scene.skeleton import Skeleton, skeleton
from app.scene.solids import Solids
from app.scene.stage import OVERLAYS, Stage
from app.scene.surface_picture import OPACITY
from app.scene.tug import Tug
from app.units import Units
from engine import Robot, link_poses

__all__ = ["OVERLAYS", "SceneView"]


class SceneView(CameraCanvas):
    """Shows a pose and reports what the mouse wants of it; whoever owns the pose answers with `set_q`."""

    joint_hovered = Signal(int)
    joint_clicked = Signal(int)
    joint_selected = Signal(int)
    beside_clicked = Signal(float, float)
    drag_started = Signal(int)
    joint_dragged = Signal(int, float)
    drag_finished = Signal(int)
    file_dropped = Signal(str)
    robot_shown = Signal(object)
    arm_built = Signal(object)

    def __init__(self, parent=None):
        super().__init__(parent)
        self.setObjectName("scene_view")
        self.setAccessibleName("3D view of the robot")
        self.setMouseTracking(True)
        self.setAcceptDrops(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumSize(160, 120)
        self.robot: Robot | None = None
        self.q = np.zeros(0)
        self.slot_poses = np.eye(4)[None]
        self.hovered = self.selected = -1
        self.pointer = Pointer(self)
        self.nudge = JointNudge(self)
        self.stage = Stage()
        self.gizmo = Gizmo(self, self.stage.gizmo)
        self.tug = Tug(self, self.stage.pull)
        for item in self.stage.items:
            self.addItem(item)
        self._bones: Skeleton | None = None
        self.hover = Hover(self)

    # What is shown

    def set_robot(self, robot: Robot, q: np.ndarray) -> None:
        """Show a robot at joint positions q `(n,)`; another one than before is framed."""
        self.pointer.cancel()
        self.nudge.release()
        self.select_joint(-1)
        bones = self._bones = skeleton(robot.tree)
        another = self.robot is None or (self.robot.name, self.robot.source) != (robot.name, robot.source)
        self.robot = robot
        self.stage.set_robot(robot, bones, self._built_solids())
        self.hovered = self.selected = -1
        self.camera.scene_radius = bones.scale
        self._link_of_body = _one_link_per_body(robot.tree)
        self.set_q(q)
        if another:
            self.recall_view(STANDARD_VIEWS["iso"])
            self.robot_shown.emit(robot)
        self.arm_built.emit(robot)

    def set_solids(self, solids: Solids | None) -> None:
        """Draw the robot that is shown with these solids, with built ones for None; they take the floor with them."""
        solids = self._built_solids() if solids is None else solids
        home = self._slots(link_poses(self.robot, self.robot.configurations["home"]))
        lowest = float(solids.points(home)[:, 2].min(initial=np.inf)) if solids.stands else np.inf
        self.stage.set_solids(solids, min(self._bones.floor, lowest))
        if self.is_fitted:
            self.recall_view(self.chosen_view())
        self.update()

    def _built_solids(self) -> Solids:
        return Solids.of(self.robot, arm_model.ArmModel(self._bones).mesh())

    def set_q(self, q: np.ndarray) -> None:
        """Show joint positions q `(n,)` in rad or m."""
        q = np.asarray(q, float)
        self.set_poses(link_poses(self.robot, q), q)

    def set_poses(self, X_WL: np.ndarray, q: np.ndarray) -> None:
        """Show link poses `(n_links, 4, 4)` that somebody has already computed for q."""
        self.slot_poses = self._slots(X_WL)
        self.q = np.array(q, float)
        self.stage.set_poses(self.slot_poses, self.q)
        self.hover.follow()
        self.update()

    def show_ghosts(self, owner: object, X_WL: np.ndarray, colours) -> None:
        """Show the arm also at k other poses, seen through, instead of those shown before.

        Link poses `(k, n_links, 4, 4)`, a colour for each, and whose they are.
        """
        self.stage.ghosts.set_ghosts(owner, self._slots(X_WL), tuple(colours))
        self.update()

    def clear_ghosts(self, owner: object) -> None:
        """Take the ghosts of `owner` away; those of others stay."""
        if self.stage.ghosts.owner is owner:
            self.stage.ghosts.clear()
            self.update()

    def show_path(self, path: np.ndarray, places: np.ndarray, chosen: int = -1) -> None:
        """Show a way of the tool `(N, 3)` and the waypoints on it `(k, 3)` in W, one of them marked; empty for none."""
        self.stage.motion.set_path(path, places, chosen)
        self.update()

    def _slots(self, X_WL: np.ndarray) -> np.ndarray:
        """Poses of all slots, the world first `(…, n + 1, 4, 4)`, from link poses `(…, n_links, 4, 4)`."""
        which, X_LB = self._link_of_body
        X_WB = X_WL[..., which, :, :] @ X_LB
        return np.concatenate([np.broadcast_to(np.eye(4), (*X_WB.shape[:-3], 1, 4, 4)), X_WB], axis=-3)

    def set_theme(self, dark: bool) -> None:
        """Dark or light surroundings."""
        self.theme = palette.theme(dark)
        self.update()

    def set_overlay(self, name: str, on: bool) -> None:
        """Show or hide one of OVERLAYS."""
        self.stage.set_overlay(name, on)
        self.update()

    def set_frame_size(self, factor: float) -> None:
        """Draw the frames so many times as large as usual."""
        self.stage.frames.set_magnification(factor)
        self.update()

    def set_units(self, units: Units) -> None:
        """Units of the numbers in the view."""
        self.stage.set_units(units)
        self.hover.units = units
        self.update()

    def overlay(self, name: str) -> bool:
        """Whether one of OVERLAYS is shown."""
        return self.stage.overlay(name)

    def set_warning(self, level: int, joints=(), losses=()) -> None:
        """Tint the arm near a singularity: 0 no, 1 amber, 2 red; `joints` (0-based) are to blame, `losses` the motions lost."""
        self.stage.arm.set_warning(int(level), tuple(int(j) for j in joints))
        self.stage.lost_motion.set_losses(int(level), losses)
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

    def set_dh_step(self, step: DHStep | None, text: str = "") -> None:
        """Show one moment of the DH walk and its value in words, the arm faded around it; None ends it."""
        self.stage.set_dh_step(step, text)
        self.update()

    def clear_trace(self) -> None:
        """Forget where the tool has been."""
        self.stage.trace.clear()
        self.update()

    def show_workspace(self, picture) -> None:
        """Show a sampled workspace, a `ReachPicture`."""
        self.stage.cloud.set_records(picture.records)
        self.stage.reach.set_mesh(picture.mesh, picture.opacity)
        self.update()

    def show_surfaces(self, mesh) -> None:
        """Show singular surfaces in W, seen through; None takes them away."""
        self.stage.surfaces.set_mesh(mesh, OPACITY)
        self.update()

    def clear_workspace(self) -> None:
        """Take the workspace away."""
        self.stage.cloud.clear()
        self.stage.reach.set_mesh(None)
        self.update()

    # How it is looked at

    def points_to_frame(self) -> tuple[np.ndarray, float]:
        """The selected link, or all of the arm."""
        if self.robot is None:
            return np.zeros((0, 3)), 1.0
        return self.stage.points_to_frame(self.selected), 1.6 if self.selected >= 0 else 1.42

    def pick(self, x: float, y: float) -> Hit | None:
        """What lies under a pixel of the widget."""
        if self.stage.solids is None:
            return None
        self.match_camera()
        return self.stage.solids.picker.cast(*self.camera.ray(x, y), self.slot_poses)

    def point_under(self, x: float, y: float) -> np.ndarray:
        """The point `(3,)` in W under a pixel: on the arm, on the floor, or at the depth of the camera's target."""
        hit = self.pick(x, y)
        if hit is not None:
            return hit.point
        self.match_camera()
        eye, ray = self.camera.ray(x, y)
        floor = self.stage.floor.height
        if abs(ray[2]) > 1e-6:
            away = (floor - eye[2]) / ray[2]
            if 0 < away < self.camera.target_depth + 3.0 * self.camera.distance:
                return eye + away * ray
        return eye + ray * self.camera.target_depth / -(ray @ self.camera.axes()[2])

    def set_hovered(self, joint: int) -> None:
        """Light up a joint because the cursor is on its link."""
        if joint != self.hovered:
            self.hovered = joint
            self.setCursor(Qt.CursorShape.OpenHandCursor) if joint >= 0 else self.unsetCursor()
            self.highlight_joint(joint)
            self.joint_hovered.emit(joint)

    def render_image(self, width: int, height: int, transparent: bool = False) -> QImage:
        """The picture at any size in pixels, overlays and labels included; `transparent` leaves the ground out."""
        self.flight.finish()
        return offscreen.render(self, width, height, transparent)

    # Events

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
            self.hover.leave()

    def keyPressEvent(self, event) -> None:
        if not press_key(self, event):
            event.ignore()

    def keyReleaseEvent(self, event) -> None:
        if not event.isAutoRepeat():
            self.nudge.release()
        event.ignore()

    def focusOutEvent(self, event) -> None:
        self.nudge.release()
        super().focusOutEvent(event)

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
