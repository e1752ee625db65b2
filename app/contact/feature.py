"""Contacts shown in the view: their models are computed next to the window."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject, Signal

from armature.app.contact.paused_job import PAUSE, after_pause
from armature.app.feature import Feature
from armature.app.scene.overlays.clearance_item import ShownContacts, shown_contacts
from armature.app.state.jobs import JobRunner
from armature.app.state.severity import Severity
from armature.app.widgets.actions import Command, block

if TYPE_CHECKING:
    from armature.app.workbench import Workbench
    from armature.engine import CellObject, Robot
    from armature.engine.contact.contact_model import ContactModel

SUBJECT = "contacts"
STOP = "stop_at_contact"
SHOWN = 5_000  # ms


class ContactFeature(Feature, QObject):
    """Gives the view the contact model of every robot and cell, as soon as the shapes are read and the pairs are known.

    `changed(model)` is emitted with the model of all tested pairs, and with None as soon as robot or cell have changed. Drags end
    at contacts if the user chose so.
    """

    changed = Signal(object)

    commands = block(
        "Edit/Tool motion",
        2.5,
        Command(
            STOP,
            "Stop at contact",
            tip="Stop the arm at the last pose without contact while the tool, a link or a slider is dragged",
            checkable=True,
        ),
    )

    def __init__(self, bench: Workbench):
        super().__init__(bench.parent)
        self._bench = bench
        self.runner = JobRunner("contacts", bench.parent)
        self._objects: tuple[CellObject, ...] | None = None
        self._robot: Robot | None = None

    def wire(self) -> None:
        """Wire the document, the choice and the results."""
        bench, action = self._bench, self._bench.actions[STOP]
        action.setChecked(bench.preferences.now.stop_at_contact)
        action.toggled.connect(lambda on: bench.preferences.set(stop_at_contact=on))
        bench.document.drag_end = self._drag_end
        self.runner.finished.connect(self._on_finished)
        self.runner.failed.connect(self._on_failed)
        self._bench.scene.body_changed.connect(self._begin)
        self._bench.cell.changed.connect(self._on_cell)
        bench.preferences.changed.connect(self._on_preference)

    def shut_down(self) -> None:
        """End the computation."""
        self.runner.stop()

    def _drag_end(self, start: np.ndarray, end: np.ndarray) -> tuple[np.ndarray, str]:
        tested = self._bench.scene.stage.clearance.tested
        if not self._bench.preferences.now.stop_at_contact or tested is None or tested.robot.n != len(start):
            return end, ""
        from armature.engine.contact.last_free_pose import last_free_pose  # numba: not while a window opens

        q, pair = last_free_pose(tested, start, end)
        if pair is None:
            return q, ""
        why = f"stopped at contact: {' and '.join(pair)}"
        self._bench.scene.show_stop(q, why)
        self._bench.status_line.showMessage(f"{why[0].upper()}{why[1:]}", SHOWN)
        return q, why

    def _on_cell(self) -> None:
        robot = self._bench.scene.robot
        if self._bench.cell.now.objects is not self._objects and robot is not None:
            self._begin(robot)

    def _begin(self, robot: Robot) -> None:
        objects = self._objects = self._bench.cell.now.objects
        pause = 0.0 if robot is self._robot else PAUSE
        if robot is not self._robot:
            self._set_cell(None)
        self._robot, arm = robot, self._bench.cell.contact_arm(robot)
        self.changed.emit(None)
        self.runner.start(lambda job: (robot, *after_pause(job, lambda: _models(arm, objects), pause)))

    def _on_finished(self, found: tuple[Robot, ShownContacts, tuple[str, ...]] | None) -> None:
        if found is None:  # cancelled
            return
        robot, contacts, remarks = found
        if robot is self._bench.scene.robot:
            self._bench.scene.set_contacts(contacts)
            self._set_cell(contacts.tested)
            self.changed.emit(contacts.tested)
            self._bench.actions.explain("show_clearance", "\n".join(remarks))

    def _set_cell(self, tested: ContactModel | None) -> None:
        """Set the cell of the simulation, which stops at contacts if the user chose so."""
        bench = self._bench
        bench.simulation.set_cell(bench.cell.now, tested if bench.preferences.now.stop_run_at_contact else None)

    def _on_preference(self, name: str) -> None:
        if name == "stop_run_at_contact":
            self._set_cell(self._bench.scene.stage.clearance.tested)

    def _on_failed(self, problem: str) -> None:
        self._bench.banner.show_message(Severity.WARNING, f"Contacts are not shown: {problem}", [], SUBJECT)


def _models(robot: Robot, objects: tuple[CellObject, ...]) -> tuple[ShownContacts, tuple[str, ...]]:
    """Models of the robot with the objects of a cell, and remarks on its shapes."""
    from armature.engine.contact.arm_shapes import arm_shapes  # numba: not while a window opens

    return shown_contacts(robot, objects), arm_shapes(robot).remarks
