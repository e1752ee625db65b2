"""`Hover`: what lights up and is named under the cursor while no button is held."""

from __future__ import annotations

from PySide6.QtCore import QPointF, Qt

from armature.app.scene.gl.picking import Hit
from armature.app.scene.hands.gizmo import Gizmo
from armature.app.scene.hands.row_pull import RowPull
from armature.app.scene.hands.waypoint_handles import WaypointHandles
from armature.app.scene.labels.hover_label import HoverLabel
from armature.app.scene.scene_port import ScenePort
from armature.app.scene.surroundings import corner_item
from armature.app.state.units import Units


class Hover:
    """A ball of the corner's axes, or else a handle of hand, DH row or waypoint, or else the link there and its joint."""

    def __init__(
        self, view: ScenePort, label: HoverLabel, gizmo: Gizmo, waypoints: WaypointHandles, rows: RowPull, objects: Gizmo
    ):
        self.view, self.label, self.units = view, label, Units()
        self._gizmo, self._waypoints, self._rows, self._objects = gizmo, waypoints, rows, objects
        self._hit: Hit | None = None
        self._object = ""
        self._on_ghost = False
        self._at: QPointF | None = None  # where the cursor is, None for elsewhere
        self._lit = ""  # the hand's handle that the cursor is on

    def at(self, at: QPointF) -> None:
        """The cursor is at this pixel."""
        self._at, self._lit = at, self._gizmo.look.hovered
        self.again()

    def again(self) -> None:
        """The view has moved, perhaps under a cursor that stands still."""
        view, at = self.view, self._at
        if at is None:
            return
        view.match_camera()
        ball = view.stage.corner.ball_at(view.camera, at.x(), at.y())
        by_keys = self._gizmo.look.hovered != self._lit  # a handle that keys have chosen since stays lit
        on_hand = not by_keys and self._gizmo.hover(at if ball < 0 else None)
        self._lit = self._lit if by_keys else self._gizmo.look.hovered
        on_row = self._rows.hover(at if ball < 0 and not on_hand else None)
        on_way = self._waypoints.hover(at if ball < 0 and not (on_hand or on_row) else None)
        on_object = self._objects.hover(at if ball < 0 and not (on_hand or on_row or on_way) else None)
        on_gizmo = on_hand or on_row or on_way or on_object
        ghost = view.ghost_under(at.x(), at.y()) if ball < 0 and not on_gizmo else -1
        self._hit = view.pick(at.x(), at.y()) if ball < 0 and not on_gizmo and ghost < 0 else None
        if view.stage.corner.set_hovered(ball):
            view.update()
        view.set_hovered(self._hit.joint if self._hit else -1)
        if on_gizmo:
            view.setCursor(Qt.CursorShape.OpenHandCursor)
        if ball >= 0:  # beside the balls, which a text would hide
            aside = 2 * corner_item.HALF + corner_item.MARGIN
            at = QPointF(view.width() - aside, view.height() - aside)
        if ghost >= 0:
            view.setCursor(Qt.CursorShape.PointingHandCursor)
        elif self._on_ghost and not on_gizmo and view.hovered < 0:
            view.unsetCursor()
        self._on_ghost = ghost >= 0
        ghosts = view.stage.ghosts.names
        names = self._waypoints.words or self._rows.words or (str(ghosts[ghost]) if ghost >= 0 else self._names())
        is_beside = not on_gizmo and ball < 0 and ghost < 0 and self._hit is None
        self._object = view.object_under(at.x(), at.y()) if is_beside else ""
        if view.stage.names:
            names = names or self._object
        self.label.tell(f"{corner_item.VIEWS[ball].capitalize()} view" if ball >= 0 else self._with_contact(names), at)

    def leave(self) -> None:
        """The cursor is elsewhere."""
        self._hit, self._at, self._object = None, None, ""
        self._with_contact("")
        self.label.hide()
        if self.view.stage.corner.set_hovered(-1):
            self.view.update()
        self._gizmo.hover(None)
        self._waypoints.hover(None)
        self._rows.hover(None)
        self._objects.hover(None)
        self.view.set_hovered(-1)

    def follow(self) -> None:
        """The arm has moved, perhaps by the hand whose cursor this is."""
        if self._hit is not None and self.label.isVisible():
            self.label.renew(self._with_contact(self._names()))

    def _with_contact(self, names: str) -> str:
        """Mark the contact of the link or object under the cursor, and return the names with its caption in another line."""
        view, hit, item = self.view, self._hit, self.view.stage.clearance
        before, links = item.marked, () if hit is None else view.robot.links.items()
        caption = item.point_out(
            {self._object, *(name for name, frame in links if hit is not None and frame.body == hit.slot - 1)}
        )
        if item.marked is not before:
            view.update()
        return "\n".join(filter(None, (names, caption)))

    def _names(self) -> str:
        """The link, and in a second line its joint with the joint's value."""
        robot, hit = self.view.robot, self._hit
        if hit is None or not self.view.stage.names:
            return ""
        link = next((name for name, frame in robot.links.items() if frame.body == hit.slot - 1), "")
        if hit.joint < 0:
            return link
        value = self.units.text(float(self.view.q[hit.joint]), bool(robot.prismatic[hit.joint]))
        return f"{link}\n{robot.joint_names[hit.joint]} = {value}"
