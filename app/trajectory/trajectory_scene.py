"""`TrajectoryScene`: a trajectory in the scene: its path, handles at the waypoints, and the ghost that looks ahead."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject

from armature.app.trajectory.look_ahead import LookAhead
from armature.app.trajectory.trajectory_draft import TrajectoryDraft
from armature.app.trajectory.trajectory_handles import TrajectoryHandles
from armature.app.trajectory.trajectory_preview import Preview
from armature.app.trajectory.trajectory_run import TrajectoryRun

if TYPE_CHECKING:
    from armature.app.workbench import Workbench

NO_PATH = np.zeros((0, 3))


class TrajectoryScene(QObject):
    """It is there while the dock is `active`, that is, can be seen; the ghost rests while the arm itself runs."""

    def __init__(self, bench: Workbench, draft: TrajectoryDraft, run: TrajectoryRun):
        super().__init__(bench.parent)
        self._bench, self._run = bench, run
        self.handles, self.look = TrajectoryHandles(bench, draft), LookAhead(bench)
        self.path, self.active = NO_PATH, False
        self._looks_there = False

    def take(self, found: Preview, selected: int) -> None:
        """Look ahead at what was found; where the waypoint in hand or a chosen one was waiting for it, there."""
        self.look.take(found)
        if self._looks_there:
            self._looks_there = self.handles.dragging
            self.look_at(selected)

    def look_at(self, selected: int) -> None:
        """The ghost at the selected waypoint, at once or when the trajectory is known."""
        preview = self.look.preview
        self._looks_there = self._looks_there or preview is None
        if preview is not None and 0 <= selected < len(preview.times):
            self.look.seek(float(preview.times[selected]))

    def show(self, selected: int) -> None:
        """Path, handles and ghost."""
        self.show_handles(selected)
        self.look.visible = self.active and self._run.followed is None
        self.look.draw()

    def show_handles(self, selected: int) -> None:
        """Path and handles, that of the selected waypoint chosen."""
        self.handles.show(self.path if self.active else None, selected)

    def show_dragged(self, q: np.ndarray | None) -> None:
        """The ghost as the arm would stand at the waypoint in hand, q `(n,)` where that is given by joints."""
        self._looks_there = True
        if q is not None and self.active and self._run.followed is None:
            self.look.show_pose(self._bench.document.robot, q)
