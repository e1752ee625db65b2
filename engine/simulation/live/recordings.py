"""The recordings of a simulation: at most one that runs, and those before it whose files are not finished yet."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from engine.errors import EngineError
from engine.recording.report import RecordingEvent
from engine.recording.writer import RecordingWriter
from engine.simulation.batch import Batch
from engine.simulation.event import Event
from engine.simulation.live.recorder import Recorder
from engine.simulation.note_kind import NoteKind
from engine.simulation.stepper import Stepper


class Recordings:
    """Told of everything that happens to the arm, and keeps it where a recording runs; lives on the worker's thread.

    `tell` takes what becomes of the files, from the thread that writes them; `wall` is the time on the wall, s.
    """

    def __init__(self, tell: Callable[[Event], None]):
        self._tell = tell
        self._recorder: Recorder | None = None
        self._all: list[Recorder] = []

    def writers(self) -> list[RecordingWriter]:
        """All that may still write."""
        return [recorder.writer for recorder in self._all]

    @property
    def runs(self) -> bool:
        """Whether one was begun and not stopped, be it that its disk refused."""
        return self._recorder is not None

    @property
    def writer(self) -> RecordingWriter | None:
        """What takes rows now."""
        return self._recorder.writer if self._recorder and self._recorder.writer.active else None

    def start(self, path: str | Path, stepper: Stepper, overwrite: bool, wall: float) -> None:
        """Begins one, of an arm at rest. Raises EngineError while another one runs."""
        if self.writer is not None:
            raise EngineError(f"already recording to {self.writer.path}")
        self._recorder = Recorder(path, stepper, wall, partial(self._report, Path(path).absolute()), overwrite)
        self._all = [one for one in self._all if not one.writer.join(0)] + [self._recorder]

    def stop(self, stepper: Stepper, moving: bool, wall: float) -> None:
        """Ends the one that runs, while the arm may be `moving`; its file is finished meanwhile."""
        recorder, self._recorder = self._recorder, None
        if recorder:
            if moving:
                recorder.leave_simulation(stepper.probe(), stepper.t, wall)
            recorder.close()

    def enter(self, stepper: Stepper, wall: float) -> None:
        """The arm begins to move by itself."""
        if self._recorder:
            self._recorder.enter_simulation(stepper.t, wall)

    def leave(self, stepper: Stepper, wall: float, known: bool = True) -> None:
        """The arm stops, in the state it is in where that is `known`."""
        if self._recorder:
            self._recorder.leave_simulation(stepper.probe() if known else None, stepper.t, wall)

    def steps(self, batch: Batch) -> None:
        """Steps were taken."""
        if self._recorder:
            self._recorder.steps(batch)

    def pose(self, state: Batch, held: bool, wall: float) -> None:
        """The arm was posed; `held` as for `Recorder.pose`."""
        if self._recorder:
            self._recorder.pose(state, held, wall)

    def note(self, kind: NoteKind, stepper: Stepper) -> None:
        """Something was done to the arm; `kind` as for `condition`."""
        if self._recorder:
            self._recorder.note(kind, stepper)

    def jump(self, before: float, after: float) -> None:
        """Simulated time was set back or forth while the arm moves."""
        if self._recorder:
            self._recorder.jump(before, after)

    def _report(self, path: Path, kind: RecordingEvent, text: str) -> None:
        self._tell(Event(kind, text, path=path))
