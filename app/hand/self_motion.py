"""`SelfMotion`: what a redundant arm can do while its tool stays where it is."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from armature import engine
from armature.engine import Robot
from armature.engine.kinematics.task import scaled_jacobian, task_rows

_EXACT = 1e-9  # m and rad that the tool may be off
_STEP = 0.12  # rad, or characteristic lengths, longest step of a joint
_LEAST = 0.05  # of the reach per radian: a knob slower than this moves too little to be taken
_RANK = 1e-6
_STAYS = 1.3  # a knob goes to another link only where that moves so many times as fast


class SelfMotion:
    """The motions of the joints that the tool does not feel, J dq = 0, and the link that shows them best: the elbow.

    Source: Siciliano et al., Robotics: Modelling, Planning and Control, section 3.5.1.
    """

    def __init__(self, robot: Robot, task: tuple[str, ...]):
        self.robot, self.task = robot, task
        self._rows = task_rows(robot, task)
        self._unit = np.where(robot.prismatic, robot.characteristic_length, 1.0)
        tool, self._moving = robot.tool_frame.body, list(robot.moving_joints(robot.tool_frame))
        chain = robot.chain(robot.tool_frame)
        self._links = [name for name in robot.link_names if robot.links[name].body in chain and robot.links[name].body != tool]
        self._link, self._way = "", np.zeros(robot.n)

    @property
    def possible(self) -> bool:
        """Whether there are more joints than the task needs, and links between base and hand."""
        return len(self._moving) > len(self._rows) and bool(self._links)

    def null_space(self, q: np.ndarray) -> np.ndarray:
        """Orthonormal joint motions `(n, k)` that leave the tool where it is, slides counted in characteristic lengths."""
        J = scaled_jacobian(self.robot, q, None, self._rows) * self._unit
        _, sigma, Vt = np.linalg.svd(J[:, self._moving])
        idle = Vt[int(np.sum(sigma > _RANK * sigma[0])) :].T
        N = np.zeros((self.robot.n, idle.shape[1]))
        N[self._moving] = idle
        return N

    def knob(self, q: np.ndarray, stay: bool = False) -> tuple[np.ndarray, np.ndarray | None] | None:
        """Where the self-motion shows best: a point `(3,)` in W and its unit direction where there is but one; None for none.

        With `stay` it keeps to the link it was on.
        """
        N = self.null_space(q)
        if not N.shape[1]:
            return None
        speeds = {name: float(np.linalg.norm(self._moves(name, q, N), 2)) for name in self._links}
        best = max(speeds, key=speeds.__getitem__)
        if not self._link or (not stay and speeds[self._link] * _STAYS < speeds[best]):
            self._link = best
        if speeds[self._link] < _LEAST * self.robot.reach:
            return None
        U, sigma, _ = np.linalg.svd(self._moves(self._link, q, N))
        only = len(sigma) == 1 or sigma[1] < 0.1 * sigma[0]
        return self.point(q), U[:, 0] if only else None

    def point(self, q: np.ndarray) -> np.ndarray:
        """The knob at q, `(3,)` in W."""
        return engine.frame_pose(self.robot, q, self._link)[:3, 3]

    def along(self, q: np.ndarray, X: np.ndarray, size: float) -> np.ndarray:
        """Joints after a step of `size` rad of the joint that moves most, the way that moves the knob most, the tool staying at X
        `(4, 4)`; q itself where stuck."""
        N = self.null_space(q)
        _, _, Vt = np.linalg.svd(self._moves(self._link, q, N))
        way = N @ Vt[0]
        way *= -1.0 if way @ self._way < 0 or (not self._way.any() and way[np.argmax(np.abs(way))] < 0) else 1.0
        self._way = way
        return self._stepped(q, size * way / np.abs(way).max(), X)

    def toward(self, q: np.ndarray, X: np.ndarray, cursor: np.ndarray, project: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
        """Joints that bring the knob as near to a pixel `(2,)` as the self-motion does, the tool staying at X `(4, 4)`.

        Gauss–Newton on the distance in pixels: dq = N (P J N)⁺ (cursor − knob), P the derivative of `project`.
        """
        for _ in range(8):
            N = self.null_space(q)
            here, eps = self.point(q), 1e-5 * self.robot.reach
            at = project(np.vstack([here, here + eps * np.eye(3)]))[:, :2]
            error = cursor - at[0]
            A = ((at[1:] - at[0]) / eps).T @ self._moves(self._link, q, N)
            step = N @ np.linalg.lstsq(A, error, rcond=1e-2)[0]
            if not np.isfinite(step).all() or np.abs(step).max() < 1e-5:
                break
            new = self._stepped(q, step * min(1.0, _STEP / np.abs(step).max()), X)
            if new is q or np.linalg.norm(cursor - project(self.point(new))[:2]) > np.linalg.norm(error):
                break
            q = new
        return q

    def _moves(self, link: str, q: np.ndarray, N: np.ndarray) -> np.ndarray:
        return (engine.jacobian(self.robot, q, link)[:3] * self._unit) @ N

    def _stepped(self, q: np.ndarray, dy: np.ndarray, X: np.ndarray) -> np.ndarray:
        """q after a step as long as the limits allow, led back to where the tool is exactly at X."""
        dq = dy * self._unit
        with np.errstate(divide="ignore", invalid="ignore"):
            room = np.where(dq > 0, (self.robot.q_max - q) / dq, np.where(dq < 0, (self.robot.q_min - q) / dq, np.inf))
        share = float(np.clip(room.min(), 0.0, 1.0))
        if share < 1e-6:
            return q
        found = engine.ik(self.robot, X, q0=q + share * dq, task=self.task, restarts=0, tolerance=_EXACT)
        return found.q if found.success else q
