"""Recordings as `.npz`: one array per column, named as the column, and `metadata` as JSON text.

A zip file cannot be read before its end is written, so a running recording is a stream of raw rows behind a JSON header, and
becomes a `.npz` when it is finished.
"""

from __future__ import annotations

import json
import struct
import zipfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.lib import format as npy

MAGIC = b"ARMATURE RECORDING 1\n\0\0\0"  # 24 bytes, so that rows begin at a multiple of 8
METADATA = "metadata"
ROW = np.dtype("<f8")
_BUFFER = 128 << 20  # bytes of columns held while a stream becomes a .npz
_BLOCK = 1 << 20


def stream_header(columns: Sequence[str], metadata: Mapping[str, Any]) -> bytes:
    """What a stream begins with: the magic, the length of the JSON text, the text padded to a multiple of 8 bytes."""
    text = json.dumps({"columns": list(columns), METADATA: dict(metadata)}).encode()
    text += b" " * (-len(text) % 8)
    return MAGIC + struct.pack("<Q", len(text)) + text


def stream_rows(table: np.ndarray) -> bytes:
    """Rows as raw little-endian numbers."""
    return np.ascontiguousarray(table, dtype=ROW).tobytes()


def read_stream_header(file: BinaryIO, size: int) -> tuple[tuple[str, ...], dict[str, Any], int]:
    """Columns, metadata and where the rows begin in a stream of `size` bytes; raises ValueError saying what is wrong."""
    if file.read(len(MAGIC)) != MAGIC:
        raise ValueError("it does not begin as a recording does")
    length = file.read(8)
    text_length = struct.unpack("<Q", length)[0] if len(length) == 8 else size
    start = len(MAGIC) + 8 + text_length
    if start > size:
        raise ValueError("it ends within its header")
    try:
        header = json.loads(file.read(text_length))
        columns, metadata = tuple(map(str, header["columns"])), dict(header[METADATA])
    except (ValueError, KeyError, TypeError, RecursionError):
        raise ValueError("its header is not readable") from None
    return columns, metadata, start


def write_npz(
    target: BinaryIO, columns: Sequence[str], metadata: Mapping[str, Any], read: Callable[[slice], np.ndarray], rows: int
):
    """Writes the zip file; `read(part)` gives the columns of that slice as `(rows, k)`, in groups of bounded size."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED, allowZip64=True) as archive:
        _write_array(archive, METADATA, np.array(json.dumps(dict(metadata))))
        group = max(1, _BUFFER // max(1, rows * ROW.itemsize))
        for first in range(0, len(columns), group):
            names = columns[first : first + group]
            table = read(slice(first, first + len(names)))
            for k, name in enumerate(names):
                _write_array(archive, name, np.ascontiguousarray(table[:, k]))


def convert_stream(stream: Path, target: BinaryIO, cancelled: Callable[[], bool] = lambda: False) -> bool:
    """Writes the rows of a stream as a `.npz` in bounded memory; False if `cancelled()` stopped it on the way."""
    size = stream.stat().st_size
    with stream.open("rb") as file:
        columns, metadata, start = read_stream_header(file, size)
        width = len(columns)
        rows = (size - start) // (width * ROW.itemsize)

        def read(part: slice) -> np.ndarray:
            out = np.empty((rows, part.stop - part.start))
            file.seek(start)
            block = max(1, _BLOCK // (width * ROW.itemsize))
            for k in range(0, rows, block):
                if cancelled():
                    raise _CancelledError
                count = min(block, rows - k)
                out[k : k + count] = np.fromfile(file, ROW, count * width).reshape(count, width)[:, part]
            return out

        try:
            write_npz(target, columns, metadata, read, rows)
        except _CancelledError:
            return False
    return True


class _CancelledError(Exception):
    pass


def _write_array(archive: zipfile.ZipFile, name: str, array: np.ndarray):
    with archive.open(zipfile.ZipInfo(f"{name}.npy"), "w", force_zip64=True) as entry:
        npy.write_array(entry, array, allow_pickle=False)
