"""The stepper: an arm's state and the one call that moves it a batch of steps on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from armature.engine.batching import require_dynamics
from armature.engine.control.controller import Controller
from armature.engine.control.own_law.own_disturbance import OwnDisturbance, disturbance_of
from armature.engine.control.own_law.own_law import OwnLaw
from armature.engine.control.python_law import law_of
from armature.engine.dynamics.coupled import step_model
from armature.engine.dynamics.newton_euler import gravity_torque
from armature.engine.errors import EngineError
from armature.engine.model.payload import Payload
from armature.engine.model.robot import Robot
from armature.engine.simulation.arm_control import ArmControl
from armature.engine.simulation.commands import (
    ArmCommand,
    Hold,
    ReleasePull,
    Reset,
    SetController,
    SetDisturbance,
    SetIntegrator,
    SetModel,
    SetPayload,
    SetPull,
    SetSensors,
    SetState,
    SetTimeStep,
    SetTorque,
    SetTrajectory,
)
from armature.engine.simulation.divergence import Divergence, Method, failed
from armature.engine.simulation.energy_ledger import EnergyAccount, Ledger
from armature.engine.simulation.gain_stability import MeasuredGains, UnstableGains, poses_ahead, unstable_gains
from armature.engine.simulation.law_slopes import measured_gains
from armature.engine.simulation.pull import Pull, pulled
from armature.engine.simulation.sensors.sensors import Sensors
from armature.engine.simulation.simulation_arguments import ADAPTIVE, check_dt, check_integrator, joint_vector, start_speed
from armature.engine.simulation.step_batch import StepBatch, joined
from armature.engine.simulation.step_clock import StepClock
from armature.engine.simulation.stepping.adaptive_steps import advance_adaptively
from armature.engine.simulation.stepping.fixed_steps import FINE, INTEGRATORS, advance
from armature.engine.simulation.stepping.step_drive import FREE, SIDE
from armature.engine.trajectory.trajectory import Trajectory

_NO_WRENCH = np.zeros((0, 6))


class Stepper:
    """A simulated arm: q, qd at time t under the motor torque `tau`, held over each step.

    `wrench` `(n_bodies, 6)` is a force and moment on each body in world axes, at the origin of the body's frame. `bare` is the
    arm with empty hands, `payload` what it holds, `robot` both; `pull` the hand that pulls on it; `clock` counts its time.
    With `ledger` the works done on it are kept, by every integrator but the adaptive one.
    """

    def __init__(self, robot: Robot, q, qd=None, dt: float = 1e-3, integrator: str = "rk4", ledger: bool = False):
        self.robot, self._model = robot, step_model(robot)
        self.bare = robot
        self._measured: MeasuredGains | None = None  # of a user-defined controller
        self.payload: Payload | None = None
        self.pull: Pull | None = None
        self._account = EnergyAccount(ledger)
        self.control = ArmControl(np.zeros(robot.n))
        self.integrator = "rk4"
        self.set_integrator(integrator)
        self.clock = StepClock(dt)
        self.tau = np.zeros(robot.n)
        self.wrench = np.zeros((len(robot.bodies), 6))
        self.steps = 0
        self.q, self.qd = np.zeros(robot.n), np.zeros(robot.n)
        self.set_state(q, qd)

    def apply(self, command: ArmCommand) -> None:
        """Carry out a command; raises EngineError, with nothing changed, for one that does not fit."""
        match command:
            case SetState(q, qd):
                self.set_state(q, qd)
            case Reset(q, qd):
                self.reset(q, qd)
            case SetTorque(tau):
                self.set_torque(tau)
            case SetController(controller, model, knows_payload):
                self.set_controller(controller, model, knows_payload)
            case SetSensors(sensors):
                self.set_sensors(sensors)
            case SetDisturbance(disturbance):
                self.set_disturbance(disturbance)
            case SetTrajectory(trajectory):
                self.set_trajectory(trajectory)
            case Hold(q):
                self.hold(q)
            case SetPayload(payload):
                self.set_payload(payload)
            case SetPull():
                self.set_pull(Pull(**vars(command)))
            case ReleasePull():
                self.set_pull(None)
            case SetModel(robot):
                self.set_model(robot)
            case SetTimeStep(dt):
                self.set_dt(dt)
            case SetIntegrator(name):
                self.set_integrator(name)

    @property
    def t(self) -> float:
        """Simulated time, s."""
        return self.clock.t

    @property
    def dt(self) -> float:
        """Length of a step, s."""
        return self.clock.dt

    def set_dt(self, dt: float) -> None:
        """Goes on with another step; raises EngineError unless 1e-7 ≤ dt ≤ 1 s."""
        self.control.sensing.set_dt(self.robot, check_dt(dt))
        self.clock.dt = dt

    def set_integrator(self, name: str) -> None:
        """Goes on with another integrator; raises EngineError with the valid names."""
        self.integrator = check_integrator(name, self.control.controller, self.control.sensing.on)

    def set_controller(
        self, controller: Controller | Callable[..., Any] | None, model: Robot | None = None, knows_payload: bool = True
    ) -> None:
        """A control law or a function from the next step on; None for the constant torque `tau`.

        Another law holds the present pose, unless a trajectory says what to follow; the same one with other gains goes on with
        what it holds.

        Args:
            model: the arm as the controller knows it; the simulated one with empty hands when None.
            knows_payload: whether it also knows what the tool holds.

        Raises:
            EngineError for what is no law, gains or a model that do not fit, and with the adaptive integrator.
        """
        law = law_of(controller)
        check_integrator(self.integrator, law, self.control.sensing.on)
        self._measured = None
        other = type(law) is not type(self.control.controller)
        self.control.set_controller(law, self.bare, model, knows_payload)
        self.control.learn(self.bare, self.payload)
        if other:
            self.hold()

    def set_sensors(self, sensors: Sensors | None) -> None:
        """What law and recording see the arm by from now on, None for the truth; raises EngineError for what does not fit."""
        check_integrator(self.integrator, self.control.controller, sensors is not None)
        self.control.sensing.set_sensors(sensors, self.robot, self.dt)

    def hold(self, q=None) -> None:
        """Let the controller hold q `(n,)`, by default the present pose; a trajectory has precedence."""
        self.control.hold[:] = self.q if q is None else q

    def set_trajectory(self, trajectory: Trajectory | None) -> None:
        """What to follow, from its beginning now; it also says what the tool holds. Raises DimensionError."""
        self.control.set_trajectory(trajectory, self.bare)
        self.hold()
        self.clock.begin()
        self.control.forget()

    def set_payload(self, payload: Payload | None) -> None:
        """Puts something into the tool's hand, or takes it away; the state goes on. Raises ModelError."""
        robot = self.bare if payload is None else payload.held_by(self.bare)
        self._exchange(robot)
        self.payload = payload
        self.control.learn(self.bare, payload)

    def set_disturbance(self, disturbance: OwnDisturbance | Callable[..., Any] | None) -> None:
        """What pushes a link from the next step on, called at every step; None for nothing. Raises LawError, EngineError."""
        self.control.disturbing.set(disturbance_of(disturbance), self.bare)
        self.wrench[:] = 0.0

    def set_pull(self, pull: Pull | None) -> None:
        """A hand that pulls on a point of the arm from the next step on; None lets go. Raises EngineError."""
        if pull is not None:
            pull.rows(self.bare)
        self.pull = pull

    def _exchange(self, robot: Robot) -> None:
        """Goes on as `robot`."""
        self._account.exchange(self.robot, robot, self.q, self.qd)
        self.robot, self._model = robot, step_model(robot)

    def set_model(self, robot: Robot) -> None:
        """Goes on with the same joints and other figures; what the tool holds stays. Raises EngineError for other joints."""
        if robot.joint_names != self.robot.joint_names or robot.joint_types != self.robot.joint_types:
            raise EngineError(
                f"{robot.name} does not have the joints of {self.robot.name}: it is another robot, not another model"
            )
        self._exchange(robot if self.payload is None else self.payload.held_by(robot))
        self.bare = robot
        self.control.learn(robot, self.payload)

    def set_state(self, q, qd=None) -> None:
        """Puts the arm at q, qd `(n,)`, at rest without qd; time goes on. Raises DimensionError, EngineError."""
        self.q[:], self.qd[:] = joint_vector(self.robot, "q", q), start_speed(self.robot, qd)
        self.control.hold[:] = self.q
        if self.control.in_python:  # what it said of the state before does not hold for this one
            self.control.look_again()
        self.control.sensing.start_anew()
        self._account.open(self.robot, self.q, self.qd)

    def ledger(self) -> Ledger | None:
        """Where the arm's energy comes from, at the present state; None where it is not kept."""
        if not self._account.kept or self.integrator == ADAPTIVE or not self.robot.has_dynamics:
            return None
        return self._account.ledger(self.robot, self.q, self.qd)

    def set_torque(self, tau) -> None:
        """Motor torque `(n,)` N·m or N from the next step on. Raises DimensionError."""
        self.tau[:] = joint_vector(self.robot, "tau", tau)

    def reset(self, q, qd=None) -> None:
        """Back to t = 0 with another state; torque, controller and trajectory stay, which begins anew."""
        self.set_state(q, qd)
        self.control.sensing.restart()
        self.clock.restart()
        self.steps = 0
        self.control.forget()
        self.control.disturbing.restart()
        if self.control.handles_payload:
            self.set_payload(None)
            self._account.open(self.robot, self.q, self.qd)

    def advance(self, steps: int) -> StepBatch:
        """Takes up to `steps` steps in one call that holds no interpreter lock; stops at the last finite state.

        Raises MissingDynamicsError for an arm without masses, and, from the state it failed in, what a law in Python raises.
        """
        batches: list[StepBatch] = []
        while steps > 0:
            self.handle_payload()
            try:
                held = self._ask()
            except EngineError:
                if not batches:
                    raise
                break  # what was stepped counts; the next call raises it again
            alike = min(steps, self.control.steps_until_change(self.clock.driven, self.dt), held)
            batch = self._take(alike, self.q, self.qd)
            batches.append(batch)
            self.clock.go_on(len(batch.states))
            self.steps += len(batch.states)
            steps -= len(batch.states)
            if batch.divergence is not None:
                break
        return batches[0] if len(batches) == 1 else joined(batches)

    def _ask(self, trial: bool = False) -> int:
        """Sets wrench and torque of what the user wrote; for how many steps they hold, at least 1."""
        if self.control.disturbing.on:
            self.wrench[:] = self.control.disturbing.wrench(self.robot, self.t, self.q, self.qd, trial)
        if not self.control.in_python:
            return 1 if self.control.disturbing.on else np.iinfo(np.int64).max
        self.tau[:], steps = self.control.ask(self.robot, self.t, self.dt, self.q, self.qd, self.clock.driven, trial)
        return 1 if self.control.disturbing.on else steps

    def unstable_gains(self, poses=None) -> UnstableGains | None:
        """Gains that shake the arm at the held pose, along its trajectory, or at further poses `(N, n)`, rad or m.

        Without `poses`, those of a user-defined controller are measured at its goal, and kept for later calls.
        """
        control = self.control
        if poses is None and control.run is not None and isinstance(control.controller, OwnLaw):
            goal = control.reference(np.array([self.clock.driven]))[0]
            self._measured = measured_gains(control.controller, control.run, self.t, np.concatenate([goal, self.tau]))
        q = poses_ahead(control.hold, control.trajectory)
        q = np.vstack([q, self.q if poses is None else poses])
        return unstable_gains(self.robot, self._measured or control.controller, q, self.dt, self.integrator, control.known_arm)

    def handle_payload(self) -> None:
        """What the trajectory says that the tool holds by now."""
        if self.control.handles_payload:
            held = self.control.payload_at(self.clock.driven, self.dt)
            if held is not self.payload:
                self.set_payload(held)

    def probe(self, ask: bool = True) -> StepBatch:
        """The present state as one row with the acceleration that the present torque makes; nothing moves.

        Unless `ask`, torque and wrench are those that were given last, and nothing that the user wrote is called.
        """
        control, work = self.control, self._account.work.copy()
        memories = control.memory.copy(), control.sensing.memory.copy()
        if ask:
            self._ask(trial=True)
        if control.run is None:  # a function that is no own law is called once at a time, and holds what it gave
            memories = control.memory.copy(), control.sensing.memory.copy()
        batch = self._take(1, self.q.copy(), self.qd.copy())
        (control.memory, control.sensing.memory), self._account.work = memories, work
        return batch

    def standing(self) -> StepBatch:
        """As `probe`; where a law in Python or a disturbance fails, which the next steps raise, with the torque that was held."""
        try:
            return self.probe()
        except EngineError as error:
            if not self.control.failed(error):
                raise
            return self.probe()

    def _take(self, steps: int, q: np.ndarray, qd: np.ndarray) -> StepBatch:
        require_dynamics(self.robot)
        loads, control, clock = pulled(self.bare, self.wrench, self.pull), self.control, self.clock
        log = np.empty((steps, 4 * self.robot.n))
        P, dt, side, desired, measured = self._model, clock.dt, None, None, None
        if self.integrator == ADAPTIVE:
            done, code = advance_adaptively(P, dt, steps, q, qd, self.tau, loads, log)
        else:
            if control.follows:
                desired = control.reference(clock.driven_times(steps))
            drive, wrench = FREE, self.wrench if self.wrench.any() else _NO_WRENCH
            if self._account.kept or control.law.size or self.pull is not None or control.sensing.on:
                wrench = loads
                side = np.empty((steps, SIDE))
                measured = np.empty((steps, 3 * self.robot.n)) if control.sensing.on else None
                drive = control.drive(clock.driven, desired, self._account.work, side, measured)
            done, code = advance(P, dt, steps, INTEGRATORS[self.integrator], q, qd, self.tau, wrench, log, drive)
        states = np.column_stack([clock.times(done), log[:done]])
        failure = None if code == FINE else self._failure(code, clock.after(done), q)
        desired, side, measured = (None if rows is None else rows[:done] for rows in (desired, side, measured))
        return StepBatch(states, failure, desired, side, ((self.robot, done),), measured, control.logs(done))

    def _failure(self, code: int, t: float, q: np.ndarray) -> Divergence:
        """Why the step after q `(n,)` failed at time t; unstable gains are the cause of whatever else shows."""
        driven = bool(self.tau.any() or self.wrench.any() or self.pull or self.control.controller)
        goal = self.control.reference(np.array([self.clock.driven]))[:, : self.robot.n]
        cause = self.unstable_gains(np.vstack([q, goal]))
        return failed(self.robot, code, t, q, Method(self.dt, self.integrator, self.control.period, driven), cause)

    def at_rest(self) -> StepBatch:
        """The present state as one row, held still by motors that carry gravity; without masses by none."""
        tau = gravity_torque(self.robot, self.q) if self.robot.has_dynamics else np.zeros(self.robot.n)
        row = np.concatenate([[self.t], self.q, self.qd, np.zeros(self.robot.n), tau])[None]
        desired = self.control.reference(np.array([self.clock.driven])) if self.control.follows else None
        measured = self.control.sensing.at_rest(self.q, tau)
        return StepBatch(row, desired=desired, arms=((self.robot, 1),), measured=measured)
