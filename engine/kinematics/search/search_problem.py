"""Inverse-kinematics problem of a robot's frame and task, its search, and the reason if a target is not reached."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from armature.engine import batching
from armature.engine.errors import EngineError, enumeration
from armature.engine.kinematics.search.pose_search import Plan, search_many
from armature.engine.kinematics.search.reason_words import RETURNED
from armature.engine.kinematics.search.search_attempt import AT_TARGET, CUT_OFF, REACHED, Task
from armature.engine.kinematics.task import axes_frame, is_turned, task_rows
from armature.engine.model.body import Frame
from armature.engine.model.robot import TASK_AXES, Robot

_SPLIT_FROM = 16  # targets; below, starting a thread costs more than it saves


@dataclass(frozen=True, eq=False)
class Found:
    """Result of the search for N targets: q `(N, n)`, remaining twist `(N, 6)`, and `(N,)` end, iterations, error."""

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
        """Frame of the axes of the rows; its body is AT_TARGET for the axes of each target."""
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
        plan, frame, axes = Plan(int(restarts), int(seed), int(from_q), goal), self.frame, self.axes
        task = Task(
            P=self.robot.tree.packed,
            body=frame.body,
            X_BF=frame.X_BF,
            axes_body=axes.body,
            X_axes=axes.X_BF,
            rows=self.rows,
            weight=self.weight,
            length=self.length,
            low=low,
            high=high,
            tolerance=float(tolerance),
        )
        batching.run(lambda lo, hi: search_many.call(T, tuple(task), tuple(plan), q, twist, info, lo, hi), len(q), _SPLIT_FROM)
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


_TRIES = 30  # random starts for each easier question
_AT_LIMIT = 1e-6  # rad or m from a limit that count as on it
_ROUNDING = 1e-6  # of metres relative to radians, and of radians relative to metres


def explain(problem: Problem, T, q, twist, end: int, tolerance: float, restarts: int, seed: int) -> str:
    """Return the reason why a target T `(4, 4)` is not reached; the nearest pose is q `(n,)`, the remaining twist `twist` `(6,)`.

    Tested in turn: more starts; revolute joints without limits; the position alone.
    """
    target, start = T[None], q[None]

    def ask(easier: Problem):
        return easier.search(target, start, tolerance, _TRIES, seed + 1)

    if restarts < _TRIES and ask(problem).end[0] == REACHED:
        return (
            f"did not converge from this start, error {distance_words(twist)}; other starts reach the target, so allow restarts"
        )
    free = problem.without_turning_limits()
    unlimited = ask(free)
    if unlimited.end[0] == REACHED:
        joints = _stopped(problem, q) or _beyond(problem, unlimited.q[0]) or ["the joints"]
        return f"joint limits: {enumeration(joints)} stopped {distance_words(twist)} short of the target{RETURNED}"
    if (problem.rows < 3).any():
        place = ask(free.of_position())
        if place.end[0] != REACHED:
            far = _farther(problem, target[0], place.twist[0])
            where = "beyond reach" if far else "too close to the base for this arm"
            return f"unreachable: the target is {place.error[0]:.3g} m {where}{RETURNED}"
    if (reason := _too_few_joints(problem, twist)) is not None:
        return reason
    if end == CUT_OFF:
        return f"did not converge: error {distance_words(twist)} after {restarts} restarts; try another q0 or more restarts"
    if (problem.rows < 3).any():
        return f"unreachable: the position is in reach, but not with this orientation{RETURNED}, error {distance_words(twist)}"
    return f"unreachable: the arm cannot reach this orientation{RETURNED}, error {distance_words(twist)}"


def _too_few_joints(problem: Problem, twist: np.ndarray) -> str | None:
    """Which coordinates are off where fewer joints than coordinates move the frame; None for others."""
    joints, rows = len(problem.robot.moving_joints(problem.frame)), problem.rows
    if joints >= len(rows):
        return None
    largest = float(np.abs(twist).max())
    amounts = [f"{TASK_AXES[row]} by {_amount(twist[row], row)}" for row in rows if abs(twist[row]) >= _ROUNDING * largest]
    have = f"{joints} joint{'s' * (joints > 1)} for {len(rows)} coordinates"
    rest = tuple(TASK_AXES[row] for row in rows if row < 3)
    if not 0 < len(rest) < len(rows):
        return f"unreachable: {have}{RETURNED}; it misses the target in {enumeration(amounts)}"
    where = f"the position is in reach, but not with this orientation ({have})"
    return (
        f"unreachable: {where}{RETURNED}; it misses the target in {enumeration(amounts)}; task={rest} reaches only the position"
    )


def _amount(value: float, row: int) -> str:
    return f"{abs(value):.3g} m" if row < 3 else f"{abs(np.degrees(value)):.3g}°"


def _farther(problem: Problem, T: np.ndarray, twist: np.ndarray) -> bool:
    """True if the target is farther from the first joint than the nearest reachable position, which is `twist` short of it."""
    first = problem.robot.bodies[chain(problem.robot, problem.frame)[0]].X_PJ[:3, 3]
    return bool(np.linalg.norm(T[:3, 3] - first) >= np.linalg.norm(T[:3, 3] - twist[:3] - first))


def distance_words(twist: np.ndarray) -> str:
    """Size of a twist as text; a part that is only rounding next to the other is omitted."""
    linear, angular = float(np.linalg.norm(twist[:3])), float(np.linalg.norm(twist[3:]))
    least = _ROUNDING * max(linear, angular)
    parts = [f"{linear:.3g} m"] if linear >= least else []
    return " and ".join(parts + ([f"{np.degrees(angular):.3g}°"] if angular >= least else []))


def _stopped(problem: Problem, q: np.ndarray) -> list[str]:
    on = (q - problem.low < _AT_LIMIT) | (problem.high - q < _AT_LIMIT)
    return _names(problem, on)


def _beyond(problem: Problem, q: np.ndarray) -> list[str]:
    """Joints that no whole turn brings within their limits."""
    turn = np.where(problem.robot.prismatic, 0.0, 2 * np.pi)
    inside = np.zeros(len(q), bool)
    for k in range(-2, 3):
        inside |= (q + k * turn >= problem.low) & (q + k * turn <= problem.high)
    return _names(problem, ~inside)


def _names(problem: Problem, which: np.ndarray) -> list[str]:
    return [name for name, marked in zip(problem.robot.joint_names, which, strict=True) if marked]
