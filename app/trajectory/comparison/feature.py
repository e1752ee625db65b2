"""Pick and place compared: the trajectory run with, without and with an unknown load, beside the window."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from armature import engine
from armature.app.control.feature import ControlFeature
from armature.app.feature import Feature
from armature.app.state.evented import on
from armature.app.state.jobs import Job, JobRunner
from armature.app.state.shared_sentences import no_masses
from armature.app.trajectory.comparison.panel import ComparisonPanel
from armature.app.trajectory.feature import TrajectoryFeature
from armature.app.widgets.dock import Dock

if TYPE_CHECKING:
    from armature.app.workbench import Workbench
    from armature.engine import LoadComparison, Robot, Trajectory
    from armature.engine.control.controller import Controller

NOTHING = "No waypoint grasps a payload yet. Select the action “grasp” in the Trajectory panel."
NO_TRAJECTORY = "There is no trajectory to compare yet."
CANCELLED = "Cancelled."
CHANGED = "The trajectory has changed. Compare again."


class LoadComparisonFeature(Feature):
    """What was compared goes when the trajectory or the arm becomes another one."""

    dock: Dock

    def __init__(self, bench: Workbench, dock: Dock, trajectory: TrajectoryFeature, control: ControlFeature):
        self._bench, self.dock, self._trajectory, self._control = bench, dock, trajectory, control
        self.panel = ComparisonPanel(bench.preferences.units)
        self.runner = JobRunner("load-comparison", bench.parent)

    def wire(self) -> None:
        """Wire dock, runner and trajectory."""
        bench, panel, runner, trajectory = self._bench, self.panel, self.runner, self._trajectory
        for signal, slot in (
            (panel.compute_requested, self._compute),
            (panel.cancel_requested, self._cancel),
            (runner.busy_changed, panel.show_busy),
            (runner.progressed, panel.show_progress),
            (runner.finished, self._on_finished),
            (runner.failed, self._clear),
            (trajectory.run.moved, lambda: panel.plots.show_cursor(trajectory.run.time)),
            (trajectory.run.changed, self._on_run),
            (bench.preferences.units_changed, panel.set_units),
        ):
            signal.connect(slot)
        bench.views.bind(self._on_draft, on(trajectory.model, "robot", "draft"))
        bench.views.bind(self._show_possible, on(trajectory.model, "robot", "preview", "is_ready"))

    def set_robot(self, robot: Robot) -> None:
        """Nothing is compared yet."""
        self.runner.cancel()
        self.panel.set_robot(robot)
        self._show_possible()

    def shut_down(self) -> None:
        """No computation outlives the window."""
        self.runner.stop()

    def _on_draft(self) -> None:
        self._clear(CHANGED if self.panel.found is not None else "")

    def _on_run(self) -> None:
        if self._trajectory.model.followed is None:
            self.panel.plots.show_cursor(None)

    def _why_not(self) -> str:
        robot, preview = self._bench.document.robot, self._trajectory.model.preview
        if not robot.has_dynamics:
            return no_masses(robot.name)
        if preview is None:
            return NO_TRAJECTORY
        return "" if any(load is not None for _, load in preview.trajectory.payloads) else NOTHING

    def _show_possible(self) -> None:
        self.panel.show_possible(self._why_not())

    def open(self) -> None:
        """Show it, and compare if that can be done."""
        self.dock.bring_up()
        if not self._why_not():
            self._compute()

    def _clear(self, why: str) -> None:
        self.runner.cancel()
        self.panel.show_runs(None, why)
        if not why:
            self._show_possible()

    def _cancel(self) -> None:
        self._clear(CANCELLED)

    def _compute(self) -> None:
        preview, robot = self._trajectory.model.preview, self._bench.simulation.robot
        if preview is not None:
            controller, mass = self._control.to_follow()
            model = robot.with_payload(mass) if mass else None
            self.panel.show_runs(None, "Computing…")
            self.runner.start(partial(_compare, robot, preview.trajectory, controller, model))

    def _on_finished(self, found: LoadComparison | None) -> None:
        if found is not None:
            self.panel.show_runs(found, "")


def _compare(robot: Robot, trajectory: Trajectory, controller: Controller, model: Robot | None, job: Job) -> LoadComparison:
    return engine.compare_loads(robot, trajectory, controller, model=model, progress=job.progress, cancelled=job.cancelled)
