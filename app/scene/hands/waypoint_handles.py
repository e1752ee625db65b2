"""`WaypointHandles`: the waypoints of a trajectory in the hands of the pointer, with a gizmo at the chosen one."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, Signal

from armature.app.scene.gizmo.gizmo_handles import ARROWS, BALL, PLANES, RINGS, offered
from armature.app.scene.gizmo.gizmo_item import GizmoItem
from armature.app.scene.hands.gizmo import Gizmo
from armature.app.scene.labels.hover_label import HoverLabel
from armature.app.scene.overlays.path_item import Handle, PathItem
from armature.app.scene.scene_port import ScenePort
from armature.engine.kinematics.task import movable_task

NEAR = 9.0  # logical pixels from a handle's middle
FREELY = (BALL, *PLANES, *ARROWS)  # what a drag of the dot itself does: the first of these that the arm's task allows


class WaypointHandles(Gizmo):
    """Reports gestures as the hand's gizmo does, and with `chosen(row, through)` which handle a press took; row −1: none any
    more; `hides_changed` when waypoints were hidden, or are no longer."""

    chosen = Signal(int, bool)
    hides_changed = Signal()

    def __init__(self, view: ScenePort, path: PathItem, item: GizmoItem, label: HoverLabel):
        super().__init__(view, item)
        self._path, self._label = path, label

    def show(
        self, path: np.ndarray, handles: tuple[Handle, ...], chosen: tuple[int, bool] | None, in_tool_axes: bool = False
    ) -> None:
        """Draw a way of the tool `(N, 3)` in W and these handles; arrows, rings and planes are on the chosen one."""
        if path is not self._path.path:
            self._path.set_path(path)
        self._path.set_handles(handles, chosen)
        handle = next((h for h in handles if h.key == chosen), None)
        if handle is None:
            self.set_shown(False)
            return
        self.look.X_WT, self.look.in_tool_axes = handle.X_WH, in_tool_axes
        task = tuple(axis for axis in movable_task(self._view.robot) if not (handle.through and axis in RINGS))
        self.offer(offered(task, self.look.R_WG))
        self.set_shown(True)

    def mark_contact(self, place: np.ndarray | None, name: str) -> None:
        """Mark the first contact of the path at a place `(3,)` of the tool in W, m; None for no contact."""
        if place is not self._path.contact:
            self._path.contact, self._path.contact_name = place, name
            self._view.update()

    def set_hides(self, hides: bool) -> None:
        """Whether a person has hidden waypoints, which then have no handle."""
        if hides != self._path.hides:
            self._path.hides = hides
            self.hides_changed.emit()

    def hover(self, at: QPointF | None) -> bool:
        """Light up a waypoint at a pixel, or a part of the gizmo."""
        dot = self.under(at) if at is not None else None
        key = dot.key if dot is not None else None
        if key != self._path.hovered:
            self._path.hovered = key
            self._view.unsetCursor()
            self._view.update()
        return super().hover(at if dot is None else None) or dot is not None

    @property
    def words(self) -> str:
        """What the cursor is on, "" for nothing or the gizmo."""
        return next((handle.words for handle in self._path.handles if handle.key == self._path.hovered), "")

    def press(self, at: QPointF) -> bool:
        """Take hold of the waypoint at a pixel, which is chosen by that, or else of a part of the gizmo."""
        dot = self.under(at)
        if dot is None:
            return super().press(at)
        if dot.key != self._path.chosen:
            self.chosen.emit(*dot.key)
        self._label.hide()
        part = next((name for name in FREELY if name in self.look.handles), None)
        if part is not None and self.look.shown:
            self.take(part, at)
        return part is not None

    def dismiss(self) -> bool:
        """Choose no waypoint any more; True where there was one."""
        was = self._path.chosen is not None
        if was:
            self.chosen.emit(-1, False)
        return was

    def under(self, at: QPointF) -> Handle | None:
        """The handle nearest to a pixel; of several at one place the chosen one, else the first."""
        handles = self._path.handles
        if not handles:
            return None
        self._view.match_camera()
        seen = self._view.camera.project(self._path.places)[:, :2]
        off = np.hypot(*(seen - [at.x(), at.y()]).T)
        off[~np.isfinite(off)] = 1e6  # behind the eye
        rank = [(round(float(d)), h.key != self._path.chosen, h.through, h.row) for d, h in zip(off, handles, strict=True)]
        k = min(range(len(handles)), key=rank.__getitem__)
        return handles[k] if off[k] <= NEAR else None
