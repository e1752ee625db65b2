"""Second arms of a live simulation: under the motor torques of the simulated arm, or under their own controller."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from armature.engine.control.controller import Controller
from armature.engine.control.own_law.own_law import OwnLaw
from armature.engine.control.python_law import PythonLaw
from armature.engine.errors import EngineError
from armature.engine.model.read_only import read_only
from armature.engine.model.robot import Robot
from armature.engine.simulation.commands import SetController, SetFollower
from armature.engine.simulation.follower_state import FollowerState
from armature.engine.simulation.step_batch import StepBatch
from armature.engine.simulation.stepper import Stepper


class TorqueFollower:
    """Moves by the same steps as the simulated arm, under the same torques, with the same payload, from the same state; it has
    the same joints."""

    def __init__(self, robot: Robot, leader: Stepper):
        if robot.joint_types != leader.robot.joint_types:
            raise EngineError(f"{robot.name} does not have the joints of {leader.robot.name}, so it cannot have its torques")
        self.robot = robot
        self._stepper = Stepper(robot, leader.q, leader.qd, leader.dt, leader.integrator)
        self._failure = ""

    def follow(self, batch: StepBatch, leader: Stepper) -> None:
        """Take the steps of a batch of the simulated arm; nothing moves after a failure."""
        self._take_settings(leader)
        stepper = self._stepper
        torques = batch.states[:, 3 * stepper.robot.n + 1 :]
        starts = [0, *(np.flatnonzero((np.diff(torques, axis=0) != 0.0).any(axis=1)) + 1), len(torques)]
        for first, last in pairwise(starts):
            if self._failure or first == last:
                return
            stepper.set_torque(torques[first])
            self._advance(int(last - first))

    def state(self, tau: np.ndarray) -> FollowerState:
        """Return the present state under the torque `(n,)` of the simulated arm."""
        self._stepper.set_torque(tau)
        return self._present()

    def again(self, leader: Stepper) -> TorqueFollower:
        """Return the follower that begins in the present state of the simulated arm."""
        return TorqueFollower(self.robot, leader)

    def _take_settings(self, leader: Stepper) -> None:
        stepper = self._stepper
        stepper.set_dt(leader.dt)
        stepper.set_integrator(leader.integrator)
        if stepper.payload is not leader.payload and not stepper.control.handles_payload:
            stepper.set_payload(leader.payload)

    def _advance(self, steps: int) -> None:
        taken = self._stepper.advance(steps)
        self._failure = "" if taken.divergence is None else taken.divergence.text

    def _present(self) -> FollowerState:
        stepper, n = self._stepper, self._stepper.robot.n
        sample = stepper.sample()
        row = np.full(4 * n + 1, np.nan) if sample.divergence is not None else sample.states[0]
        qdd, tau = row[2 * n + 1 : 3 * n + 1], row[3 * n + 1 : 4 * n + 1]
        return FollowerState(read_only(stepper.q), read_only(stepper.qd), read_only(qdd), read_only(tau), self._failure)


class ControlledFollower(TorqueFollower):
    """Has a built-in controller of its own, with the reference of the simulated arm, and moves by the same steps, from the same
    state, without external forces and sensors.
    """

    def __init__(self, robot: Robot, leader: Stepper, control: SetController):
        super().__init__(robot, leader)
        if not is_built_in(control.controller):
            raise EngineError("a second arm can only have a built-in controller")
        self._control = control
        self._stepper.apply(control)
        self._take_reference(leader, 0)
        self._take_settings(leader)

    def follow(self, batch: StepBatch, leader: Stepper) -> None:
        steps = len(batch.states)
        if self._failure or not steps:
            return
        try:
            self._take_reference(leader, steps)
            self._take_settings(leader)
            self._advance(steps)
        except EngineError as error:  # such as an integrator that allows no controller
            self._failure = str(error)

    def state(self, tau: np.ndarray) -> FollowerState:
        return self._present()

    def again(self, leader: Stepper) -> ControlledFollower:
        return ControlledFollower(self.robot, leader, self._control)

    def _take_reference(self, leader: Stepper, steps: int) -> None:
        """Take what the controller of the simulated arm follows, and its time so many steps ago."""
        stepper, desired = self._stepper, leader.control
        began, steps_since, start = leader.clock.timing[2], leader.clock.timing[1] - steps, leader.clock.timing[0]
        if stepper.control.trajectory is not desired.trajectory or stepper.clock.timing[2] != began:
            stepper.set_trajectory(desired.trajectory)
        stepper.control.hold[:] = desired.hold
        stepper.clock.timing = start, steps_since, began


def is_built_in(controller: object) -> bool:
    """Whether a controller runs inside the compiled step."""
    return isinstance(controller, Controller) and not isinstance(controller, (PythonLaw, OwnLaw))


def follower_of(command: SetFollower, leader: Stepper) -> TorqueFollower | None:
    """Return the second arm of a command; raises EngineError if it does not fit the simulated arm."""
    if command.robot is None:
        return None
    if command.control is None:
        return TorqueFollower(command.robot, leader)
    return ControlledFollower(command.robot, leader, command.control)
