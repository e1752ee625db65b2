"""Methods compared beside the window: integrators on the arm on screen, algorithms on longer and longer arms."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from armature.app.dynamics.methods.panel import MethodsPanel
from armature.app.feature import Feature
from armature.app.state.engine_startup import COMPILING, KernelStage
from armature.app.state.jobs import Job, JobRunner
from armature.app.state.shared_sentences import no_masses
from armature.app.state.shown_motion import shown_motion
from armature.app.widgets.dock import Dock

if TYPE_CHECKING:
    from armature.app.workbench import Workbench
    from armature.engine import Robot
    from armature.engine.dynamics.algorithm_cost import AlgorithmCost
    from armature.engine.simulation.runs.integrator_comparison import IntegratorComparison

DURATION = 2.0  # s


class MethodsFeature(Feature):
    """Joins the dock with arm and threads."""

    dock: Dock

    def __init__(self, bench: Workbench, dock: Dock):
        self._bench, self.dock, self.panel = bench, dock, MethodsPanel()
        self.integrating, self.counting = JobRunner("integrators", bench.parent), JobRunner("cost", bench.parent)
        self._costs: list[AlgorithmCost] = []
        self._ready = False

    def wire(self) -> None:
        """Wire pages, runners and arm."""
        integrators, cost = self.panel.integrators, self.panel.cost
        for page, runner in ((integrators, self.integrating), (cost, self.counting)):
            runner.busy_changed.connect(page.show_busy)
            page.cancel_requested.connect(runner.cancel)
        self.integrating.progressed.connect(integrators.show_progress)
        self.counting.progressed.connect(self._on_counted)
        integrators.compute_requested.connect(self._integrate)
        cost.compute_requested.connect(self._count)
        self.integrating.finished.connect(self._on_integrated)
        self.integrating.failed.connect(integrators.sentence.setText)
        self.counting.finished.connect(lambda _: cost.show_costs(tuple(self._costs)))
        self.counting.failed.connect(cost.sentence.setText)
        cost.show_possible(COMPILING)
        integrators.show_possible(COMPILING)
        self._bench.startup.when(KernelStage.ALL, self._on_ready)

    def set_robot(self, robot: Robot) -> None:
        """Nothing is compared on it yet."""
        self.integrating.cancel()
        self.panel.integrators.show_runs(None)
        self._show_possible(robot)

    def shut_down(self) -> None:
        """No computation outlives the window."""
        self.integrating.stop()
        self.counting.stop()

    def _on_ready(self) -> None:
        self._ready = True
        self.panel.cost.show_possible("")
        self._show_possible(self._bench.document.robot)

    def _show_possible(self, robot: Robot) -> None:
        why = no_masses(robot.name) if not robot.has_dynamics else "" if self._ready else COMPILING
        self.panel.integrators.show_possible(why)

    def _integrate(self) -> None:
        bench, page = self._bench, self.panel.integrators
        robot, q = bench.simulation.robot, bench.document.q
        qd = shown_motion(bench.simulation, bench.replay, robot.n).qd
        page.show_runs(None)
        page.sentence.setText("Computing…")
        self.integrating.start(partial(_integrated, robot, q, qd, page.dt.currentData()))

    def _on_integrated(self, found: IntegratorComparison | None) -> None:
        if found is not None:
            self.panel.integrators.show_runs(found)

    def _count(self) -> None:
        self._costs = []
        self.panel.cost.show_costs(())
        self.counting.start(partial(_counted, self._costs))

    def _on_counted(self, done: int, total: int) -> None:
        self.panel.cost.show_progress(done, total)
        self.panel.cost.show_costs(tuple(self._costs))


def _integrated(robot: Robot, q: np.ndarray, qd: np.ndarray, dt: float, job: Job) -> IntegratorComparison:
    from armature.engine.simulation.runs.integrator_comparison import compare_integrators

    return compare_integrators(robot, q, qd, DURATION, dt, progress=job.progress, cancelled=job.cancelled)


def _counted(costs: list[AlgorithmCost], job: Job) -> None:
    """Each as it comes, so that it can be drawn."""
    from armature.engine.dynamics.algorithm_cost import SIZES, algorithm_costs

    for cost in algorithm_costs(cancelled=job.cancelled):
        costs.append(cost)
        job.progress(len(costs), len(SIZES))
