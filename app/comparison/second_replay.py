"""`second_recording`: what a second arm does during a replay of the first, as a recording."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from armature.app.comparison.second_motion import SecondMotion

if TYPE_CHECKING:
    from armature.engine import Robot
    from armature.engine.recording.recording import Recording

SAMPLES = 4000  # of a tool path, at most


def second_recording(recording: Recording, first: Robot, robot: Robot, by_tool: bool, check: Callable[[], None]) -> Recording:
    """Return the motion of `robot` with the joints or the tool path of a recording of `first`, and its payloads.

    tau is the torque that the motion needs. Samples at which the tool is out of reach are left out.
    """
    from armature.engine.recording.derived_columns import Completer  # numba: not before the window is on screen
    from armature.engine.recording.measured.measured_torques import model_torque
    from armature.engine.recording.recording import Recording
    from armature.engine.simulation.runs.recorded_dynamics import recorded_arms
    from armature.engine.trajectory.tool_path import joint_rates

    rows, motion = np.arange(len(recording)), np.array([recording.q, recording.qd, recording.qdd])
    if by_tool:
        rows = np.unique(np.linspace(0, len(recording) - 1, min(len(recording), SAMPLES)).round().astype(int))
        q, reached = SecondMotion(first, robot, True).along(recording.q[rows], check)
        rows, q = rows[reached], q[reached]
        motion = np.empty((3, len(rows), robot.n))
        for k, row in enumerate(rows.tolist()):
            check()
            leader = np.array([recording.q[row], recording.qd[row], recording.qdd[row]])
            motion[:, k] = q[k], *joint_rates(robot, q[k], first, leader)
    held = [(begin, _holding(robot, arm)) for begin, arm in recorded_arms(recording, first)]
    tables, completer = [np.empty((0, 4 * robot.n + 11))], Completer(robot)
    for k, (begin, arm) in enumerate(held):
        last = held[k + 1][0] if k + 1 < len(held) else len(recording)
        part = (begin <= rows) & (rows < last)
        q, qd, qdd = motion[:, part]
        tau = model_torque(arm, q, qd, qdd) if robot.has_dynamics else np.zeros_like(q)
        tables.append(completer.complete(np.column_stack([recording.t[rows[part]], q, qd, qdd, tau]), arm))
    return Recording.from_table(np.concatenate(tables), robot.joint_names, {})


def _holding(robot: Robot, first: Robot) -> Robot:
    """Return the robot with the payloads of the first."""
    for change in first.changes:
        if "payload" in change:
            robot = robot.with_payload(**change["payload"])
    return robot
