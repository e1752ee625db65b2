"""`TrajectoryPlanner`: the trajectory of a plan, computed beside the GUI; of plans that come faster than that, the latest."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from armature import engine
from armature.app.state.jobs import JobRunner
from armature.app.trajectory.trajectory_preview import preview


class TrajectoryPlanner(QObject):
    """`planned(preview, whether of the latest plan)`: while a waypoint is dragged, also those of plans before it are told, so
    that the picture keeps up; `failed(why)` is of the latest plan only."""

    planned = Signal(object, bool)
    failed = Signal(str)

    def __init__(self, parent: QObject):
        super().__init__(parent)
        self._runner = JobRunner("trajectory", self)
        self._next: Callable | None = None
        self._runner.finished.connect(self._on_finished)
        self._runner.failed.connect(self._on_failed)

    def ask(self, robot: engine.Robot, plan: engine.Plan) -> None:
        """Compute the trajectory of this plan, as soon as the one under way is done."""
        self._next = lambda job: preview(robot, plan, job)
        if not self._runner.busy:
            self._go_on()

    def forget(self) -> None:
        """The result is no longer wanted."""
        self._next = None
        self._runner.cancel()

    def stop(self) -> None:
        """Give up and wait for the thread to end."""
        self.forget()
        self._runner.stop()

    def _go_on(self) -> bool:
        """Begin with what is requested; False where nothing is."""
        function, self._next = self._next, None
        if function is not None:
            self._runner.start(function)
        return function is not None

    def _on_finished(self, found) -> None:
        self.planned.emit(found, not self._go_on())

    def _on_failed(self, why: str) -> None:
        if not self._go_on():
            self.failed.emit(why)
