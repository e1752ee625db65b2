"""`ClearanceChecker`: checks the planned trajectory for contacts in a thread, after each change of plan or cell."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from armature.app.contact.paused_job import after_pause
from armature.app.state.evented import on
from armature.app.state.jobs import JobRunner
from armature.app.state.severity import Severity
from armature.app.trajectory.clearance_check import ClearanceCheck, check_clearance
from armature.app.trajectory.trajectory_model import TrajectoryModel

if TYPE_CHECKING:
    from armature.app.workbench import Workbench

SUBJECT = "trajectory contacts"


class ClearanceChecker:
    """Stores the check of the newest plan in the model while the dock is visible."""

    def __init__(self, bench: Workbench, model: TrajectoryModel):
        self._bench, self._model = bench, model
        self.runner = JobRunner("trajectory contacts", bench.parent)

    def wire(self) -> None:
        """Follow plan, cell and dock."""
        self.runner.finished.connect(self._on_finished)
        self.runner.failed.connect(self._on_failed)
        self._bench.views.bind(self._check, on(self._model, "preview", "contacts", "is_ready", "is_shown"))

    def _check(self) -> None:
        model = self._model
        self.runner.cancel()
        if model.is_ready and model.is_shown and model.clearance is None and model.preview and model.contacts:
            preview, contacts = model.preview, model.contacts
            self.runner.start(lambda job: after_pause(job, partial(check_clearance, preview, contacts, job.cancelled)))

    def _on_finished(self, found: ClearanceCheck | None) -> None:
        if found is not None:
            self._model.check = found

    def _on_failed(self, problem: str) -> None:
        self._bench.banner.show_message(Severity.WARNING, f"The trajectory was not checked for contacts: {problem}", [], SUBJECT)
