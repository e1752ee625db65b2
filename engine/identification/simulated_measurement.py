"""`simulated_measurement`: simulated sensor data of an arm that follows a trajectory."""

from __future__ import annotations

import numpy as np

from armature.engine.control.control_laws import default_gains
from armature.engine.dynamics.friction import friction_torque
from armature.engine.dynamics.newton_euler import rnea
from armature.engine.model.robot import Robot
from armature.engine.recording.recording import Recording
from armature.engine.simulation.runs.simulate import simulate
from armature.engine.simulation.sensors.sensors import Sensors
from armature.engine.trajectory.trajectory import Trajectory

_DT = 1e-3  # s
_COUNTS = 2**17  # counts of an encoder at the joint, per turn or metre
_SOFT = 10.0  # rad/s, bandwidth of the controller
_SPEED_CUTOFF = 20.0  # Hz, of its velocity filter, which reduces the effect of encoder counts
_NOISE = 0.01  # of a joint's effective torque


def simulated_measurement(
    robot: Robot,
    trajectory: Trajectory,
    *,
    model: Robot | None = None,
    noise: float = _NOISE,
    counts: float = _COUNTS,
    seed: int = 0,
    duration: float | None = None,
) -> Recording:
    """Return a recording at 1 kHz of `robot` with sensors, under computed torque along a trajectory.

    Args:
        robot: the simulated arm.
        trajectory: the desired motion, from its start.
        model: the model of the controller; None: `robot`.
        noise: standard deviation of the torques, relative to the root mean square of each joint's torque.
        counts: encoder counts per turn of the joint or per metre; 0: exact.
        seed: seed of the noise.
        duration: s; None: duration of the trajectory.

    Raises:
        MissingDynamicsError, DivergenceError, EngineError.
    """
    known = robot if model is None else model
    q, qd, qdd = trajectory.sample(np.linspace(0.0, trajectory.duration, 1000))
    tau = rnea(robot, q, qd, qdd) + friction_torque(robot, qd)
    size = np.sqrt((tau**2).mean(axis=0))
    sensors = Sensors(counts=counts or None, torque_noise=tuple((noise * size).tolist()), speed_cutoff=_SPEED_CUTOFF, seed=seed)
    law = default_gains(known, "computed-torque", _SOFT, q=trajectory.start)
    span = trajectory.duration if duration is None else duration
    return simulate(robot, trajectory.start, None, span, _DT, law, trajectory=trajectory, model=known, sensors=sensors)
