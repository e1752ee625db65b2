"""`simulated_measurement`: what the sensors of a simulated arm tell while it follows a trajectory."""

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
_COUNTS = 2**17  # of an encoder at the joint, per turn or metre
_SOFT = 10.0  # rad/s, of the law, and
_SPEED_CUTOFF = 20.0  # Hz, of the speeds it sees: counts make little of the torque
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
    """A recording, every millisecond, of `robot` under computed torque along a trajectory, as its sensors tell it.

    Args:
        robot: the arm as it really is.
        trajectory: which it follows, from its start on.
        model: the arm as the law knows it; `robot` when None.
        noise: standard deviation of the torques, as a share of the root mean square that each joint needs on the way.
        counts: of the encoders, per turn of the joint or per metre; 0 for exact ones.
        seed: of the noise.
        duration: s; the trajectory's own when None.

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
