"""`RunRecording`: recording of a command-line simulation; its failures become lines on stderr."""

from __future__ import annotations

import queue
from pathlib import Path

from armature.app.commands.command_arguments import UsageError, note
from armature.engine.recording.recording_metadata import metadata_of
from armature.engine.recording.recording_notes import RecordingEvent
from armature.engine.recording.recording_writer import RecordingWriter
from armature.engine.simulation.contact_stop import RunContact
from armature.engine.simulation.floor_watch import FloorContact, contact_notes
from armature.engine.simulation.recording_feed import RecordingFeed
from armature.engine.simulation.step_batch import StepBatch
from armature.engine.simulation.stepper import Stepper


class RunRecording:
    """Recording of a run into one file; `failed` after an error. `wait`: for a slow disk, instead of failing."""

    def __init__(self, path: Path, stepper: Stepper, overwrite: bool, wait: bool):
        self._events: queue.SimpleQueue[tuple[RecordingEvent, str]] = queue.SimpleQueue()
        metadata = metadata_of(stepper.robot, stepper.dt, stepper.integrator, stepper.describe())
        measured = stepper.control.sensing.on
        self._writer = RecordingWriter(path, stepper.robot, metadata, lambda *event: self._events.put(event), overwrite, measured)
        self._feed = RecordingFeed(lambda rows, arm: self._writer.put(rows, wait, arm), self._writer.note, measured)
        self._dt, self.failed = stepper.dt, False

    def wait_for_start(self) -> None:
        """Wait until the file is open; raise UsageError if it cannot be opened."""
        kind, text = self._events.get()
        if kind is RecordingEvent.FAILED:
            raise UsageError(text)

    def put(self, batch: StepBatch) -> None:
        """Record a batch; after an error, which is reported once, batches are dropped."""
        self._feed.steps(batch)
        self._report()

    def contacts(self, over: list[FloorContact]) -> None:
        """Note contacts with the floor."""
        for event in contact_notes(over, self._dt):
            self._writer.note(event)

    def stop_at(self, contact: RunContact) -> None:
        """Note the contact at which the run stopped."""
        self._writer.note({"row": round(contact.t / self._dt), **contact.note()})

    def finish(self) -> str:
        """Wait for the file and return its summary, "" after an error; an interrupt leaves it as `.part`."""
        self._feed.close()
        self._writer.close()
        try:
            while not self._writer.join(0.1):
                continue
        except KeyboardInterrupt:
            self._writer.abandon()
            self._writer.join(1.0)
        return self._report()

    def _report(self) -> str:
        kept = ""
        while not self._events.empty():
            kind, text = self._events.get()
            if kind is RecordingEvent.FAILED:
                self.failed = True
                note(f"the recording stopped: {text}")
            elif kind is RecordingEvent.STOPPED:
                kept = text
        return kept
