"""`compare_integrators`: energy error of several integrators on one free arm."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from armature.engine.batching import require_dynamics
from armature.engine.dynamics.energy import kinetic_energy, potential_energy
from armature.engine.dynamics.forward import forward_dynamics
from armature.engine.errors import Cancelled, DivergenceError, EngineError
from armature.engine.model.frozen import Frozen
from armature.engine.model.robot import Robot
from armature.engine.simulation.run_loop import run
from armature.engine.simulation.simulation_arguments import joint_vector, steps_in
from armature.engine.simulation.stepper import Stepper

EXPLICIT = "explicit-euler"  # not an integrator of a simulation: it gains energy without end
METHODS = (EXPLICIT, "euler", "midpoint", "rk4", "gauss6")
STEPS = (0.02, 0.01, 0.005, 0.002, 0.001, 0.0005)  # s
_LOST = 100.0  # times the energy in play: a run with a larger error is lost
_PART = 200  # steps between two calls of `cancelled`
_STILL = 1e-9  # J


@dataclass(frozen=True, eq=False)
class IntegratorComparison(Frozen):
    """Energy errors by integrator, in the order of `METHODS`; NaN where a run is lost.

    `error` `(5, N)`: energy error at times `t` `(N,)` s with the step `dt`, J; `worst` `(5, k)`: largest error with each of
    `steps` `(k,)` s, J; `energy`: largest kinetic energy, J.
    """

    dt: float
    t: np.ndarray
    error: np.ndarray
    steps: np.ndarray
    worst: np.ndarray
    energy: float

    @property
    def orders(self) -> np.ndarray:
        """Order of convergence of each integrator `(5,)`, from errors above rounding; else NaN."""
        orders = np.full(len(METHODS), np.nan)
        for k, row in enumerate(self.worst):
            large = np.isfinite(row) & (row > 1e-10 * self.energy)
            if large.sum() >= 2:
                orders[k] = np.polyfit(np.log(self.steps[large][-3:]), np.log(row[large][-3:]), 1)[0]
        return orders


def compare_integrators(
    robot: Robot,
    q0,
    qd0=None,
    duration: float = 2.0,
    dt: float = 0.005,
    steps: Sequence[float] = STEPS,
    *,
    progress: Callable[[int, int], None] = lambda done, total: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> IntegratorComparison:
    """Simulate an arm without motors, friction and stops by explicit Euler and by the integrators of simulations.

    E(t) = E_kin + E_pot should be constant;  explicit Euler: q += dt qd, qd += dt qdd(q, qd), both from the start of the step

    Args:
        q0, qd0: initial state `(n,)`, rad or m (per s); at rest without qd0.
        duration: s.
        dt: time step of the curves over time, s.
        steps: compared time steps, s.
        progress: called with the number of completed runs and their total.
        cancelled: called now and then; if it returns True, Cancelled is raised.

    Raises:
        DimensionError, MissingDynamicsError, EngineError for an arm that does not move.
    """
    require_dynamics(robot)
    free = robot.without_friction().without_stops()
    q, qd = joint_vector(free, "q0", q0), np.zeros(free.n) if qd0 is None else joint_vector(free, "qd0", qd0)
    sizes = sorted({float(dt), *map(float, steps)}, reverse=True)
    reference, motion = _energy(free, *_run(free, q, qd, "gauss6", dt, steps_in(duration, dt), cancelled))
    energy = float(np.nanmax(motion))
    if not energy > _STILL:
        raise EngineError(
            "the arm does not move from here without motors; choose a pose from which it falls, or an initial speed"
        )
    error = np.full((len(METHODS), len(reference)), np.nan)
    worst = np.full((len(METHODS), len(sizes)), np.nan)
    for j, size in enumerate(sizes):
        for k, method in enumerate(METHODS):
            count = steps_in(duration, size)
            total, _ = _energy(free, *_run(free, q, qd, method, size, count, cancelled))
            off = np.abs(total - total[0])
            lost = ~(off < _LOST * energy)
            off[np.logical_or.accumulate(lost)] = np.nan
            worst[k, j] = np.nan if lost.any() else off.max()
            if size == dt:
                error[k] = off
            progress(j * len(METHODS) + k + 1, len(sizes) * len(METHODS))
    return IntegratorComparison(dt, dt * np.arange(len(reference)), error, np.array(sizes), worst, energy)


def _energy(robot: Robot, q: np.ndarray, qd: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return total and kinetic energy `(N,)`, J; NaN for an invalid state."""
    kinetic, potential = np.full(len(q), np.nan), np.full(len(q), np.nan)
    good = np.isfinite(q).all(axis=1) & np.isfinite(qd).all(axis=1)
    kinetic[good], potential[good] = kinetic_energy(robot, q[good], qd[good]), potential_energy(robot, q[good])
    return kinetic + potential, kinetic


def _run(
    robot: Robot, q: np.ndarray, qd: np.ndarray, method: str, dt: float, count: int, cancelled: Callable[[], bool]
) -> tuple[np.ndarray, np.ndarray]:
    """Return q and qd `(count + 1, n)` at the start of every step and at the end."""
    n = robot.n
    states = np.full((count + 1, 2 * n), np.nan)
    if method == EXPLICIT:
        _explicit_euler(robot, q, qd, dt, states, cancelled)
        return states[:, :n], states[:, n:]
    stepper, at = Stepper(robot, q, qd, dt, method), 0
    with contextlib.suppress(DivergenceError):
        for batch in run(stepper, count, _PART, cancelled=cancelled):
            states[at : at + len(batch.states)] = batch.states[:, 1 : 2 * n + 1]
            at += len(batch.states)
    return states[:, :n], states[:, n:]


def _explicit_euler(
    robot: Robot, q: np.ndarray, qd: np.ndarray, dt: float, states: np.ndarray, cancelled: Callable[[], bool]
) -> None:
    """Integrate q += dt qd, qd += dt qdd, until the speeds are out of range."""
    still, (q, qd) = np.zeros(robot.n), (q.copy(), qd.copy())
    for k in range(len(states)):
        if k % _PART == 0 and cancelled():
            raise Cancelled
        states[k] = *q, *qd
        if not np.abs(qd).max() < 1e4:
            return
        qdd = forward_dynamics(robot, q, qd, still)
        q, qd = q + dt * qd, qd + dt * qdd
