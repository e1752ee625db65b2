"""Recordings as CSV: one line of plain column names, then one line per sample in the shortest digits that read back exactly."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import BinaryIO

import numpy as np

from armature.engine.recording.recording_columns import Encoder, joints_of

_LONGEST = 1 << 20  # bytes of a line
_BLOCK = 20_000  # lines turned into numbers at a time


class CsvEncoder(Encoder):
    """Lines of text."""

    def header(self) -> bytes:
        """The first line; a name with a comma or a quote in it is quoted."""
        return header_line(self.columns)

    def rows(self, table: np.ndarray) -> bytes:
        """One line per row; empty for no rows."""
        return "".join([",".join(map(repr, row)) + "\n" for row in table.tolist()]).encode()


def header_line(columns: Sequence[str]) -> bytes:
    """The line of column names."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(columns)
    return text.getvalue().encode()


def read_csv(file: BinaryIO) -> tuple[tuple[str, ...], Iterator[np.ndarray]]:
    """Return columns and blocks of rows; reading the file or a block raises ValueError with the reason."""
    first = file.readline(_LONGEST)
    if not first.endswith(b"\n"):
        raise ValueError("the file ends within its first line" if len(first) < _LONGEST else "its first line is too long")
    if any(byte < 32 and byte not in b"\t\r\n" for byte in first):
        raise ValueError("not a text file")
    try:
        columns = tuple(next(csv.reader([first.decode("utf-8-sig").strip("\r\n")]), ()))
    except csv.Error:
        raise ValueError("its first line does not hold column names") from None
    joints_of(columns)
    return columns, _blocks(file, len(columns))


def ends_within_a_row(file: BinaryIO) -> bool:
    """True if there is text after the last line end: an incomplete row, which is omitted."""
    file.seek(max(0, file.seek(0, io.SEEK_END) - _LONGEST))
    return bool(file.read().rpartition(b"\n")[2].strip())


def _blocks(file: BinaryIO, width: int) -> Iterator[np.ndarray]:
    start = file.tell()
    lines = _lines(file)
    while (first := next(lines, None)) is not None:
        try:
            if first.count(",") + 1 != width:  # the other lines of the block have to be as wide as the first
                raise ValueError
            table = np.loadtxt(chain([first], islice(lines, _BLOCK - 1)), delimiter=",", ndmin=2, comments=None, dtype=np.float64)
        except ValueError as error:
            if isinstance(error, UnicodeDecodeError) or "has no end" in str(error):
                raise
            table = None
        if table is None:
            file.seek(start)
            raise ValueError(_fault(file, width))
        yield table


def _lines(file: BinaryIO) -> Iterator[str]:
    """Lines that have their end; a last one without may have lost digits, so it does not count."""
    while line := file.readline(_LONGEST):
        if line.endswith(b"\n"):
            if line.strip():
                yield line.decode("ascii")
        elif len(line) == _LONGEST:
            raise ValueError("a line is too long")


def _fault(file: BinaryIO, width: int) -> str:
    """Which line is no row of `width` numbers."""
    for number, line in enumerate(file, start=2):
        values = line.strip().split(b",")
        if values == [b""]:
            continue
        if len(values) != width:
            return f"line {number} has {len(values)} numbers, but there are {width} columns"
        for value in values:
            try:
                float(value)
            except ValueError:
                return f"line {number}: {value[:40].decode('ascii', 'replace')!r} is not a number"
    return "its lines are not rows of numbers"
