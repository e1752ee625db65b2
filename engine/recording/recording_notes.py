"""Events and notes of a recording: `<file>.meta.json` of a `.csv`, `<file>.part.notes` of a running recording."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Any

import numpy as np

from armature.engine.files import atomic_write
from armature.engine.recording.recording_metadata import EVENTS, as_text, from_text

LOG = "log"
"""The kind of such an event; it does nothing to the arm."""
_ROWS = 5000  # in one event
_MOST = 256 << 20  # bytes


class LoggedRows:
    """Collects logged values, for some rows at a time, and returns them as events."""

    def __init__(self) -> None:
        self._first = 0
        self._rows: list[Mapping[str, Any]] = []

    def take(self, logs: Iterable[tuple[int, Mapping[str, Any]]], rows: int) -> Iterator[dict[str, Any]]:
        """Yield events of full blocks, after `logs` of the next `rows`."""
        logged = 0
        for count, log in logs:
            self._rows += [log] * count
            logged += count
        self._rows += [{}] * (rows - logged)
        if len(self._rows) >= _ROWS:
            yield from self.rest()

    def rest(self) -> Iterator[dict[str, Any]]:
        """Yield events of the remaining rows."""
        for name in dict.fromkeys(name for row in self._rows for name in row):
            values = [_plain(row.get(name)) for row in self._rows]
            yield {"kind": LOG, "first": self._first, "name": name, "values": values}
        self._first, self._rows = self._first + len(self._rows), []


def logged_values(events: Iterable[Any], rows: int) -> dict[str, np.ndarray]:
    """Logged values by name, `(rows,)` or `(rows, k)`, NaN without a value; damaged events are skipped."""
    found: dict[str, np.ndarray] = {}
    for event in events:
        if not isinstance(event, Mapping) or event.get("kind") != LOG:
            continue
        try:
            name, first, values = str(event["name"]), int(event["first"]), event["values"]
            width = max(len(value) for value in values if value is not None)
            block = np.full((len(values), max(width, 1)), np.nan)
            for row, value in zip(block, values, strict=True):
                if value is not None:
                    row[: len(value)] = [np.nan if x is None else x for x in value]
            block = block[: max(0, rows - first)]  # of a killed run rows may be missing that it had logged already
            table = found.get(name, np.empty((rows, 0)))
            wider = np.full((rows, max(0, block.shape[1] - table.shape[1])), np.nan)  # another version of the law logged more
            found[name] = table = np.hstack([table, wider])
            table[first : first + len(block), : block.shape[1]] = block
        except (LookupError, TypeError, ValueError):
            continue
    return {name: table[:, 0] if table.shape[1] == 1 else table for name, table in found.items()}


def _plain(value: Any) -> list[float | None] | None:
    if value is None:
        return None
    return [float(x) if np.isfinite(x) else None for x in np.atleast_1d(value)]


class RecordingEvent(StrEnum):
    """State of a recording: file opened, complete, or failed with the rows so far in the `.part`."""

    STARTED = "recording_started"
    STOPPED = "recording_stopped"
    FAILED = "recording_failed"


Report = Callable[[RecordingEvent, str], None]
"""Called with what happened and a one-line text, from any thread."""


def sidecar(path: Path) -> Path:
    """Path of the metadata of the `.csv` at `path`, whose columns are fixed so that any program can read it."""
    return path.with_name(path.name + ".meta.json")


def notes_path(part: Path) -> Path:
    """Path of the notes of a running recording: lines of JSON with events and, for `.csv`, metadata."""
    return part.with_name(part.name + ".notes")


def write_sidecar(path: Path, metadata: Mapping[str, Any]):
    """Writes the sidecar of `path` in one step."""
    text = json.dumps(json.loads(as_text(metadata)), indent=1) + "\n"
    atomic_write(sidecar(path), text)


def read_sidecar(path: Path, joints: tuple[str, ...]) -> dict[str, Any] | None:
    """The metadata of the `.csv` at `path`, None without a sidecar; raises ValueError."""
    place = sidecar(path)
    data = _bytes(place)
    if data is None:
        return None
    try:
        metadata = from_text(data)
    except ValueError:
        raise ValueError(f"its metadata file {place.name} cannot be read; delete it to read the table alone") from None
    if metadata["joints"] != list(joints):
        raise ValueError(f"its metadata file {place.name} belongs to another recording; delete it to read the table alone")
    return metadata


def note_line(note: Mapping[str, Any]) -> bytes:
    """One note as a line."""
    return as_text(note).encode() + b"\n"


def read_notes(part: Path) -> dict[str, Any]:
    """Metadata in the notes of a running or killed recording; an incomplete last line is ignored."""
    found: dict[str, Any] = {}
    events: list[dict[str, Any]] = []
    for line in (_bytes(notes_path(part)) or b"").split(b"\n"):
        try:
            note = json.loads(line)
        except (ValueError, RecursionError):
            break
        if isinstance(note, dict) and isinstance(note.get("metadata"), dict):
            found = note["metadata"]
        elif isinstance(note, dict):
            events.append(note)
    before = found.get(EVENTS)
    return {**found, EVENTS: [*(before if isinstance(before, list) else []), *events]} if events else found


def _bytes(path: Path) -> bytes | None:
    try:
        if path.stat().st_size > _MOST:
            raise ValueError(f"its metadata file {path.name} is larger than {_MOST >> 20} MB")
        return path.read_bytes()
    except FileNotFoundError:
        return None
