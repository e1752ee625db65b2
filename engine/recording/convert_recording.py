"""`convert_recording`: a recording of any length in another format, whole or in part."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from armature.engine.errors import RecordingError
from armature.engine.recording.recording_files import write_recording
from armature.engine.recording.recording_metadata import EVENTS, EXCERPT
from armature.engine.recording.recording_reader import RecordingFile, open_recording


def convert_recording(
    source: str | Path,
    target: str | Path,
    overwrite: bool = False,
    every: int = 1,
    start: float | None = None,
    end: float | None = None,
    cancelled: Callable[[], bool] = lambda: False,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Path:
    """Write a recording in another format, block by block, so that its length is not limited by memory.

    Args:
        source: a recording, as for `load_recording`.
        target: `.csv`, `.npz`, `.mat` or `.mcap`.
        overwrite: whether to replace an existing file.
        every: number k; only every k-th sample is written.
        start, end: time range to write, s; None: from the first or to the last sample. Times are not shifted.
        cancelled: called repeatedly; if it returns True, Cancelled is raised and nothing is written.
        progress: called repeatedly with the bytes read and the total.

    Returns:
        The path written.

    Raises:
        RecordingError: the source cannot be read, there is no sample between start and end, or the target cannot be written.
        Cancelled: `cancelled` returned True.
    """
    target = Path(target)
    with open_recording(source) as file:
        whole = every == 1 and start is None and end is None
        metadata: dict[str, Any] = dict(file.metadata)
        if not whole:  # such rows are no longer a run that could be done again
            metadata[EXCERPT] = {"every": every, "start": start, "end": end}
        first, last = -np.inf if start is None else start, np.inf if end is None else end
        metadata[EVENTS] = [event for event in metadata.get(EVENTS) or [] if not _contact_outside(event, first, last)]
        rows = _some(file, progress, every, first, last)
        return write_recording(target, file.columns, metadata, _not_empty(file, rows), overwrite, cancelled)


def _contact_outside(event: Any, start: float, end: float) -> bool:
    """Whether that is a contact with the floor that was over before `start`, or began after `end`."""
    if not isinstance(event, dict) or event.get("kind") != "contact":
        return False
    t, until = event.get("t"), event.get("until")
    return (isinstance(t, (int, float)) and t > end) or (isinstance(until, (int, float)) and until < start)


def _some(
    file: RecordingFile, progress: Callable[[int, int], None], every: int, start: float, end: float
) -> Iterator[np.ndarray]:
    seen = size = 0
    for block in file.blocks:
        size += block.nbytes
        progress(file.done(size), file.size)
        inside = block[(block[:, 0] >= start) & (block[:, 0] <= end)]
        yield inside[-seen % every :: every]
        seen += len(inside)
        if block[-1, 0] > end:
            return


def _not_empty(file: RecordingFile, blocks: Iterator[np.ndarray]) -> Iterator[np.ndarray]:
    count = 0
    for block in blocks:
        count += len(block)
        yield block
    if not count:
        raise RecordingError(f"{file.path}: no complete sample in the requested time span")
