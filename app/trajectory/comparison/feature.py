"""Comparison of runs of a trajectory with known, without and with unknown payload, computed in a thread."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from armature import engine
from armature.app.control.feature import ControlFeature
from armature.app.feature import Feature
from armature.app.state.evented import on
from armature.app.state.jobs import Job, JobRunner
from armature.app.trajectory.comparison.comparison_model import CANCELLED, CHANGED, ComparisonModel
from armature.app.trajectory.comparison.panel import ComparisonPanel
from armature.app.trajectory.feature import TrajectoryFeature
from armature.app.widgets.dock import Dock

if TYPE_CHECKING:
    from armature.app.workbench import Workbench
    from armature.engine import LoadComparison, Robot, Trajectory
    from armature.engine.control.controller import Controller


class LoadComparisonFeature(Feature):
    """The result is discarded when the trajectory or the robot changes."""

    dock: Dock

    def __init__(self, bench: Workbench, dock: Dock, trajectory: TrajectoryFeature, control: ControlFeature):
        self._bench, self.dock, self._trajectory, self._control = bench, dock, trajectory, control
        self.model = ComparisonModel(trajectory.model)
        self.runner = JobRunner("load-comparison", bench.parent)
        self.panel = ComparisonPanel(self.model, bench.state, self._compute, partial(self._clear, CANCELLED))

    def wire(self) -> None:
        """Bind the views, and follow the run."""
        panel, run, views = self.panel, self._trajectory.run, self._bench.views
        run.moved.connect(lambda: panel.show_cursor(run.time))  # with every frame
        views.bind(self._on_draft, on(self._trajectory.model, "robot", "draft"))
        views.bind(self._on_run, on(self._trajectory.model, "followed"))
        panel.bind(views)
        panel.follow(self.runner.status, views)

    def shut_down(self) -> None:
        """End the computation."""
        self.runner.stop()

    def open(self) -> None:
        """Show the dock, and compare if that is possible."""
        self.dock.bring_up()
        if not self.model.why_not:
            self._compute()

    def _on_draft(self) -> None:
        self._clear(CHANGED if self.model.found is not None else "")

    def _on_run(self) -> None:
        if self._trajectory.model.followed is None:
            self.panel.show_cursor(None)

    def _clear(self, note: str) -> None:
        self.runner.cancel()
        self.model.clear(note)

    def _compute(self) -> None:
        preview, robot = self._trajectory.model.preview, self._bench.simulation.robot
        if preview is not None:
            controller, mass = self._control.to_follow()
            known = robot.with_payload(mass) if mass else None
            self.model.clear("Computing…")
            compare = partial(_compare, robot, preview.trajectory, controller, known)
            self.runner.start(compare, self.model.take, self._clear)


def _compare(robot: Robot, trajectory: Trajectory, controller: Controller, model: Robot | None, job: Job) -> LoadComparison:
    return engine.compare_loads(robot, trajectory, controller, model=model, progress=job.progress, cancelled=job.cancelled)
