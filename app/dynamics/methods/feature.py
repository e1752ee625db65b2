"""Methods compared in the background: integrators on the open arm, algorithms on arms of growing length."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from armature.app.dynamics.methods.methods_model import MethodsModel
from armature.app.dynamics.methods.panel import MethodsPanel
from armature.app.feature import Feature
from armature.app.state.engine_startup import KernelStage
from armature.app.state.evented import on
from armature.app.state.jobs import Job, JobRunner
from armature.app.state.shown_motion import shown_motion
from armature.app.widgets.dock import Dock

if TYPE_CHECKING:
    from armature.app.workbench import Workbench
    from armature.engine import Robot
    from armature.engine.dynamics.algorithm_cost import AlgorithmCost
    from armature.engine.simulation.runs.integrator_comparison import IntegratorComparison

DURATION = 2.0  # s


class MethodsFeature(Feature):
    """The dock *Methods*."""

    dock: Dock

    def __init__(self, bench: Workbench, dock: Dock):
        self._bench, self.dock, self.model = bench, dock, MethodsModel(bench.document.robot)
        self.integrating, self.counting = JobRunner("integrators", bench.parent), JobRunner("cost", bench.parent)
        integrate, count = (self._integrate, self.integrating.cancel), (self._count, self.counting.cancel)
        self.panel = MethodsPanel(self.model, integrate, count)
        self._costs: list[AlgorithmCost] = []

    def wire(self) -> None:
        """Bind the views."""
        self.panel.bind(self._bench.views, self.integrating.status, self.counting.status)
        self._bench.views.bind(self._take_costs, on(self.counting.status, "is_busy", "progress"))
        self._bench.startup.when(KernelStage.ALL, partial(setattr, self.model, "is_ready", True))

    def set_robot(self, robot: Robot) -> None:
        """Discard the runs of another robot."""
        self.integrating.cancel()
        self.model.change_robot(robot)

    def shut_down(self) -> None:
        """End the computations."""
        self.integrating.stop()
        self.counting.stop()

    def _integrate(self) -> None:
        bench, model = self._bench, self.model
        robot, q = bench.simulation.robot, bench.document.q
        qd = shown_motion(bench.simulation, bench.replay, robot.n).qd
        model.runs, model.note = None, "Computing…"
        take, fail = partial(setattr, model, "runs"), partial(setattr, model, "note")
        self.integrating.start(partial(_integrated, robot, q, qd, model.dt), take, fail)

    def _count(self) -> None:
        self._costs, self.model.costs, self.model.cost_note = [], (), ""
        self.counting.start(partial(_counted, self._costs), fail=partial(setattr, self.model, "cost_note"))

    def _take_costs(self) -> None:
        self.model.costs = tuple(self._costs)


def _integrated(robot: Robot, q: np.ndarray, qd: np.ndarray, dt: float, job: Job) -> IntegratorComparison:
    from armature.engine.simulation.runs.integrator_comparison import compare_integrators

    return compare_integrators(robot, q, qd, DURATION, dt, progress=job.progress, cancelled=job.cancelled)


def _counted(costs: list[AlgorithmCost], job: Job) -> None:
    """Append each cost when it is known, so that it can be drawn."""
    from armature.engine.dynamics.algorithm_cost import SIZES, algorithm_costs

    for cost in algorithm_costs(cancelled=job.cancelled):
        costs.append(cost)
        job.progress(len(costs), len(SIZES))
