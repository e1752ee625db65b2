"""`CellScene`: the cell in the view: its objects, the selection, and the gizmo that moves the selected object."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject

from armature.app.cell.object_meshes import drawn_objects
from armature.app.cell.object_values import with_pose
from armature.app.hand.hand_mover import caption
from armature.app.scene.gizmo.gizmo_handles import ARROWS, BALL, PLANES, RINGS
from armature.app.scene.hands.gizmo_drag import Wanted
from armature.app.state.edits.pose_edit import next_gesture
from armature.engine.contact.shapes import is_level

if TYPE_CHECKING:
    from armature.app.workbench import Workbench
    from armature.engine import Cell

SHIFTS = (*ARROWS, *PLANES, BALL)


class CellScene(QObject):
    """Follows the cell document, and edits it while an object is dragged; a drag is one undo step."""

    def __init__(self, bench: Workbench):
        super().__init__(bench.parent)
        self._bench, self._cell, self._gizmo = bench, bench.cell, bench.scene.cell_gizmo
        self._before: Cell | None = None
        self._name, self._gesture = "", 0

    def wire(self) -> None:
        """Follow document and pointer."""
        bench, gizmo = self._bench, self._gizmo
        self._cell.changed.connect(self.refresh)
        bench.scene.object_selected.connect(self._cell.select)
        bench.scene.arm_built.connect(lambda _: self.refresh())
        bench.preferences.changed.connect(lambda field: self.refresh() if field == "gizmo_tool_axes" else None)
        bench.actions["unhide"].triggered.connect(self._unhide)
        gizmo.grabbed.connect(lambda _: self._begin())
        gizmo.moved.connect(self._go_to)
        gizmo.released.connect(self._end)
        gizmo.cancelled.connect(self._cancel)

    def refresh(self) -> None:
        """Draw the present cell."""
        scene, cell, robot = self._bench.scene, self._cell, self._bench.document.robot
        stage, name = scene.stage, cell.selected
        stage.cell.set_objects(drawn_objects(cell.now, robot, cell.hidden))
        floors = [thing.name for thing in cell.now.objects if is_level(thing.shapes, robot.floor)]
        stage.floor.is_in_cell = any(floor not in cell.hidden for floor in floors)
        if stage.cell.hides != bool(cell.hidden):
            stage.cell.hides = bool(cell.hidden)
            scene.hidden_changed.emit()
        scene.select_object(name)
        self._show_gizmo()
        scene.update()

    def _show_gizmo(self) -> None:
        cell, gizmo = self._cell, self._gizmo
        on = bool(cell.selected) and cell.selected not in cell.hidden
        if on:
            thing = cell.now[cell.selected]
            gizmo.look.X_WT, gizmo.look.in_tool_axes = thing.X_WO, self._bench.preferences.now.gizmo_tool_axes
            gizmo.offer(SHIFTS if thing.shape == "sphere" else (*SHIFTS, *RINGS))
        if on != gizmo.look.shown:
            gizmo.set_shown(on)

    def _unhide(self) -> None:
        for name in self._cell.hidden:
            self._cell.show(name, True)

    # -- a drag ----------------------------------------------------------------------------------------------------------------

    def _begin(self) -> None:
        self._before, self._name, self._gesture = self._cell.now, self._cell.selected, next_gesture()

    def _go_to(self, wanted: Wanted) -> None:
        if self._before is None:
            return
        self._cell.edit(with_pose(self._before, self._name, wanted.X_WT), f"move {self._name}", self._gesture)
        self._gizmo.say(caption(wanted, self._bench.preferences.units), "", self._gizmo.grip(wanted))

    def _end(self) -> None:
        self._before = None

    def _cancel(self) -> None:
        if self._before is not None and self._cell.now is not self._before:
            self._cell.edit(self._before, f"move {self._name}", self._gesture)
        self._before = None


def hex_colour(colour: tuple[float, ...]) -> str:
    """Return an sRGB colour, 0 to 1, as "#rrggbb"."""
    return "#" + bytes(np.round(255 * np.array(colour[:3])).astype(int).tolist()).hex()
