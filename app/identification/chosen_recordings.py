"""Which recordings an arm is identified from, and which part of them is held out for validation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from armature.engine.errors import EngineError, RecordingError
from armature.engine.identification.coupled_drives import Coupling, coupled_drives, coupling_of
from armature.engine.model.robot import Robot
from armature.engine.recording.recording import Recording
from armature.engine.recording.recording_metadata import EXCERPT

FIT, VALIDATE, UNUSED = "fit", "validate", "unused"
USES = {UNUSED: "not used", FIT: "fit", VALIDATE: "validate"}
LEAST = 10  # samples, below which a part is none


@dataclass(frozen=True, eq=False)
class Entry:
    """A recording of the list: a file, or one that is open in the window, and what it is used for."""

    name: str
    source: Path | Recording
    use: str = UNUSED


@dataclass(frozen=True)
class Options:
    """What is estimated beside the inertial parameters.

    `couplings` are motors that turn several joints, as text: "joint5+joint6", with commas between several. `cutoff` Hz of the
    filter, 0 for one that the motion tells; `hold_out` the per cent held out at the end of each recording of the fit.
    """

    friction: bool = True
    offsets: bool = True
    rotor: bool = False
    payload: bool = False
    currents: bool = False
    couplings: str = ""
    cutoff: float = 0.0
    hold_out: float = 25.0

    def drives(self, robot: Robot) -> tuple[Coupling, ...]:
        """The coupled drives, none where the payload alone is estimated. Raises EngineError for what is none of this robot."""
        texts = [] if self.payload else [text for text in self.couplings.split(",") if text.strip()]
        drives = tuple(coupling_of(text) for text in texts)
        coupled_drives(robot, drives)
        return drives

    def why_not(self, robot: Robot) -> str:
        """What is wrong with the coupled drives, or nothing."""
        try:
            self.drives(robot)
        except EngineError as error:
            return str(error)
        return ""


@dataclass(frozen=True, eq=False)
class ChosenRecordings:
    """The list, in the order in which they came."""

    entries: tuple[Entry, ...] = field(default=())

    def with_entry(self, entry: Entry) -> ChosenRecordings:
        """One more; one of the same source takes its place, and keeps its use where the new one has none."""
        for k, old in enumerate(self.entries):
            if old.source == entry.source if isinstance(old.source, Path) else old.source is entry.source:
                kept = replace(entry, use=old.use) if entry.use == UNUSED else entry
                return ChosenRecordings((*self.entries[:k], kept, *self.entries[k + 1 :]))
        return ChosenRecordings((*self.entries, entry))

    def with_use(self, k: int, use: str) -> ChosenRecordings:
        """Entry k is used for something else."""
        return ChosenRecordings((*self.entries[:k], replace(self.entries[k], use=use), *self.entries[k + 1 :]))

    def without(self, k: int) -> ChosenRecordings:
        """One less."""
        return ChosenRecordings((*self.entries[:k], *self.entries[k + 1 :]))

    def of_use(self, use: str) -> tuple[Entry, ...]:
        """Those that are used for that."""
        return tuple(entry for entry in self.entries if entry.use == use)

    def why_not(self) -> str:
        """Why nothing can be identified from it, or nothing."""
        if not self.entries:
            return "Add recordings, or record an excitation trajectory on the “Motion” tab first."
        return "" if self.of_use(FIT) else "Set at least one recording to “fit”."


def parted(recording: Recording, hold_out: float) -> tuple[Recording, Recording | None]:
    """The beginning, and the last `hold_out` per cent; None where nothing is held out. Raises RecordingError."""
    if hold_out <= 0.0:
        return recording, None
    cut = round(len(recording) * (1.0 - hold_out / 100.0))
    if cut < LEAST or len(recording) - cut < LEAST:
        raise RecordingError(f"the recording has {len(recording)} samples, too few to hold out {hold_out:g} % of them")
    return part_of(recording, 0, cut), part_of(recording, cut, len(recording))


def part_of(recording: Recording, first: int, last: int) -> Recording:
    """Rows from `first` to before `last`, at their times."""
    table = recording.table(first, last)
    span = {"every": 1, "start": float(recording.t[first]), "end": float(recording.t[last - 1])}
    return Recording.from_table(table, recording.joint_names, {**recording.metadata, EXCERPT: span}, recording.remarks)


def split(fit: Sequence[Recording], validate: Sequence[Recording], hold_out: float) -> tuple[list[Recording], list[Recording]]:
    """Recordings to fit, and those held out: whole ones, and the ends of those to fit. Raises RecordingError."""
    parts = [parted(recording, hold_out) for recording in fit]
    return [first for first, _ in parts], [*validate, *(last for _, last in parts if last is not None)]
