"""The recordings of a live simulation: at most one that runs, and those before it whose files are not finished yet."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from armature.engine.errors import EngineError
from armature.engine.recording.recording_metadata import metadata_of
from armature.engine.recording.recording_notes import LoggedRows, RecordingEvent, Report
from armature.engine.recording.recording_writer import RecordingClock, RecordingWriter
from armature.engine.simulation.floor_watch import Contact
from armature.engine.simulation.note_kind import NoteKind
from armature.engine.simulation.recorded_conditions import condition
from armature.engine.simulation.simulation_event import Event
from armature.engine.simulation.step_batch import StepBatch
from armature.engine.simulation.stepper import Stepper


class LiveRecording:
    """One of them, fed without waiting: every step while the arm moves, every pose while it is posed, on one time axis."""

    def __init__(self, path: str | Path, stepper: Stepper, wall: float, report: Report, overwrite: bool = False):
        metadata = metadata_of(stepper.bare, stepper.dt, stepper.integrator, **stepper.control.describe())
        self._measured = stepper.control.sensing.on  # the columns stay, whether sensors go or come
        self.writer = RecordingWriter(path, stepper.robot, metadata, report, overwrite, self._measured)
        self.writer.note({"kind": NoteKind.BEGIN.value, "wall": wall, **condition(stepper, NoteKind.BEGIN)})
        self._clock = RecordingClock(wall)
        self._began, self._logged = wall, LoggedRows()
        self._contacts: dict[str, float] = {}  # when those that go on began
        self._opening: tuple[StepBatch, bool] | None = None  # the pose it begins in, as for `pose`; no row where a run begins

    def note(self, kind: NoteKind, stepper: Stepper) -> None:
        """Something was done to the arm that its rows do not tell; `kind` as for `condition`."""
        if kind in (NoteKind.STATE, NoteKind.RESET):
            self._keep_opening()
        self.writer.note({"kind": kind.value, **condition(stepper, kind)})
        if self._opening is not None:
            held = self._opening[1]
            self._opening = stepper.at_rest() if held else stepper.standing(), held

    def enter_simulation(self, t: float, wall: float) -> None:
        """The arm begins to move by itself at simulated time `t`; the first time at once: the wait for it is not recorded."""
        wall, self._opening = wall if self._opening is None else self._began, None
        self.writer.note({"kind": NoteKind.ENTER.value, "t": t, "wall": wall})
        self._clock.enter_simulation(t, wall)

    def leave_simulation(self, last: StepBatch | None, t: float, wall: float) -> None:
        """The arm stops at simulated time `t`; `last` is the state it stops in, if that is known."""
        self.writer.note({"kind": NoteKind.LEAVE.value, "t": t, "wall": wall, "last": 0 if last is None else len(last.states)})
        if last is not None:
            self.steps(last)
        self._clock.leave_simulation(t, wall)

    def jump(self, before: float, after: float) -> None:
        """Simulated time was set back or forth while the arm moves."""
        self.writer.note({"kind": NoteKind.JUMP.value, "before": before, "after": after})
        self._clock.jump(before, after)

    def contact_began(self, contact: Contact) -> None:
        """A link went below the floor."""
        self._contacts[contact.link] = self._clock.at(contact.t)

    def contact_ended(self, contact: Contact) -> None:
        """Notes a contact on the time axis of the rows; one that began before them at their beginning."""
        until = None if contact.until is None else self._clock.at(contact.until)
        self.writer.note(replace(contact, t=self._contacts.pop(contact.link, 0.0), until=until).note())

    def steps(self, batch: StepBatch) -> None:
        """Rows at simulated times."""
        for arm, states in batch.parts(self._measured):
            rows = states.copy()
            rows[:, 0] = self._clock.simulated(states[:, 0])
            if len(rows):
                self.writer.put(rows, arm=arm)
        self._keep_log(self._logged.take(batch.logs, len(batch.states)))

    def pose(self, state: StepBatch, held: bool, wall: float) -> None:
        """One row that holds from wall time `wall` on; `held` by motors that carry it, or with what acts on it."""
        self._keep_opening()
        if wall == self._began:
            self._opening = state, held
        else:
            self._keep_pose(state, held, wall)

    def close(self) -> None:
        """Nothing more comes; the file is finished meanwhile."""
        self._keep_opening()
        self._keep_log(self._logged.rest())
        self.writer.close()

    def _keep_opening(self) -> None:
        opening, self._opening = self._opening, None
        if opening is not None:
            self._keep_pose(*opening, self._began)

    def _keep_pose(self, state: StepBatch, held: bool, wall: float) -> None:
        self.writer.note({"kind": NoteKind.POSE.value, "held": held, "wall": wall})
        ((arm, states),) = state.parts(self._measured)
        row = states.copy()
        row[:, 0] = self._clock.posed(wall)
        self.writer.put(row, arm=arm)
        self._keep_log(self._logged.take(state.logs, len(row)))

    def _keep_log(self, events: Iterable[dict[str, Any]]) -> None:
        for event in events:
            self.writer.note(event)


class LiveRecordings:
    """Told of everything that happens to the arm, and keeps it where a recording runs; lives on the worker's thread.

    `tell` takes what becomes of the files, from the thread that writes them; `wall` is the time on the wall, s.
    """

    def __init__(self, tell: Callable[[Event], None]):
        self._tell = tell
        self._current: LiveRecording | None = None
        self._all: list[LiveRecording] = []

    def writers(self) -> list[RecordingWriter]:
        """All that may still write."""
        return [one.writer for one in self._all]

    @property
    def runs(self) -> bool:
        """Whether one was begun and not stopped, be it that its disk refused."""
        return self._current is not None

    @property
    def writer(self) -> RecordingWriter | None:
        """What takes rows now."""
        return self._current.writer if self._current and self._current.writer.active else None

    def start(self, path: str | Path, stepper: Stepper, overwrite: bool, wall: float) -> None:
        """Begins one, of an arm at rest. Raises EngineError while another one runs."""
        if self.writer is not None:
            raise EngineError(f"already recording to {self.writer.path}; stop that recording first")
        self._current = LiveRecording(path, stepper, wall, partial(self._report, Path(path).absolute()), overwrite)
        self._all = [one for one in self._all if not one.writer.join(0)] + [self._current]

    def stop(self, stepper: Stepper, moving: bool, wall: float) -> None:
        """Ends the one that runs, while the arm may be `moving`; its file is finished meanwhile."""
        current, self._current = self._current, None
        if current:
            if moving:
                current.leave_simulation(stepper.standing(), stepper.t, wall)
            current.close()

    def enter(self, stepper: Stepper, wall: float) -> None:
        """The arm begins to move by itself."""
        if self._current:
            self._current.enter_simulation(stepper.t, wall)

    def leave(self, stepper: Stepper, wall: float, known: bool = True) -> None:
        """The arm stops, in the state it is in where that is `known`."""
        if self._current:
            self._current.leave_simulation(stepper.standing() if known else None, stepper.t, wall)

    def steps(self, batch: StepBatch) -> None:
        """Steps were taken."""
        if self._current:
            self._current.steps(batch)

    def pose(self, state: StepBatch, held: bool, wall: float) -> None:
        """The arm was posed; `held` as for `LiveRecording.pose`."""
        if self._current:
            self._current.pose(state, held, wall)

    def note(self, kind: NoteKind, stepper: Stepper) -> None:
        """Something was done to the arm; `kind` as for `condition`."""
        if self._current:
            self._current.note(kind, stepper)

    def contact_began(self, contact: Contact) -> None:
        """A link went below the floor, while the arm moves."""
        if self._current:
            self._current.contact_began(contact)

    def contact_ended(self, contact: Contact) -> None:
        """It is above it again, or put elsewhere, or the recording ends."""
        if self._current:
            self._current.contact_ended(contact)

    def jump(self, before: float, after: float) -> None:
        """Simulated time was set back or forth while the arm moves."""
        if self._current:
            self._current.jump(before, after)

    def _report(self, path: Path, kind: RecordingEvent, text: str) -> None:
        self._tell(Event(kind, text, path=path))
