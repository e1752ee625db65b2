"""`follow_tool`: the motion of one arm whose tool moves as that of another."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from armature.engine.errors import TrajectoryError
from armature.engine.kinematics.ik import ik
from armature.engine.kinematics.jacobian import tool_rates
from armature.engine.kinematics.poses import frame_pose
from armature.engine.kinematics.task import path_task
from armature.engine.model.robot import Robot
from armature.engine.trajectory.task_space import Walk, follow_timed
from armature.engine.trajectory.trajectory import Trajectory

_STARTS = 5  # solutions of the first pose that are tried


@dataclass(frozen=True, eq=False)
class ToolPath:
    """Path of the tool of an arm on a trajectory, with s = t."""

    leader: Robot
    trajectory: Trajectory

    def pose(self, s) -> np.ndarray:
        """Return the pose X_WT `(…, 4, 4)` at s."""
        return frame_pose(self.leader, self.trajectory.sample(s)[0])

    def rate(self, s, _sd, _sdd) -> tuple[np.ndarray, np.ndarray]:
        """Return the twist and its derivative `(…, 6)` in world axes at s."""
        return tool_rates(self.leader, *self.trajectory.sample(s))


def follow_tool(robot: Robot, leader: Robot, trajectory: Trajectory, q0=None) -> Trajectory:
    """Return the trajectory on which the tool of `robot` has the poses of the tool of `leader` on its trajectory, once.

    X_WT(q_robot(t)) = X_WT(q_leader(t))  in the coordinates that the tool of `robot` can follow

    Args:
        trajectory: motion of the joints of `leader`.
        q0: joint positions `(n,)` of `robot` from which its first pose is searched, rad or m; None: a random
            one. If the path cannot be followed from there, other solutions of the first pose are tried.

    Returns:
        A `Trajectory` of `robot`, exact within 1e-6 m; a redundant arm moves with the least joint speed.

    Raises:
        TrajectoryError: a pose that `robot` cannot reach, or at which a joint would jump; the message names time and point.
    """
    for attempt in range(_STARTS):
        start = ik(robot, frame_pose(leader, trajectory.start), q0=None if attempt else q0, task=path_task(robot), seed=attempt)
        if not start.success:
            raise TrajectoryError(f"{robot.name}: the tool cannot reach the start of the path of {leader.name}: {start.reason}")
        try:
            return _followed(robot, leader, trajectory, start.q)
        except TrajectoryError:
            if attempt == _STARTS - 1:
                raise
    raise AssertionError


def _followed(robot: Robot, leader: Robot, trajectory: Trajectory, q: np.ndarray) -> Trajectory:
    """Return the trajectory of `robot` from its start q `(n,)`."""
    parts = list[Trajectory]()
    for k, (begin, end) in enumerate(zip(trajectory.breaks[:-1], trajectory.breaks[1:], strict=True)):
        # one piece after the other, because accelerations jump between them
        piece = Trajectory(np.array([0.0, end - begin]), trajectory.coefficients[k : k + 1])
        clock = Trajectory(np.array([begin, end]), np.array([[[0.0, 1.0]]]))
        parts.append(follow_timed(robot, ToolPath(leader, piece), q, clock))
        q = parts[-1].end
    breaks = [begin + part.breaks[1:] for begin, part in zip(trajectory.breaks, parts, strict=False)]
    return replace(
        trajectory,
        breaks=np.concatenate([[0.0], *breaks]),
        coefficients=np.concatenate([part.coefficients for part in parts]),
        loops=False,
        origin=None,
    )


def joint_rates(robot: Robot, q: np.ndarray, leader: Robot, motion: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return qd with the least norm and qdd `(n,)` of `robot` at q, with which its tool moves as that of `leader`.

    `motion` `(3, n_leader)`: q, qd, qdd of `leader`.
    """
    moment = Trajectory(np.array([0.0, 1.0]), np.moveaxis(motion * [[1.0], [1.0], [0.5]], 0, -1)[None])
    return Walk(robot, ToolPath(leader, moment)).rates(q, (0.0, 1.0, 0.0))
