"""`TrajectoryPlanner`: plans drafts in a thread; of drafts that arrive faster than that, the newest."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject

from armature import engine
from armature.app.state.jobs import Job, JobRunner
from armature.app.trajectory.trajectory_draft import Draft
from armature.app.trajectory.trajectory_model import PlanResult
from armature.app.trajectory.trajectory_preview import Preview, previewed


class TrajectoryPlanner(QObject):
    """Calls `report(plan)` for each draft that was planned, also for one that has been replaced since, so that the path follows
    a drag; the error of a draft that has been replaced is dropped."""

    def __init__(self, parent: QObject | None, report: Callable[[PlanResult], None]):
        super().__init__(parent)
        self._report, self._runner = report, JobRunner("trajectory", self)
        self._now: tuple[engine.Robot, Draft] | None = None
        self._next: tuple[engine.Robot, Draft] | None = None
        self._runner.finished.connect(partial(self._on_end, why=""))
        self._runner.failed.connect(lambda why: self._on_end(None, why))

    def plan(self, robot: engine.Robot, draft: Draft) -> None:
        """Plan a draft as soon as the current computation has ended."""
        self._next = robot, draft
        if not self._runner.busy:
            self._begin()

    def cancel(self) -> None:
        """Plan nothing."""
        self._next = None
        self._runner.cancel()

    def stop(self) -> None:
        """Cancel and wait for the thread to end."""
        self.cancel()
        self._runner.stop()

    def _begin(self) -> None:
        self._now, self._next = self._next, None
        if self._now is not None:
            self._runner.start(partial(_planned, *self._now))

    def _on_end(self, preview: Preview | None, why: str) -> None:
        if self._now is not None and (preview is not None or self._next is None):
            self._report(PlanResult(*self._now, preview, why))
        self._begin()


def _planned(robot: engine.Robot, draft: Draft, job: Job) -> Preview | None:
    """Return the preview of a draft; raises TrajectoryError."""
    return previewed(robot, draft.plan(robot.name).trajectory(robot), len(draft.waypoints), job.cancelled)
