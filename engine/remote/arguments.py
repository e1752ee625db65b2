"""Arguments of a view, checked."""

from __future__ import annotations

import numpy as np

from armature.engine.errors import DimensionError


def numbers(values, what: str, n: int) -> list[float]:
    """n finite numbers. Raises DimensionError."""
    try:
        array = np.asarray(values, float)
    except (TypeError, ValueError):
        array = np.full(0, np.nan)
    if array.shape != (n,) or not np.isfinite(array).all():
        seen = "some that are not finite" if array.shape == (n,) else f"something of shape {array.shape}"
        raise DimensionError(f"{what} must be {n} finite numbers, not {seen}")
    return array.tolist()


def three(values, what: str) -> tuple[float, float, float]:
    """The three coordinates of a point or an arrow. Raises DimensionError."""
    x, y, z = numbers(values, what, 3)
    return x, y, z


def row(values, name: str, names) -> list[float]:
    """One sample of a plot: a number, or some for as many curves; they need not be finite. Raises DimensionError."""
    try:
        found = np.atleast_1d(np.asarray(values, float)).ravel().tolist()
    except (TypeError, ValueError):
        found = []
    if not 0 < len(found) <= 32 or (len(names) and len(names) != len(found)):
        raise DimensionError(f"plot {name!r}: 1 to 32 values and a name for each or none, not {len(found)} and {len(names)}")
    return found
