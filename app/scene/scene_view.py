"""`SceneView`: the 3D view of a robot, taken by the mouse and told by the document what to show."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QEvent, Qt, Signal

from armature.app.scene.overlay_canvas import OverlayCanvas  # isort: skip  (settles which window system PyOpenGL talks to)
from armature.app.scene.hands.gizmo import Gizmo
from armature.app.scene.hands.hover import Hover
from armature.app.scene.hands.joint_nudge import JointNudge
from armature.app.scene.hands.measure_hand import MeasureHand
from armature.app.scene.hands.pointer import Pointer
from armature.app.scene.hands.right_click import RightClick
from armature.app.scene.hands.row_pull import RowPull
from armature.app.scene.hands.tug import Tug
from armature.app.scene.hands.view_keys import press_key
from armature.app.scene.hands.waypoint_handles import WaypointHandles
from armature.app.scene.labels.hover_label import HoverLabel
from armature.app.scene.stage import OVERLAYS
from armature.app.state.units import Units
from armature.engine import Robot

__all__ = ["OVERLAYS", "SceneView"]


class SceneView(OverlayCanvas):
    """Shows a pose and reports what the mouse wants of it; whoever owns the pose answers with `set_q`.

    `escaped` tells of an Escape that nothing in the view needed.
    """

    joint_hovered = Signal(int)
    joint_clicked = Signal(int)
    beside_clicked = Signal(float, float)
    drag_started = Signal(int)
    joint_dragged = Signal(int, float)
    drag_finished = Signal(int)
    file_dropped = Signal(str)
    escaped = Signal()

    def __init__(self, parent=None):
        super().__init__(parent)
        self.setObjectName("scene_view")
        self.setAccessibleName("3D view of the robot")
        self.setMouseTracking(True)
        self.setAcceptDrops(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumSize(160, 120)
        self.hovered = -1
        label = HoverLabel(self)
        self.gizmo = Gizmo(self, self.stage.gizmo)
        self.cell_gizmo = Gizmo(self, self.stage.cell_gizmo)
        self.waypoints = WaypointHandles(self, self.stage.tool_path, self.stage.waypoint_gizmo, label)
        self.row_pull = RowPull(self, self.stage.row_handles)
        self.tug = Tug(self, self.stage.pull)
        self.hover = Hover(self, label, self.gizmo, self.waypoints, self.row_pull, self.cell_gizmo)
        self.menus = RightClick(self, self.waypoints)
        self.measure = MeasureHand(self, self.stage.measure, self)
        hands = (self.gizmo, self.row_pull, self.waypoints, self.cell_gizmo)
        self.pointer = Pointer(self, hands, self.waypoints, self.tug, self.hover, self.menus, self.measure)
        self.nudge = JointNudge(self, self.pointer)
        self._looked = 0  # frames painted when it was last seen what is under the cursor
        self.frameSwapped.connect(self._on_frame)
        self.installEventFilter(self)

    def set_robot(self, robot: Robot, q: np.ndarray) -> None:
        """Show a robot at joint positions q `(n,)`, with nothing in hand; another one than before is framed."""
        self.let_go()
        self.hover.leave()  # the cursor is on a link of the other robot
        super().set_robot(robot, q)

    def let_go(self) -> None:
        """End the gesture of mouse or keys that is under way: it belongs to what is shown now."""
        self.pointer.let_go()
        self.nudge.release()

    def set_poses(self, X_WL: np.ndarray, q: np.ndarray, update_labels: bool = True) -> None:
        """Show link poses `(n_links, 4, 4)` already computed for q `(n,)`.

        Without `update_labels` the numbers wait for `refresh_labels`.
        """
        super().set_poses(X_WL, q, update_labels)
        self.row_pull.follow()
        self.hover.follow()
        self.measure.follow()

    def set_units(self, units: Units) -> None:
        """Units of the numbers in the view and under the cursor."""
        super().set_units(units)
        self.hover.units = units
        self.row_pull.set_units(units)
        self.measure.set_units(units)

    def set_hovered(self, joint: int) -> None:
        """Light up a joint because the cursor is on its link."""
        if joint != self.hovered:
            self.hovered = joint
            self.setCursor(Qt.CursorShape.OpenHandCursor) if joint >= 0 else self.unsetCursor()
            self.highlight_joint(joint)
            self.joint_hovered.emit(joint)

    def _on_frame(self) -> None:
        """Whatever moved in the picture: something else may lie under a cursor that stands still."""
        if self._looked != self.painted:
            self._looked = self.painted
            if self.pointer.idle:
                self.hover.again()

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
        if self.pointer.idle:
            self.hover.leave()

    def contextMenuEvent(self, event) -> None:
        """The menu key opens the menu of what is selected; the mouse opens one when it is released, unless it panned."""
        if event.reason() == event.Reason.Keyboard:
            self.menus.open_by_key()
        event.accept()

    def keyPressEvent(self, event) -> None:
        if not press_key(self, self.pointer, self.nudge, self.waypoints, self.measure, event):
            if event.key() == Qt.Key.Key_Escape:
                self.escaped.emit()
            event.ignore()

    def keyReleaseEvent(self, event) -> None:
        if not event.isAutoRepeat():
            self.nudge.release()
        event.ignore()

    def focusOutEvent(self, event) -> None:
        self.nudge.release()
        super().focusOutEvent(event)

    def eventFilter(self, watched, event) -> bool:
        """A filter, because Qt paints inside of `event`: in Python that would hold up the simulation's thread."""
        if watched is self and event.type() == QEvent.Type.NativeGesture and self.pointer.pinch(event):
            return True
        return super().eventFilter(watched, event)

    def dragEnterEvent(self, event) -> None:
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event) -> None:
        path = next((url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()), None)
        if path:
            event.acceptProposedAction()
            self.file_dropped.emit(path)
