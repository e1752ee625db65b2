"""What follows from the pose, computed at most 10 times a second: tool pose, Jacobian, singularity report."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject, Signal

from armature import engine
from armature.app.state.document import RobotDocument
from armature.engine.kinematics.task import in_axes, task_axes_at
from armature.engine.model.robot import TASK_AXES
from armature.engine.rotations import quaternion
from armature.engine.rounding import cleared
from armature.engine.thresholds import Level

if TYPE_CHECKING:
    from armature.engine.model.robot import Robot
    from armature.engine.singularities.singularity import Singularity


@dataclass(frozen=True)
class Readout:
    """Kinematics of one pose, 0 where there is only rounding; `determinant` None where J is not square; `quaternion` `(4,)`, w
    first, is how the tool is turned.

    `verdict` says in words whether the pose is regular, near a singularity or at one; `level` goes by the condition
    numbers of the settings.
    """

    q: np.ndarray
    tool: np.ndarray
    quaternion: np.ndarray
    jacobian: np.ndarray
    report: Singularity
    determinant: float | None
    level: Level
    verdict: str


class Readouts(QObject):
    """Watches the document, computes on `refresh` only when the pose changed, tells `changed(readout)`.

    The first edit after a `refresh` is computed at once, before the arm is drawn, those that follow as in a drag with the next
    `refresh`; while a run or a replay moves the arm, a thread beside the window computes.
    """

    changed = Signal(object)

    def __init__(self, document: RobotDocument, warn: float, stop: float, parent: QObject | None = None):
        super().__init__(parent)
        self._document, self._stale, self._at_once, self._ended = document, True, True, False
        self.warn, self.stop = warn, stop
        self.latest: Readout | None = None
        self._thread = ThreadPoolExecutor(1, "readouts")
        self._under_way: Future[Readout] | None = None
        self._edited = False  # whether an edit was computed since the last refresh
        document.q_changed.connect(self._mark)
        document.q_edited.connect(self._on_edit)
        document.robot_changed.connect(self._mark_at_once)

    def set_thresholds(self, warn: float, stop: float):
        """Condition numbers from which a pose counts as near a singularity, and as one to stop at."""
        self.warn, self.stop = warn, stop
        self.refresh_again()

    def refresh_again(self):
        """Compute with the next `refresh` also where the pose is the same."""
        self._mark_at_once(None)

    def end(self):
        """Compute nothing more."""
        self._ended, self._under_way = True, None
        self._thread.shutdown()

    def refresh(self):
        """Compute if anything changed since the last time; called by the clock."""
        self._edited = False
        if self._ended or not self._stale:
            return
        request = self._document.robot, self._document.q, self.warn, self.stop
        if self._at_once:
            self._stale = self._at_once = False
            self._tell(readout_of(*request))
        elif self._under_way is None:
            self._stale, self._under_way = False, self._thread.submit(readout_of, *request)

    def take(self):
        """Tell what was computed beside the window meanwhile; called with every frame."""
        if self._under_way is not None and self._under_way.done():
            computed, self._under_way = self._under_way, None
            self._tell(computed.result())

    def _mark(self, _: object):
        self._stale = True

    def _mark_at_once(self, _: object):
        self._stale, self._at_once, self._under_way = True, True, None

    def _on_edit(self, _: object):
        self._mark_at_once(None)
        if not self._edited:
            self.refresh()
            self._edited = True

    def _tell(self, readout: Readout):
        self.latest = readout
        self.changed.emit(readout)


def readout_of(robot: Robot, q: np.ndarray, warn: float, stop: float) -> Readout:
    """What follows from joint positions q `(n,)`, with the condition numbers to warn from and to stop at."""
    J, report = engine.jacobian(robot, q), engine.singularity(robot, q, warn=warn)
    shown = cleared(J, np.repeat([max(robot.reach, 1.0), 1.0], 3)[:, None])
    rows = [TASK_AXES.index(axis) for axis in report.task]
    A = in_axes(task_axes_at(robot, q, None, np.array(rows)), shown)[rows]
    volume = float(np.prod(np.linalg.norm(A, axis=1)))  # Hadamard: no determinant of these rows is larger
    determinant = cleared(np.linalg.det(A), volume) if len(A) == robot.n else None
    pose = cleared(engine.frame_pose(robot, q), [[1.0, 1.0, 1.0, max(robot.reach, 1.0)]])
    words = report.level(warn, stop), report.verdict(warn)
    return Readout(q, pose, quaternion(pose[:3, :3]), shown, report, determinant, *words)
