"""`LiveRecording`: one recording of a live simulation."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from armature.engine.recording.recording_metadata import metadata_of
from armature.engine.recording.recording_notes import Report
from armature.engine.recording.recording_writer import RecordingClock, RecordingWriter
from armature.engine.simulation.commands import NoteKind
from armature.engine.simulation.contact_stop import RunContact
from armature.engine.simulation.floor_watch import FloorContact
from armature.engine.simulation.recorded_conditions import condition, note_of
from armature.engine.simulation.recording_feed import RecordingFeed
from armature.engine.simulation.step_batch import StepBatch
from armature.engine.simulation.stepper import Stepper


class LiveRecording:
    """Records every step while the arm moves and every pose while it is posed, on one time axis; never waits for the disk.

    `wall` is always the time of the clock on the wall, s.
    """

    def __init__(self, path: str | Path, stepper: Stepper, wall: float, report: Report, overwrite: bool = False):
        metadata = metadata_of(stepper.bare, stepper.dt, stepper.integrator, stepper.describe())
        measured = stepper.control.sensing.on  # the columns remain if sensors are added or removed
        self.writer = RecordingWriter(path, stepper.robot, metadata, report, overwrite, measured)
        self.writer.note({"kind": NoteKind.BEGIN.value, "wall": wall, **condition(stepper, NoteKind.BEGIN)})
        self._clock, self._began = RecordingClock(wall), wall
        self._feed = RecordingFeed(lambda states, arm: self.writer.put(states, arm=arm), self.writer.note, measured, self._clock)
        self._contacts: dict[str, float] = {}  # begin of the active contacts, by link
        self._initial: tuple[StepBatch, bool] | None = None  # initial pose, dropped if the arm moves from there at once

    def note(self, kind: NoteKind, stepper: Stepper) -> None:
        """Note the new value of `kind`."""
        if kind in (NoteKind.STATE, NoteKind.RESET):
            self._add_initial()
        self.writer.note(note_of(stepper, kind))
        if self._initial is not None:
            held = self._initial[1]
            self._initial = stepper.static_sample() if held else stepper.sample_or_hold(), held

    def enter_simulation(self, t: float, wall: float) -> None:
        """Begin to move at simulated time `t`; the wait before the first motion is not recorded."""
        wall, self._initial = wall if self._initial is None else self._began, None
        self.writer.note({"kind": NoteKind.ENTER.value, "t": t, "wall": wall})
        self._clock.enter_simulation(t, wall)

    def leave_simulation(self, last: StepBatch | None, t: float, wall: float) -> None:
        """Stop at simulated time `t` in the state `last`, None if it is not known."""
        self.writer.note({"kind": NoteKind.LEAVE.value, "t": t, "wall": wall, "last": 0 if last is None else len(last.states)})
        if last is not None:
            self._feed.steps(last)
        self._clock.leave_simulation(t, wall)

    def jump(self, before: float, after: float) -> None:
        """Set simulated time from `before` to `after` while the arm moves."""
        self.writer.note({"kind": NoteKind.JUMP.value, "before": before, "after": after})
        self._clock.jump(before, after)

    def begin_contact(self, contact: FloorContact) -> None:
        """Remember when a link reached the floor, on the time axis of the samples."""
        self._contacts[contact.link] = self._clock.at(contact.t)

    def end_contact(self, contact: FloorContact) -> None:
        """Note a contact; one that began before the recording begins with it."""
        until = None if contact.until is None else self._clock.at(contact.until)
        self.writer.note(replace(contact, t=self._contacts.pop(contact.link, 0.0), until=until).note())

    def stop_at(self, contact: RunContact) -> None:
        """Note the contact at which the run stops, on the time axis of the samples."""
        self.writer.note(replace(contact, t=self._clock.at(contact.t)).note())

    def steps(self, batch: StepBatch) -> None:
        """Add steps."""
        self._feed.steps(batch)

    def pose(self, state: StepBatch, held: bool, wall: float) -> None:
        """Add a pose, `held` by its motors or as the external conditions leave it."""
        self._add_initial()
        if wall == self._began:
            self._initial = state, held
        else:
            self._add_pose(state, held, wall)

    def close(self) -> None:
        """Complete the file on the thread of its writer."""
        self._add_initial()
        self._feed.close()
        self.writer.close()

    def _add_initial(self) -> None:
        initial, self._initial = self._initial, None
        if initial is not None:
            self._add_pose(*initial, self._began)

    def _add_pose(self, state: StepBatch, held: bool, wall: float) -> None:
        self.writer.note({"kind": NoteKind.POSE.value, "held": held, "wall": wall})
        self._feed.pose(state, wall)
