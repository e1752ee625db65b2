"""`LengthPull`: the lengths of a row of the DH table in the hands of the pointer."""

from __future__ import annotations

from typing import cast

import numpy as np
from PySide6.QtCore import QObject, QPointF, Signal

from armature.app.scene.gl.basic_solids import aligned
from armature.app.scene.hands.joint_drag import JointDrag
from armature.app.scene.overlays.kinematics.length_handles import LengthHandle, LengthHandleItem
from armature.app.scene.scene_port import ScenePort
from armature.app.state.units import Units

NEAR = 8.0  # logical pixels from an arrow
SNAP = 0.01  # m
WORDS = "Drag to change it, with Ctrl in steps of 1 cm"


class LengthPull(QObject):
    """Reports gestures: `grabbed(quantity)` "d" or "a", `moved(quantity, m)` the length that is wanted, `released` and
    `cancelled`; whoever edits the arm answers by showing it."""

    grabbed = Signal(str)
    moved = Signal(str, float)
    released = Signal()
    cancelled = Signal()

    def __init__(self, view: ScenePort, item: LengthHandleItem):
        super().__init__(cast("QObject", view))  # which Qt calls its parent
        self._view, self._item = view, item
        self._held, self._drag = "", cast("JointDrag | None", None)

    def show(self, joint: int) -> None:
        """Offer the lengths of this joint's row, 0-based; −1 for none."""
        self._item.joint = joint
        self.follow()
        self._view.update()

    def follow(self) -> None:
        """The arm is in another pose, or another arm."""
        self._item.show(self._view.stage.pose if self._view.robot is not None else None, self._item.joint)

    def set_units(self, units: Units) -> None:
        """Units of the lengths beside the arrows."""
        self._item.units = units
        self._item.light(self._item.lit)

    @property
    def words(self) -> str:
        """What the cursor is on, "" for nothing."""
        lit = next((handle for handle in self._item.handles if handle.quantity == self._item.lit), None)
        return "" if lit is None or self._held else f"{lit.symbol}\n{WORDS}"

    def hover(self, at: QPointF | None) -> bool:
        """Light up the arrow at a pixel, or none; True where there is one."""
        handle = self._under(at) if at is not None else None
        lit = "" if handle is None else handle.quantity
        if lit != self._item.lit:
            self._item.light(lit)
            self._view.unsetCursor()
            self._view.update()
        return handle is not None

    def press(self, at: QPointF) -> bool:
        """Take hold of the arrow at a pixel; True where there is one."""
        handle = self._under(at)
        if handle is None:
            return False
        point = self._touched(handle, at)
        self._held = handle.quantity
        pose = aligned(handle.way, point)
        self._drag = JointDrag(self._view.camera, pose, point, True, handle.value, (-np.inf, np.inf))
        self._item.light(handle.quantity)
        self.grabbed.emit(handle.quantity)
        return True

    def drag(self, at: QPointF, snap: bool) -> None:
        """Go on with the gesture to a pixel; in steps of 1 cm with `snap`."""
        if self._drag is not None:
            value = self._drag.value(at.x(), at.y())
            self.moved.emit(self._held, SNAP * round(value / SNAP) if snap else value)

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

    def _under(self, at: QPointF) -> LengthHandle | None:
        """The arrow nearest to a pixel."""
        found, least = None, NEAR
        if self._item.handles:
            self._view.match_camera()
        for handle in self._item.handles:
            off = self._miss(handle, at)[0]
            if off < least:
                found, least = handle, off
        return found

    def _touched(self, handle: LengthHandle, at: QPointF) -> np.ndarray:
        """The point `(3,)` of the arrow that is nearest to a pixel."""
        return handle.end + self._miss(handle, at)[1] * (handle.tip - handle.end)

    def _miss(self, handle: LengthHandle, at: QPointF) -> tuple[float, float]:
        """Pixels between a pixel and an arrow, and how far along the arrow, 0 to 1."""
        a, b = self._view.camera.project(np.array([handle.end, handle.tip]))[:, :2]
        if not (np.isfinite(a).all() and np.isfinite(b).all()):
            return np.inf, 0.0
        cursor, step = np.array([at.x(), at.y()]), b - a
        share = float(np.clip((cursor - a) @ step / max(float(step @ step), 1e-12), 0.0, 1.0))
        return float(np.linalg.norm(a + share * step - cursor)), share
