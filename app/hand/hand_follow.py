"""`HandFollow`: the joints follow the hand, without leaping from one branch of solutions to another."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from armature import engine
from armature.engine import Robot
from armature.engine.kinematics.task import in_axes, task_axes_at, task_rows
from armature.engine.model.robot import TASK_AXES
from armature.engine.rotations import rotation, rotation_vector

CAP = 0.35
"""Most that a joint may move in one step along the way, rad or characteristic lengths; a longer one is a leap."""
_STEP_LENGTH, _STEP_ANGLE = 0.06, 0.15  # of the reach, and rad: how far the target goes in one step along the way
_MOST, _FEW, _SHORTEST = 24, 6, 1 / 64


@dataclass(frozen=True)
class Followed:
    """q `(n,)` within the limits; whether the tool is where it was wanted; else `twist` `(6,)` still to go (m, rad, world axes).

    `leap` says that the joints could go on only by a leap.
    """

    q: np.ndarray
    reached: bool
    twist: np.ndarray
    leap: bool = False


class HandFollow:
    """One gesture: begun at joint positions q, gives joints for every wanted pose of the tool.

    The way from the last pose that was reached to the wanted one is walked in steps, each solved from the one before: that keeps
    to the branch, also after the tool was pulled out of reach and comes back. What is out of reach gives the nearest pose, with
    `hold` the nearest one in exactly the wanted orientation. A pose is reached where it is in the coordinates of `task`; those of
    `wish` that are no part of it come as near as the joints allow.
    """

    def __init__(
        self, robot: Robot, q: np.ndarray, task: tuple[str, ...], wish: tuple[str, ...] | None = None, hold: bool = False
    ):
        self.robot, self.task, self._wish = robot, task, task if wish is None else wish
        self.q = np.clip(q, robot.q_min, robot.q_max)
        self._turns = tuple(axis for axis in task if axis.startswith("r")) if hold else ()
        self._unit = np.where(robot.prismatic, robot.characteristic_length, 1.0)
        self._reached, self._X = self.q, engine.frame_pose(robot, self.q)
        self._lost: np.ndarray | None = None  # the wanted pose that self.q is the nearest to

    def to(self, X: np.ndarray) -> Followed:
        """Joints for the wanted pose X `(4, 4)` of the tool."""
        near = None
        if self._lost is not None:
            near = self._creep(X, self._lost, self.q)
            if not near.reached and not self._solve(X, self._reached).success:
                return self._out_of_reach(near, X)
        q, met = self._walk(X, self._reached, self._X)
        if near is not None and met is not X and not near.reached:
            return self._out_of_reach(near, X)
        if near is not None and near.reached and (met is not X or self._leap(q, self.q) > 3 * CAP):
            q, met = near.q, X  # led far around while out of reach: the way from where it was lost is not the way back
        if met is not X:
            self._reached, self._X = q, met
            near = self._creep(X, met, q)
            if not near.reached:
                return self._out_of_reach(near, X)
            q = near.q
        self.q, self._reached, self._X, self._lost = q, q, X, None
        return Followed(q, True, np.zeros(6))

    def _walk(self, X: np.ndarray, q: np.ndarray, start: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """From q, which has the tool at `start`, on the straight way to X as far as it goes without a leap: joints and pose."""
        way = _Way(start, X)
        share = step = 1.0 / way.steps(self.robot.reach)
        done = 0.0
        for _ in range(_MOST + 8):
            target = X if share >= 1.0 - 1e-9 else way.at(share)
            found = self._solve(target, q)
            if found.success and self._leap(found.q, q) <= CAP:
                q, done = found.q, share
                if target is X:
                    return q, X
                step = min(2.0 * step, 1.0 - done)
            else:
                step *= 0.25
                if step < _SHORTEST:
                    break
            share = done + step
        return q, way.at(done)

    def _creep(self, X: np.ndarray, X_from: np.ndarray, q: np.ndarray) -> Followed:
        """The nearest pose to X, found by following the nearest poses on the way from X_from, which q is nearest to."""
        way, reached = _Way(X_from, X), False
        count = min(_FEW, way.steps(self.robot.reach))
        for k in range(1, count + 1):
            target = X if k == count else way.at(k / count)
            found = self._solve(target, q)
            if self._leap(found.q, q) > 2 * CAP:
                return Followed(q, False, self._left(X, q), found.success)
            q, reached, self._lost = found.q, found.success, target
        return Followed(q, reached, self._left(X, q))

    def _out_of_reach(self, near: Followed, X: np.ndarray) -> Followed:
        """Take over a nearest pose, turned back into the wanted orientation where that is held."""
        if self._turns:
            held = engine.ik(self.robot, X, q0=near.q, task=self._turns, restarts=0)
            q = held.q if held.success and self._leap(held.q, self.q) <= 2 * CAP else self.q
            near = replace(near, q=q, twist=self._left(X, q))
        self.q = near.q
        return near

    def _solve(self, X: np.ndarray, q: np.ndarray):
        from armature.engine.kinematics.ik import path_ik  # compiled code, which the window must not wait for

        near = path_ik(self.robot, X, q, self._wish, self.task, restarts=0)
        if near.success and self._wish != self.task and self._leap(near.q, q) > CAP:
            return engine.ik(self.robot, X, q0=q, task=self.task, restarts=0)
        return near

    def _leap(self, q: np.ndarray, before: np.ndarray) -> float:
        return float(np.max(np.abs(q - before) / self._unit))

    def _left(self, X: np.ndarray, q: np.ndarray) -> np.ndarray:
        """What is left of the way from q to X, `(6,)`, zero off the task."""
        here = engine.frame_pose(self.robot, q)
        twist = np.concatenate([X[:3, 3] - here[:3, 3], rotation_vector(X[:3, :3] @ here[:3, :3].T)])
        R = task_axes_at(self.robot, q, None, task_rows(self.robot, self.task))
        return in_axes(R.T, in_axes(R, twist) * np.array([axis in self.task for axis in TASK_AXES]))


class _Way:
    """The straight way from one pose to another: the origin on a line, the axes about one fixed axis."""

    def __init__(self, start: np.ndarray, end: np.ndarray):
        self._start = start
        self._shift, self._turn = end[:3, 3] - start[:3, 3], rotation_vector(end[:3, :3] @ start[:3, :3].T)

    def steps(self, reach: float) -> int:
        far = max(float(np.linalg.norm(self._shift)) / (_STEP_LENGTH * reach), float(np.linalg.norm(self._turn)) / _STEP_ANGLE)
        return int(np.clip(np.ceil(far), 1, _MOST))

    def at(self, share: float) -> np.ndarray:
        X = self._start.copy()
        X[:3, 3] += share * self._shift
        X[:3, :3] = rotation(share * self._turn) @ X[:3, :3]
        return X
