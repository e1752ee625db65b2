"""The workspace computation, between its dock, a background thread and the view."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, Signal

import engine
from app.document import RobotDocument
from app.jobs import JobRunner
from app.panels.workspace import WorkspacePanel

QUANTITIES = {
    "manipulability": "Manipulability",
    "sigma_min": "Smallest singular value",
    "inverse_condition": "Inverse condition number",
}


def _compute(robot, samples: int, quantity: str, seed: int, job):
    return engine.workspace(robot, samples, quantity=quantity, seed=seed, progress=job.progress, cancel=job.cancelled)


class Workspaces(QObject):
    """`computed(workspace)` and `cleared()` for the view."""

    computed = Signal(object)
    cleared = Signal()
    failed = Signal(str)

    def __init__(self, document: RobotDocument, panel: WorkspacePanel):
        super().__init__(panel)
        self._document, self._panel = document, panel
        self.runner = JobRunner("workspace", self)
        panel.compute_asked.connect(self._start)
        panel.cancel_asked.connect(self.runner.finish_early)
        panel.clear_asked.connect(self.clear)
        self.runner.busy_changed.connect(panel.show_busy)
        self.runner.progressed.connect(panel.show_progress)
        self.runner.finished.connect(self._on_finished)
        self.runner.failed.connect(self._on_failed)
        document.robot_changed.connect(lambda _: self.clear())

    def _start(self, samples: int, quantity: str, seed: int):
        self.runner.start(partial(_compute, self._document.robot, samples, quantity, seed))

    def _on_finished(self, workspace):
        self._panel.show_result(workspace)
        self.computed.emit(workspace)

    def _on_failed(self, text: str):
        self._panel.show_nothing(text)
        self.failed.emit(text)

    def clear(self):
        """Drop the cloud and any computation under way."""
        self.runner.cancel()
        self._panel.show_nothing()
        self.cleared.emit()
