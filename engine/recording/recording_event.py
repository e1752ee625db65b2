"""What becomes of a recording, as its writer tells it."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum


class RecordingEvent(StrEnum):
    """The file was opened; it is complete; or it broke off and what was written stays as `.part`."""

    STARTED = "recording_started"
    STOPPED = "recording_stopped"
    FAILED = "recording_failed"


Report = Callable[[RecordingEvent, str], None]
"""Called with what happened and a one-line text, from any thread."""
