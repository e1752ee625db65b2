"""`RowPull`: a row of the DH table in the hands of the pointer."""

from __future__ import annotations

from math import pi
from typing import cast

import numpy as np
from PySide6.QtCore import QObject, QPointF, Signal

from armature.app.scene.gl.basic_solids import aligned
from armature.app.scene.hands.joint_drag import JointDrag
from armature.app.scene.hands.plane_drag import PlaneDrag
from armature.app.scene.overlays.kinematics.row_handles import FRAME, RowHandle, RowHandleItem
from armature.app.scene.scene_port import ScenePort
from armature.app.state.units import Units

NEAR = 8.0  # logical pixels from a handle
SNAP, SNAP_TURN = 0.01, pi / 36  # m, rad
LENGTH_WORDS = "Drag to change this length, with Ctrl in steps of 1 cm"
ANGLE_WORDS = "Drag to rotate the frame, with Ctrl in steps of 5°"
FRAME_WORDS = "Drag along z and x to change d and a, with Ctrl in steps of 1 cm; DH has no length along y"
EDGE_ON = "The plane of d and a is seen edge-on: orbit the view to drag"


class RowPull(QObject):
    """Reports gestures: `grabbed(quantity)`, `moved(values)` what is wanted of the row by quantity, m and rad, `released` and
    `cancelled`; whoever edits the arm answers by showing it."""

    grabbed = Signal(str)
    moved = Signal(object)
    released = Signal()
    cancelled = Signal()

    def __init__(self, view: ScenePort, item: RowHandleItem):
        super().__init__(cast("QObject", view))  # which Qt calls its parent
        self._view, self._item = view, item
        self._held, self._drag = "", cast("JointDrag | PlaneDrag | None", None)

    def show(self, joint: int) -> None:
        """Offer the handles of this joint's row, 0-based; −1 for none, which cancels a drag."""
        if joint < 0 and self._held:
            self.cancel()
        self._show(joint)
        self._view.update()

    def follow(self) -> None:
        """The arm is in another pose, or another arm."""
        if self._item.joint >= 0:
            self._show(self._item.joint)

    def _show(self, joint: int) -> None:
        self._item.show(self._view.stage.pose if self._view.robot is not None else None, joint)

    def set_units(self, units: Units) -> None:
        """Units of the numbers beside the handles."""
        self._item.units = units
        self.follow()

    @property
    def words(self) -> str:
        """What the cursor is on, "" for nothing."""
        lit = next((handle for handle in self._item.handles if handle.quantity == self._item.lit), None)
        if lit is None or self._held:
            return ""
        if lit.quantity == FRAME:
            return f"{lit.name}\n{FRAME_WORDS if self._faces(lit) else EDGE_ON}"
        return f"{lit.name}\n{ANGLE_WORDS if lit.turns else LENGTH_WORDS}"

    def hover(self, at: QPointF | None) -> bool:
        """Light up the handle at a pixel, or none; True where there is one."""
        handle = self._under(at) if at is not None else None
        lit = "" if handle is None else handle.quantity
        if lit != self._item.lit:
            self._item.light(lit)
            self._view.unsetCursor()
            self._view.update()
        return handle is not None

    def press(self, at: QPointF) -> bool:
        """Take hold of the handle at a pixel; True where there is one."""
        handle = self._under(at)
        if handle is None or (handle.quantity == FRAME and not self._faces(handle)):
            return False
        self._held = handle.quantity
        if handle.quantity == FRAME:
            lengths = [one for one in self._item.handles if one.quantity in ("d", "a")]
            self._drag = PlaneDrag(self._view.camera, handle.centre, at, {one.quantity: (one.axis, one.value) for one in lengths})
        else:
            pose, point = aligned(handle.axis, handle.centre), self._miss(handle, at)[1]
            self._drag = JointDrag(self._view.camera, pose, point, not handle.turns, handle.value, (-np.inf, np.inf))
        self._item.light(handle.quantity)
        self.grabbed.emit(handle.quantity)
        return True

    def drag(self, at: QPointF, snap: bool) -> None:
        """Go on with the gesture to a pixel; in steps of 1 cm or 5° with `snap`."""
        if self._drag is None:
            return
        step = SNAP_TURN if self._held in ("theta", "alpha") else SNAP
        wanted = self._drag.value(at.x(), at.y())
        values = {self._held: wanted} if isinstance(wanted, float) else wanted
        self.moved.emit({quantity: step * round(value / step) if snap else value for quantity, value in values.items()})

    def release(self) -> None:
        """The hand lets go."""
        self._end()
        self.released.emit()

    def cancel(self) -> None:
        """The gesture is taken back."""
        self._end()
        self.cancelled.emit()

    def _end(self) -> None:
        self._held, self._drag = "", None
        self._item.light("")
        self._view.update()

    def _faces(self, handle: RowHandle) -> bool:
        """Whether a plane is seen well enough to be dragged in."""
        away = handle.centre - self._view.camera.eye
        return abs(float(away @ handle.axis)) > 0.15 * float(np.linalg.norm(away))

    def _under(self, at: QPointF) -> RowHandle | None:
        """The handle nearest to a pixel."""
        found, least = None, NEAR
        if self._item.handles:
            self._view.match_camera()
        for handle in self._item.handles:
            off = self._miss(handle, at)[0]
            if off < least:
                found, least = handle, off
        return found

    def _miss(self, handle: RowHandle, at: QPointF) -> tuple[float, np.ndarray]:
        """Pixels between a pixel and a handle, and the point `(3,)` of it that is nearest."""
        seen, cursor = self._view.camera.project(np.vstack([handle.line, handle.centre]))[:, :2], np.array([at.x(), at.y()])
        if not np.isfinite(seen).all():
            return np.inf, handle.centre
        if handle.quantity == FRAME:  # all of the square
            off = np.linalg.norm(cursor - seen[-1]) - np.linalg.norm(seen[:-1] - seen[-1], axis=1).min()
            return max(float(off), 0.0), handle.centre
        a, step = seen[:-2], np.diff(seen[:-1], axis=0)
        share = np.clip(((cursor - a) * step).sum(axis=1) / np.maximum((step**2).sum(axis=1), 1e-12), 0.0, 1.0)
        off = np.linalg.norm(a + share[:, None] * step - cursor, axis=1)
        k = int(off.argmin())
        return float(off[k]), handle.line[k] + share[k] * (handle.line[k + 1] - handle.line[k])
