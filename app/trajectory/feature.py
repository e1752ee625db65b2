"""Trajectories: edited in the dock and in the view, planned in a thread, previewed, and run."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import shiboken6
from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QMessageBox

from armature import engine
from armature.app.contact.feature import ContactFeature
from armature.app.control.feature import ControlFeature
from armature.app.feature import Feature
from armature.app.plots.feature import PlotsFeature
from armature.app.state.edits.field_edit import FieldEdit
from armature.app.state.engine_startup import KernelStage
from armature.app.state.evented import on
from armature.app.trajectory.clearance_checker import ClearanceChecker
from armature.app.trajectory.function_file import FunctionFile
from armature.app.trajectory.look_ahead import LookAhead
from armature.app.trajectory.panel import TrajectoryPanel
from armature.app.trajectory.trajectory_draft import Draft, example
from armature.app.trajectory.trajectory_files import TrajectoryFiles
from armature.app.trajectory.trajectory_handles import TrajectoryHandles
from armature.app.trajectory.trajectory_model import TrajectoryModel
from armature.app.trajectory.trajectory_planner import TrajectoryPlanner
from armature.app.trajectory.trajectory_run import TrajectoryRun
from armature.app.trajectory.waypoint_menu import WaypointMenu
from armature.app.widgets.actions import Command, block
from armature.app.widgets.dialogs.unsaved_question import ask_unsaved
from armature.app.widgets.dock import RIGHT, Dock
from armature.app.widgets.on_screen import on_screen

if TYPE_CHECKING:
    from armature.app.state.session_tables import SessionFile
    from armature.app.workbench import Workbench


class TrajectoryFeature(Feature, QObject):
    """Path, handles and ghost are in the scene while the dock is visible."""

    dock: Dock

    commands = (
        *block(
            "Simulation",
            3.0,
            Command("add_waypoint", "Add waypoint here", "", ("Insert",), "Add the current joint positions to the trajectory"),
            Command(
                "run_trajectory",
                "Run trajectory",
                "",
                ("Ctrl+Return",),
                "Move to the start of the trajectory and follow it under the selected controller",
            ),
        ),
    )
    needs = (ControlFeature, PlotsFeature, ContactFeature)

    def __init__(self, bench: Workbench, control: ControlFeature, plots: PlotsFeature, contact: ContactFeature):
        super().__init__(bench.parent)
        self._bench, self._contact, stack = bench, contact, bench.document.undo_stack
        self.model = model = TrajectoryModel(bench.document.robot, lambda *step: stack.push(FieldEdit(*step)))
        self.look = LookAhead(bench, model)
        self.panel = TrajectoryPanel(model, bench.state, self.look, self.perform)
        self.dock = Dock("trajectory", "Trajectory", self.panel, RIGHT, {"trajectory": 1})
        self._question: QMessageBox | None = None
        self.files = TrajectoryFiles(bench, model, self.bring_up)
        self.run = TrajectoryRun(bench, model, control, plots)
        self.handles = TrajectoryHandles(bench, model, self.look)
        self.planner = TrajectoryPlanner(bench.parent, model.take_plan)
        self.checker = ClearanceChecker(bench, model)
        self.function = FunctionFile(bench, model, self.panel.parameters)
        self.menu = WaypointMenu(bench, model, self.handles, self.look.select, self.perform)

    def wire(self) -> None:
        """Bind the views, and follow robot, dock and simulation."""
        bench, model, files, document = self._bench, self.model, self.files, self._bench.document
        self._commands: dict[str, Callable[[], object]] = {
            "add_joints": lambda: model.add(engine.Waypoint(q=document.q)),
            "add_tool": lambda: model.add(engine.Waypoint(X_WT=engine.frame_pose(document.robot, document.q))),
            "replace": lambda: model.replace(document.q),
            "up": lambda: model.move(-1),
            "down": lambda: model.move(1),
            "delete": model.delete,
            "clear": lambda: model.edit(Draft(), "remove all waypoints"),
            "reverse": lambda: model.edit(model.draft.reversed(), "reverse"),
            "example": lambda: files.take(lambda: example(document.robot), "pick and place"),
            "load": files.ask_load,
            "save": files.ask_save,
            "go": self._go,
            "run": self.run.request,
            "function": self.function.ask,
            "stop": self.run.stop,
            "contact": self.look.show_contact,
            "look": lambda: self.look.run(not self.look.running),
        }
        document.robot_changed.connect(self._on_robot)  # before the run, which it ends
        bench.files.trajectory_requested.connect(files.open)
        self.panel.table.menu_requested.connect(self.menu.open)
        self._contact.changed.connect(lambda contacts: setattr(model, "contacts", contacts))
        self.run.wire()
        self.function.wire()
        self.checker.wire()
        bench.preferences.units_changed.connect(lambda _: setattr(model, "message", None))
        bench.startup.when(KernelStage.ALL, self._on_ready)
        self.dock.visibilityChanged.connect(lambda _: QTimer.singleShot(0, self, self._on_visible))
        for name, request in (("add_waypoint", "add_joints"), ("run_trajectory", "run")):
            bench.actions.on(name, partial(self.perform, request))
        bench.views.bind(self._plan, on(model, "robot", "draft", "is_ready"))
        self.panel.bind(bench.views, partial(bench.drawing.shape, self.dock))
        self.panel.follow(self.run, bench.views, bench.clock)
        self.look.wire()
        self.handles.wire()

    def perform(self, name: str) -> None:
        """Call a command by its name, if it is allowed now."""
        if self.model.is_ready and name in self.model.possible_commands:
            self._commands[name]()

    def bring_up(self) -> None:
        """Show the dock, in this perspective or in its own."""
        bench = self._bench
        if bench.preferences.now.perspective not in (*self.dock.places, "all"):
            bench.actions["perspective_trajectory"].trigger()
        self.dock.bring_up()

    def settle(self, then: Callable[[], None]) -> None:
        """Prompt for each unsaved trajectory of any robot, then call `then`."""
        self._bench.scene.setFocus()  # ends entries
        self._settle_next(then, [])

    def _settle_next(self, then: Callable[[], None], discarded: list[Draft]) -> None:
        """Drafts are discarded only after every prompt is answered, so that cancelling loses nothing."""
        if self._question is not None and shiboken6.isValid(self._question) and self._question.isVisible():
            self._question.reject()
        left = [kept for kept in self.model.unsaved if kept.draft not in discarded]
        if not left:
            then()
            return
        kept, go_on = left[0], partial(self._settle_next, then, discarded)
        text = f"The trajectory of {kept.robot.title} has unsaved changes."
        answers = partial(self.files.ask_save, kept, go_on), partial(self._settle_next, then, [*discarded, kept.draft])
        self._question = ask_unsaved(self._bench.parent, text, "Save it as a trajectory file?", *answers)

    def session_tables(self) -> dict[str, dict[str, Any]]:
        """Selected waypoint; the waypoints are a trajectory file of their own."""
        return {"trajectory": {"selected": self.model.selected}}

    def open_session(self, file: SessionFile) -> None:
        """Select the waypoint."""
        self.model.selected = min(file.trajectory.selected, len(self.model.draft.waypoints) - 1)

    def shut_down(self) -> None:
        """End all threads and timers."""
        self.look.run(False)
        self.planner.stop()
        self.checker.runner.stop()
        self.run.shut_down()
        self.function.shut_down()

    def _on_ready(self) -> None:
        self.model.is_ready = True
        self._on_visible()

    def _on_robot(self, robot: engine.Robot) -> None:
        self.planner.cancel()
        self.function.close()
        self.model.change_robot(robot, self._bench.document.same_arm)

    def _on_visible(self) -> None:
        self.model.is_shown = self.dock.isVisible() and on_screen(self.panel)

    def _go(self) -> None:
        """Move the arm to the selected waypoint."""
        q = self.model.place(self._bench.document.q)
        if q is not None:
            self._bench.replay.close()
            self._bench.simulation.pause()
            self._bench.document.edit(q, text=f"waypoint {self.model.selected + 1}")

    def _plan(self) -> None:
        """Plan the draft; waypoints replace a trajectory function."""
        model = self.model
        if model.draft.waypoints:
            self.function.close()
        if model.is_ready and model.is_planned:
            self.planner.plan(model.robot, model.draft)
        else:
            self.planner.cancel()
