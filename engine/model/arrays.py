"""Read-only arrays: everything a model or a snapshot hands out is frozen."""

from __future__ import annotations

import numpy as np


def read_only(values, dtype=np.float64) -> np.ndarray:
    """A C-contiguous copy of `values` that refuses to be written to."""
    array = np.array(values, dtype=dtype, order="C")
    array.setflags(write=False)
    return array
