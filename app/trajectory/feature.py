"""Trajectories: made in the dock and from the arm's pose, looked at in the scene, checked in the background, and run."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import shiboken6
from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QMessageBox

from armature.app.control.feature import ControlFeature
from armature.app.feature import Feature
from armature.app.plots.feature import PlotsFeature
from armature.app.state.engine_startup import KernelStage
from armature.app.state.severity import Severity
from armature.app.trajectory.own_trajectory import OwnTrajectory
from armature.app.trajectory.panel import TrajectoryPanel
from armature.app.trajectory.trajectory_draft import KeptDraft, TrajectoryDraft
from armature.app.trajectory.trajectory_edits import TrajectoryEdits
from armature.app.trajectory.trajectory_form import EMPTY, ONE, TrajectoryForm
from armature.app.trajectory.trajectory_planner import TrajectoryPlanner
from armature.app.trajectory.trajectory_preview import Preview
from armature.app.trajectory.trajectory_progress import TrajectoryProgress
from armature.app.trajectory.trajectory_run import TrajectoryRun
from armature.app.trajectory.trajectory_scene import NO_PATH, TrajectoryScene
from armature.app.trajectory.trajectory_start import TrajectoryStart
from armature.app.trajectory.waypoint_menu import WaypointMenu
from armature.app.widgets.actions import Command, block
from armature.app.widgets.dialogs.unsaved_question import ask_unsaved
from armature.app.widgets.dock import RIGHT, Dock
from armature.app.widgets.on_screen import on_screen

if TYPE_CHECKING:
    from armature.app.workbench import Workbench
    from armature.engine import Violation


class TrajectoryFeature(Feature, QObject):
    """Every robot keeps its draft while the window is open. What is drawn in the scene is there while the dock can be seen."""

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
    needs = (ControlFeature, PlotsFeature)

    def __init__(self, bench: Workbench, control: ControlFeature, plots: PlotsFeature):
        super().__init__(bench.parent)
        self._bench, self.panel = bench, TrajectoryPanel(bench.preferences.units)
        self.dock = Dock("trajectory", "Trajectory", self.panel, RIGHT, {"trajectory": 1})
        self._question: QMessageBox | None = None
        self.draft = TrajectoryDraft(bench.document.undo_stack, bench.document.robot, self)
        self.edits = TrajectoryEdits(bench, self.draft)
        self.run = TrajectoryRun(bench, plots)
        self.scene = TrajectoryScene(bench, self.draft, self.run)
        self.handles, self.look = self.scene.handles, self.scene.look
        self.planner, self.form = TrajectoryPlanner(bench.parent), TrajectoryForm(self.panel, bench.preferences)
        self.own = OwnTrajectory(bench, self.draft, self.panel.parameters)
        self.preview: Preview | None = None
        self.starts = TrajectoryStart(bench, self.run, self.look, control)
        self.progress = TrajectoryProgress(bench, self.panel, self.scene, self.run)
        self._ready = False

    def wire(self) -> None:
        """Wire dock, draft, scene and simulation."""
        bench, panel, edits = self._bench, self.panel, self.edits
        self._commands = {
            **edits.commands,
            "go": lambda: edits.go_there(self.preview),
            "run": self._run,
            "function": self.own.ask,
            "stop": self.run.stop,
            "look": lambda: self.look.run(not self.look.running),
        }
        bench.document.robot_changed.connect(self._on_robot)  # first of all: waypoints of one robot are nothing to another
        panel.requested.connect(self._on_requested)
        panel.selected.connect(self._on_selected)
        panel.sought.connect(self._on_sought)
        panel.model.refused.connect(lambda text: panel.show_status(text, Severity.WARNING))
        edits.wire(panel)
        self.menu = WaypointMenu(bench, self.draft, panel, self.handles, self._choose)
        edits.told.connect(panel.show_status)
        edits.opened.connect(self._on_opened)
        bench.files.trajectory_requested.connect(edits.open_file)
        self.draft.changed.connect(self._on_draft)
        self.handles.wire()
        self.handles.chosen.connect(self._choose)
        self.handles.moved.connect(self.scene.show_dragged)
        self.handles.told.connect(panel.show_status)
        self.handles.ended.connect(self._tell_limits)
        bench.preferences.changed.connect(lambda field: self._show_scene() if field == "gizmo_tool_axes" else None)
        self.planner.planned.connect(self._on_planned)
        self.planner.failed.connect(self._on_failed)
        self.own.found.connect(self._on_own)
        self.own.failed.connect(lambda why: panel.show_status(why, Severity.ERROR))
        self.own.reading.connect(panel.show_status)
        self.starts.refused.connect(self._on_refused)
        self.run.wire()
        self.run.changed.connect(self._on_run)
        bench.preferences.units_changed.connect(self._on_units)
        bench.look.changed.connect(lambda _: self.look.draw())
        bench.startup.when(KernelStage.ALL, self._on_ready)
        self.dock.visibilityChanged.connect(lambda _: QTimer.singleShot(0, self, self._on_visible))
        for name, request in (("add_waypoint", "add_joints"), ("run_trajectory", "run")):
            bench.actions.on(name, lambda request=request: self._on_requested(request))
        self._allow()
        self._on_draft()

    def settle(self, then: Callable[[], None]) -> None:
        """Ask what becomes of each robot's trajectory that is in no file."""
        self._bench.scene.setFocus()  # what is being typed counts
        self._settle_next(then, [])

    def _settle_next(self, then: Callable[[], None], given_up: list[KeptDraft]) -> None:
        """What is given up is so once all is settled: whoever cancels later has lost nothing."""
        if self._question is not None and shiboken6.isValid(self._question) and self._question.isVisible():
            self._question.reject()
        left = [kept for kept in self.draft.unsaved if kept not in given_up]
        if not left:
            then()
            return
        kept, go_on = left[0], partial(self._settle_next, then, given_up)
        text = f"The trajectory of {kept.robot.title} has unsaved changes."
        answers = partial(self.edits.ask_save, kept, go_on), partial(self._settle_next, then, [*given_up, kept])
        self._question = ask_unsaved(self._bench.parent, text, "Save it as a trajectory file?", *answers)

    def shut_down(self) -> None:
        """End the background computation and the look ahead."""
        self.look.run(False)
        self.planner.stop()
        self.starts.stop()
        self.own.stop()

    # -- robot, dock, preferences ----------------------------------------------------------------------------------------------

    def _on_ready(self) -> None:
        self._ready = True
        self._on_draft()
        self._on_visible()

    def _on_opened(self) -> None:
        """A file's trajectory is to be seen: in this perspective, or in the one it belongs to."""
        bench = self._bench
        if bench.preferences.now.perspective not in (*self.dock.places, "all"):
            bench.actions["perspective_trajectory"].trigger()
        self.dock.bring_up()

    def _on_robot(self, robot) -> None:
        self.planner.forget()
        self.own.forget()
        self.scene.path, self.edits.selected = NO_PATH, -1
        self.draft.change_robot(robot, self._bench.document.same_arm)

    def _on_visible(self) -> None:
        """The dock was opened, closed, or went behind another tab."""
        active = self.dock.isVisible() and on_screen(self.panel)
        if active != self.scene.active:
            self.scene.active = active
            self.look.run(self.look.running and active)
            self._show_scene()

    def _on_units(self, units) -> None:
        self.panel.set_units(units)
        self.form.show_tool_limits(self._bench.document.robot, self.draft.now)
        self._show_fields()
        self._tell_limits()

    # -- what a person asks ----------------------------------------------------------------------------------------------------

    def _on_requested(self, name: str) -> None:
        if self._ready and (name not in self.panel.buttons or self.panel.buttons[name].isEnabled()):
            self._commands[name]()

    def _on_sought(self, fraction: float) -> None:
        if self.preview is not None:
            self.look.seek(fraction * self.preview.duration)

    def _run(self) -> None:
        if self.preview is not None:
            self.starts.ask(self.preview)

    def _on_refused(self, preview: Preview, on_the_way: Violation | None) -> None:
        """A trajectory that breaks a limit is run when it is requested once more."""
        self._allow()
        parts = [f"in the motion to the start, {self.form.words(preview.robot, on_the_way)}"] if on_the_way is not None else []
        parts += [self.form.broken(preview)] if preview.violations else []
        words = f"The trajectory was not run: {'. '.join(parts)}. Press Run again to run it anyway."
        self.panel.show_status(words, Severity.ERROR)
        if not self.scene.active:
            self._bench.banner.show_message(Severity.INFO, words)

    # -- the draft -------------------------------------------------------------------------------------------------------------

    def _on_draft(self) -> None:
        """Another draft: show it, and compute its trajectory."""
        draft, robot = self.draft.now, self._bench.document.robot
        self.edits.selected = min(self.edits.selected, len(draft.waypoints) - 1)
        self.preview, self.starts.warned = None, False
        self.run.forget_last()
        self.run.note_edit()
        self.panel.show_draft(draft.speed, draft.repeat)
        self._bench.drawing.shape(self.dock, lambda: self.form.show_tool_limits(self._bench.document.robot, self.draft.now))
        self.look.take(None)
        self._show_rows()
        self._show_fields()
        still = len(draft.waypoints) == 1 and not draft.waypoints[0].dwell
        if draft.waypoints:
            self.own.forget()
        if not self._ready or not draft.waypoints or still:
            self.planner.forget()
            self.panel.show_status(ONE if still else EMPTY)
            self.scene.path = NO_PATH
            self._show_preview()
            return
        self._allow()
        self.scene.show_handles(self.edits.selected)
        self.panel.show_status("Computing…")
        self.planner.ask(robot, draft.plan(robot.name))

    def _on_planned(self, found: Preview, latest: bool) -> None:
        self.scene.path = found.path
        if not latest:
            self.scene.show_handles(self.edits.selected)
            return
        self.preview = found
        self.scene.take(found, self.edits.selected)
        self._show_rows()
        self._tell_limits()
        self._show_preview()

    def _on_own(self, found: Preview) -> None:
        """A trajectory function was planned."""
        self.preview, self.starts.warned, self.scene.path = found, False, found.path
        self.scene.take(found, -1)
        self._tell_limits()
        self._show_preview()

    def _on_failed(self, text: str) -> None:
        self.panel.show_status(text, Severity.ERROR)
        self.scene.path = NO_PATH
        self._show_preview()

    # -- what is shown ---------------------------------------------------------------------------------------------------------

    def _tell_limits(self) -> None:
        if self.preview is not None and not self.handles.why:
            self.form.tell_limits(self.preview, self.own.name)

    def _show_preview(self) -> None:
        """Everything that follows from the preview."""
        self.panel.plots.show_preview(self.preview)
        self._allow()
        self._show_scene()

    def _show_rows(self) -> None:
        self.form.show_rows(self.draft.now, self.preview, self.edits.selected)

    def _show_fields(self) -> None:
        self.form.show_fields(self._bench.document.robot, self.draft.now, self.edits.selected)

    def _allow(self) -> None:
        count, robot = len(self.draft.now.waypoints), self._bench.document.robot
        self.form.allow(self._ready, count, self.edits.selected, self.preview is not None, self.run.followed is not None)
        self.form.explain_run(robot, self.starts.warned)

    def _show_scene(self) -> None:
        self.scene.show(self.edits.selected)

    def _on_selected(self, row: int) -> None:
        if row >= 0 and row != self.edits.selected:
            self._choose(row)

    def _choose(self, row: int) -> None:
        """Select a waypoint in table and scene; −1 for none."""
        self.edits.selected = row
        self.panel.table.select(row)
        self._show_fields()
        self._allow()
        self.scene.look_at(row)
        self._show_scene()

    def _on_run(self) -> None:
        if self.run.followed is not None and self.run.followed is self.preview:
            self._tell_limits()  # no longer that it is not run yet
        self._allow()
        self._show_scene()
