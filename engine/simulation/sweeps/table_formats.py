"""Files of a table of results: CSV, and Parquet where pyarrow is installed."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol

from armature.engine.errors import RecordingError
from armature.engine.files import reason
from armature.engine.simulation.sweeps.sweep_columns import Column, line_of, value_of

SUFFIXES = (".csv", ".parquet")
INSTALL = 'Parquet needs the package pyarrow: pip install "armature[cluster]"'


class TableFormat(Protocol):
    """How a file of one kind is written and read."""

    def write(self, path: Path, columns: Sequence[Column], rows: Sequence[Sequence[str]]) -> None:
        """A whole table of cells as text; raises OSError."""

    def names(self, path: Path) -> list[str]:
        """The names of its columns; raises RecordingError for a file that cannot be read."""

    def read(self, path: Path, names: Sequence[str]) -> list[tuple[str, ...]]:
        """These columns of a table, row by row; raises RecordingError where it has none of them."""


def format_of_table(path: Path) -> TableFormat:
    """By the file's ending. Raises RecordingError."""
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
    """Doubles to their last bit; cells that a run does not have are empty."""

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
    """Columns of int64, double, bool or text; null where a run does not have a value."""

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
