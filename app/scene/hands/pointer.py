"""`Pointer`: what mouse and touchpad do in the scene."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, auto

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QMouseEvent, QNativeGestureEvent, QWheelEvent

from armature.app.scene.gl.picking import Hit
from armature.app.scene.hands.hand import Hand
from armature.app.scene.hands.hover import Hover
from armature.app.scene.hands.joint_drag import JointDrag
from armature.app.scene.hands.measure_hand import MeasureHand
from armature.app.scene.hands.right_click import RightClick
from armature.app.scene.hands.tug import Tug
from armature.app.scene.hands.waypoint_handles import WaypointHandles
from armature.app.scene.scene_port import ScenePort
from armature.app.scene.surroundings import corner_item

DEGREES_PER_PIXEL = 0.35
CLICK_SLACK = 3.0
ZOOM_PER_STEP = 0.86
PAD_PIXELS_PER_STEP = 50.0  # two fingers' way on a touchpad that zooms as much as a wheel's notch


class PointerMode(Enum):
    """What is in the pointer's hand."""

    IDLE = auto()
    CORNER = auto()  # a ball of the corner's axes
    GIZMO = auto()  # a handle of one of the hands
    GRAB = auto()  # a link, whose joint is not dragged yet
    DRAG = auto()
    PULL = auto()
    ORBIT = auto()
    PAN = auto()


class Pointer:
    """One gesture at a time, told by `mode`."""

    _hit: Hit  # what was pressed, where that was a link

    def __init__(
        self,
        view: ScenePort,
        hands: Sequence[Hand],
        waypoints: WaypointHandles,
        tug: Tug,
        hover: Hover,
        menus: RightClick,
        measure: MeasureHand,
    ):
        self.view, self._hands, self._waypoints, self._tug, self._hover = view, hands, waypoints, tug, hover
        self._menus, self._measure = menus, measure
        self.mode = PointerMode.IDLE
        self.joint = -1
        self.drag: JointDrag | None = None
        self._held = hands[0]
        self._ball = -1
        self._pressed = self._last = QPointF()
        self._button = Qt.MouseButton.NoButton
        self._travelled = False

    @property
    def idle(self) -> bool:
        """Whether there is no gesture."""
        return self.mode is PointerMode.IDLE

    def press(self, event: QMouseEvent) -> None:
        """Left on a gizmo, DH row, waypoint or link takes hold of it, with Ctrl to pull; left elsewhere orbits.

        Right or middle pans; a right click opens a menu.
        """
        if not self.idle:
            return
        self.view.flight.stop()
        self._pressed = self._last = event.position()
        self._button, self._travelled = event.button(), False
        if event.button() == Qt.MouseButton.LeftButton:
            self._ball = self.view.stage.corner.ball_at(self.view.camera, event.position().x(), event.position().y())
            if self._ball >= 0:
                self.mode = PointerMode.CORNER
                return
            pulls = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
            if not (pulls and self._tug.armed) and not self._measure.on and self._take(event.position()):
                self.mode = PointerMode.GIZMO
                self.view.setCursor(Qt.CursorShape.ClosedHandCursor)
                return
            hit = self.view.pick(event.position().x(), event.position().y())
            if hit is None or hit.joint < 0:
                self.mode = PointerMode.ORBIT
                return
            self._hit, self.mode = hit, PointerMode.PULL if pulls else PointerMode.GRAB
            if pulls:
                self._tug.press(hit)
        elif event.button() in (Qt.MouseButton.RightButton, Qt.MouseButton.MiddleButton):
            self.mode = PointerMode.PAN
            self.view.setCursor(Qt.CursorShape.SizeAllCursor)

    def move(self, event: QMouseEvent) -> None:
        """Go on with the gesture, or light up what is under the cursor."""
        at = event.position()
        step, self._last = at - self._last, at
        if (at - self._pressed).manhattanLength() > CLICK_SLACK:
            self._travelled = True
        if self.idle:
            self._hover.at(at)
        elif self.mode is PointerMode.ORBIT or (self.mode is PointerMode.CORNER and self._travelled):
            self.mode = PointerMode.ORBIT
            self.view.orbit(-step.x() * DEGREES_PER_PIXEL, step.y() * DEGREES_PER_PIXEL)
        elif self.mode is PointerMode.PAN:
            self.view.pan(step.x(), step.y())
        elif self.mode is PointerMode.PULL:
            self._tug.drag(at)
        elif self.mode is PointerMode.GIZMO and self._travelled:
            self._held.drag(at, bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier))
        elif self.mode in (PointerMode.GRAB, PointerMode.DRAG) and self._travelled:
            self._turn_joint(at)

    def release(self, event: QMouseEvent) -> None:
        """End the gesture; a press that did not travel was a click."""
        if event.button() != self._button:
            return
        mode, self.mode = self.mode, PointerMode.IDLE
        self._button = Qt.MouseButton.NoButton
        self.view.unsetCursor()
        if mode is PointerMode.DRAG:
            self._finish()
        elif mode is PointerMode.GIZMO:
            self._held.release()
        elif mode is PointerMode.PULL:
            self._tug.release()
        elif mode in (PointerMode.GRAB, PointerMode.ORBIT) and not self._travelled and self._measure.on:
            self._measure.click(event.position())  # one that misses the arm is meant for the measuring, too
        elif mode is PointerMode.GRAB and not self.view.click_ghost(event.position().x(), event.position().y()):
            self.view.joint_clicked.emit(self._hit.joint)
        elif mode is PointerMode.ORBIT and not self._travelled:
            at = event.position().x(), event.position().y()
            if not self.view.click_ghost(*at):
                self.view.beside_clicked.emit(*at)
        elif mode is PointerMode.CORNER:
            self.view.standard_view(corner_item.VIEWS[self._ball])
        elif mode is PointerMode.PAN and event.button() == Qt.MouseButton.RightButton and not self._travelled:
            self._hover.leave()
            self._menus.open_at(event.position())
            return
        self._hover.at(event.position())

    def double_click(self, event: QMouseEvent) -> None:
        """Select the link or object under the cursor, or nothing; on a waypoint or a ball of the corner it is as two clicks."""
        at, corner = event.position(), self.view.stage.corner
        if self._waypoints.under(at) is not None:
            return
        if event.button() == Qt.MouseButton.LeftButton and corner.ball_at(self.view.camera, at.x(), at.y()) < 0:
            hit = self.view.pick(at.x(), at.y())
            if self.view.ghost_under(at.x(), at.y()) < 0:
                self.view.select_joint(hit.joint if hit else -1)
                self.view.select_object(self.view.object_under(at.x(), at.y()))

    def wheel(self, event: QWheelEvent) -> None:
        """Zoom to the cursor; with Shift pan, with Ctrl orbit.

        A notch of a wheel is 120 units. Pixels count only on touchpads, whose gestures have phases: drivers of X11 report some
        for a wheel, too, 15 or 120 a notch.
        """
        fingers, notches = event.pixelDelta(), event.angleDelta()
        on_pad = not fingers.isNull() and event.phase() != Qt.ScrollPhase.NoScrollPhase
        dx, dy = (fingers.x(), fingers.y()) if on_pad else (0.5 * notches.x(), 0.5 * notches.y())
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.view.pan(dx, dy)
        elif event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.view.orbit(-dx * DEGREES_PER_PIXEL, dy * DEGREES_PER_PIXEL)
        elif dx or dy:
            steps = (dy or dx) / (PAD_PIXELS_PER_STEP if on_pad else 60.0)
            self.view.zoom(event.position().x(), event.position().y(), ZOOM_PER_STEP**steps)

    def pinch(self, event: QNativeGestureEvent) -> bool:
        """Zoom by two fingers about the place between them; True when the gesture was one."""
        if event.gestureType() != Qt.NativeGestureType.ZoomNativeGesture:
            return False
        at = event.position()
        self.view.zoom(at.x(), at.y(), 1.0 / max(0.2, 1.0 + event.value()))
        return True

    def cancel(self) -> bool:
        """Put what is in hand back where it was; True when there was something."""
        if self.mode is PointerMode.GIZMO:
            self.mode = PointerMode.IDLE
            self.view.unsetCursor()
            self._held.cancel()
            return True
        if self.mode is PointerMode.PULL:
            self.drop()
            return True
        if self.mode not in (PointerMode.DRAG, PointerMode.GRAB):
            return False
        drag, self.mode = self.drag, PointerMode.IDLE
        if drag is not None:
            self.view.joint_dragged.emit(self.joint, drag.q0)
            self._finish()
        return True

    def drop(self) -> None:
        """Let go of a gizmo or of what is pulled on, where it is."""
        if self.mode in (PointerMode.GIZMO, PointerMode.PULL):
            release = self._held.release if self.mode is PointerMode.GIZMO else self._tug.release
            self.mode = PointerMode.IDLE
            self.view.unsetCursor()
            release()

    def let_go(self) -> None:
        """End whatever gesture there is, where it is; what the mouse does until it is pressed again counts for nothing."""
        self.drop()
        mode, self.mode, self._button = self.mode, PointerMode.IDLE, Qt.MouseButton.NoButton
        if mode is PointerMode.DRAG:
            self._finish()
        elif mode is not PointerMode.IDLE:
            self.view.unsetCursor()

    def _take(self, at: QPointF) -> bool:
        """Take hold of the first hand that has a handle there, such as the tool's gizmo; True where there is one."""
        for held in self._hands:
            if held.press(at):
                self._held = held
                return True
        return False

    def _turn_joint(self, at: QPointF) -> None:
        drag = self.drag or self._begin()
        self.view.joint_dragged.emit(self.joint, drag.value(at.x(), at.y()))

    def _begin(self) -> JointDrag:
        robot, joint = self.view.robot, self._hit.joint
        limits = (float(robot.q_min[joint]), float(robot.q_max[joint]))
        q = self.view.q
        # A pose beyond its limits is not pulled back by being touched.
        limits = (min(limits[0], q[joint]), max(limits[1], q[joint]))
        body = self._hit.slot - 1
        rate = 1.0 if robot.coupling is None else float(robot.coupling.multiplier[body]) or np.inf
        X_WB, slides = self.view.slot_poses[body + 1], bool(robot.tree.prismatic[body])
        drag = JointDrag(self.view.camera, X_WB, self._hit_point(), slides, q[joint], limits, rate)
        self.mode, self.joint, self.drag = PointerMode.DRAG, joint, drag
        self.view.setCursor(Qt.CursorShape.ClosedHandCursor)
        self.view.drag_started.emit(joint)
        return drag

    def _hit_point(self) -> np.ndarray:
        """The grabbed point where the link is now: it may have moved since the press."""
        X = self.view.slot_poses[self._hit.slot]
        return X[:3, :3] @ self._hit.local + X[:3, 3]

    def _finish(self) -> None:
        joint, self.drag, self.joint = self.joint, None, -1
        self.view.unsetCursor()
        self.view.drag_finished.emit(joint)
