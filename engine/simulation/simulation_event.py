"""`Event`: what a reader of the worker must not miss."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from armature.engine.recording.recording_notes import RecordingEvent


class EventKind(StrEnum):
    """What happens to a simulation itself; what happens to its recordings is a `RecordingEvent`."""

    DIVERGED = "diverged"
    REFUSED = "refused"
    FAULT = "fault"
    CONTACT = "contact"
    CONTACT_ENDED = "contact_ended"
    LAW = "law"
    DISTURBANCE = "disturbance"


@dataclass(frozen=True)
class Event:
    """Something that happened once.

    `kind` is DIVERGED (`joint`, `t` say where and when), REFUSED (what `command` asks for cannot be done), FAULT (an error in the
    program), CONTACT (a `link` went below the floor at `t`, by `depth` m so far), CONTACT_ENDED (it is above it again, or nobody
    looks any more; `depth` is the deepest it was), LAW (a law in Python failed at `t`, in `line` of `path` where it has them, and
    the arm stands), DISTURBANCE (an own disturbance failed, likewise), or a `RecordingEvent` (`path` says which file); `text` is
    for the user.
    """

    kind: EventKind | RecordingEvent
    text: str
    joint: int | None = None
    t: float | None = None
    path: Path | None = None
    command: str | None = None
    link: str = ""
    depth: float = 0.0
    line: int | None = None
