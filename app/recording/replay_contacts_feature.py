"""Contacts of the open recording with the open cell, marked on the timeline, and the cell of the recording."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from armature.app.contact.feature import ContactFeature
from armature.app.contact.paused_job import after_pause
from armature.app.feature import Feature
from armature.app.plots.feature import PlotsFeature
from armature.app.recording.feature import RecordingFeature
from armature.app.state.cell_document import UNNAMED, cell_label
from armature.app.state.jobs import JobRunner
from armature.app.state.units import number
from armature.engine.recording.recording_metadata import recorded_cell

if TYPE_CHECKING:
    from armature.app.workbench import Workbench
    from armature.engine import Cell, Recording
    from armature.engine.contact.contact_model import ContactModel
    from armature.engine.recording.recorded_contacts import RecordedContact


class ReplayContactsFeature(Feature):
    """Checks the open recording in a thread, after each change of the cell, and reports if it was made in another one.

    `contacts`: contacts of the open recording, None while unknown.
    """

    needs = (RecordingFeature, PlotsFeature, ContactFeature)

    def __init__(self, bench: Workbench, recording: RecordingFeature, plots: PlotsFeature, contact: ContactFeature):
        self._bench, self._panel, self._plots, self._contact = bench, recording.panel, plots.panel, contact
        self._model: ContactModel | None = None
        self.contacts: Sequence[RecordedContact] | None = None
        self.runner = JobRunner("recording contacts", bench.parent)

    def wire(self) -> None:
        """Follow replay, cell and contact model."""
        self._contact.changed.connect(self._on_model)
        self._bench.replay.replaying_changed.connect(self._on_replaying)
        self._bench.cell.changed.connect(self._show)
        self.runner.finished.connect(self._on_finished)
        self.runner.failed.connect(lambda why: self._panel.show_contacts(f"Contacts are not marked: {why}"))

    def shut_down(self) -> None:
        """End the thread."""
        self.runner.stop()

    def _on_model(self, model: ContactModel | None) -> None:
        self._model = model
        self._check()

    def _on_replaying(self, _: bool) -> None:
        self._plots.show_contact(None)
        self._check()

    def _check(self) -> None:
        recording, model = self._bench.replay.recording, self._model
        self.runner.cancel()
        self.contacts = None
        if recording is not None and model is not None and model.robot.n == len(recording.joint_names):
            self.runner.start(partial(_checked, model, recording))
        self._show()

    def _on_finished(self, contacts: Sequence[RecordedContact] | None) -> None:
        if contacts is not None:  # not cancelled
            self.contacts = contacts
            self._show()

    def _show(self) -> None:
        """Show line, marks and plots."""
        recording, contacts = self._bench.replay.recording, self.contacts or ()
        if recording is None:
            self._panel.show_contacts("")
            self._panel.slider.set_contacts(())
            return
        texts = [other_cell(recording, self._bench.cell.now), "" if self.contacts is None else _summary(contacts)]
        self._panel.show_contacts(" ".join(filter(None, texts)))
        whole = max(recording.duration, 1e-9)
        self._panel.slider.set_contacts([(one.start / whole, one.end / whole, _text(one)) for one in contacts])
        self._plots.show_contact(recording.t[0] + contacts[0].start if contacts else None)


def _checked(model: ContactModel, recording: Recording, job) -> Sequence[RecordedContact]:
    from armature.engine.recording.recorded_contacts import recorded_contacts  # numba: not before the window is on screen

    return after_pause(job, lambda: recorded_contacts(model, recording, job.cancelled))


def _text(contact: RecordedContact) -> str:
    """Return pair and times of a contact, such as "link5 and table, 1.234 to 1.560 s"."""
    start, end = number(contact.start, 3), number(contact.end, 3)
    return f"{' and '.join(contact.pair)}, {start if start == end else f'{start} to {end}'} s"


def _summary(contacts: Sequence[RecordedContact]) -> str:
    if not contacts:
        return "No contact."
    count = "One contact" if len(contacts) == 1 else f"{len(contacts)} contacts, the first"
    return f"{count}: {_text(contacts[0])}."


def other_cell(recording: Recording, cell: Cell) -> str:
    """Return a text if the recording was made in another cell, empty if in this one or if the cell is unknown."""
    recorded = recorded_cell(recording.metadata)
    if recorded is None or recorded[1] == cell.hash:
        return ""
    here, there = cell_label(cell.name), cell_label(recorded[0])
    if here == there:
        return f"The {here} has changed since this recording was made."
    return f"Recorded in {'an unnamed cell' if there == UNNAMED else f'the {there}'}, which is not the open {here}."
