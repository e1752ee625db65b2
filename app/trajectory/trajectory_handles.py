"""`TrajectoryHandles`: the waypoints of a draft as handles in the scene, and what becomes of a waypoint that is dragged there."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject

from armature import engine
from armature.app.hand.hand_follow import HandFollow
from armature.app.hand.hand_mover import caption
from armature.app.hand.hand_words import why_not
from armature.app.scene.hands.gizmo_drag import Wanted
from armature.app.scene.overlays.path_item import Handle
from armature.app.state.edits.pose_edit import next_gesture
from armature.app.state.evented import on
from armature.app.trajectory import waypoint_values
from armature.app.trajectory.look_ahead import LookAhead
from armature.app.trajectory.trajectory_draft import Draft
from armature.app.trajectory.trajectory_model import NO_PATH, TrajectoryModel
from armature.app.trajectory.trajectory_texts import contact_name
from armature.engine.kinematics.task import path_task

if TYPE_CHECKING:
    from armature.app.workbench import Workbench

DRAG = "Drag to move, with Ctrl in steps of 5 cm"


class TrajectoryHandles(QObject):
    """Handles are drawn by the binder after changes of the model. During a drag each step draws them and the ghost directly, so
    that they do not lag behind the pointer; table and plan follow by the binder."""

    def __init__(self, bench: Workbench, model: TrajectoryModel, look: LookAhead):
        super().__init__(bench.parent)
        self._bench, self._model, self._look, self._scene = bench, model, look, bench.scene.waypoints
        self._row, self._through = -1, False
        self._before: Draft | None = None
        self._robot = model.robot
        self._gesture = 0
        self._follow: HandFollow | None = None
        self._hidden: tuple[engine.Waypoint, ...] = ()  # of any draft: an edited waypoint is another one, and seen again

    def wire(self) -> None:
        """Follow the pointer and the model."""
        scene = self._scene
        scene.chosen.connect(self._on_chosen)
        scene.grabbed.connect(lambda _: self._begin())
        scene.moved.connect(self._go_to)
        scene.released.connect(self._end)
        scene.cancelled.connect(self._cancel)
        self._bench.actions["unhide"].triggered.connect(lambda _: self._hide(()))
        self._bench.preferences.changed.connect(lambda field: self.show() if field == "gizmo_tool_axes" else None)
        self._bench.views.bind(self.show, on(self._model, "robot", "draft", "selected", "path", "clearance", "is_shown"))

    def show(self) -> None:
        """Draw the path and the handles of all waypoints, with arrows at the selected one."""
        model, row = self._model, self._model.selected
        points = model.draft.waypoints
        arc = 0 <= row < len(points) and points[row].through is not None
        self._row, self._through = row, self._through and arc and row == self._row
        hidden = {k for k in range(len(points)) if self.hides(k)} if model.is_shown else set()
        self._scene.set_hides(bool(hidden))
        check = model.clearance if model.is_shown else None
        self._scene.mark_contact(None if check is None else check.place, "" if check is None else contact_name(check))
        if not model.is_shown:
            self._scene.show(NO_PATH, (), None)
            return
        handles = tuple(h for h in _handles(model.robot, points) if h.row not in hidden)
        chosen = (row, self._through) if row >= 0 else None
        self._scene.show(model.path, handles, chosen, self._bench.preferences.now.gizmo_tool_axes)

    def hides(self, row: int) -> bool:
        """Return whether a waypoint is hidden in the view."""
        return any(self._model.draft.waypoints[row] is hidden for hidden in self._hidden)

    def hide(self, row: int, on: bool) -> None:
        """Hide the handle of a waypoint, or show it again; the trajectory is unchanged."""
        point = self._model.draft.waypoints[row]
        others = tuple(h for h in self._hidden if h is not point)
        self._hide((*others, point) if on else others)

    def _hide(self, points: tuple[engine.Waypoint, ...]) -> None:
        self._hidden = points
        self.show()

    def _on_chosen(self, row: int, through: bool) -> None:
        self._row, self._through = row, through
        self._look.select(row)
        self.show()

    # -- a drag ----------------------------------------------------------------------------------------------------------------

    def _begin(self) -> None:
        model = self._model
        robot, point = model.robot, model.draft.waypoints[model.selected]
        self._robot, model.is_dragged = robot, True
        self._before, self._gesture, self._follow = model.draft, next_gesture(), None
        if point.X_WT is None and not self._through:
            self._follow = HandFollow(robot, point.joints(robot, None), path_task(robot), robot.task)

    def _go_to(self, wanted: Wanted) -> None:
        """Move the dragged handle; all is measured from the draft as the drag found it."""
        if self._before is None:
            return
        model, k, robot = self._model, self._row, self._model.robot
        point, why, reached = self._before.waypoints[k], "", True
        if self._through:
            new = replace(point, through=wanted.X_WT[:3, 3])
        elif self._follow is None:
            new = replace(point, X_WT=wanted.X_WT)
        else:
            try:
                followed = self._follow.to(wanted.X_WT)
            except engine.EngineError as error:
                model.report(f"Waypoint {k + 1}: {error}")
                return
            new, reached = replace(point, q=followed.q, pose=None), followed.reached
            why = why_not(robot, followed, wanted.X_WT, path_task(robot))
        model.edit(self._before.with_waypoint(k, new), f"drag waypoint {k + 1}", self._gesture)
        model.drag_error = why
        self.show()
        text, at = caption(wanted, self._bench.preferences.units), self._scene.grip(wanted)
        self._scene.say(text, why, at, None if reached else wanted.X_WT)
        self._look.show_dragged(new.q if self._follow is not None else None)

    def _end(self) -> None:
        self._before, self._follow = None, None
        self._model.is_dragged, self._model.drag_error = False, ""

    def _cancel(self) -> None:
        """Return to the draft that the drag found, unless another robot was opened meanwhile."""
        model, before = self._model, self._before
        if self._robot is model.robot and before is not None and model.draft is not before:
            model.edit(before, f"drag waypoint {self._row + 1}", self._gesture)
        self._end()


def _handles(robot: engine.Robot, points: tuple[engine.Waypoint, ...]) -> tuple[Handle, ...]:
    """A handle for every waypoint, and for the point that each arc goes through."""
    out = []
    for k, point in enumerate(points):
        what = f"Waypoint {k + 1}, {waypoint_values.place_words(point)}\n{DRAG}"
        out.append(Handle(k, False, waypoint_values.pose(robot, point), what))
        if point.through is not None:
            X = np.eye(4)
            X[:3, 3] = point.through
            out.append(Handle(k, True, X, f"Intermediate point of the arc to waypoint {k + 1}\n{DRAG}"))
    return tuple(out)
