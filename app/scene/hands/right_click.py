"""`RightClick`: what a menu is wanted of."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QObject, QPoint, QPointF, Signal

from armature.app.scene.hands.waypoint_handles import WaypointHandles
from armature.app.scene.scene_port import ScenePort

NEAR = 9.0  # logical pixels from a frame's origin


class RightClick(QObject):
    """Tells on which waypoint, frame or link, or beside all of them, and where on the screen its menu is to open.

    `waypoint(row, place)`, `frame(index, place)` of the frames drawn, `link(slot, place)` with 0 for the pedestal,
    and `beside(place)`.
    """

    waypoint = Signal(int, QPoint)
    frame = Signal(int, QPoint)
    link = Signal(int, QPoint)
    beside = Signal(QPoint)

    def __init__(self, view: ScenePort, waypoints: WaypointHandles):
        super().__init__()
        self._view, self._waypoints = view, waypoints

    def open_at(self, at: QPointF) -> None:
        """Of what lies at a pixel."""
        view, place = self._view, self._view.mapToGlobal(at.toPoint())
        handle, frame = self._waypoints.under(at), self._frame_at(at)
        if handle is not None:
            self.waypoint.emit(handle.row, place)
        elif frame is not None:
            self.frame.emit(frame, place)
        elif (hit := view.pick(at.x(), at.y())) is not None:
            self.link.emit(hit.slot, place)
        else:
            self.beside.emit(place)

    def open_by_key(self) -> None:
        """Of the selected joint's link, or of the view."""
        view, middle = self._view, QPoint(self._view.width() // 2, self._view.height() // 2)
        if view.selected < 0:
            self.beside.emit(view.mapToGlobal(middle))
            return
        slot = view.robot.joint_bodies[view.selected] + 1
        x, y, _ = view.camera.project(view.slot_poses[slot][:3, 3])
        seen = np.isfinite(x) and 0 <= x < view.width() and 0 <= y < view.height()
        self.link.emit(slot, view.mapToGlobal(QPoint(round(x), round(y)) if seen else middle))

    def _frame_at(self, at: QPointF) -> int | None:
        """The frame whose origin is nearest to a pixel, of those that are shown."""
        view, frames = self._view, self._view.stage.frames
        if not frames.visible() or not len(frames.poses):
            return None
        view.match_camera()
        off = np.hypot(*(view.camera.project(frames.poses[:, :3, 3])[:, :2] - [at.x(), at.y()]).T)
        off[~np.isfinite(off)] = np.inf
        off[list(frames.hidden)] = np.inf
        nearest = int(np.argmin(off))
        return nearest if off[nearest] <= NEAR else None
