"""Logs from arrays: `.npz` of NumPy, and `.mat` of MATLAB and the Robotics Toolbox, up to version 7."""

from __future__ import annotations

import struct
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from tokenize import TokenError
from typing import Any

import numpy as np

from armature.engine.recording.foreign_table import array_outline, contents, kind_of, name_list
from armature.engine.recording.measured.column_words import TIMES, column_meaning
from armature.engine.recording.measured.log_table import STAMPS, LogTable, clean, unique_names
from armature.engine.recording.measured.text_form import unit_in
from armature.engine.recording.tables.mat_format import arrays_in

MAX_BYTES = 4 << 30
_DAMAGED = (
    zipfile.BadZipFile,
    struct.error,
    zlib.error,
    TokenError,
    SyntaxError,
    EOFError,
    KeyError,
    NotImplementedError,
    RuntimeError,
)
_WIDEST = 200  # columns of one array
_VALID = (
    "A log needs arrays with one row per time, such as t (N,) and q (N, joints); in Python: np.savez(path, t=t, "
    "q=np.array(q, float))"
)


def read_arrays(path: Path) -> LogTable:
    """Return the arrays of a file as one table with one row per time. Raises ValueError with the reason."""
    remarks: list[str] = []
    arrays = dict(_flat(_npz(path) if path.suffix.lower() == ".npz" else _mat(path)))
    tables = {name: values for name, given in arrays.items() if (values := _numbers(given)) is not None}
    others = {name: kind_of(value) for name, value in arrays.items() if name not in tables}
    if not tables:
        raise ValueError(f"no numeric array of shape (N,) or (N, k); it has {contents(arrays)}. {_VALID}")
    rows = _rows(tables)
    names, columns, units, left = list[str](), list[np.ndarray](), list[str](), list[str]()
    for name, values in tables.items():
        if len(values) != rows:
            values = values.T
        if len(values) != rows or values.shape[1] > _WIDEST:
            left.append(name)
            continue
        for k in range(values.shape[1]):
            names.append(name if values.shape[1] == 1 else f"{name}[{k}]")
            units.append(STAMPS if np.asarray(arrays[name]).dtype.kind == "M" else unit_in(name))
            columns.append(values[:, k])
    if others:
        remarks.append(f"omitted, not columns of numbers: {name_list([f'{name} ({kind})' for name, kind in others.items()])}")
    if left:
        remarks.append(f"omitted, because the length differs from that of the time: {', '.join(left)}")
    table = clean(np.column_stack(columns))
    return LogTable(path, unique_names(names), table, tuple(units), None, tuple(remarks), text_columns=others)


def _flat(arrays: Mapping[str, Any], above: str = "", depth: int = 0) -> Iterator[tuple[str, Any]]:
    """Arrays by name, those in structures by the names of both."""
    for name, value in arrays.items():
        if isinstance(value, Mapping):
            if depth < 8:
                yield from _flat(value, f"{above}{name}.", depth + 1)
        elif isinstance(value, np.ndarray) and value.dtype.names:
            yield from ((f"{above}{name}.{part}", value[part]) for part in value.dtype.names)
        else:
            yield above + str(name), value


def _npz(path: Path) -> dict[str, Any]:
    """Return the arrays; arrays of Python objects are not loaded, because loading them can run code."""
    found: dict[str, Any] = {}
    try:
        with zipfile.ZipFile(path) as archive:
            if (size := sum(entry.file_size for entry in archive.infolist())) > MAX_BYTES:
                raise ValueError(f"{size / 1e9:.1f} GB of numbers is too much; save a part of it")
        with np.load(path, allow_pickle=False) as data:
            for name in data.files:
                try:
                    found[name] = data[name]
                except ValueError as error:
                    if "pickle" not in str(error):
                        raise
                    found[name] = array_outline(data.zip, f"{name}.npy")
    except _DAMAGED as error:
        raise ValueError(f"damaged ({' '.join(str(error).split())[:120]})") from None
    return found


def _mat(path: Path) -> dict[str, Any]:
    with path.open("rb") as file:
        return arrays_in(file)


def _numbers(given: Any) -> np.ndarray | None:
    """The array `(N, k)` of floats that this is; None for anything else."""
    if not isinstance(given, np.ndarray) or given.ndim not in (1, 2) or given.size < 2:
        return None
    if given.dtype.kind == "M":
        given = given.astype("datetime64[ns]").astype(np.int64) * 1e-9
    if given.dtype.kind not in "fiub":
        return None
    values = given.astype(np.float64)
    return values[:, None] if values.ndim == 1 else values.T if values.shape[0] == 1 else values


def _rows(tables: Mapping[str, np.ndarray]) -> int:
    """How many rows: as many as there are times, or as most arrays have."""
    for name, values in tables.items():
        if values.shape[1] == 1 and set(column_meaning(name).words) & TIMES:
            return len(values)
    lengths = [max(values.shape) for values in tables.values()]
    return max(lengths, key=lambda length: (lengths.count(length), length))
