"""`Event`: something that happened once in a live simulation."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from armature.engine.recording.recording_notes import RecordingEvent
from armature.engine.simulation.commands import SimulationCommand


class EventKind(StrEnum):
    """Event of a simulation; an event of its recordings is a `RecordingEvent`."""

    DIVERGED = "diverged"
    REFUSED = "refused"
    FAULT = "fault"
    CONTACT = "contact"
    CONTACT_ENDED = "contact_ended"
    STOPPED = "stopped"
    LAW = "law"
    DISTURBANCE = "disturbance"


@dataclass(frozen=True)
class Event:
    """Something that happened once; `text` is for the user.

    DIVERGED: `joint` diverged at `t`. REFUSED: `command` cannot be carried out. FAULT: an error in the program. CONTACT: `link`
    reached the floor at `t`, `depth` m below it so far. CONTACT_ENDED: it left the floor, or is no longer observed; `depth` is
    the largest. STOPPED: the run was paused at a contact at `t`. LAW, DISTURBANCE: a user-defined controller or disturbance
    failed at `t`, in `line` of `path` if known, and the arm stopped. `RecordingEvent`: of the file `path`.
    """

    kind: EventKind | RecordingEvent
    text: str
    joint: int | None = None
    t: float | None = None
    path: Path | None = None
    command: SimulationCommand | None = None
    link: str = ""
    depth: float = 0.0
    line: int | None = None
