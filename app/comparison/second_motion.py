"""`SecondMotion`: the second arm follows the joints, the tool or the torques of the first, one state after the other."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from armature import engine
from armature.app.hand.hand_follow import HandFollow

if TYPE_CHECKING:
    from collections.abc import Callable

    from armature.engine import Payload, Robot
    from armature.engine.simulation.follower_state import FollowerState
    from armature.engine.simulation.snapshot import Snapshot

DESIRED, MEASURED = ("q_desired", "qd_desired", "qdd_desired", "tool_desired"), ("q_measured", "qd_measured", "tau_measured")
JUMP = 0.3  # rad or m, of a joint of the first arm, after which the second starts again: following a long path takes too long
NOT_OF_SECOND = (*DESIRED, *MEASURED, "ledger", "law", "follower")  # fields of a snapshot that a second arm does not have


class SecondMotion:
    """Second robot with its joint positions `q` `(n,)`; `reached`: whether its tool is where that of the first arm is.

    With `by_tool` its tool follows that of the first arm by its own inverse kinematics, else both have equal joint positions.
    """

    def __init__(self, first: Robot, robot: Robot, by_tool: bool):
        self.first, self.robot = first, robot
        self.q, self.reached = robot.configurations["home"], True
        self._by_tool = by_tool
        self._hand: HandFollow | None = None
        self._last = self.q  # joint positions of the first arm
        self._held: tuple[Payload | None, Robot] = None, robot

    def follow(self, q: np.ndarray) -> None:
        """Follow the first arm to its joint positions q."""
        if not self._by_tool:
            self.q = q
            return
        X = engine.frame_pose(self.first, q)
        if self._hand is None or np.abs(q - self._last).max() > JUMP:
            self._hand = self._begin(X, q)
        self._last = q
        found = self._hand.to(X)
        self.q, self.reached = found.q, found.reached

    def _begin(self, X: np.ndarray, q: np.ndarray) -> HandFollow:
        """Begin at a solution near the present pose, or near q if both arms have the same joints."""
        from armature.engine.kinematics.task import path_task  # numba: not before the window is on screen

        task = path_task(self.robot)
        near = q if self.first.joint_types == self.robot.joint_types else self.q
        found = engine.ik(self.robot, X, q0=near, task=task, restarts=20)
        return HandFollow(self.robot, found.q if found.success else self.q, task)

    def along(self, q: np.ndarray, check: Callable[[], None]) -> tuple[np.ndarray, np.ndarray]:
        """Follow the first arm along its positions `(N, n)`; return positions of the second, NaN where unknown, and `reached`.

        `check` may raise to cancel.
        """
        positions, reached = np.full((len(q), self.robot.n), np.nan), np.zeros(len(q), bool)
        for k in np.flatnonzero(np.isfinite(q).all(axis=1)).tolist():
            check()
            self.follow(q[k])
            positions[k], reached[k] = self.q, self.reached
        return positions, reached

    def sample(self, snapshot: Snapshot) -> tuple[Snapshot, float] | None:
        """Return the state of the second arm for a snapshot of the first, and σ min; None if it has no state."""
        motion = self._motion(snapshot)
        if motion is None:
            return None
        from armature.engine.simulation.snapshot import TERMS  # numba: not before the window is on screen
        from armature.engine.singularities.dexterity_measures import sigma_min_batch

        robot, (q, qd, qdd, tau) = self._holding(snapshot.payload), motion
        without: dict[str, Any] = dict.fromkeys(NOT_OF_SECOND)
        state = replace(
            snapshot,
            q=q,
            qd=qd,
            qdd=qdd,
            tau=tau,
            tau_terms=dict.fromkeys(TERMS, np.full(robot.n, np.nan)),
            kinetic=float(engine.kinetic_energy(robot, q, qd)) if robot.has_dynamics else 0.0,
            potential=float(engine.potential_energy(robot, q)) if robot.has_dynamics else 0.0,
            **without,
        )
        return state, float(sigma_min_batch(robot, q[None])[0])

    def _motion(self, snapshot: Snapshot) -> tuple[np.ndarray, ...] | None:
        """Return q, qd, qdd and tau `(n,)`."""
        follower: FollowerState | None = snapshot.follower
        if follower is not None:
            return follower.q, follower.qd, follower.qdd, follower.tau
        if not self.reached or len(snapshot.q) != self.first.n:
            return None
        from armature.engine.recording.measured.measured_torques import model_torque  # numba: not before the window is on screen
        from armature.engine.trajectory.tool_path import joint_rates

        q, qd, qdd = self.q, snapshot.qd, snapshot.qdd
        if self._by_tool:
            qd, qdd = joint_rates(self.robot, q, self.first, np.array([snapshot.q, qd, qdd]))
        tau = model_torque(self._holding(snapshot.payload), q[None], qd[None], qdd[None])[0]
        return q, qd, qdd, tau

    def _holding(self, payload: Payload | None) -> Robot:
        """Return the second robot with the payload of the first."""
        if self._held[0] is not payload:
            self._held = payload, self.robot if payload is None else payload.held_by(self.robot)
        return self._held[1]
