"""A trajectory as a recording of an arm that follows it exactly."""

from __future__ import annotations

import numpy as np

from armature.engine.dynamics.friction import friction_torque
from armature.engine.dynamics.newton_euler import rnea
from armature.engine.model.robot import Robot
from armature.engine.recording.derived_columns import Completer
from armature.engine.recording.recording import Recording
from armature.engine.recording.recording_metadata import metadata_of
from armature.engine.trajectory.trajectory import Trajectory

PERIOD, LEAST, MOST = 0.005, 2, 200_000  # s between two samples, and how many there are


def recorded(robot: Robot, trajectory: Trajectory) -> Recording:
    """Samples of q, qd, qdd, and the torque that it takes: tau = rnea(q, qd, qdd) + friction(qd); 0 without masses."""
    count = int(np.clip(round(trajectory.duration / PERIOD) + 1, LEAST, MOST))
    t = np.linspace(0.0, trajectory.duration, count)
    q, qd, qdd = trajectory.sample(t)
    tau = rnea(robot, q, qd, qdd) + friction_torque(robot, qd) if robot.has_dynamics else np.zeros_like(q)
    table = Completer(robot).complete(np.column_stack([t, q, qd, qdd, tau]))
    metadata = metadata_of(robot, float(t[1] - t[0]), "", trajectory=trajectory.describe())
    return Recording.from_table(table, robot.joint_names, metadata)
