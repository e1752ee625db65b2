"""A finished `Recording` to a file, which appears complete or not at all."""

from __future__ import annotations

import os
from pathlib import Path
from typing import BinaryIO

from engine.errors import RecordingError
from engine.recording.csv_format import header_line, row_lines
from engine.recording.npz_format import write_npz
from engine.recording.part_file import reason
from engine.recording.recording import Recording, check_suffix

_ROWS = 2048


def save_recording(recording: Recording, path: Path) -> Path:
    """Writes next to `path` and renames; see `Recording.save`."""
    write = {".csv": _write_csv, ".npz": _write_npz}[check_suffix(path)]
    new = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        try:
            with new.open("wb") as file:
                write(recording, file)
            new.replace(path)
        except BaseException:
            new.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise RecordingError(f"{path}: {reason(error)}") from None
    return path


def _write_csv(recording: Recording, file: BinaryIO):
    file.write(header_line(recording.columns))
    for first in range(0, len(recording), _ROWS):
        file.write(row_lines(recording.table(first, first + _ROWS)))


def _write_npz(recording: Recording, file: BinaryIO):
    table = recording.table()
    metadata = {**recording.metadata, "robot": recording.robot_name}
    write_npz(file, recording.columns, metadata, lambda part: table[:, part], len(table))
