"""`SweepTable`: the results of a sweep in one file, CSV or Parquet, which grows during the sweep and can be continued."""

from __future__ import annotations

import csv
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol

from armature.engine.errors import RecordingError
from armature.engine.files import atomic_file, is_locked, lock, reason
from armature.engine.simulation.sweeps.sweep import FAILED, ORIGIN, OUTCOME, RUN, Column, Origin, cells_of, line_of, value_of

SUFFIXES = (".csv", ".parquet")
INSTALL = 'Parquet needs the package pyarrow: pip install "armature[cluster]"'


class TableFormat(Protocol):
    """Writer and reader of one file format."""

    def write(self, path: Path, columns: Sequence[Column], rows: Sequence[Sequence[str]]) -> None:
        """Write a table of cells, given as text; raises OSError."""

    def names(self, path: Path) -> list[str]:
        """Return the names of the columns; raises RecordingError for a file that cannot be read."""

    def read(self, path: Path, names: Sequence[str]) -> list[tuple[str, ...]]:
        """Return the named columns, row by row; raises RecordingError if one is missing."""


def format_of_table(path: Path) -> TableFormat:
    """Return the format for the suffix of a file. Raises RecordingError."""
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        raise RecordingError(f"{path}: a table of results must be saved as {' or '.join(SUFFIXES)}")
    if suffix == ".csv":
        return CsvTable()
    if find_spec("pyarrow") is None:
        raise RecordingError(f"{path}: {INSTALL}")
    return ParquetTable()


@dataclass(frozen=True)
class CsvTable:
    """CSV: doubles to their last bit, empty cells for absent values."""

    def write(self, path: Path, columns: Sequence[Column], rows: Sequence[Sequence[str]]) -> None:
        """See `TableFormat`."""
        with path.open("w", encoding="utf-8", newline="") as file:
            file.write(line_of([column.name for column in columns]))
            file.writelines(map(line_of, rows))

    def names(self, path: Path) -> list[str]:
        """See `TableFormat`."""
        try:
            with path.open(encoding="utf-8", newline="") as file:
                return next(csv.reader(file, strict=True), [])
        except OSError as error:
            raise RecordingError(f"{path}: {reason(error)}") from None
        except (ValueError, csv.Error):
            raise _no_table(path) from None

    def read(self, path: Path, names: Sequence[str]) -> list[tuple[str, ...]]:
        """See `TableFormat`."""
        try:
            with path.open(encoding="utf-8", newline="") as file:
                reader = csv.reader(file, strict=True)
                places = _places(path, next(reader, []), names)
                return [tuple(row[place] for place in places) for row in reader]
        except (ValueError, IndexError, csv.Error):
            raise _no_table(path) from None


@dataclass(frozen=True)
class ParquetTable:
    """Parquet: columns of int64, double, bool or text, null for absent values."""

    def write(self, path: Path, columns: Sequence[Column], rows: Sequence[Sequence[str]]) -> None:
        """See `TableFormat`."""
        import pyarrow as pa
        from pyarrow import parquet

        kinds: dict[type, Any] = {int: pa.int64(), float: pa.float64(), bool: pa.bool_(), str: pa.string()}
        held = zip(columns, zip(*rows, strict=True), strict=True)
        arrays = [pa.array([value_of(cell, column.kind) for cell in cells], kinds[column.kind]) for column, cells in held]
        parquet.write_table(pa.table(arrays, names=[column.name for column in columns]), path)

    def names(self, path: Path) -> list[str]:
        """See `TableFormat`."""
        import pyarrow as pa
        from pyarrow import parquet

        try:
            return list(parquet.read_schema(path).names)
        except OSError as error:
            raise RecordingError(f"{path}: {reason(error)}") from None
        except pa.ArrowException:
            raise RecordingError(f"{path}: not a table of a sweep") from None

    def read(self, path: Path, names: Sequence[str]) -> list[tuple[str, ...]]:
        """See `TableFormat`."""
        import pyarrow as pa
        from pyarrow import parquet

        try:
            table = parquet.read_table(path, columns=list(names))
        except pa.ArrowException:
            raise _no_table(path) from None
        _places(path, table.column_names, names)
        return [tuple(map(str, row.values())) for row in table.to_pylist()]


def _places(path: Path, header: Sequence[str], names: Sequence[str]) -> list[int]:
    if not set(names) <= set(header):
        raise _no_table(path)
    return [list(header).index(name) for name in names]


def _no_table(path: Path) -> RecordingError:
    return RecordingError(f"{path}: exists and is not a table of a sweep; choose another name, or --overwrite it")


_KEPT = (RUN, OUTCOME, ORIGIN)


class SweepTable:
    """Results of a sweep: rows are appended to `<table>.part`, a CSV file that survives a crash, and sorted at the end.

    `ended`: runs, by number from 0, that had a row when the table was opened; `failed`: the failed runs among them.
    """

    def __init__(self, path: Path, columns: tuple[Column, ...], origin: Origin, overwrite: bool = False):
        """Continue a table of the same origin, or create one. Raises RecordingError with the file and the reason."""
        self.path, self.part = path, path.with_name(f"{path.name}.part")
        self._columns, self._origin = columns, origin
        self._format: TableFormat = format_of_table(path)
        self._header = line_of([column.name for column in columns])
        self.ended: set[int] = set()
        self.failed: set[int] = set()
        self.is_whole = False
        self._fd = -1
        try:
            if not path.absolute().parent.is_dir():
                raise RecordingError(f"{path}: the folder {path.parent} does not exist")
            if path.is_dir():
                raise RecordingError(f"{path}: is a folder, not a file")
            if self.part.exists() and is_locked(self.part):
                raise RecordingError(f"{self.part}: another sweep is writing it")
            if not overwrite:
                self._continue()
            if not self.is_whole:
                self._open(overwrite)
        except OSError as error:
            raise RecordingError(f"{path}: {reason(error)}") from None

    def add(self, row: Mapping[str, Any]) -> None:
        """Append the row of a finished run."""
        line = line_of([row.get(column.name) for column in self._columns]).encode()
        try:
            while line:
                line = line[os.write(self._fd, line) :]
        except OSError as error:
            raise RecordingError(f"{self.part}: {reason(error)}; the rows so far are saved") from None

    def finish(self) -> None:
        """Write the table with all rows in the order of the runs."""
        if self.is_whole:
            return
        rows = sorted(self._rows(), key=lambda cells: int(cells[0]))
        try:
            with atomic_file(self.path) as table:
                self._format.write(table, self._columns, rows)
                self.close()
            self.part.unlink()
        except OSError as error:
            raise RecordingError(f"{self.path}: {reason(error)}; the rows are saved in {self.part.name}") from None

    def close(self) -> None:
        """Close the `.part` file; delete it if it has no rows."""
        if self._fd >= 0:
            is_empty = os.fstat(self._fd).st_size <= len(self._header.encode())
            os.close(self._fd)
            self._fd = -1
            if is_empty:
                self.part.unlink(missing_ok=True)

    def _continue(self) -> None:
        """Read the existing rows."""
        if self.part.exists():
            places = [[column.name for column in self._columns].index(name) for name in _KEPT]
            self._take(self.part, [tuple(cells[place] for place in places) for cells in self._rows()])
        elif self.path.exists():
            self._take(self.path, self._format.read(self.path, _KEPT))
            self.is_whole = True

    def _take(self, file: Path, rows: list[tuple[str, ...]]) -> None:
        for run, _, origin in rows:
            if other := self._origin.difference(origin):
                raise RecordingError(f"{file}: has results of {other}; choose another table, or --overwrite this one")
            self.ended.add(int(run) - 1)
        self.failed = {int(run) - 1 for run, outcome, _ in rows if outcome == FAILED}

    def _rows(self) -> list[list[str]]:
        """Return the cells of all complete rows of the `.part` file."""
        lines = self.part.read_text(encoding="utf-8", errors="replace").splitlines(keepends=True)
        if lines and lines[0] != self._header and len(lines) > 1:
            raise RecordingError(f"{self.part}: its columns do not match this scenario; use --overwrite to replace it")
        rows = [cells_of(line) for line in lines[1:] if line.endswith("\n")]
        if not all(len(cells) == len(self._columns) and cells[0].isdecimal() for cells in rows):
            raise RecordingError(f"{self.part}: damaged; use --overwrite to replace it")
        return rows

    def _open(self, overwrite: bool) -> None:
        """Open the `.part` file after its last complete row, or with a header only."""
        self._fd = os.open(self.part, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0), 0o666)
        lock(self._fd)
        text = b"" if overwrite else self.part.read_bytes()
        whole = text.rfind(b"\n") + 1
        if not text.startswith(self._header.encode()):
            whole = 0
        os.ftruncate(self._fd, whole)
        os.lseek(self._fd, whole, os.SEEK_SET)
        if not whole:
            os.write(self._fd, self._header.encode())
