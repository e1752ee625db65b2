"""`Gizmo`: a gizmo moved by the pointer: the handle under the cursor, and the pose that a drag requests."""

from __future__ import annotations

from typing import cast

import numpy as np
from PySide6.QtCore import QObject, QPointF, Signal

from armature.app.scene.gizmo.gizmo_handles import KNOB
from armature.app.scene.gizmo.gizmo_item import GizmoItem
from armature.app.scene.gizmo.gizmo_look import GizmoLook
from armature.app.scene.hands.gizmo_drag import GizmoDrag, Wanted
from armature.app.scene.hands.gizmo_pick import Grasp, grasp
from armature.app.scene.scene_port import ScenePort


class Gizmo(QObject):
    """Reports gestures; whoever owns the pose answers by moving the arm, and tells with `say` what to write beside it.

    `hovered(handle)` tells what the cursor is on, "" for nothing; `grabbed(handle)` begins a gesture, `moved(Wanted)` and for the
    self-motion knob `knob_moved(pixel)` go on with it, `released()` ends it, `cancelled()` takes it back.
    """

    hovered = Signal(str)
    grabbed = Signal(str)
    moved = Signal(object)
    knob_moved = Signal(object)
    released = Signal()
    cancelled = Signal()

    def __init__(self, view: ScenePort, item: GizmoItem):
        super().__init__(cast("QObject", view))  # which Qt calls its parent
        self._view, self._item = view, item
        self._drag: GizmoDrag | None = None

    @property
    def look(self) -> GizmoLook:
        """State of the drawn gizmo."""
        return self._item.look

    def set_shown(self, on: bool) -> None:
        """Show or hide it."""
        self.look.shown = on
        self._view.update()

    def offer(self, handles: tuple[str, ...]) -> None:
        """The handles that can be taken from now on."""
        self.look.handles = handles
        if self.look.hovered not in handles:
            self.look.hovered = ""
        self._view.update()

    def light(self, handle: str) -> None:
        """Light up a handle, none for ""."""
        self.look.hovered = handle
        self._view.update()

    def hold(self, handle: str) -> None:
        """Show a handle as in hand; none for "", which leaves lit what is."""
        self.look.active = handle
        self.look.hovered = handle or self.look.hovered
        self._view.update()

    def say(self, caption: str = "", words: str = "", at: np.ndarray | None = None, wanted: np.ndarray | None = None) -> None:
        """Write what the gesture amounts to at a point `(3,)`, why the tool cannot follow, and mark where it is wanted."""
        self._item.caption_at = at
        look = self.look
        look.caption, look.words, look.wanted = caption, words, wanted
        self._view.update()

    def hover(self, at: QPointF | None) -> bool:
        """Light up the handle at a pixel, or none for None; True where there is one."""
        met = self._grasp(at) if at is not None else None
        handle = met.handle if met is not None else ""
        if handle != self.look.hovered:
            self.light(handle)
            self._view.unsetCursor()
            self.hovered.emit(handle)
        return bool(handle)

    def press(self, at: QPointF) -> bool:
        """Take hold of the handle at a pixel; True where there is one."""
        met = self._grasp(at)
        if met is not None:
            self._begin(met)
        return met is not None

    def take(self, handle: str, at: QPointF) -> None:
        """Take hold of the middle of it all with a pixel near to it, to be moved as by one of the handles."""
        self._view.match_camera()
        off = np.array([at.x(), at.y()]) - self._view.camera.project(self.look.centre)[:2]
        self._begin(Grasp(handle, self.look.centre.copy(), off))

    def drag(self, at: QPointF, snap: bool) -> None:
        """Continue the gesture to a pixel."""
        if self._drag is not None:
            self.moved.emit(self._drag.wanted(at.x(), at.y(), snap))
        else:
            self.knob_moved.emit(np.array([at.x(), at.y()]) - self._off)

    def release(self) -> None:
        """The hand lets go."""
        self._end()
        self.released.emit()

    def cancel(self) -> None:
        """The gesture is taken back."""
        self._end()
        self.cancelled.emit()

    def grip(self, wanted: Wanted) -> np.ndarray:
        """Where the grasped point of the handle is now, or its end when it is moved by keys, `(3,)` in W."""
        if self._drag is not None:
            return self._drag.grip(self.look, wanted)
        return self.look.outline(wanted.handle, self._view.camera)[-1]

    def _begin(self, met: Grasp) -> None:
        self._drag = None if met.handle == KNOB else GizmoDrag(self.look, self._view.camera, met)
        self._off = met.off
        self.hold(met.handle)
        self.grabbed.emit(met.handle)

    def _end(self) -> None:
        self._drag = None
        self.say()
        self.hold("")

    def _grasp(self, at: QPointF) -> Grasp | None:
        if not self.look.shown:
            return None
        self._view.match_camera()
        return grasp(self.look, self._view.camera, at.x(), at.y())
