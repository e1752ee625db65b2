"""What is too small beside the numbers it was computed from to be anything but their rounding is 0."""

from __future__ import annotations

from typing import Any

import numpy as np

ROUNDING = 64 * np.finfo(float).eps
"""Of the scale of a quantity: sums and products of a chain of joints are no more exact than this."""

_DIGITS = 14  # behind the first one that double precision holds, less one for the noise


def cleared(values: Any, scale: Any) -> Any:
    """`values` with 0 (never −0) for those no larger than the rounding of their `scale`, a number or an array that broadcasts.

    The scale is that of the quantity: the largest of the terms whose sum may cancel.
    """
    values = np.asarray(values, float)
    result = np.where(np.abs(values) <= ROUNDING * np.asarray(scale), 0.0, values)
    return result if result.ndim else float(result)


def in_decimals(times: Any, scale: Any = 0.0) -> np.ndarray:
    """Return times in s without the rounding noise below the last decimal that their size and `scale`, in s, leave.

    0.009 for 9 · 0.001, which is 0.009000000000000001; times up to 10 s keep 14 decimals, those up to 1,000 s 12.
    """
    times = np.asarray(times, float)
    largest = np.maximum(np.maximum(np.abs(times), np.abs(scale)), 1.0)
    factor = 10.0 ** (_DIGITS - np.floor(np.log10(largest)))
    return np.rint(times * factor) / factor
