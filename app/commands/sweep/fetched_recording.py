"""Fetch a recording from a worker, block by block, and write it where the scenario names it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from armature.engine.errors import RecordingError
from armature.engine.files import atomic_file
from armature.engine.simulation.sweeps.run_task import WorkerAnswer, recorded_piece, remove_recording

_PIECE = 4 << 20  # bytes


class WorkerGone(Exception):
    """The worker went away with its recording."""


def fetch(client: Any, answer: WorkerAnswer, record: Path, overwrite: bool) -> None:
    """Writes the files of the answer beside each other, the one called as `record` last; the worker's own are removed.

    Raises WorkerGone; RecordingError for the disk here, and for a file in the way.
    """
    for name, size in sorted(answer.files, key=lambda file: file[0] == record.name):
        target = record.with_name(name)
        if target.exists() and not overwrite:
            raise RecordingError(f"{target} already exists; choose another name")
        with atomic_file(target, RecordingError) as part, part.open("wb") as file:
            for offset in range(0, size, _PIECE):
                file.write(_called(client, answer.address, recorded_piece, answer.folder, name, offset, _PIECE))
    _called(client, answer.address, remove_recording, answer.folder)


def _called(client: Any, address: str, function: Any, *arguments: Any) -> Any:
    """What the function gives on that worker."""
    if address not in client.nthreads():
        raise WorkerGone
    try:
        return client.run(function, *arguments, workers=[address])[address]
    except (OSError, KeyError):  # of the connection: the function itself reads what its own worker has just written
        raise WorkerGone from None
