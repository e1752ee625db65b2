"""`WaypointMenu`: the menu of a waypoint, in the table on its row and in the view on its handle."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint

from armature.app.trajectory import waypoint_values
from armature.app.trajectory.trajectory_handles import TrajectoryHandles
from armature.app.trajectory.trajectory_model import TrajectoryModel
from armature.app.widgets.copied_text import as_python, tabbed
from armature.app.widgets.pop_up import Line, copy, pop_up

if TYPE_CHECKING:
    from armature.app.workbench import Workbench

NEARBY = 0.22  # of the arm's reach: what is framed with a waypoint
EDITS = (
    ("go", "Go to waypoint"),
    ("replace", "Teach here"),
    ("add_joints", "Insert waypoint after"),
    ("up", "Move up"),
    ("down", "Move down"),
    ("delete", "Delete"),
)


class WaypointMenu(QObject):
    """Selects its waypoint; `perform(name)` calls a command of the dock."""

    def __init__(
        self,
        bench: Workbench,
        model: TrajectoryModel,
        handles: TrajectoryHandles,
        select: Callable[[int], None],
        perform: Callable[[str], None],
    ):
        super().__init__(bench.parent)
        self._bench, self._model, self._handles, self._select, self._perform = bench, model, handles, select, perform
        bench.scene.menus.waypoint.connect(self.open)

    def open(self, row: int, at: QPoint) -> None:
        """Select a waypoint and show its menu at a place on the screen."""
        self._select(row)
        allowed = self._model.possible_commands
        lines: list[Line | None] = [Line(name, text, partial(self._perform, name), name in allowed) for name, text in EDITS]
        lines[1:1] = [Line("frame", "Zoom to the waypoint", lambda: self._frame(row)), None]
        lines += [None, *self._copies(row), None, self._hiding(row)]
        pop_up(self._bench.parent, f"Waypoint {row + 1}", at, [*lines, self._bench.actions["unhide"]])

    def _hiding(self, row: int) -> Line:
        if self._handles.hides(row):
            return Line("show", "Show in the view", lambda: self._handles.hide(row, False))
        tip = "The trajectory is unchanged; View ▸ Arm ▸ Show hidden parts shows it again"
        return Line("hide", "Hide in the view", lambda: self._handles.hide(row, True), tip=tip)

    def _frame(self, row: int) -> None:
        robot = self._model.robot
        X = waypoint_values.pose(robot, self._model.draft.waypoints[row])
        self._bench.scene.frame_around(X[:3, 3], NEARBY * robot.reach)

    def _copies(self, row: int) -> list[Line]:
        """Its joint positions, where it is given by them, and the tool's pose there."""
        robot, point = self._model.robot, self._model.draft.waypoints[row]
        X, lines = waypoint_values.pose(robot, point), list[Line]()
        if point.X_WT is None:
            q = point.joints(robot, None)
            lines.append(Line("copy_q_python", "Copy q as NumPy array", lambda: copy(as_python("q", q)), tip="In rad and m"))
        lines.append(Line("copy_pose", "Copy tool pose", lambda: copy(tabbed(X)), tip="4 × 4 in the world, m"))
        lines.append(
            Line("copy_pose_python", "Copy tool pose as NumPy array", lambda: copy(as_python("X_WT", X)), tip="4 × 4, m")
        )
        return lines
