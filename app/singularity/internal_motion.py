"""`InternalMotion`: the joints move and the tool stays, back and forth, as they can at a singularity."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject, Signal

from armature import engine
from armature.app.state.jobs import JobRunner
from armature.engine import Robot
from armature.engine.kinematics.task import in_axes, row_scale, scaled_jacobian, singular_rows, task_axes_at

if TYPE_CHECKING:
    from armature.app.workbench import Workbench

AMPLITUDE = 0.6  # rad of the joint that moves most, at most
STEP = 0.03  # rad from one point of the path to the next
LEAST = 0.02  # rad: less than this cannot be seen
STILL = 7e-4  # m that the tool may be off, and characteristic lengths times rad that it may turn
PERIOD = 3.2  # s
_WEAK = 1e-3  # of the largest singular value: directions in which the tool cannot be led back


def internal_path(robot: Robot, q: np.ndarray, motion: np.ndarray) -> tuple[np.ndarray, int]:
    """Poses `(K, n)` along the unit joint `motion` `(n,)` both ways from q, at all of which the tool is where it is at q.

    Each step goes on the way w of the last one and is led back across it by q ← q − (A (1 − w wᵀ))⁺ e, A the scaled task Jacobian
    and e what the tool is off. It ends at the limits or where the tool can no longer be held: a stretched elbow, say, holds it to
    first order only. The second result is the row of q itself.
    """
    X = engine.frame_pose(robot, q)
    back, forth = (_branch(robot, q, X, sign * motion) for sign in (-1.0, 1.0))
    return np.array([*back[::-1], q, *forth]), len(back)


def _found(robot: Robot, q: np.ndarray, _job) -> tuple[np.ndarray, int]:
    return internal_path(robot, q, engine.singularity(robot, q).joint_motion)


def _branch(robot: Robot, q: np.ndarray, X: np.ndarray, motion: np.ndarray) -> list[np.ndarray]:
    unit = np.where(robot.prismatic, robot.characteristic_length, 1.0)
    rows = singular_rows(robot)
    scale = row_scale(robot, rows)
    way, here, path = motion / np.abs(motion / unit).max(), np.array(q), []
    while np.abs((here - q) / unit).max() < AMPLITUDE:
        w = way / unit / np.linalg.norm(way / unit)
        there = here + STEP * way
        for _ in range(2):
            error = _off(robot, there, X, rows) * scale
            A = scaled_jacobian(robot, there, None, rows) * unit
            there = there - unit * np.linalg.lstsq(A - np.outer(A @ w, w), error, rcond=_WEAK)[0]
        error = np.abs(_off(robot, there, X, rows) * scale).max()
        if error > STILL or (there < robot.q_min).any() or (there > robot.q_max).any():
            break
        moved = np.abs((there - here) / unit).max()
        if moved > 3.0 * STEP:  # led away
            break
        way = (there - here) / moved
        path.append(there)
        here = there
    return path


def _off(robot: Robot, q: np.ndarray, X: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """How far the tool at q is from X: the task's `rows` of a small twist."""
    now = engine.frame_pose(robot, q)
    R = now[:3, :3] @ X[:3, :3].T
    turn = 0.5 * np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
    return in_axes(task_axes_at(robot, q, None, rows), np.concatenate([now[:3, 3] - X[:3, 3], turn]))[rows]


class InternalMotion(QObject):
    """Plays until it is stopped or something else moves the arm; then the arm is exactly where it was, or where it was put.

    Tells `playing_changed(on)`, and `refused()` where the tool would move with the joints.
    """

    playing_changed = Signal(bool)
    refused = Signal()

    def __init__(self, bench: Workbench):
        super().__init__(bench.parent)
        self._document, self._clock = bench.document, bench.clock
        self._path, self._middle, self._began, self.playing = np.zeros((0, 0)), 0, 0.0, False
        self.runner = JobRunner("internal-motion", self)
        self.runner.finished.connect(self._on_path)
        self.runner.failed.connect(lambda _: self.refused.emit())
        self._document.q_edited.connect(lambda _: self._end())
        self._document.robot_changed.connect(lambda _: self._end())
        bench.simulation.running_changed.connect(lambda running: self.stop() if running else None)

    def play(self) -> None:
        """Find the motion at the pose there is, beside the window, and start."""
        self.stop()
        self.runner.start(partial(_found, self._document.robot, self._document.q))

    def _on_path(self, found: tuple[np.ndarray, int]) -> None:
        self._path, self._middle = found
        if not np.array_equal(self._path[self._middle], self._document.q):
            return  # a replay has moved the arm meanwhile
        robot = self._document.robot
        unit = np.where(robot.prismatic, robot.characteristic_length, 1.0)
        if np.abs((self._path - self._path[self._middle]) / unit).max() < LEAST:
            self.refused.emit()
            return
        self._began, self.playing = time.monotonic(), True
        self._clock.tick.connect(self._on_tick)
        self.playing_changed.emit(True)

    def stop(self) -> None:
        """Back to the pose it began at."""
        self.runner.cancel()
        if self.playing:
            q = self._path[self._middle]
            self._end()
            self._document.follow(q)

    def shut_down(self) -> None:
        """No search outlives the window."""
        self.stop()
        self.runner.stop()

    def _end(self) -> None:
        self.runner.cancel()
        if self.playing:
            self.playing = False
            self._clock.tick.disconnect(self._on_tick)
            self.playing_changed.emit(False)

    def _on_tick(self) -> None:
        phase = np.sin(2 * np.pi * (time.monotonic() - self._began) / PERIOD)
        last = len(self._path) - 1
        at = self._middle + phase * (last - self._middle if phase > 0 else self._middle)
        k = min(int(at), last - 1)
        self._document.follow(self._path[k] + (at - k) * (self._path[k + 1] - self._path[k]))
