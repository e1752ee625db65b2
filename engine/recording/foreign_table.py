"""Guess the kind of a table that is not a recording, from its column names."""

from __future__ import annotations

import csv
import re
import zipfile
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.lib import format as npy

from armature.engine.errors import one_line

OBJECTS = "Python objects, which are not loaded"
_ARRAY_KINDS = {"c": "complex numbers", "O": OBJECTS, "U": "texts", "S": "texts", "M": "dates", "m": "time differences"}
_LONGEST = 240  # characters of a list of names
# The first kind one of whose words is in a name, taken apart at everything that is no letter.
_KINDS = {
    "time": ("t", "time", "timestamp", "timestamps", "stamp", "sec", "secs", "seconds", "nsec", "nsecs"),
    "accelerations": ("qdd", "ddq", "qddot", "acc", "acceleration", "accelerations"),
    "velocities": ("qd", "dq", "qdot", "vel", "velocity", "velocities", "speed", "speeds"),
    "torques": ("tau", "torque", "torques", "effort", "efforts", "moment", "moments"),
    "currents": ("current", "currents", "amps"),
    "positions": ("q", "pos", "position", "positions", "theta", "angle", "angles", "joint", "joints"),
}


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
    kind = _ARRAY_KINDS.get(dtype.kind, "numbers")
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


def seems(columns: Sequence[str]) -> str:
    """Text that guesses the kind of a table and lists its columns."""
    names = [name.strip() for name in columns if name.strip()]
    if len(names) == 1 and (mark := next((mark for mark in ";\t|" if mark in names[0]), None)):
        split = [name.strip() for name in next(csv.reader([names[0]], delimiter=mark))]
        return f"{seems(split)}, separated by {mark!r} instead of commas"
    if names and all(_is_number(name) for name in names):
        return f"it seems to be {len(names)} columns of numbers without a line of column names"
    counts: dict[str, int] = {}
    for name in names:
        kind = _kind(name)
        counts[kind] = counts.get(kind, 0) + 1
    known = [kind if kind == "time" else f"{count} {kind}" for kind, count in counts.items() if kind]
    if not known:
        return f"it seems to be a table of {len(names)} columns: {name_list(names)}"
    known += [f"{counts['']} other columns"] if "" in counts else []
    parts = [text.removesuffix("s") if text.startswith("1 ") else text for text in known]
    return f"it seems to be a log with {', '.join(parts)}; its columns are {name_list(names)}"


def name_list(names: Sequence[str]) -> str:
    """The names as one line; the middle ones are left out if the line is too long."""
    return one_line(", ".join(names), _LONGEST)


def _kind(name: str) -> str:
    words = set(re.split(r"[^a-z]+", name.lower()))
    return next((kind for kind, signs in _KINDS.items() if words.intersection(signs)), "")


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
