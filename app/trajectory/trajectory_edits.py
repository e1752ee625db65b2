"""`TrajectoryEdits`: what a person does to the waypoints of a trajectory, each an undo step; and its files."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog

from armature import engine
from armature.app.state.recognised_file import robot_named_in
from armature.app.state.severity import Severity
from armature.app.trajectory import waypoint_values
from armature.app.trajectory.panel import TrajectoryPanel
from armature.app.trajectory.trajectory_draft import Draft, KeptDraft, TrajectoryDraft, arc_point, draft_of, example
from armature.app.trajectory.trajectory_preview import Preview
from armature.app.trajectory.waypoint_table import STAY, TIME, WAY

if TYPE_CHECKING:
    from armature.app.workbench import Workbench

FILTER = "Trajectories (*.toml);;All files (*)"


class TrajectoryEdits(QObject):
    """`selected` is the waypoint they are about, -1 for none.

    `told(text, severity)` says why something cannot be, `opened` that a file's trajectory is there to be seen.
    """

    told = Signal(str, object)
    opened = Signal()

    def __init__(self, bench: Workbench, draft: TrajectoryDraft):
        super().__init__(bench.parent)
        self._bench, self._draft = bench, draft
        self.selected = -1
        self.commands: dict[str, Callable[[], None]] = {
            "add_joints": self._add_joints,
            "add_tool": self._add_tool,
            "replace": self._replace,
            "up": lambda: self._move(-1),
            "down": lambda: self._move(1),
            "delete": self._delete,
            "clear": self._clear,
            "reverse": lambda: self._draft.edit(self._draft.now.reversed(), "reverse"),
            "example": lambda: self._take(lambda: example(self._bench.document.robot), "pick and place"),
            "load": self._ask_load,
            "save": self.ask_save,
        }

    def wire(self, panel: TrajectoryPanel) -> None:
        """Do what is entered in the dock."""
        panel.speed_chosen.connect(self.set_speed)
        panel.repeat_chosen.connect(self.set_repeat)
        panel.tool_limits.entered.connect(self.set_tool_limit)
        panel.tool_limits.reset_requested.connect(self.reset_tool_limits)
        panel.model.entered.connect(self.set_cell)
        panel.fields.entered.connect(self.set_value)
        panel.load.chosen.connect(self.set_action)
        panel.load.entered.connect(self.set_load)

    def set_speed(self, speed: float) -> None:
        """Another share of the limits."""
        self._draft.edit(replace(self._draft.now, speed=speed), "speed")

    def set_repeat(self, repeat: str) -> None:
        """Once, in a loop, or back and forth."""
        self._draft.edit(replace(self._draft.now, repeat=repeat), "repeat")

    def set_tool_limit(self, name: str, value: float, gesture: int) -> None:
        """Another limit of the tool, in m or rad per s, s² or s³."""
        limits = replace(self._draft.now.tool_limits, **{name: value})
        self._draft.edit(replace(self._draft.now, tool_limits=limits), "limits of the tool", gesture)

    def reset_tool_limits(self) -> None:
        """Those of the robot's file, and the usual ones."""
        self._draft.edit(replace(self._draft.now, tool_limits=engine.ToolLimits()), "limits of the tool")

    def set_cell(self, row: int, column: int, value) -> None:
        """Another way, time or stay, as the table's columns are."""
        draft, point = self._draft.now, self._draft.now.waypoints[row]
        field = {WAY: "kind", TIME: "duration", STAY: "dwell"}[column]
        new = {field: value}
        try:
            if column == WAY and (value == "arc") != (point.kind == "arc"):
                new["through"] = arc_point(self._bench.document.robot, draft, row) if value == "arc" else None
            self._draft.edit(draft.with_waypoint(row, replace(point, **new)), f"waypoint {row + 1}")
        except engine.EngineError as error:
            self.told.emit(f"Waypoint {row + 1}: {error}", Severity.ERROR)

    def set_value(self, i: int, value: float, gesture: int) -> None:
        """Another number of the selected waypoint, in rad or m."""
        k, draft = self.selected, self._draft.now
        changed = waypoint_values.with_value(self._bench.document.robot, draft.waypoints[k], i, value)
        self._draft.edit(draft.with_waypoint(k, changed), f"waypoint {k + 1}", gesture)

    def set_action(self, action: str) -> None:
        """The tool passes, grasps or releases at the selected waypoint."""
        k, draft = self.selected, self._draft.now
        self._draft.edit(draft.with_waypoint(k, waypoint_values.with_action(draft.waypoints[k], action)), f"waypoint {k + 1}")

    def set_load(self, i: int, value: float, gesture: int) -> None:
        """Another mass in kg or centre in m of what is grasped at the selected waypoint."""
        k, draft = self.selected, self._draft.now
        changed = waypoint_values.with_load(draft.waypoints[k], i, value)
        self._draft.edit(draft.with_waypoint(k, changed), f"load of waypoint {k + 1}", gesture)

    def go_there(self, preview: Preview | None) -> None:
        """Take the arm to the selected waypoint, as `preview` passes it where that is known."""
        q = self._place_of(self.selected, preview)
        if q is not None:
            self._bench.replay.close()
            self._bench.simulation.pause()
            self._bench.document.edit(q, text=f"waypoint {self.selected + 1}")

    def _place_of(self, k: int, preview: Preview | None) -> np.ndarray | None:
        """q `(n,)` of a waypoint, or None with a word about why it cannot be taken."""
        document, points = self._bench.document, self._draft.now.waypoints
        if preview is not None and len(preview.times) == len(points):
            return preview.q_at(preview.times[k])
        try:
            return points[k].joints(document.robot, document.q)
        except engine.EngineError as error:
            self.told.emit(f"Waypoint {k + 1}: {error}", Severity.ERROR)
            return None

    def load(self, path: str) -> None:
        """Take the trajectory of a file; one that cannot be read leaves the present one as it is."""
        self._take(lambda: draft_of(engine.load_plan(path, self._bench.document.robot)), "load trajectory")

    def open_file(self, path: Path) -> None:
        """Show the trajectory of a file that was opened, on the robot it is for; what cannot be read changes nothing."""
        files, robot = self._bench.files, self._bench.document.robot
        files.give_up()
        maker = robot_named_in(path)
        if maker != robot.name and maker in engine.shipped_robots():
            files.reader.read(maker, lambda robot, _: self._open_for(robot, maker, path))
        else:
            self._open_for(robot, maker, path)

    def _open_for(self, robot: engine.Robot, maker: str, path: Path) -> None:
        files = self._bench.files
        try:
            if maker not in ("", robot.name):
                raise engine.TrajectoryError(f"{path.name}: was made for {maker}, not for {robot.name}; open that robot first")
            draft = draft_of(engine.load_plan(path, robot))
        except engine.EngineError as error:
            files.message_about.emit("open", Severity.ERROR, f"This trajectory cannot be opened: {error}")
            return
        if robot is not self._bench.document.robot:
            files.leave(lambda: self._open_on(robot, draft, path))
        else:
            self._open_on(robot, draft, path)

    def _open_on(self, robot: engine.Robot, draft: Draft, path: Path) -> None:
        if robot is not self._bench.document.robot:
            self._bench.document.set_robot(robot)
        self._take(lambda: draft, "open trajectory")
        self._bench.preferences.add_recent(str(path.resolve()))
        self.opened.emit()

    def save(self, path: str, kept: KeptDraft | None = None, then: Callable[[], None] = lambda: None) -> None:
        """Write the open robot's trajectory, or the one that is `kept`, as a file, and go on with `then`."""
        kept = kept or self._draft.open
        try:
            engine.save_plan(kept.draft.plan(kept.robot.name), path)
        except engine.EngineError as error:
            self._bench.banner.show_message(Severity.ERROR, str(error), subject="trajectory")
            return
        kept.settle()
        self._bench.banner.show_message(Severity.INFO, f"Saved {path}", subject="trajectory")
        then()

    def _add_joints(self) -> None:
        self._insert(engine.Waypoint(q=self._bench.document.q, kind=self._usual_kind()))

    def _add_tool(self) -> None:
        document = self._bench.document
        self._insert(engine.Waypoint(X_WT=engine.frame_pose(document.robot, document.q), kind=self._usual_kind()))

    def _usual_kind(self) -> str:
        points = self._draft.now.waypoints
        return points[-1].kind if len(points) > 1 and points[-1].kind != "arc" else "quintic"

    def _insert(self, waypoint: engine.Waypoint) -> None:
        """After the selected waypoint."""
        count = len(self._draft.now.waypoints)
        place = self.selected + 1 if 0 <= self.selected < count else count
        self.selected = place
        self._draft.edit(self._draft.now.inserted(place, waypoint), "waypoint")

    def _replace(self) -> None:
        document, k = self._bench.document, self.selected
        waypoint = waypoint_values.at_pose(document.robot, self._draft.now.waypoints[k], document.q)
        self._draft.edit(self._draft.now.with_waypoint(k, waypoint), f"waypoint {k + 1}")

    def _move(self, by: int) -> None:
        k = self.selected
        self.selected = k + by
        self._draft.edit(self._draft.now.moved(k, by), "order of waypoints")

    def _delete(self) -> None:
        k = self.selected
        self.selected = min(k, len(self._draft.now.waypoints) - 2)
        self._draft.edit(self._draft.now.without(k), f"delete waypoint {k + 1}")

    def _clear(self) -> None:
        self.selected = -1
        self._draft.edit(Draft(), "remove all waypoints")

    def _take(self, make: Callable[[], Draft], text: str) -> None:
        try:
            draft = make()
        except engine.EngineError as error:
            self._bench.banner.show_message(Severity.ERROR, str(error), subject="trajectory")
            return
        for subject in ("open", "trajectory"):
            self._bench.banner.settle(subject)
        self.selected = -1
        self._draft.edit(draft, text)
        self._draft.open.settle()

    def _ask_load(self) -> None:
        path, _ = QFileDialog.getOpenFileName(self._bench.parent, "Load trajectory", str(Path.home()), FILTER)
        if path:
            self.load(path)

    def ask_save(self, kept: KeptDraft | None = None, then: Callable[[], None] = lambda: None) -> None:
        """Let the user choose a name for the open robot's trajectory, or for the one that is `kept`."""
        kept = kept or self._draft.open
        if not kept.draft.waypoints:
            self.told.emit("There is no trajectory to save yet.", Severity.WARNING)
            return
        name = kept.draft.name if kept.draft.name != Draft().name else f"{kept.robot.name} {kept.draft.name}"
        start = str(Path.home() / f"{name}.toml")
        path, _ = QFileDialog.getSaveFileName(self._bench.parent, "Save trajectory", start, FILTER)
        if path:
            self.save(path if Path(path).suffix else f"{path}.toml", kept, then)
