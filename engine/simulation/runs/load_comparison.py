"""`compare_loads`: a trajectory with its payload known, without payload, and with the payload unknown to the controller."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from armature.engine.batching import require_dynamics
from armature.engine.control.controller import Controller
from armature.engine.errors import EngineError
from armature.engine.model.frozen import Frozen
from armature.engine.model.robot import Robot
from armature.engine.simulation.commands import SetController, SetTrajectory
from armature.engine.simulation.run_loop import run
from armature.engine.simulation.simulation_arguments import steps_in
from armature.engine.simulation.stepper import Stepper
from armature.engine.trajectory.trajectory import Trajectory

RUNS = ("with", "without", "unknown")
"""Payload known to the controller, no payload, payload unknown to the controller: order of the runs in all arrays."""
MOST_STEPS = 500_000  # of a run
_PART = 250  # steps between two calls of `cancelled`


@dataclass(frozen=True)
class Phase:
    """Part of the motion from `start` to `end`, s: "move", "grasp", "carry" or "release"."""

    name: str
    start: float
    end: float


@dataclass(frozen=True, eq=False)
class LoadComparison(Frozen):
    """Three runs of one trajectory: with the payload known to the controller, without payload, and with the payload unknown.

    The first axis of an array with the shape `(3, …)` has the runs in this order; all are sampled at the times `t` `(N,)`, s. `q`
    `(3, N, n)`: joint positions, rad or m; `q_desired` `(N, n)`: desired joint positions; `tau` `(3, N, n)`: motor torques, N·m
    or N. `joint_names`: names of the n joints. `phases`: consecutive parts of the motion, each with `name` ("move", "grasp",
    "carry" or "release"), `start` and `end` in s.
    """

    joint_names: tuple[str, ...]
    t: np.ndarray
    q_desired: np.ndarray
    q: np.ndarray
    tau: np.ndarray
    phases: tuple[Phase, ...]

    @property
    def difference(self) -> np.ndarray:
        """Motor torque of each of the three runs minus that of the first, with known payload, `(3, N, n)`, N·m or N."""
        return self.tau - self.tau[0]

    @property
    def peak_torque(self) -> np.ndarray:
        """Largest absolute motor torque of each joint in each of the three runs, `(3, n)`, N·m or N."""
        return np.abs(self.tau).max(axis=1)

    @property
    def peak_error(self) -> np.ndarray:
        """Largest absolute tracking error of each joint in each of the three runs, `(3, n)`, rad or m."""
        return np.abs(self.q_desired - self.q).max(axis=1)


def phases(trajectory: Trajectory) -> tuple[Phase, ...]:
    """Return the phases of a trajectory that grasps and releases."""
    found: list[Phase] = []
    at, carries = 0.0, False
    for t, payload in trajectory.payloads:
        start, end = _rest(trajectory, t)
        if start > at:
            found.append(Phase("carry" if carries else "move", at, start))
        carries = payload is not None
        found.append(Phase("grasp" if carries else "release", start, end))
        at = end
    if trajectory.duration > at:
        found.append(Phase("carry" if carries else "move", at, trajectory.duration))
    return tuple(found)


def _rest(trajectory: Trajectory, t: float) -> tuple[float, float]:
    """Return begin and end of the dwell around time t, s; both t while the arm moves."""
    k = int(np.searchsorted(trajectory.breaks, t, side="right")) - 1
    if k >= len(trajectory.coefficients) or trajectory.breaks[k] == t or trajectory.coefficients[k, :, 1:].any():
        return t, t
    return float(trajectory.breaks[k]), float(trajectory.breaks[k + 1])


def compare_loads(
    robot: Robot,
    trajectory: Trajectory,
    controller: Controller,
    dt: float = 1e-3,
    integrator: str = "rk4",
    *,
    model: Robot | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> LoadComparison:
    """Simulate a trajectory three times: with its payload known to the controller, without payload, and with the payload unknown.

    Args:
        trajectory: the trajectory to follow once, with its grasps and releases.
        controller: a controller such as `default_gains` returns.
        dt: time step, s.
        integrator: as for `simulate`.
        model: the controller's model of the arm; None: `robot`.
        progress: called repeatedly with the steps done and the total.
        cancelled: called repeatedly; if it returns True, Cancelled is raised.

    Returns:
        A `LoadComparison`: motor torques and positions of the three runs.

    Raises:
        MissingDynamicsError, DivergenceError, EngineError if the trajectory grasps nothing or has too many steps.
    """
    require_dynamics(robot)
    if not any(payload is not None for _, payload in trajectory.payloads):
        raise EngineError("this trajectory grasps no payload, so there is nothing to compare")
    once = replace(trajectory, loops=False)
    steps = steps_in(once.duration, dt)
    if steps > MOST_STEPS:
        raise EngineError(f"{once.duration:.3g} s in steps of {dt:g} s exceed {MOST_STEPS:,} steps; choose a longer step")
    tables = []
    for k, name in enumerate(RUNS):
        stepper = Stepper(robot, once.start, None, dt, integrator)
        stepper.apply(SetController(controller, model, name != "unknown"))
        stepper.apply(SetTrajectory(replace(once, payloads=()) if name == "without" else once))
        rows, done = [], k * steps
        for batch in run(stepper, steps, _PART, cancelled=cancelled):
            rows.append(batch.states)
            done += len(batch.states)
            progress(min(done, (k + 1) * steps), len(RUNS) * steps)
        tables.append(np.concatenate(rows))
    n, table = robot.n, np.array(tables)
    wanted = once.sample(np.minimum(table[0, :, 0], once.duration))[0]
    return LoadComparison(
        robot.joint_names, table[0, :, 0], wanted, table[:, :, 1 : n + 1], table[:, :, 3 * n + 1 : 4 * n + 1], phases(once)
    )
