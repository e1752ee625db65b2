"""What is said about a recording beside its file: `<file>.meta.json` of a `.csv`, `<file>.part.notes` of one that runs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from armature.engine.recording.recording_metadata import EVENTS, as_text, from_text

_MOST = 256 << 20  # bytes


def sidecar(path: Path) -> Path:
    """Where the metadata of the `.csv` at `path` lie: its columns are fixed, and any program reads it as a plain table."""
    return path.with_name(path.name + ".meta.json")


def notes_path(part: Path) -> Path:
    """Where a running recording notes what its own file has no place for: lines of JSON, events and for `.csv` metadata."""
    return part.with_name(part.name + ".notes")


def write_sidecar(path: Path, metadata: Mapping[str, Any]):
    """Writes the sidecar of `path` in one step."""
    text = json.dumps(json.loads(as_text(metadata)), indent=1) + "\n"
    new = path.with_name(f".{path.name}.tmp")
    try:
        new.write_text(text, encoding="utf-8")
        new.replace(sidecar(path))
    finally:
        new.unlink(missing_ok=True)


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
    """What the notes of a running or killed recording add to its metadata; a last line that is not complete does not count."""
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
