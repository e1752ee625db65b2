"""`RunRecording`: recording of a command-line simulation; its failures become lines on stderr."""

from __future__ import annotations

import queue
from pathlib import Path

from armature.app.commands.command_arguments import UsageError, note
from armature.engine.recording.recording_metadata import metadata_of
from armature.engine.recording.recording_notes import LoggedRows, RecordingEvent
from armature.engine.recording.recording_writer import RecordingWriter
from armature.engine.simulation.floor_watch import Contact, contact_notes
from armature.engine.simulation.step_batch import StepBatch
from armature.engine.simulation.stepper import Stepper


class RunRecording:
    """Feeds one file; `failed` once it broke off."""

    def __init__(self, path: Path, stepper: Stepper, overwrite: bool):
        self._told: queue.SimpleQueue[tuple[RecordingEvent, str]] = queue.SimpleQueue()
        metadata = metadata_of(stepper.robot, stepper.dt, stepper.integrator, **stepper.control.describe())
        self._dt, self._measured = stepper.dt, stepper.control.sensing.on
        self._writer = RecordingWriter(
            path, stepper.robot, metadata, lambda *told: self._told.put(told), overwrite, self._measured
        )
        self.failed, self._logged = False, LoggedRows()

    def wait_for_start(self) -> None:
        """Returns when the file is open; raises UsageError if it cannot be."""
        kind, text = self._told.get()
        if kind is RecordingEvent.FAILED:
            raise UsageError(text)

    def put(self, batch: StepBatch, wait: bool) -> None:
        """Records the rows of a batch; says once when the recording broke off, after which they are dropped."""
        for arm, states in batch.parts(self._measured):
            self._writer.put(states, wait, arm)
        for event in self._logged.take(batch.logs, len(batch.states)):
            self._writer.note(event)
        self._hear()

    def contacts(self, over: list[Contact]) -> None:
        """Notes when links were below the floor."""
        for event in contact_notes(over, self._dt):
            self._writer.note(event)

    def finish(self) -> str:
        """Waits for the file and says what is in it, nothing after a failure; an interrupt leaves it as `.part`."""
        for event in self._logged.rest():
            self._writer.note(event)
        self._writer.close()
        try:
            while not self._writer.join(0.1):
                continue
        except KeyboardInterrupt:
            self._writer.abandon()
            self._writer.join(1.0)
        return self._hear()

    def _hear(self) -> str:
        kept = ""
        while not self._told.empty():
            kind, text = self._told.get()
            if kind is RecordingEvent.FAILED:
                self.failed = True
                note(f"the recording stopped: {text}")
            elif kind is RecordingEvent.STOPPED:
                kept = text
        return kept
