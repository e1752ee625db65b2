"""Contacts shown in the view: their models are computed next to the window."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from armature.app.feature import Feature
from armature.app.scene.overlays.clearance_item import ShownContacts, shown_contacts
from armature.app.state.jobs import Job, JobRunner
from armature.app.state.severity import Severity
from armature.engine.errors import Cancelled, KernelsAwaitedError

if TYPE_CHECKING:
    from armature.app.workbench import Workbench
    from armature.engine import Robot

SUBJECT = "contacts"
PAUSE = 0.1  # s


class ContactFeature(Feature):
    """Gives the view the contact model of every robot, as soon as its shapes are read and its pairs are known."""

    def __init__(self, bench: Workbench):
        self._bench = bench
        self.runner = JobRunner("contacts", bench.parent)

    def wire(self) -> None:
        """Wire the document and the results."""
        self.runner.finished.connect(self._on_finished)
        self.runner.failed.connect(self._on_failed)
        self._bench.scene.body_changed.connect(self._begin)

    def shut_down(self) -> None:
        """End the computation."""
        self.runner.stop()

    def _begin(self, robot: Robot) -> None:
        self.runner.start(lambda job: _models(robot, job))

    def _on_finished(self, found: tuple[Robot, ShownContacts, tuple[str, ...]] | None) -> None:
        if found is None:  # cancelled
            return
        robot, contacts, remarks = found
        if robot is self._bench.scene.robot:
            self._bench.scene.set_contacts(contacts)
            self._bench.actions.explain("show_clearance", "\n".join(remarks))

    def _on_failed(self, problem: str) -> None:
        self._bench.banner.show_message(Severity.WARNING, f"Contacts are not shown: {problem}", [], SUBJECT)


def _models(robot: Robot, job: Job) -> tuple[Robot, ShownContacts, tuple[str, ...]]:
    """The robot, its models, and remarks on its shapes; waits first, because a robot changes many times a second in an edit.

    Raises Cancelled, also where the user cancelled the compilation of kernels.
    """
    time.sleep(PAUSE)
    job.check()
    from armature.engine.contact.arm_shapes import arm_shapes  # numba: not while a window opens

    try:
        return robot, shown_contacts(robot), arm_shapes(robot).remarks
    except KernelsAwaitedError:
        raise Cancelled from None
