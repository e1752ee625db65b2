"""What follows from the pose, computed at most 10 times a second: tool pose, Jacobian, singularity report."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject, Signal

from armature import engine
from armature.app.state.document import RobotDocument
from armature.engine.model.robot import TASK_AXES
from armature.engine.rounding import cleared
from armature.engine.thresholds import Level

if TYPE_CHECKING:
    from armature.engine.singularities.singularity import Singularity


@dataclass(frozen=True)
class Readout:
    """Kinematics of one pose, 0 where there is only rounding; `determinant` None where J is not square.

    `verdict` says in words whether the pose is regular, near a singularity or at one; `level` goes by the condition
    numbers of the settings.
    """

    q: np.ndarray
    tool: np.ndarray
    jacobian: np.ndarray
    report: Singularity
    determinant: float | None
    level: Level
    verdict: str


class Readouts(QObject):
    """Watches the document, computes on `refresh` only when the pose changed, tells `changed(readout)`."""

    changed = Signal(object)

    def __init__(self, document: RobotDocument, warn: float, stop: float, parent: QObject | None = None):
        super().__init__(parent)
        self._document, self._stale, self._enabled = document, True, False
        self.warn, self.stop = warn, stop
        self.latest: Readout | None = None
        document.q_changed.connect(self._mark)
        document.robot_changed.connect(self._mark)

    def set_thresholds(self, warn: float, stop: float):
        """Condition numbers from which a pose counts as near a singularity, and as one to stop at."""
        self.warn, self.stop = warn, stop
        self._stale = True

    def enable(self):
        """The kernels are ready: compute from now on."""
        self._enabled = True

    def refresh(self):
        """Compute if anything changed since the last time; called by the clock."""
        if self._stale and self._enabled:
            self._stale = False
            self.latest = self._compute()
            self.changed.emit(self.latest)

    def _mark(self, _):
        self._stale = True

    def _compute(self) -> Readout:
        robot, q = self._document.robot, self._document.q
        J, report = engine.jacobian(robot, q), engine.singularity(robot, q, warn=self.warn)
        A = J[[TASK_AXES.index(axis) for axis in report.task]]
        volume = float(np.prod(np.linalg.norm(A, axis=1)))  # Hadamard: no determinant of these rows is larger
        determinant = cleared(np.linalg.det(A), volume) if len(A) == robot.n else None
        shown = cleared(J, np.repeat([max(robot.reach, 1.0), 1.0], 3)[:, None])
        pose = cleared(engine.frame_pose(robot, q), [[1.0, 1.0, 1.0, max(robot.reach, 1.0)]])
        level = report.level(self.warn, self.stop)
        return Readout(q, pose, shown, report, determinant, level, report.verdict(self.warn))
