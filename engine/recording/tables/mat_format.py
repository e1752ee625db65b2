"""Recordings as `.mat` of MATLAB 5, which MATLAB and Octave load: `t`, `q` `(N, n)` and so on, `joint_names`, and `metadata`.

`metadata` is JSON text for `jsondecode`. Sources: MAT-File Format, The MathWorks (level 5 files).
"""

from __future__ import annotations

import mmap
import struct
import zlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, BinaryIO

import numpy as np

from armature.engine.recording.foreign_table import contents
from armature.engine.recording.recording_columns import (
    JOINT_GROUPS,
    MEASURED_GROUPS,
    READ,
    SCALAR_COLUMNS,
    Layout,
    column_names,
    has_measured,
    joints_of,
)
from armature.engine.recording.recording_metadata import as_text, from_text
from armature.engine.recording.tables.raw_format import METADATA, ReadColumns, column_parts

MAX_UNPACKED = 2 << 30  # of numbers once unpacked: an hour of a seven-joint arm, twice
_BLOCK = 20_000
_COMPRESSED = 15
_NUMBER_TYPES = {1: "i1", 2: "u1", 3: "<i2", 4: "<u2", 5: "<i4", 6: "<u4", 7: "<f4", 9: "<f8", 12: "<i8", 13: "<u8"}
_TEXT_CODECS = {1: "utf-8", 2: "utf-8", 4: "utf-16-le", 16: "utf-8", 17: "utf-16-le"}
_STRUCT, _REAL = 2, range(6, 16)
_COMPLEX = 0x0800
JOINTS = "joint_names"
MAX_BYTES = (2 << 30) - 1  # of one array of a level 5 file
HEADER = 128  # bytes before the first array
_INT8, _INT32, _UINT32, _DOUBLE, _MATRIX, _UTF16 = 1, 5, 6, 9, 14, 17  # types of data
_CELL, _CHAR, _NUMBERS = 1, 4, 6  # classes of arrays
_TEXT = b"MATLAB 5.0 MAT-file, recording of a robot arm by Armature"


def read_mat(file: BinaryIO) -> tuple[tuple[str, ...], dict[str, Any], Iterator[np.ndarray]]:
    """Return columns, metadata and blocks of rows, memory-mapped; raises ValueError with the reason."""
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
    """Return the arrays by name, numbers as memory-mapped 2-D arrays; raises ValueError with the reason."""
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
    at, room = HEADER, MAX_UNPACKED
    while at < len(view):
        kind, data, at = _read_element(view, at)
        if kind == _COMPRESSED:
            unpacked = zlib.decompressobj().decompress(data, room)
            room -= len(unpacked)
            if room <= 0:
                raise ValueError(f"more than {MAX_UNPACKED / 1e9:.1f} GB of compressed numbers; save them with -v6")
            kind, data, _ = _read_element(memoryview(unpacked), 0)
        if kind == _MATRIX:
            name, value = _matrix(data)
            found[name] = value
    return found


def _read_element(view: memoryview, at: int) -> tuple[int, memoryview, int]:
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
    _, flags, at = _read_element(data, 0)
    _, dimensions, at = _read_element(data, at)
    _, name, at = _read_element(data, at)
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
            _, entry, at = _read_element(data, at)
            texts.append(_matrix(entry)[1] if entry else "")
        return texts
    if at >= len(data):
        return "" if kind == _CHAR else np.zeros(shape) if kind in _REAL and 0 in shape else None
    stored, content, _ = _read_element(data, at)
    if kind == _CHAR:
        return bytes(content).decode(_TEXT_CODECS[stored]) if stored in _TEXT_CODECS else None
    if kind not in _REAL or flag & _COMPLEX or stored not in _NUMBER_TYPES or len(shape) != 2:
        return None
    values = np.frombuffer(content, _NUMBER_TYPES[stored])
    return values.reshape(shape, order="F") if min(shape) >= 0 and values.size == shape[0] * shape[1] else None


def _fields(data: memoryview, at: int) -> dict[str, Any]:
    """The fields of a structure."""
    _, size, at = _read_element(data, at)
    _, names, at = _read_element(data, at)
    (length,) = struct.unpack("<i", size[:4])
    if length < 1 or len(names) > 1 << 16:
        raise IndexError
    values = {}
    for first in range(0, len(names), length):
        name = bytes(names[first : first + length]).partition(b"\0")[0].decode("ascii")
        _, entry, at = _read_element(data, at)
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


def quantities(n: int, measured: bool = False) -> dict[str, tuple[int, int]]:
    """Arrays of a recording of n joints, and the range of columns of each: first, and one past the last.

    With `measured` also sensor readings: `measured_q`, `measured_qd`, `measured_tau`.
    """
    layout = Layout(n, measured)
    parts = {"t": (0, 1)}
    for name in JOINT_GROUPS:
        parts[name] = (layout.group(name).start, layout.group(name).stop)
    parts["tool"] = (layout.tool.start, layout.tool.stop)
    for name in SCALAR_COLUMNS:
        parts[name] = (layout.scalar(name), layout.scalar(name) + 1)
    for name in MEASURED_GROUPS if measured else ():
        parts[name.replace(".", "_")] = (layout.group(name).start, layout.group(name).stop)
    return parts


def write_mat(target: BinaryIO, columns: Sequence[str], metadata: Mapping[str, Any], read: ReadColumns, rows: int):
    """Writes the file; raises ValueError for more samples than the format can hold."""
    joints = joints_of(columns)
    parts = quantities(len(joints), has_measured(columns))
    widest = max(last - first for first, last in parts.values())
    if rows * widest * 8 + 256 > MAX_BYTES:
        raise ValueError(f"{rows:,} samples exceed the 2 GB per array of a .mat file; use .npz, .csv or .mcap")
    target.write(_TEXT.ljust(HEADER - 4) + struct.pack("<H2s", 0x0100, b"IM"))
    target.write(_text(METADATA, as_text(metadata)))
    target.write(_cell(JOINTS, joints))
    for name, (first, last) in parts.items():
        head = _array_head(_NUMBERS, (rows, last - first), name) + struct.pack("<II", _DOUBLE, 8 * rows * (last - first))
        target.write(struct.pack("<II", _MATRIX, len(head) + 8 * rows * (last - first)) + head)
        for part in column_parts(first, last, rows):
            target.write(np.ascontiguousarray(read(part).T, dtype="<f8").data)


def _element(kind: int, data: bytes) -> bytes:
    return struct.pack("<II", kind, len(data)) + data + b"\0" * (-len(data) % 8)


def _array_head(kind: int, shape: tuple[int, int], name: str) -> bytes:
    flags, dimensions = struct.pack("<II", kind, 0), struct.pack("<ii", *shape)
    return _element(_UINT32, flags) + _element(_INT32, dimensions) + _element(_INT8, name.encode())


def _text(name: str, text: str) -> bytes:
    data = text.encode("utf-16-le")
    return _element(_MATRIX, _array_head(_CHAR, (1, len(data) // 2), name) + _element(_UTF16, data))


def _cell(name: str, texts: Sequence[str]) -> bytes:
    return _element(_MATRIX, _array_head(_CELL, (len(texts), 1), name) + b"".join(_text("", text) for text in texts))
