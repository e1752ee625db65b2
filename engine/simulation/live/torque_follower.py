"""`TorqueFollower`: a second arm that moves under the motor torques of the simulated arm."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from armature.engine.errors import EngineError
from armature.engine.model.read_only import read_only
from armature.engine.model.robot import Robot
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
        stepper = self._stepper
        stepper.set_dt(leader.dt)
        stepper.set_integrator(leader.integrator)
        if stepper.payload is not leader.payload:
            stepper.set_payload(leader.payload)
        torques = batch.states[:, 3 * stepper.robot.n + 1 :]
        starts = [0, *(np.flatnonzero((np.diff(torques, axis=0) != 0.0).any(axis=1)) + 1), len(torques)]
        for first, last in pairwise(starts):
            if self._failure or first == last:
                return
            stepper.set_torque(torques[first])
            taken = stepper.advance(int(last - first))
            self._failure = "" if taken.divergence is None else taken.divergence.text

    def state(self, tau: np.ndarray) -> FollowerState:
        """Return the present state under the torque `(n,)`."""
        stepper, n = self._stepper, self._stepper.robot.n
        stepper.set_torque(tau)
        sample = stepper.sample()
        qdd = np.full(n, np.nan) if sample.divergence is not None else sample.states[0, 2 * n + 1 : 3 * n + 1]
        return FollowerState(read_only(stepper.q), read_only(stepper.qd), read_only(qdd), read_only(tau), self._failure)
