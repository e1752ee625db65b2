"""Reads `.mat` recordings of level 5, also when MATLAB or Octave saved them again.

An own reader, because scipy's ends the process with a segmentation fault on damaged files.
"""

from __future__ import annotations

import mmap
import struct
import zlib
from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO

import numpy as np

from armature.engine.recording.array_contents import contents
from armature.engine.recording.recording_columns import READ, column_names, joints_of
from armature.engine.recording.recording_metadata import from_text
from armature.engine.recording.tables.mat_format import HEADER, JOINTS, quantities
from armature.engine.recording.tables.raw_format import METADATA

MAX_BYTES = 2 << 30  # of numbers once unpacked: an hour of a seven-joint arm, twice
_BLOCK = 20_000
_MATRIX, _COMPRESSED = 14, 15
_NUMBERS = {1: "i1", 2: "u1", 3: "<i2", 4: "<u2", 5: "<i4", 6: "<u4", 7: "<f4", 9: "<f8", 12: "<i8", 13: "<u8"}
_TEXT = {1: "utf-8", 2: "utf-8", 4: "utf-16-le", 16: "utf-8", 17: "utf-16-le"}
_CELL, _STRUCT, _CHAR, _REAL = 1, 2, 4, range(6, 16)
_COMPLEX = 0x0800


def read_mat(file: BinaryIO) -> tuple[tuple[str, ...], dict[str, Any], Iterator[np.ndarray]]:
    """Columns, metadata and blocks of rows; raises ValueError saying what is wrong. Numbers stay on disk until they are read."""
    arrays = arrays_in(file)
    missing = [name for name in (*quantities(1), METADATA) if name not in arrays]
    if missing:
        raise ValueError(f"no array {missing[0]!r}; it has {contents(arrays)}. {READ}")
    metadata = from_text(arrays[METADATA] if isinstance(arrays[METADATA], str) else "")
    joints = arrays.get(JOINTS, metadata["joints"])
    if not isinstance(joints, list) or not joints or not all(isinstance(name, str) for name in joints):
        raise ValueError(f"no array {JOINTS!r} of joint names")
    measured = all(name in arrays for name in quantities(1, measured=True))
    columns = column_names(joints, measured)
    joints_of(columns)
    return columns, metadata, _blocks(_tables(arrays, quantities(len(joints), measured)))


def arrays_in(file: BinaryIO) -> dict[str, Any]:
    """What the file holds by its names, numbers as 2-D arrays that stay on disk; raises ValueError saying what is wrong."""
    try:
        return _arrays(memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)))
    except (struct.error, zlib.error, IndexError, TypeError, OverflowError, RecursionError, UnicodeDecodeError, KeyError):
        raise ValueError("damaged or cut off") from None


def _arrays(view: memoryview) -> dict[str, Any]:
    version = bytes(view[124:HEADER])
    if bytes(view[:10]) == b"MATLAB 7.3" or bytes(view[:4]) == b"\x89HDF":
        raise ValueError("MAT files of version 7.3 are not supported; in MATLAB, save it with -v7")
    if version[2:] not in (b"IM", b"MI"):
        raise ValueError("not a MAT file, or an incomplete one")
    if version != b"\x00\x01IM":
        raise ValueError("only MAT files of level 5 are supported; in MATLAB, save it with -v7")
    found: dict[str, Any] = {}
    at, room = HEADER, MAX_BYTES
    while at < len(view):
        kind, data, at = _element(view, at)
        if kind == _COMPRESSED:
            unpacked = zlib.decompressobj().decompress(data, room)
            room -= len(unpacked)
            if room <= 0:
                raise ValueError(f"more than {MAX_BYTES / 1e9:.1f} GB of compressed numbers; save them with -v6")
            kind, data, _ = _element(memoryview(unpacked), 0)
        if kind == _MATRIX:
            name, value = _matrix(data)
            found[name] = value
    return found


def _element(view: memoryview, at: int) -> tuple[int, memoryview, int]:
    """Type and data of the element at `at`, and where the next one begins."""
    kind, size = struct.unpack("<II", view[at : at + 8])
    if kind >> 16:  # a small one: type and size share four bytes, the data are the next four
        return kind & 0xFFFF, view[at + 4 : at + 4 + (kind >> 16)], at + 8
    data = view[at + 8 : at + 8 + size]
    if len(data) != size:
        raise IndexError
    return kind, data, at + 8 + size + (0 if kind == _COMPRESSED else -size % 8)


def _matrix(data: memoryview) -> tuple[str, Any]:
    """Name and value of an array: numbers as a 2-D array, text, a list of texts, or None for anything else."""
    _, flags, at = _element(data, 0)
    _, dimensions, at = _element(data, at)
    _, name, at = _element(data, at)
    (flag,) = struct.unpack("<I", flags[:4])
    shape = struct.unpack(f"<{len(dimensions) // 4}i", dimensions)
    return bytes(name).decode("ascii"), _value(data, at, flag, shape)


def _value(data: memoryview, at: int, flag: int, shape: tuple[int, ...]) -> Any:
    kind = flag & 0xFF
    if kind == _STRUCT:
        return _fields(data, at) if shape == (1, 1) else None
    if kind == _CELL:
        texts = []
        while at < len(data):
            _, entry, at = _element(data, at)
            texts.append(_matrix(entry)[1] if entry else "")
        return texts
    if at >= len(data):
        return "" if kind == _CHAR else np.zeros(shape) if kind in _REAL and 0 in shape else None
    stored, content, _ = _element(data, at)
    if kind == _CHAR:
        return bytes(content).decode(_TEXT[stored]) if stored in _TEXT else None
    if kind not in _REAL or flag & _COMPLEX or stored not in _NUMBERS or len(shape) != 2:
        return None
    values = np.frombuffer(content, _NUMBERS[stored])
    return values.reshape(shape, order="F") if min(shape) >= 0 and values.size == shape[0] * shape[1] else None


def _fields(data: memoryview, at: int) -> dict[str, Any]:
    """The fields of a structure."""
    _, size, at = _element(data, at)
    _, names, at = _element(data, at)
    (length,) = struct.unpack("<i", size[:4])
    if length < 1 or len(names) > 1 << 16:
        raise IndexError
    values = {}
    for first in range(0, len(names), length):
        name = bytes(names[first : first + length]).partition(b"\0")[0].decode("ascii")
        _, entry, at = _element(data, at)
        values[name] = _matrix(entry)[1] if entry else None
    return values


def _tables(arrays: Mapping[str, Any], parts: Mapping[str, tuple[int, int]]) -> list[np.ndarray]:
    tables: list[np.ndarray] = []
    for name, (first, last) in parts.items():
        values = arrays[name]
        rows = len(tables[0]) if tables else np.size(values)
        if not isinstance(values, np.ndarray) or values.shape != (rows, last - first):
            raise ValueError(f"{name!r} is not {rows} × {last - first} numbers")
        tables.append(values)
    return tables


def _blocks(tables: list[np.ndarray]) -> Iterator[np.ndarray]:
    for first in range(0, len(tables[0]), _BLOCK):
        yield np.hstack([values[first : first + _BLOCK] for values in tables], dtype=np.float64, casting="unsafe")
