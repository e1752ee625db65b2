"""Recordings as `.npz`: one array per column, named as the column, and `metadata` as JSON text."""

from __future__ import annotations

import struct
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from tokenize import TokenError
from typing import Any, BinaryIO

import numpy as np
from numpy.lib import format as npy

from armature.engine.recording.foreign_table import npz_contents
from armature.engine.recording.recording_columns import READ, joints_of
from armature.engine.recording.recording_metadata import as_text, from_text
from armature.engine.recording.tables.raw_format import METADATA, ReadColumns, column_parts

MAX_UNPACKED = 2 << 30  # of numbers once unpacked: an hour of a seven-joint arm, twice
AT_ONCE = 256 << 20
_BLOCK = 20_000  # rows handed on at a time
_DAMAGED = (zipfile.BadZipFile, struct.error, zlib.error, TokenError, SyntaxError)  # numpy reads headers as Python


def write_npz(target: BinaryIO, columns: Sequence[str], metadata: Mapping[str, Any], read: ReadColumns, rows: int):
    """Writes the zip file."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED, allowZip64=True) as archive:
        _write_array(archive, METADATA, np.array(as_text(metadata)))
        for part in column_parts(0, len(columns), rows):
            table = read(part)
            for k, name in enumerate(columns[part]):
                _write_array(archive, name, np.ascontiguousarray(table[:, k]))


def _write_array(archive: zipfile.ZipFile, name: str, array: np.ndarray):
    with archive.open(zipfile.ZipInfo(f"{name}.npy"), "w", force_zip64=True) as entry:
        npy.write_array(entry, array, allow_pickle=False)


def read_npz(file: BinaryIO) -> tuple[tuple[str, ...], dict[str, Any], Iterator[np.ndarray]]:
    """Return columns, metadata and blocks of rows; raises ValueError with the reason.

    A large file is read block by block; a small one at once, with its checksums.
    """
    try:
        with zipfile.ZipFile(file) as archive:
            entries = {entry.filename.removesuffix(".npy"): entry for entry in archive.infolist()}
            if METADATA not in entries:
                raise ValueError(f"no entry {METADATA!r}; it has {npz_contents(archive)}. {READ}")
        columns = tuple(name for name in entries if name != METADATA)
        joints_of(columns)
        total = sum(entry.file_size for entry in entries.values())
        stored = all(entry.compress_type == zipfile.ZIP_STORED for entry in entries.values())
        if total > MAX_UNPACKED and not stored:
            raise ValueError(
                f"{total / 1e9:.1f} GB is too much for a compressed file; save more than {MAX_UNPACKED / 1e9:.1f} GB uncompressed"
            )
        file.seek(0)
        with np.load(file, allow_pickle=False) as data:
            metadata = from_text(str(data[METADATA]))
            arrays = [_mapped(file, entries[name]) if total > AT_ONCE and stored else data[name] for name in columns]
    except (*_DAMAGED, EOFError, KeyError, NotImplementedError, RuntimeError) as error:
        raise ValueError(f"damaged ({' '.join(str(error).split())})") from None
    for name, values in zip(columns, arrays, strict=True):
        if values.ndim != 1 or values.dtype.kind != "f" or values.shape != arrays[0].shape:
            raise ValueError(f"column {name!r} is not an array of numbers as long as 't'")
    return columns, metadata, _blocks(arrays)


def _mapped(file: BinaryIO, entry: zipfile.ZipInfo) -> np.ndarray:
    """Memory-mapped array of an uncompressed entry."""
    file.seek(entry.header_offset)
    *_, name, extra = struct.unpack("<4s5H3I2H", file.read(30))
    file.seek(name + extra, 1)
    start = file.tell()
    version = npy.read_magic(file)
    shape, _, dtype = npy.read_array_header_1_0(file) if version == (1, 0) else npy.read_array_header_2_0(file)
    if dtype.hasobject or file.tell() - start + dtype.itemsize * int(np.prod(shape)) != entry.file_size:
        raise ValueError(f"damaged ({entry.filename} has the wrong size)")
    return np.memmap(file, dtype, "r", file.tell(), shape)


def _blocks(columns: list[np.ndarray]) -> Iterator[np.ndarray]:
    for first in range(0, len(columns[0]), _BLOCK):
        yield np.column_stack([values[first : first + _BLOCK] for values in columns]).astype(np.float64, copy=False)
