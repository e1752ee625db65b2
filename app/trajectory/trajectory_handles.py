"""`TrajectoryHandles`: the waypoints of a draft as handles in the scene, and what becomes of a waypoint that is dragged there."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject, Signal

from armature import engine
from armature.app.hand.hand_follow import HandFollow
from armature.app.hand.hand_mover import caption
from armature.app.hand.hand_words import why_not
from armature.app.scene.hands.gizmo_drag import Wanted
from armature.app.scene.overlays.path_item import Handle
from armature.app.state.edits.pose_edit import next_gesture
from armature.app.state.severity import Severity
from armature.app.trajectory import waypoint_values
from armature.app.trajectory.trajectory_draft import Draft, TrajectoryDraft
from armature.engine.kinematics.task import path_task

if TYPE_CHECKING:
    from armature.app.workbench import Workbench

NOWHERE = np.zeros((0, 3))
DRAG = "Drag to move, with Ctrl in steps of 5 cm"


class TrajectoryHandles(QObject):
    """`chosen(row)` by a press in the scene, −1 for none; `moved(q)` while a waypoint is dragged, q `(n,)` where it is given by
    joints, else None; `told(text, severity)` why it cannot follow, which is also in `why`; `ended` with the drag."""

    chosen = Signal(int)
    moved = Signal(object)
    told = Signal(str, object)
    ended = Signal()

    def __init__(self, bench: Workbench, draft: TrajectoryDraft):
        super().__init__(bench.parent)
        self._bench, self._draft, self._scene = bench, draft, bench.scene.waypoints
        self._row, self._through = -1, False
        self._before: Draft | None = None
        self._robot = bench.document.robot
        self._gesture, self.why = 0, ""
        self._follow: HandFollow | None = None
        self._path: np.ndarray | None = None
        self._hidden: tuple[engine.Waypoint, ...] = ()  # of any draft: an edited waypoint is another one, and seen again

    def wire(self) -> None:
        """Follow the pointer."""
        scene = self._scene
        scene.chosen.connect(self._on_chosen)
        scene.grabbed.connect(lambda _: self._begin())
        scene.moved.connect(self._go_to)
        scene.released.connect(self._end)
        scene.cancelled.connect(self._cancel)
        self._bench.actions["unhide"].triggered.connect(lambda _: self._hide(()))

    @property
    def dragging(self) -> bool:
        """Whether a waypoint is in hand."""
        return self._before is not None

    def show(self, path: np.ndarray | None, row: int) -> None:
        """Draw a path `(N, 3)`, and handles at all waypoints with one of them chosen; None for nothing at all."""
        self._path = path
        points = self._draft.now.waypoints
        hidden = {k for k, point in enumerate(points) if self._is_hidden(point)} if path is not None else set()
        self._scene.set_hides(bool(hidden))
        if path is None:
            self._row = row
            self._scene.show(NOWHERE, (), None)
            return
        arc = 0 <= row < len(points) and points[row].through is not None
        self._row, self._through = row, self._through and arc and row == self._row
        handles = tuple(h for h in _handles(self._bench.document.robot, points) if h.row not in hidden)
        chosen = (row, self._through) if row >= 0 else None
        self._scene.show(path, handles, chosen, self._bench.preferences.now.gizmo_tool_axes)

    def hides(self, row: int) -> bool:
        """Whether the waypoint on this row of the table is hidden in the view."""
        return self._is_hidden(self._draft.now.waypoints[row])

    def hide(self, row: int, on: bool) -> None:
        """Take the handle of the waypoint on this row out of the view, or put it back; the trajectory stays as it is."""
        point = self._draft.now.waypoints[row]
        others = tuple(h for h in self._hidden if h is not point)
        self._hide((*others, point) if on else others)

    def _is_hidden(self, point: engine.Waypoint) -> bool:
        return any(point is hidden for hidden in self._hidden)

    def _hide(self, points: tuple[engine.Waypoint, ...]) -> None:
        self._hidden = points
        self.show(self._path, self._row)

    def _on_chosen(self, row: int, through: bool) -> None:
        self._row, self._through = row, through
        self.chosen.emit(row)

    # -- a drag ----------------------------------------------------------------------------------------------------------------

    def _begin(self) -> None:
        robot, point = self._bench.document.robot, self._draft.now.waypoints[self._row]
        self._robot = robot
        self._before, self._gesture, self._follow = self._draft.now, next_gesture(), None
        if point.X_WT is None and not self._through:
            self._follow = HandFollow(robot, point.joints(robot, None), path_task(robot), robot.task)

    def _go_to(self, wanted: Wanted) -> None:
        """The handle is wanted elsewhere; all is measured from the draft as the drag found it."""
        if self._before is None:
            return
        k, robot = self._row, self._bench.document.robot
        point, why, reached = self._before.waypoints[k], "", True
        if self._through:
            new = replace(point, through=wanted.X_WT[:3, 3])
        elif self._follow is None:
            new = replace(point, X_WT=wanted.X_WT)
        else:
            try:
                followed = self._follow.to(wanted.X_WT)
            except engine.EngineError as error:
                self.told.emit(f"Waypoint {k + 1}: {error}", Severity.ERROR)
                return
            new, reached = replace(point, q=followed.q, pose=None), followed.reached
            why = why_not(robot, followed, wanted.X_WT, path_task(robot))
        self._draft.edit(self._before.with_waypoint(k, new), f"drag waypoint {k + 1}", self._gesture)
        text, at = caption(wanted, self._bench.preferences.units), self._scene.grip(wanted)
        self._scene.say(text, why, at, None if reached else wanted.X_WT)
        self.why = why
        if why:
            self.told.emit(f"Waypoint {k + 1}: {why}", Severity.ERROR)
        self.moved.emit(new.q if self._follow is not None else None)

    def _end(self) -> None:
        self._before, self._follow, self.why = None, None, ""
        self.ended.emit()

    def _cancel(self) -> None:
        """Everything as the drag found it; the draft of a robot that was closed meanwhile stays."""
        same = self._robot is self._bench.document.robot
        if same and self._before is not None and self._draft.now is not self._before:
            self._draft.edit(self._before, f"drag waypoint {self._row + 1}", self._gesture)
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
