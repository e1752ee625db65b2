"""`Tug`: a point of the arm in the hand of the pointer, to be pulled on while time runs."""

from __future__ import annotations

from typing import cast

import numpy as np
from PySide6.QtCore import QObject, QPointF, Signal

from armature.app.scene.gl.picking import Hit
from armature.app.scene.overlays.pull_item import PullItem
from armature.app.scene.scene_port import ScenePort


class Tug(QObject):
    """Reports where a person pulls; whoever simulates the arm answers with `show_force`.

    `grabbed(body, point)` begins a gesture at a point `(3,)` of a body, in its axes; `moved(target)` tells where it is
    wanted, `(3,)` in W, on the plane through the point that faces the camera; `released()` ends it. `requested()` says that a
    person wants to pull where nothing moves by itself.
    """

    grabbed = Signal(int, object)
    moved = Signal(object)
    released = Signal()
    requested = Signal()

    def __init__(self, view: ScenePort, item: PullItem):
        super().__init__(cast("QObject", view))  # which Qt calls its parent
        self._view, self._item = view, item
        self._hit: Hit | None = None
        self.armed = False

    @property
    def pulling(self) -> bool:
        """Whether a point is in hand."""
        return self._hit is not None

    def press(self, hit: Hit) -> None:
        """Take hold of what was hit, where the arm can be pulled."""
        if not self.armed:
            self.requested.emit()
            return
        self._hit = hit
        self._item.hold(hit.slot, hit.local, hit.point)
        self._view.update()
        self.grabbed.emit(hit.slot - 1, hit.local)

    def drag(self, at: QPointF) -> None:
        """The cursor is at this pixel."""
        if self._hit is None:
            return
        self._view.match_camera()
        eye, ray = self._view.camera.ray(at.x(), at.y())
        normal = self._view.camera.axes()[2]
        target = eye + ray * ((self._hit.point - eye) @ normal) / (ray @ normal)
        self._item.aim(target)
        self._view.update()
        self.moved.emit(target)

    def release(self) -> None:
        """The hand lets go."""
        if self._hit is not None:
            self._hit = None
            self._item.drop()
            self._view.update()
            self.released.emit()

    def show_force(self, newtons: float) -> None:
        """How hard the hand pulls."""
        self._item.newtons = newtons

    @property
    def text(self) -> str:
        """The force as it stands beside the arrow, "" without a pull."""
        return self._item.text

    @property
    def ends(self) -> np.ndarray:
        """Where the arrow begins and ends, `(2, 3)` in W."""
        return self._item.ends
