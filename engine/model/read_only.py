"""Read-only arrays: everything a model or a snapshot hands out is frozen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np

Vector: TypeAlias = np.ndarray[tuple[int], np.dtype[Any]] | Sequence[float]
Matrix: TypeAlias = np.ndarray[tuple[int, int], np.dtype[Any]] | Sequence[Sequence[float]] | Sequence[Vector]
"""Types of one row and of several rows; an array of unknown shape may be either."""


def real_numbers(values: Any) -> np.ndarray:
    """`values` as a float64 array; raises TypeError for text and for complex numbers, which NumPy would read or cut silently."""
    array = np.asarray(values)
    if array.dtype.kind in "cSUV":
        raise TypeError("text or complex numbers where real numbers are expected")
    return np.asarray(array, np.float64)


def read_only(values, dtype=np.float64) -> np.ndarray:
    """A C-contiguous copy of `values` that refuses to be written to."""
    array = np.array(values, dtype=dtype, order="C")
    array.setflags(write=False)
    return array
