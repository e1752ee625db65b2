"""One inverse-kinematics problem as the search takes it: a chain of joints, a frame on it, the rows that count, the limits."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from armature.engine import batching
from armature.engine.errors import EngineError
from armature.engine.kinematics.search.pose_search import search_many
from armature.engine.kinematics.search.search_attempt import AT_TARGET
from armature.engine.kinematics.task import task_rows
from armature.engine.kinematics.task_axes import axes_frame, is_turned
from armature.engine.model.body import Frame
from armature.engine.model.robot import Robot

_SPLIT_FROM = 16  # targets; below, starting a thread costs more than it saves


@dataclass(frozen=True, eq=False)
class Found:
    """What the search made of N targets: q `(N, n)`, twist `(N, 6)` left over, and `(N,)` end, iterations, error."""

    q: np.ndarray
    twist: np.ndarray
    end: np.ndarray
    iterations: np.ndarray
    error: np.ndarray


@dataclass(frozen=True, eq=False)
class Problem:
    """`rows` of the error that count, `weight` times; `low`, `high` `(n,)` the limits in force; one radian counts `length` m."""

    robot: Robot
    frame: Frame
    rows: np.ndarray
    low: np.ndarray
    high: np.ndarray
    length: float

    @cached_property
    def weight(self) -> np.ndarray:
        """1 for lengths, `length` for angles, `(m,)`."""
        return np.where(self.rows >= 3, self.length, 1.0)

    @cached_property
    def endless(self) -> np.ndarray:
        """Indices of the joints that turn without limits."""
        return np.flatnonzero(~self.robot.prismatic & np.isinf(self.low) & np.isinf(self.high))

    @cached_property
    def axes(self) -> Frame:
        """The frame along whose axes the rows are; of body −2 for those of each target."""
        if not is_turned(self.robot, self.rows):
            return Frame(-1, np.eye(4))
        return Frame(AT_TARGET, np.eye(4)) if self.robot.task_axes == "tool" else axes_frame(self.robot, self.frame)

    @classmethod
    def of(cls, robot: Robot, frame: str | None = None, task=None) -> Problem:
        """The problem of a robot's frame and task under its own limits. Raises EngineError, UnknownFrameError."""
        F = robot.frame(frame)
        if not chain(robot, F):
            raise EngineError(f"{robot.name}: frame {frame or robot.tool!r} does not move with any joint")
        return cls(robot, F, task_rows(robot, task), robot.q_min, robot.q_max, robot.characteristic_length)

    def without_turning_limits(self) -> Problem:
        """The same with joints that turn as far as they like; slides keep their length."""
        turns = ~self.robot.prismatic
        return replace(self, low=np.where(turns, -np.inf, self.low), high=np.where(turns, np.inf, self.high))

    def without_limits(self) -> Problem:
        """The same with no limits at all."""
        return replace(self, low=np.full_like(self.low, -np.inf), high=np.full_like(self.high, np.inf))

    def of_position(self) -> Problem:
        """The same where only the position rows count."""
        return replace(self, rows=self.rows[self.rows < 3])

    def search(self, T, q0, tolerance: float, restarts: int, seed: int, from_q: bool = True, goal: int = 0) -> Found:
        """Solves the targets T `(N, 4, 4)` from the starts q0 `(N, n)`; see `ik`."""
        q, low, high, coupling = np.array(q0, order="C"), self.low, self.high, self.robot.coupling
        if coupling is not None:
            low, high = np.array(self.robot.tree.q_min), np.array(self.robot.tree.q_max)
            q, low[coupling.own], high[coupling.own] = coupling.position(q), self.low, self.high
        twist, info = np.empty((len(q), 6)), np.empty((len(q), 3))
        P, F, plan = self.robot.tree.packed, self.frame, (int(restarts), int(seed), int(from_q), goal)
        axes = self.axes
        task = (P, F.body, F.X_BF, axes.body, axes.X_BF, self.rows, self.weight, self.length, low, high, float(tolerance))
        batching.run(lambda lo, hi: search_many.call(T, task, plan, q, twist, info, lo, hi), len(q), _SPLIT_FROM)
        if coupling is not None:
            q = np.ascontiguousarray(q[:, coupling.own])
        return Found(q, twist, info[:, 0].astype(int), info[:, 1].astype(int), info[:, 2])


def chain(robot: Robot, frame: Frame) -> tuple[int, ...]:
    """`robot.chain(frame)`, for chains of joints that are free to move. Raises EngineError."""
    bodies = robot.chain(frame)
    if robot.coupling is not None and (copies := [b for b in bodies if b not in robot.joint_bodies]):
        name = robot.coupling.names[copies[0]]
        raise EngineError(
            f"{robot.name}: joint {name} before this frame is coupled to another joint; ik supports independent joints only"
        )
    return bodies
