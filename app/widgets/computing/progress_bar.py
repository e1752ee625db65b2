"""`ProgressBar`: how much of what is computed in the background is done."""

from __future__ import annotations

from armature.app.state.evented import Binder, on
from armature.app.state.jobs import JobStatus
from armature.app.widgets.computing.calm_bar import CalmBar
from armature.app.widgets.controls import named
from armature.app.widgets.steady import keeps_room


class ProgressBar(CalmBar):
    """Without text, and hidden until something is under way; its room stays free."""

    def __init__(self, name: str, title: str):
        super().__init__()
        keeps_room(named(self, name, title))
        self.setTextVisible(False)
        self.hide()

    def follow(self, status: JobStatus, views: Binder) -> None:
        """Show the progress of these computations."""
        views.bind(lambda: self.show_status(status), on(status, "is_busy", "progress"))

    def show_busy(self, busy: bool) -> None:
        """Whether something is under way; how much of it is not known yet."""
        self.setVisible(busy)
        self.setRange(0, 0)

    def show_done(self, done: int, total: int) -> None:
        """How much is done."""
        self.setRange(0, max(total, 1))
        self.setValue(done)

    def show_status(self, status: JobStatus) -> None:
        """Show the progress of a computation."""
        done, total = status.progress
        self.setVisible(status.is_busy)
        self.setRange(0, total)
        if total:
            self.setValue(done)
