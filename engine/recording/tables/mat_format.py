"""Recordings as `.mat` of MATLAB 5, which MATLAB and Octave load: `t`, `q` `(N, n)` and so on, `joint_names`, and `metadata`.

`metadata` is JSON text for `jsondecode`. Sources: MAT-File Format, The MathWorks (level 5 files).
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from typing import Any, BinaryIO

import numpy as np

from armature.engine.recording.recording_columns import (
    JOINT_GROUPS,
    MEASURED_GROUPS,
    SCALAR_COLUMNS,
    Layout,
    has_measured,
    joints_of,
)
from armature.engine.recording.recording_metadata import as_text
from armature.engine.recording.tables.raw_format import METADATA, ReadColumns, column_parts

JOINTS = "joint_names"
MAX_BYTES = (2 << 30) - 1  # of one array of a level 5 file
HEADER = 128  # bytes before the first array
_INT8, _INT32, _UINT32, _DOUBLE, _MATRIX, _UTF16 = 1, 5, 6, 9, 14, 17  # types of data
_CELL, _CHAR, _NUMBERS = 1, 4, 6  # classes of arrays
_TEXT = b"MATLAB 5.0 MAT-file, recording of a robot arm by Armature"


def quantities(n: int, measured: bool = False) -> dict[str, tuple[int, int]]:
    """The arrays of a recording of n joints, and the columns of a row that each holds: first and one past the last.

    With `measured` among them what sensors say: `measured_q`, `measured_qd`, `measured_tau`.
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
