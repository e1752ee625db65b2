"""Identification beside the window: recordings are read, parted and fitted on a thread."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from armature import engine
from armature.app.identification.chosen_recordings import FIT, VALIDATE, ChosenRecordings, Entry, Options, split
from armature.app.state.jobs import Job, JobRunner
from armature.engine.recording.recording import Recording

if TYPE_CHECKING:
    from armature.engine import Identification, Robot

TICKS = 1000  # of a progress bar
LOADING = 0.2  # of the progress


@dataclass(frozen=True, eq=False)
class Outcome:
    """What was found for the robot of a `file`; `names` are those of the recordings, in the order of `found.curves`."""

    found: Identification
    file: Robot
    names: tuple[str, ...]


class IdentifyRun(QObject):
    """`chosen` are the recordings; `found(outcome)` tells what came of the latest request, `failed(text)` that nothing did."""

    changed = Signal()
    found = Signal(object)
    failed = Signal(str)

    def __init__(self, parent: QObject):
        super().__init__(parent)
        self.chosen = ChosenRecordings()
        self.runner = JobRunner("identify", parent)
        self.runner.finished.connect(self._on_finished)
        self.runner.failed.connect(self.failed)

    def _on_finished(self, outcome: Outcome | None) -> None:
        if outcome is not None:
            self.found.emit(outcome)

    def choose(self, chosen: ChosenRecordings) -> None:
        """Another list."""
        self.chosen = chosen
        self.changed.emit()

    def start(self, robot: Robot, options: Options) -> None:
        """Identify `robot` from what is chosen."""
        chosen = self.chosen
        self.runner.start(lambda job: _identified(chosen, robot, options, job))


def fraction(job: Job):
    """Return the progress function of a job, which raises Cancelled once the job was cancelled."""

    def tell(done: float) -> None:
        job.check()
        job.progress(round(TICKS * done), TICKS)

    return tell


def _identified(chosen: ChosenRecordings, robot: Robot, options: Options, job: Job) -> Outcome:
    tell = fraction(job)
    fit, validate = chosen.of_use(FIT), chosen.of_use(VALIDATE)
    read = [_read(entry, k, len(fit) + len(validate), job) for k, entry in enumerate((*fit, *validate))]
    training, validation = split(read[: len(fit)], read[len(fit) :], options.hold_out)
    tell(LOADING)
    found = engine.identify(
        training,
        robot,
        validation=validation,
        friction=options.friction,
        offsets=options.offsets,
        rotor=options.rotor,
        payload=options.payload,
        currents=options.currents,
        couplings=options.drives(robot),
        cutoff=options.cutoff or None,
        progress=lambda done: tell(LOADING + (1 - LOADING) * done),
    )
    held = [f"{entry.name}, held out" for entry in fit] if options.hold_out > 0 else []
    names = (*(entry.name for entry in fit), *(f"{entry.name}, held out" for entry in validate), *held)
    return Outcome(found, robot, names)


def _read(entry: Entry, k: int, count: int, job: Job) -> Recording:
    """The recording of an entry; raises RecordingError, with the name of a file that cannot be read."""
    if not isinstance(entry.source, Path):
        return entry.source

    def progress(done: int, total: int) -> None:
        job.progress(round(TICKS * LOADING * (k + done / max(total, 1)) / count), TICKS)

    return engine.load_recording(entry.source, progress, job.cancelled)
