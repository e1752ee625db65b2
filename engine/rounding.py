"""What is too small beside the numbers it was computed from to be anything but their rounding is 0."""

from __future__ import annotations

from typing import Any

import numpy as np

ROUNDING = 64 * np.finfo(float).eps
"""Of the scale of a quantity: sums and products of a chain of joints are no more exact than this."""


def cleared(values: Any, scale: Any) -> Any:
    """`values` with 0 (never −0) for those no larger than the rounding of their `scale`, a number or an array that broadcasts.

    The scale is that of the quantity: the largest of the terms whose sum may cancel.
    """
    values = np.asarray(values, float)
    result = np.where(np.abs(values) <= ROUNDING * np.asarray(scale), 0.0, values)
    return result if result.ndim else float(result)
