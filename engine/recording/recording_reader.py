"""Recordings from files: finished ones, and what a killed run left behind."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from armature.engine.errors import Cancelled, RecordingError
from armature.engine.files import reason
from armature.engine.recording.recording import Recording
from armature.engine.recording.recording_columns import JOINT_GROUPS, MEASURED_GROUPS, TOOL_COLUMNS, joints_of
from armature.engine.recording.recording_files import part_path
from armature.engine.recording.recording_formats import FORMATS, NAMES
from armature.engine.recording.recording_metadata import EVENTS, EXCERPT, import_notes, with_defaults
from armature.engine.recording.recording_notes import LOG, read_notes, read_sidecar
from armature.engine.recording.tables.csv_format import ends_within_a_row, read_csv
from armature.engine.recording.tables.mat_format import read_mat
from armature.engine.recording.tables.npz_format import read_npz
from armature.engine.recording.tables.raw_format import read_raw

_NAMED = 4  # columns listed by name, of those with the same missing rows
SLAB = 40 << 20  # bytes: so large a piece goes back to the system when it is let go
MAX_BYTES = 4 << 30  # of the numbers in a recording in memory
Opened = tuple[tuple[str, ...], dict[str, Any], Iterator[np.ndarray]]


class Gaps:
    """Collects missing values of a recording block by block, for a `remark` about NaN and infinities."""

    def __init__(self, columns: Sequence[str]):
        self._columns, self._rows, self._infinite = tuple(columns), 0, False
        self._counts, self._firsts = np.zeros((2, len(self._columns)), np.int64)
        self._times = np.zeros(len(self._columns))

    def see(self, block: np.ndarray) -> None:
        """Takes note of the next rows `(k, columns)`, whose first column is the time."""
        finite = np.isfinite(block)
        if not finite.all():
            missing, first = ~finite, finite.argmin(axis=0)
            new = (self._counts == 0) & missing.any(axis=0)
            self._firsts[new], self._times[new] = self._rows + first[new], block[first[new], 0]
            self._counts += missing.sum(axis=0)
            self._infinite = self._infinite or bool(np.isinf(block).any())
        self._rows += len(block)

    def remark(self) -> str:
        """Which columns in how many rows, and the first of these; empty where all are numbers."""
        alike: dict[tuple[int, int], list[str]] = {}
        for k in np.flatnonzero(self._counts):
            alike.setdefault((int(self._counts[k]), int(self._firsts[k])), []).append(self._columns[k])
        places = [f"{self._names(names)} {self._where(*rows, names[0])}" for rows, names in alike.items()]
        return f"not a number ({'NaN or infinite' if self._infinite else 'NaN'}): {'; '.join(places)}" if places else ""

    def _names(self, columns: list[str]) -> str:
        """List of columns, with one name for the columns of all joints or of the whole pose."""
        joints, left = joints_of(self._columns), list(columns)
        whole = {f"{group}.*": [f"{group}.{joint}" for joint in joints] for group in (*JOINT_GROUPS, *MEASURED_GROUPS)} | {
            "tool.*": list(TOOL_COLUMNS)
        }
        for name, members in whole.items():
            if len(members) > 1 and set(members) <= set(left):
                left[left.index(members[0])] = name
                left = [column for column in left if column not in members]
        names = left[:_NAMED] + ([f"{len(left) - _NAMED} more"] if len(left) > _NAMED else [])
        return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"

    def _where(self, count: int, first: int, column: str) -> str:
        if count == self._rows:
            return f"in all {count:,} rows"
        t = self._times[self._columns.index(column)]
        return f"in {count:,} of {self._rows:,} rows, first in row {first + 1:,} (t = {t:.6g} s)"


class Rows:
    """Takes blocks `(k, width)`; `table` gives all of them at once and keeps nothing."""

    def __init__(self, width: int):
        self._width, self._per_slab = width, max(1, SLAB // (8 * width))
        self._slabs: deque[np.ndarray] = deque()
        self._free = 0  # rows in the last slab
        self.count = 0

    def append(self, block: np.ndarray) -> None:
        """Copies a block."""
        first = 0
        while first < len(block):
            if not self._free:
                self._slabs.append(np.empty((self._per_slab, self._width)))
                self._free = self._per_slab
            part = block[first : first + self._free]
            at = self._per_slab - self._free
            self._slabs[-1][at : at + len(part)] = part
            self._free -= len(part)
            first += len(part)
        self.count += len(block)

    def table(self) -> np.ndarray:
        """All rows `(count, width)`; each slab is let go once it is copied."""
        table, at = np.empty((self.count, self._width)), 0
        while self._slabs:
            slab = self._slabs.popleft()[: self.count - at]
            table[at : at + len(slab)] = slab
            at += len(slab)
        return table


@dataclass(frozen=True)
class RecordingFile:
    """A recording being read: its columns, its metadata, and its rows in `blocks` `(k, columns)`, which can be read once.

    `done(bytes)` is how much of the file's `size` was read once its rows make so many bytes of numbers.
    """

    path: Path
    columns: tuple[str, ...]
    metadata: Mapping[str, Any]
    blocks: Iterator[np.ndarray]
    size: int
    done: Callable[[int], int]


def load_recording(
    path: str | Path,
    progress: Callable[[int, int], None] = lambda done, total: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Recording:
    """Load a recording from a file.

    If a run was killed or failed, its `.part` file is read up to its last complete sample, with `metadata["recovered"]` True;
    this file is also used if `path` itself is missing.

    Args:
        path: a `.csv`, `.npz`, `.mat` or `.mcap`, or one of these followed by `.part`.
        progress: called repeatedly with the bytes read and the total.
        cancelled: called repeatedly; if it returns True, Cancelled is raised.

    Returns:
        A `Recording` with read-only arrays. Its `remarks` list columns and rows with NaN, signs of a missing end, and the
        processing of an imported log. Metadata of a `.csv` are read from `<name>.csv.meta.json` in the same folder, if it exists.

    Raises:
        RecordingError: no such file, not a recording, damaged, or too large.
    """
    with open_recording(path) as file, reading(file.path):
        rows, width, gaps = Rows(len(file.columns)), 8 * len(file.columns), Gaps(file.columns)
        for block in file.blocks:
            if cancelled():
                raise Cancelled
            rows.append(block)
            gaps.see(block)
            if rows.count * width > MAX_BYTES:
                raise RecordingError(
                    f"{file.path}: more than {MAX_BYTES / 1e9:.1f} GB of numbers is too much; convert only a part of it"
                )
            progress(file.done(rows.count * width), file.size)
        if not rows.count:
            raise RecordingError(f"{file.path}: no complete sample")
        remarks = [*import_notes(file.metadata), *_cut_off(file, rows.count), *filter(None, [gaps.remark()])]
        table = rows.table()
        metadata = _up_to(file, rows.count) if file.metadata.get("recovered") else file.metadata
    return Recording.from_table(table, joints_of(file.columns), metadata, tuple(remarks))


def _up_to(file: RecordingFile, count: int) -> dict[str, Any]:
    """Metadata of a killed or running recording, with events up to its last row: notes are written before rows."""
    unfinished = file.path.suffix.lower() == ".part"
    metadata = {**file.metadata, **(read_notes(file.path) if unfinished else {})}
    events = metadata.get(EVENTS)
    if not isinstance(events, list):
        return metadata

    def later(event: Any) -> bool:
        row = event.get("row") if isinstance(event, dict) and event.get("kind") != LOG else None
        return isinstance(row, int) and row >= count

    return {**metadata, EVENTS: [event for event in events if not later(event)]}


def _cut_off(file: RecordingFile, count: int) -> Iterator[str]:
    """Yield signs that the end of a finished recording of `count` rows is missing."""
    if file.path.suffix.lower() == ".csv":
        with file.path.open("rb") as text:
            if ends_within_a_row(text):
                yield "the last row is incomplete and was omitted; the file may be cut off"
    events = file.metadata.get(EVENTS)
    if not isinstance(events, list) or file.metadata.get(EXCERPT) or file.metadata.get("recovered"):
        return
    rows = [event.get("row") for event in events if isinstance(event, dict)]
    last = max((row for row in rows if isinstance(row, int)), default=0)
    if last > count:
        yield f"it has {count:,} rows, but {last:,} according to its metadata; the file may be cut off"


@contextmanager
def open_recording(path: str | Path) -> Iterator[RecordingFile]:
    """A recording of any length, to be read block by block within the context; found and refused as by `load_recording`."""
    path = Path(path)
    with reading(path):
        if not path.exists() and part_path(path).is_file():
            path = part_path(path)
        unfinished = path.suffix.lower() == ".part"
        suffix = (path.with_suffix("") if unfinished else path).suffix.lower()
        if suffix not in FORMATS:
            raise RecordingError(f"{path}: the name of a recording must end in {NAMES}, optionally followed by .part")
        if not path.is_file():
            raise RecordingError(f"{path}: {'a folder, not a file' if path.is_dir() else 'no such file'}")
        size = path.stat().st_size
        if size == 0:
            raise RecordingError(f"{path}: the file is empty")
        file = path.open("rb")
    with file:
        with reading(path):
            columns, metadata, blocks = _open(path, file, suffix, unfinished)
            if unfinished:
                metadata = {**metadata, **read_notes(path), "recovered": True}
        mapped = suffix in (".npz", ".mat") and not unfinished  # uncompressed
        yield RecordingFile(
            path, columns, metadata, _checked(path, blocks), size, lambda read: min(read, size) if mapped else file.tell()
        )


def _open(path: Path, file: BinaryIO, suffix: str, unfinished: bool) -> Opened:
    if suffix == ".csv":
        columns, blocks = read_csv(file)
        beside = None if unfinished else read_sidecar(path, joints_of(columns))
        return columns, with_defaults({}) if beside is None else beside, blocks
    if suffix == ".mcap":
        from armature.engine.recording.mcap.mcap_reader import read_mcap  # 0.1 s, which only this needs

        return read_mcap(file, unfinished)
    if unfinished:
        return read_raw(file, path.stat().st_size)
    return (read_npz if suffix == ".npz" else read_mat)(file)


def _checked(path: Path, blocks: Iterator[np.ndarray]) -> Iterator[np.ndarray]:
    """Blocks whose times follow one another."""
    last, count = -np.inf, 0
    with reading(path):
        for block in blocks:
            t = block[:, 0]
            wrong = np.flatnonzero(~np.isfinite(t) | (t < np.concatenate([[last], t[:-1]])))
            if len(wrong):
                raise RecordingError(f"{path}: sample {count + wrong[0] + 1}: its time is not later than the one before")
            last, count = t[-1], count + len(t)
            yield block


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Raise RecordingError, with one line, for any failure to read the file in this block."""
    try:
        yield
    except OSError as error:
        why = "no such file" if isinstance(error, FileNotFoundError) else reason(error)
        raise RecordingError(f"{path}: {why}") from None
    except MemoryError:
        raise RecordingError(f"{path}: not enough memory to read it") from None
    except ValueError as error:
        why = "not a text file" if isinstance(error, UnicodeDecodeError) else " ".join(str(error).split())
        raise RecordingError(f"{path}: not an Armature recording: {why}") from None
