"""`Stepper`: state of a simulated arm, changed by commands and by batches of steps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from armature.engine.batching import require_dynamics
from armature.engine.contact.cell import Cell
from armature.engine.control.controller import Controller
from armature.engine.control.own_law.own_disturbance import OwnDisturbance, disturbance_of
from armature.engine.control.own_law.own_law import OwnLaw
from armature.engine.control.python_law import PythonLaw, law_of
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
    SetCell,
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
from armature.engine.simulation.contact_stop import ContactStop
from armature.engine.simulation.divergence import Divergence, Method, divergence_of
from armature.engine.simulation.energy_ledger import EnergyAccount, Ledger
from armature.engine.simulation.gain_stability import (
    MeasuredGains,
    UnstableGains,
    measured_gains,
    poses_ahead,
    unstable_gains,
)
from armature.engine.simulation.pull import Pull, packed_loads
from armature.engine.simulation.sensors.sensors import Sensors
from armature.engine.simulation.simulation_arguments import ADAPTIVE, check_dt, check_integrator, joint_vector, start_speed
from armature.engine.simulation.step_batch import StepBatch, join
from armature.engine.simulation.step_clock import StepClock
from armature.engine.simulation.stepping.adaptive_steps import advance_adaptively
from armature.engine.simulation.stepping.fixed_steps import FINE, INTEGRATORS, advance
from armature.engine.simulation.stepping.step_drive import FREE, SIDE
from armature.engine.trajectory.trajectory import Trajectory


class Stepper:
    """Simulated arm: q, qd at time t under the motor torque `tau`, which is constant during a step.

    `wrench` `(n_bodies, 6)`: force and moment on each body in world axes, at the origin of the body's frame. `bare`: the arm
    without its `payload`; `robot`: both; `pull`: spring that pulls on it; `cell`: objects around it; `clock`: its time. With
    `ledger` it counts energy and works, under every integrator but the adaptive one.
    """

    def __init__(self, robot: Robot, q, qd=None, dt: float = 1e-3, integrator: str = "rk4", ledger: bool = False):
        self.robot, self._model = robot, step_model(robot)
        self.bare = robot
        self._measured: MeasuredGains | None = None  # of a user-defined controller
        self.payload: Payload | None = None
        self.pull: Pull | None = None
        self.cell: Cell | None = None
        self.contact_stop = ContactStop()
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
            case SetCell(cell, contacts):
                self.cell = cell
                self.contact_stop.set(contacts)

    def describe(self) -> dict[str, Any]:
        """Return controller, trajectory, sensors, disturbance and cell as plain values."""
        return {**self.control.describe(), "cell": None if self.cell is None else self.cell.describe()}

    @property
    def t(self) -> float:
        """Simulated time, s."""
        return self.clock.t

    @property
    def dt(self) -> float:
        """Length of a step, s."""
        return self.clock.dt

    def set_dt(self, dt: float) -> None:
        """Set the time step; raises EngineError unless 1e-7 ≤ dt ≤ 1 s."""
        self.control.sensing.set_dt(self.robot, check_dt(dt))
        self.clock.dt = dt

    def set_integrator(self, name: str) -> None:
        """Set the integrator; raises EngineError with the valid names."""
        self.integrator = check_integrator(name, self.control.controller, self.control.sensing.on)

    def set_controller(
        self, controller: Controller | Callable[..., Any] | None, model: Robot | None = None, knows_payload: bool = True
    ) -> None:
        """Set the controller from the next step on; None for the constant torque `tau`.

        Without a trajectory, a controller of another kind holds the present pose; one with other gains holds the same pose.

        Args:
            model: the controller's model of the arm; None: the simulated arm without payload.
            knows_payload: True if the controller accounts for the payload.

        Raises:
            EngineError for an invalid controller, gains or model that do not fit, or with the adaptive integrator.
        """
        law = law_of(controller)
        check_integrator(self.integrator, law, self.control.sensing.on)
        self._measured = None
        other = type(law) is not type(self.control.controller)
        self.control.set_controller(law, self.bare, model, knows_payload)
        self.control.set_known_model(self.bare, self.payload)
        if other:
            self.hold()

    def set_sensors(self, sensors: Sensors | None) -> None:
        """Set the sensors of controller and recording, None for exact measurements; raises EngineError if they do not fit."""
        check_integrator(self.integrator, self.control.controller, sensors is not None)
        self.control.sensing.set_sensors(sensors, self.robot, self.dt)

    def hold(self, q=None) -> None:
        """Let the controller hold q `(n,)`, by default the present pose; a trajectory has precedence."""
        self.control.hold[:] = self.q if q is None else q

    def set_trajectory(self, trajectory: Trajectory | None) -> None:
        """Set the trajectory, from its beginning now, with its payloads. Raises DimensionError."""
        self.control.set_trajectory(trajectory, self.bare)
        self.hold()
        self.clock.begin()
        self.control.reset_memory()

    def set_payload(self, payload: Payload | None) -> None:
        """Set the payload, None for none. Raises ModelError."""
        robot = self.bare if payload is None else payload.held_by(self.bare)
        self._exchange(robot)
        self.payload = payload
        self.control.set_known_model(self.bare, payload)

    def set_disturbance(self, disturbance: OwnDisturbance | Callable[..., Any] | None) -> None:
        """Set the user-defined disturbance, called at every step; None for none. Raises LawError, EngineError."""
        self.control.disturbing.set(disturbance_of(disturbance), self.bare)
        self.wrench[:] = 0.0

    def set_pull(self, pull: Pull | None) -> None:
        """Set the spring that pulls on a point of the arm, None for none. Raises EngineError."""
        if pull is not None:
            pull.rows(self.bare)
        self.pull = pull

    def _exchange(self, robot: Robot) -> None:
        self._account.exchange(self.robot, robot, self.q, self.qd)
        self.robot, self._model = robot, step_model(robot)

    def set_model(self, robot: Robot) -> None:
        """Set other parameters of the same joints; the payload remains. Raises EngineError for other joints."""
        if robot.joint_names != self.robot.joint_names or robot.joint_types != self.robot.joint_types:
            raise EngineError(
                f"{robot.name} does not have the joints of {self.robot.name}: it is another robot, not another model"
            )
        self._exchange(robot if self.payload is None else self.payload.held_by(robot))
        self.bare = robot
        self.control.set_known_model(robot, self.payload)

    def set_state(self, q, qd=None) -> None:
        """Place the arm at q, qd `(n,)`, at rest without qd; time continues. Raises DimensionError, EngineError."""
        self.q[:], self.qd[:] = joint_vector(self.robot, "q", q), start_speed(self.robot, qd)
        self.control.hold[:] = self.q
        if self.control.in_python:  # its torque was for the previous state
            self.control.invalidate_sample()
        self.control.sensing.restart_history()
        self._account.open(self.robot, self.q, self.qd)
        self.contact_stop.restart()

    def ledger(self) -> Ledger | None:
        """Return energy and works at the present state; None if they are not counted."""
        if not self._account.active or self.integrator == ADAPTIVE or not self.robot.has_dynamics:
            return None
        return self._account.ledger(self.robot, self.q, self.qd)

    def set_torque(self, tau) -> None:
        """Set the motor torque `(n,)`, N·m or N. Raises DimensionError."""
        self.tau[:] = joint_vector(self.robot, "tau", tau)

    def reset(self, q, qd=None) -> None:
        """Return to t = 0 at q, qd; torque, controller and trajectory remain, the latter from its beginning."""
        self.set_state(q, qd)
        self.control.sensing.restart()
        self.clock.restart()
        self.steps = 0
        self.control.reset_memory()
        self.control.disturbing.restart()
        if self.control.handles_payload:
            self.set_payload(None)
            self._account.open(self.robot, self.q, self.qd)

    def advance(self, steps: int) -> StepBatch:
        """Take up to `steps` steps without interpreter lock; stop at the last finite state, or at a contact.

        Raises MissingDynamicsError for an arm without masses, and the errors of user code, in the state in which it failed.
        """
        batches: list[StepBatch] = []
        while steps > 0:
            self.handle_payload()
            try:
                held = self._call_user_code()
            except EngineError:
                if not batches:
                    raise
                break  # the steps so far count; the next call raises again
            unchecked = self.contact_stop.steps(self.q, self.qd, self.dt)
            alike = min(steps, self.control.steps_until_change(self.clock.driven, self.dt), held, unchecked)
            batch = self._take(alike, self.q, self.qd)
            self.clock.advance(len(batch.states))
            contact = self.contact_stop.look(batch.states, self.t, self.q)
            batches.append(batch if contact is None else replace(batch, contact=contact))
            self.steps += len(batch.states)
            steps -= len(batch.states)
            if batch.divergence is not None or contact is not None:
                break
        return batches[0] if len(batches) == 1 else join(batches)

    def _call_user_code(self, trial: bool = False) -> int:
        """Set wrench and torque of user code; return the number of steps for which they are valid, at least 1."""
        if self.control.disturbing.on:
            self.wrench[:] = self.control.disturbing.wrench(self.robot, self.t, self.q, self.qd, trial)
        if not self.control.in_python:
            return 1 if self.control.disturbing.on else np.iinfo(np.int64).max
        self.tau[:], steps = self.control.sampled_torque(self.robot, self.t, self.dt, self.q, self.qd, self.clock.driven, trial)
        return 1 if self.control.disturbing.on else steps

    def unstable_gains(self, poses=None) -> UnstableGains | None:
        """Return gains that are unstable at the held pose, along the trajectory, or at further poses `(N, n)`, rad or m.

        Without `poses`, the gains of a user-defined controller are measured at its goal, and used by later calls.
        """
        control, law = self.control, self.control.controller
        if poses is None and isinstance(law, (OwnLaw, PythonLaw)):
            reference = np.concatenate([control.reference(np.array([self.clock.driven]))[0], self.tau])
            self._measured = measured_gains(law, control.run, control.known_arm or self.robot, self.t, reference)
        q = poses_ahead(control.hold, control.trajectory)
        q = np.vstack([q, self.q if poses is None else poses])
        return unstable_gains(self.robot, self._measured or law, q, self.dt, self.integrator, control.known_arm)

    def handle_payload(self) -> None:
        """Set the payload of the trajectory at this time."""
        if self.control.handles_payload:
            held = self.control.payload_at(self.clock.driven, self.dt)
            if held is not self.payload:
                self.set_payload(held)

    def sample(self, call: bool = True) -> StepBatch:
        """Return the present state as one row, with the acceleration under the present torque; nothing moves.

        Without `call`, user code is not called, and its last torque and wrench are used.
        """
        control, work = self.control, self._account.work.copy()
        memories = control.memory.copy(), control.sensing.memory.copy()
        if call:
            self._call_user_code(trial=True)
        if control.run is None:  # a plain function is called once at a time
            memories = control.memory.copy(), control.sensing.memory.copy()
        batch = self._take(1, self.q.copy(), self.qd.copy())
        (control.memory, control.sensing.memory), self._account.work = memories, work
        return batch

    def sample_or_hold(self) -> StepBatch:
        """Return `sample`; if user code fails, with its last torque."""
        try:
            return self.sample()
        except EngineError as error:
            if not self.control.is_fault(error):
                raise
            return self.sample()

    def _take(self, steps: int, q: np.ndarray, qd: np.ndarray) -> StepBatch:
        require_dynamics(self.robot)
        loads, control, clock = packed_loads(self.bare, self.wrench, self.pull), self.control, self.clock
        log = np.empty((steps, 4 * self.robot.n))
        P, dt, side, desired, measured = self._model, clock.dt, None, None, None
        if self.integrator == ADAPTIVE:
            done, code = advance_adaptively(P, dt, steps, q, qd, self.tau, loads, log)
        else:
            if control.follows:
                desired = control.reference(clock.driven_times(steps))
            drive = FREE
            if self._account.active or control.law.size or self.pull is not None or control.sensing.on:
                side = np.empty((steps, SIDE))
                measured = np.empty((steps, 3 * self.robot.n)) if control.sensing.on else None
                drive = control.drive(clock.driven, desired, self._account.work, side, measured)
            done, code = advance(P, dt, steps, INTEGRATORS[self.integrator], q, qd, self.tau, loads, log, drive)
        states = np.column_stack([clock.times(done), log[:done]])
        failure = None if code == FINE else self._failure(code, clock.after(done), q)
        desired, side, measured = (None if rows is None else rows[:done] for rows in (desired, side, measured))
        return StepBatch(states, failure, desired, side, ((self.robot, done),), measured, control.logs(done))

    def _failure(self, code: int, t: float, q: np.ndarray) -> Divergence:
        """Return the cause of a failed step after q `(n,)` at time t; unstable gains have precedence."""
        driven = bool(self.tau.any() or self.wrench.any() or self.pull or self.control.controller)
        goal = self.control.reference(np.array([self.clock.driven]))[:, : self.robot.n]
        cause = self.unstable_gains(np.vstack([q, goal]))
        return divergence_of(self.robot, code, t, q, Method(self.dt, self.integrator, self.control.period, driven), cause)

    def static_sample(self) -> StepBatch:
        """Return the present state as one row at rest, with the torque that balances gravity, zero without masses."""
        tau = gravity_torque(self.robot, self.q) if self.robot.has_dynamics else np.zeros(self.robot.n)
        row = np.concatenate([[self.t], self.q, self.qd, np.zeros(self.robot.n), tau])[None]
        desired = self.control.reference(np.array([self.clock.driven])) if self.control.follows else None
        measured = self.control.sensing.static_sample(self.q, tau)
        return StepBatch(row, desired=desired, arms=((self.robot, 1),), measured=measured)
