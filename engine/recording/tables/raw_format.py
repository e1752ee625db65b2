"""Raw rows behind a JSON header: what a recording is while it runs, whose format can only be written when its end is known.

`.npz` and `.mat` keep the values of one column together, so that their rows cannot be appended; they are made of such a stream.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from armature.engine.errors import Cancelled
from armature.engine.recording.recording_columns import Encoder, joints_of
from armature.engine.recording.recording_metadata import as_text, with_defaults

MAGIC = b"ARMATURE RECORDING 1\n\0\0\0"  # 24 bytes, so that rows begin at a multiple of 8
METADATA = "metadata"
ROW = np.dtype("<f8")
BLOCK = 1 << 20  # bytes of rows read at a time
BUFFER = 128 << 20  # bytes of columns held while a stream is taken apart

ReadColumns = Callable[[slice], np.ndarray]
Assemble = Callable[[BinaryIO, Sequence[str], Mapping[str, Any], ReadColumns, int], None]
"""Writes a file from its columns, metadata, a function that reads a slice of columns `(rows, k)`, and the number of rows."""


class RawEncoder(Encoder):
    """The stream."""

    def header(self) -> bytes:
        """The magic, the length of the JSON text, the text padded to a multiple of 8 bytes."""
        text = f'{{"columns": {json.dumps(list(self.columns))}, "{METADATA}": {as_text(self.metadata)}}}'.encode()
        text += b" " * (-len(text) % 8)
        return MAGIC + struct.pack("<Q", len(text)) + text

    def rows(self, table: np.ndarray) -> bytes:
        """Little-endian numbers."""
        return np.ascontiguousarray(table, dtype=ROW).tobytes()


def read_raw(file: BinaryIO, size: int) -> tuple[tuple[str, ...], dict[str, Any], Iterator[np.ndarray]]:
    """Return columns, metadata and blocks of complete rows of a stream of `size` bytes; raises ValueError with the reason."""
    columns, metadata, start = _read_header(file, size)
    width = len(columns)
    rows = (size - start) // (width * ROW.itemsize)
    return columns, metadata, _blocks(file, width, rows)


def _read_header(file: BinaryIO, size: int) -> tuple[tuple[str, ...], dict[str, Any], int]:
    if file.read(len(MAGIC)) != MAGIC:
        raise ValueError("it does not start with the header of a recording")
    length = file.read(8)
    text_length = struct.unpack("<Q", length)[0] if len(length) == 8 else size
    start = len(MAGIC) + 8 + text_length
    if start > size:
        raise ValueError("the file ends within its header")
    try:
        header = json.loads(file.read(text_length))
        columns, metadata = tuple(map(str, header["columns"])), with_defaults(header[METADATA])
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise ValueError("its header cannot be read") from None
    joints_of(columns)
    return columns, metadata, start


def _blocks(file: BinaryIO, width: int, rows: int) -> Iterator[np.ndarray]:
    block = max(1, BLOCK // (width * ROW.itemsize))
    while rows > 0:
        count = min(block, rows)
        yield np.fromfile(file, ROW, count * width).reshape(count, width).astype(np.float64, copy=False)
        rows -= count


def assemble_stream(
    stream: Path, target: BinaryIO, assemble: Assemble, extra: Mapping[str, Any], cancelled: Callable[[], bool] = lambda: False
) -> None:
    """Write the rows of a stream in another format, in bounded memory; raise Cancelled if `cancelled()`.

    `extra` overrides the metadata in the header of the stream.
    """
    size = stream.stat().st_size
    with stream.open("rb") as file:
        columns, metadata, start = _read_header(file, size)
        width = len(columns)
        rows = (size - start) // (width * ROW.itemsize)

        def read(part: slice) -> np.ndarray:
            out = np.empty((part.stop - part.start, rows))
            file.seek(start)
            k = 0
            for block in _blocks(file, width, rows):
                if cancelled():
                    raise Cancelled
                out[:, k : k + len(block)] = block[:, part].T
                k += len(block)
            return out.T

        assemble(target, columns, {**metadata, **extra}, read, rows)


def column_parts(first: int, last: int, rows: int) -> Iterator[slice]:
    """Slices of the columns first…last that fit into the buffer together."""
    group = max(1, BUFFER // max(1, rows * ROW.itemsize))
    for k in range(first, last, group):
        yield slice(k, min(k + group, last))
