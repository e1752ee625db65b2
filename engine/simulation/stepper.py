"""The stepper: an arm's state and the one call that moves it a batch of steps on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.batching import require_dynamics
from engine.dynamics.coupled import step_model
from engine.dynamics.newton_euler import gravity_torque
from engine.errors import DimensionError, EngineError
from engine.model.arrays import read_only
from engine.model.robot import Robot
from engine.simulation.adaptive import advance_adaptively
from engine.simulation.divergence import Divergence, diverged, singular
from engine.simulation.step import FINE, INTEGRATORS, MAX_SPEED, advance

ADAPTIVE = "adaptive"
METHODS = (*INTEGRATORS, ADAPTIVE)

DT_MIN, DT_MAX = 1e-7, 1.0
_NO_WRENCH = np.zeros((0, 6))


@dataclass(frozen=True, eq=False)
class Batch:
    """What a batch of steps left: `states` `(k, 1 + 4n)`, the rows t, q, qd, qdd, tau at the start of each step."""

    states: np.ndarray
    divergence: Divergence | None = None


class Stepper:
    """A simulated arm: q, qd at time t under the motor torque `tau`, held over each step.

    `wrench` `(n_bodies, 6)` is a force and moment on each body in world axes, at the origin of the body's frame.
    """

    def __init__(self, robot: Robot, q, qd=None, dt: float = 1e-3, integrator: str = "rk4"):
        self.robot, self._model = robot, step_model(robot)
        self.set_integrator(integrator)
        self._dt, self._t0, self._k = check_dt(dt), 0.0, 0
        self.tau = np.zeros(robot.n)
        self.wrench = np.zeros((len(robot.bodies), 6))
        self.steps = 0
        self.q, self.qd = np.zeros(robot.n), np.zeros(robot.n)
        self.set_state(q, qd)

    @property
    def t(self) -> float:
        """Simulated time, s: a multiple of dt, so that no rounding adds up."""
        return self._t0 + self._k * self._dt

    @property
    def dt(self) -> float:
        """Length of a step, s."""
        return self._dt

    def set_dt(self, dt: float) -> None:
        """Goes on with another step; raises EngineError unless 1e-7 ≤ dt ≤ 1 s."""
        dt = check_dt(dt)
        self._t0, self._k, self._dt = self.t, 0, dt

    def set_integrator(self, name: str) -> None:
        """Goes on with another integrator; raises EngineError with the valid names."""
        if name not in METHODS:
            raise EngineError(f"no integrator {name!r}; there are {', '.join(METHODS)}")
        self.integrator = name

    def set_model(self, robot: Robot) -> None:
        """Goes on with the same joints and other figures. Raises EngineError for other joints."""
        if robot.joint_names != self.robot.joint_names or robot.joint_types != self.robot.joint_types:
            raise EngineError(f"{robot.name} has other joints than {self.robot.name}: another robot, not another model of it")
        self.robot, self._model = robot, step_model(robot)

    def set_state(self, q, qd=None) -> None:
        """Puts the arm at q, qd `(n,)`, at rest without qd; time goes on. Raises DimensionError, EngineError."""
        new_q = joint_vector(self.robot, "q", q)
        new_qd = np.zeros(self.robot.n) if qd is None else joint_vector(self.robot, "qd", qd)
        if np.abs(new_qd).max() >= MAX_SPEED:
            fast = self.robot.joint_names[int(np.argmax(np.abs(new_qd)))]
            raise EngineError(f"{self.robot.name}: {fast} cannot start faster than {MAX_SPEED:g} rad/s or m/s")
        self.q[:], self.qd[:] = new_q, new_qd

    def set_torque(self, tau) -> None:
        """Motor torque `(n,)` N·m or N from the next step on. Raises DimensionError."""
        self.tau[:] = joint_vector(self.robot, "tau", tau)

    def reset(self, q, qd=None) -> None:
        """Back to t = 0 with another state; the torque stays."""
        self.set_state(q, qd)
        self._t0, self._k, self.steps = 0.0, 0, 0

    def advance(self, steps: int) -> Batch:
        """Takes up to `steps` steps in one call that holds no interpreter lock; stops at the last finite state.

        Raises MissingDynamicsError for an arm without masses.
        """
        batch = self._take(steps, self.q, self.qd)
        self._k += len(batch.states)
        self.steps += len(batch.states)
        return batch

    def probe(self) -> Batch:
        """The present state as one row with the acceleration that the present torque makes; nothing moves."""
        return self._take(1, self.q.copy(), self.qd.copy())

    def _take(self, steps: int, q: np.ndarray, qd: np.ndarray) -> Batch:
        require_dynamics(self.robot)
        wrench = self.wrench if self.wrench.any() else _NO_WRENCH
        log = np.empty((steps, 4 * self.robot.n))
        P, dt = self._model, self._dt
        if self.integrator == ADAPTIVE:
            done, code = advance_adaptively(P, dt, steps, q, qd, self.tau, wrench, log)
        else:
            done, code = advance(P, dt, steps, INTEGRATORS[self.integrator], q, qd, self.tau, wrench, log)
        times = self._t0 + np.arange(self._k, self._k + done) * self._dt
        states = np.column_stack([times, log[:done]])
        return Batch(states, None if code == FINE else self._divergence(code, self._t0 + (self._k + done) * self._dt, q))

    def at_rest(self) -> np.ndarray:
        """The present state as one row `(1, 1 + 4n)`, held still by motors that carry gravity; without masses by none."""
        tau = gravity_torque(self.robot, self.q) if self.robot.has_dynamics else np.zeros(self.robot.n)
        return np.concatenate([[self.t], self.q, self.qd, np.zeros(self.robot.n), tau])[None]

    def _divergence(self, code: int, t: float, q: np.ndarray) -> Divergence:
        if code <= -2:
            return singular(self.robot, -code - 2, t, q)
        driven = bool(self.tau.any() or self.wrench.any())
        return diverged(self.robot, code, t, q, self._dt, self.integrator, driven)


def check_dt(dt: float) -> float:
    """A step in s; raises EngineError unless it is a number from 1e-7 to 1."""
    try:
        value = float(dt)
    except (TypeError, ValueError):
        value = float("nan")
    if not DT_MIN <= value <= DT_MAX:
        raise EngineError(f"the step must be a number of seconds from {DT_MIN:g} to {DT_MAX:g}, not {dt!r}")
    return value


def joint_vector(robot: Robot, name: str, values) -> np.ndarray:
    """`values` as `(n,)` finite numbers; raises DimensionError naming the joints."""
    try:
        vector = read_only(values)
    except (TypeError, ValueError):
        vector = np.empty(0)
    if vector.shape != (robot.n,) or not np.isfinite(vector).all():
        joints = ", ".join(robot.joint_names)
        raise DimensionError(f"{robot.name}: {name} must be {robot.n} finite numbers, one for each of {joints}")
    return vector
