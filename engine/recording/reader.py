"""Recordings from files: finished ones, and what a killed run left behind."""

from __future__ import annotations

import csv
import json
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from engine.errors import RecordingError
from engine.recording.columns import joints_of
from engine.recording.npz_format import METADATA, ROW, read_stream_header
from engine.recording.part_file import part_path, reason
from engine.recording.recording import SUFFIXES, Recording

MAX_BYTES = 4 << 30  # of a file, and of the numbers in it
_HEADER_BYTES = 1 << 20


def load_recording(path: str | Path) -> Recording:
    """Reads a recording.

    From a `.part`, which a run leaves behind that was killed or lost its disk, everything is read up to the last complete sample,
    and `metadata["recovered"]` is True. Where `path` is missing but its `.part` is there, that is read.

    Args:
        path: a `.csv` or `.npz`, or one of these with `.part` after it.

    Returns:
        A `Recording`; its arrays are read-only. A plain `.csv` says neither the robot's name nor other metadata.

    Raises:
        RecordingError: no such file, not a recording, damaged, or too large.
    """
    path = Path(path)
    try:
        if not path.exists() and part_path(path).is_file():
            path = part_path(path)
        return _load(path)
    except OSError as error:
        why = "no such file" if isinstance(error, FileNotFoundError) else reason(error)
        raise RecordingError(f"{path}: {why}") from None
    except MemoryError:
        raise RecordingError(f"{path}: it does not fit into the memory of this machine") from None
    except ValueError as error:
        why = "it is not text" if isinstance(error, UnicodeDecodeError) else " ".join(str(error).split())
        raise RecordingError(f"{path}: not a recording of this program: {why}") from None


def _load(path: Path) -> Recording:
    unfinished = path.suffix.lower() == ".part"
    suffix = (path.with_suffix("") if unfinished else path).suffix.lower()
    if suffix not in SUFFIXES:
        raise RecordingError(f"{path}: recordings end in {' or '.join(SUFFIXES)}, or one of these and .part")
    if not path.is_file():
        raise RecordingError(f"{path}: {'a folder, not a file' if path.is_dir() else 'no such file'}")
    size = path.stat().st_size
    if size == 0:
        raise RecordingError(f"{path}: the file is empty")
    if size > MAX_BYTES:
        raise RecordingError(f"{path}: {size / 1e9:.1f} GB; recordings are read up to {MAX_BYTES / 1e9:.1f} GB")
    with path.open("rb") as file:
        if suffix == ".csv":
            columns, table, metadata = _read_csv(file)
        elif unfinished:
            columns, table, metadata = _read_stream(file, size)
        else:
            columns, table, metadata = _read_npz(file)
    joints = joints_of(columns)
    _check_times(path, table)
    return Recording.from_table(table, joints, {**metadata, "recovered": True} if unfinished else metadata)


def _check_times(path: Path, table: np.ndarray):
    if not len(table):
        raise RecordingError(f"{path}: it holds no complete sample")
    t = table[:, 0]
    wrong = np.flatnonzero(~np.isfinite(t) | (np.diff(t, prepend=t[0]) < 0))
    if len(wrong):
        raise RecordingError(f"{path}: sample {wrong[0] + 1}: its time does not follow the one before")


def _read_csv(file: BinaryIO) -> tuple[tuple[str, ...], np.ndarray, dict[str, Any]]:
    first = file.readline(_HEADER_BYTES)
    if not first.endswith(b"\n"):
        raise ValueError("it ends within its first line" if len(first) < _HEADER_BYTES else "its first line has no end")
    columns = tuple(next(csv.reader([first.decode("utf-8-sig").strip("\r\n")]), ()))
    joints_of(columns)
    lines = _Lines(file)
    if next(iter(lines), None) is None:
        return columns, np.empty((0, len(columns))), {}
    try:
        table = np.loadtxt(lines, delimiter=",", ndmin=2, comments=None, dtype=np.float64)
    except ValueError:
        table = None
    if table is None or table.shape[1] != len(columns):
        raise ValueError(lines.fault(len(columns)))
    return columns, table, {}


class _Lines:
    """The lines of a file that have their end; a last one without may have lost digits, so it does not count."""

    def __init__(self, file: BinaryIO):
        self._file, self._start = file, file.tell()

    def __iter__(self) -> Iterator[str]:
        self._file.seek(self._start)
        for line in self._file:
            if line.endswith(b"\n") and line.strip():
                yield line.decode("ascii")

    def fault(self, columns: int) -> str:
        """Which line is no row of `columns` numbers."""
        self._file.seek(self._start)
        for number, line in enumerate(self._file, start=2):
            values = line.strip().split(b",")
            if values == [b""]:
                continue
            if len(values) != columns:
                return f"line {number} has {len(values)} numbers, the first line names {columns} columns"
            for value in values:
                try:
                    float(value)
                except ValueError:
                    return f"line {number}: {value[:40].decode('ascii', 'replace')!r} is not a number"
        return "its lines are not rows of numbers"


def _read_stream(file: BinaryIO, size: int) -> tuple[tuple[str, ...], np.ndarray, dict[str, Any]]:
    columns, metadata, start = read_stream_header(file, size)
    joints_of(columns)
    rows = (size - start) // (len(columns) * ROW.itemsize)
    table = np.fromfile(file, ROW, rows * len(columns)).reshape(rows, len(columns))
    return columns, table.astype(np.float64, copy=False), metadata


def _read_npz(file: BinaryIO) -> tuple[tuple[str, ...], np.ndarray, dict[str, Any]]:
    try:
        with zipfile.ZipFile(file) as archive:
            total = sum(entry.file_size for entry in archive.infolist())
            if total > MAX_BYTES:
                raise ValueError(f"{total / 1e9:.1f} GB of numbers; recordings are read up to {MAX_BYTES / 1e9:.1f} GB")
        file.seek(0)
        with np.load(file, allow_pickle=False) as data:
            if METADATA not in data.files:
                raise ValueError(f"it has no entry {METADATA!r}")
            columns = tuple(name for name in data.files if name != METADATA)
            joints_of(columns)
            return columns, _columns(data, columns), _metadata(data[METADATA])
    except (zipfile.BadZipFile, EOFError, KeyError, NotImplementedError, RuntimeError, zlib.error) as error:
        raise ValueError(f"damaged ({' '.join(str(error).split())})") from None


def _columns(data, columns: tuple[str, ...]) -> np.ndarray:
    table = np.empty((data["t"].size, len(columns)))
    for k, name in enumerate(columns):
        values = data[name]
        if values.shape != table.shape[:1] or values.dtype.kind != "f":
            raise ValueError(f"column {name!r} is not a list of numbers as long as 't'")
        table[:, k] = values
    return table


def _metadata(text: np.ndarray) -> dict[str, Any]:
    try:
        return dict(json.loads(str(text)))
    except (ValueError, TypeError, RecursionError):
        raise ValueError("its metadata is not readable") from None
