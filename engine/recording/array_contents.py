"""The contents of a file of arrays in a few words: names, sizes and kinds, for files that hold no table."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.lib import format as npy

from armature.engine.recording.foreign_table import name_list

OBJECTS = "Python objects, which are not loaded"
_KINDS = {"c": "complex numbers", "O": OBJECTS, "U": "texts", "S": "texts", "M": "dates", "m": "time differences"}


def contents(arrays: Mapping[str, Any]) -> str:
    """The names with the kind of each value, such as "t (5 numbers), q (2 Python objects)"."""
    return name_list([f"{name} ({kind_of(value)})" for name, value in arrays.items()]) or "nothing"


def kind_of(value: Any) -> str:
    """The size and kind of an array, or of another value of a MAT file."""
    if isinstance(value, np.ndarray):
        return array_kind(value.shape, value.dtype)
    if isinstance(value, Mapping):
        return f"a structure of {name_list(list(value))}" if value else "an empty structure"
    if isinstance(value, list):
        return f"a cell array of {len(value)}"
    return "text" if isinstance(value, str) else "neither text nor an array of real numbers"


def array_kind(shape: Sequence[int], dtype: np.dtype) -> str:
    """The size and kind of an array of this shape and type."""
    if dtype.names:
        return f"a structure of {name_list(dtype.names)}"
    kind = _KINDS.get(dtype.kind, "numbers")
    return f"{' × '.join(map(str, shape))} {kind}" if len(shape) else f"a single value of {kind}"


def npz_contents(archive: zipfile.ZipFile) -> str:
    """The contents of a `.npz` by the headers of its arrays: nothing is loaded, since to load objects can run code."""
    return contents({entry.removesuffix(".npy"): array_outline(archive, entry) for entry in archive.namelist()})


def array_outline(archive: zipfile.ZipFile, entry: str) -> np.ndarray | None:
    """An array without numbers of its own, of the shape and type that the header of an entry gives; None for another file."""
    try:
        with archive.open(entry) as stream:
            read = npy.read_array_header_1_0 if npy.read_magic(stream) == (1, 0) else npy.read_array_header_2_0
            shape, _, dtype = read(stream)
        return np.broadcast_to(np.empty((), dtype), shape)
    except ValueError:
        return None
