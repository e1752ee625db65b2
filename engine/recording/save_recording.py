"""Finished rows to a file, which appears complete or not at all."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from armature.engine.errors import Cancelled, RecordingError
from armature.engine.recording.file_trouble import reason
from armature.engine.recording.recording_formats import Format, format_of
from armature.engine.recording.recording_notes import sidecar, write_sidecar
from armature.engine.recording.tables.raw_format import assemble_stream


def write_recording(
    path: Path,
    columns: Sequence[str],
    metadata: Mapping[str, Any],
    blocks: Iterable[np.ndarray],
    overwrite: bool,
    cancelled: Callable[[], bool] = lambda: False,
) -> Path:
    """Writes rows next to `path` and renames; in bounded memory, however many there are.

    Args:
        path: the file; its suffix decides the format.
        columns, metadata: of the recording.
        blocks: its rows `(k, columns)`.
        overwrite: whether a file of that name is replaced.
        cancelled: called now and then; once it says so nothing is left behind, and `Cancelled` is raised.

    Returns:
        The path written.

    Raises:
        RecordingError: another suffix, a file that is there, or one that cannot be written; and what `blocks` raises.
    """
    form = format_of(path)
    new = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    rows = new.with_suffix(".rows") if form.assemble else new
    try:
        _refuse_existing(path, form, overwrite)
        try:
            with rows.open("wb") as file:
                _encode(file, form, columns, metadata, blocks, cancelled)
            if form.assemble:
                with new.open("wb") as file:
                    if not assemble_stream(rows, file, form.assemble, {}, cancelled):
                        raise Cancelled
            _refuse_existing(path, form, overwrite)
            new.replace(path)
            if form.suffix == ".csv":
                write_sidecar(path, metadata)
        finally:
            new.unlink(missing_ok=True)
            rows.unlink(missing_ok=True)
    except OSError as error:
        raise RecordingError(f"{path}: {reason(error)}") from None
    except ValueError as error:
        raise RecordingError(f"{path}: {error}") from None
    return path


def _refuse_existing(path: Path, form: Format, overwrite: bool):
    for there in (path, sidecar(path)) if form.suffix == ".csv" else (path,):
        if there.exists() and not overwrite:
            raise RecordingError(f"{there} already exists; choose another name")


def _encode(file: BinaryIO, form: Format, columns, metadata, blocks, cancelled: Callable[[], bool]):
    encoder = form.encoder(columns, metadata)
    file.write(encoder.header())
    for block in blocks:
        if cancelled():
            raise Cancelled
        file.write(encoder.rows(block))
    file.write(encoder.end(metadata))
