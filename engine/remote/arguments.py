"""Arguments of a view, checked."""

from __future__ import annotations

import re

import numpy as np

from armature.engine.errors import DimensionError, one_line

_CURVES = 32  # of a plot


def numbers(values, what: str, n: int) -> list[float]:
    """n finite numbers. Raises DimensionError."""
    try:
        array = np.asarray(values, float)
    except (TypeError, ValueError):
        array = np.full(0, np.nan)
    if array.shape != (n,) or not np.isfinite(array).all():
        seen = "values that are not finite" if array.shape == (n,) else f"an array of shape {array.shape}"
        raise DimensionError(f"{what} must be {n} finite numbers, not {seen}")
    return array.tolist()


def three(values, what: str) -> tuple[float, float, float]:
    """The three coordinates of a point or an arrow. Raises DimensionError."""
    x, y, z = numbers(values, what, 3)
    return x, y, z


def row(values, name: str, names) -> list[float]:
    """One sample of a plot: a number, or some for as many curves; they need not be finite. Raises DimensionError."""
    try:
        found = np.asarray(values, float)
    except (TypeError, ValueError):
        raise DimensionError(f"plot {name!r}: {one_line(repr(values), 40)} is neither a number nor a 1-D array") from None
    if found.ndim > 1:
        raise DimensionError(f"plot {name!r}: give a number or a 1-D array, not an array of shape {found.shape}")
    if not 0 < found.size <= _CURVES:
        raise DimensionError(f"plot {name!r}: give 1 to {_CURVES} values, not {found.size}")
    if len(names) and len(names) != found.size:
        raise DimensionError(f"plot {name!r}: give {found.size} names, one per value, or none; not {len(names)}")
    return np.atleast_1d(found).tolist()


def colour(text: str, what: str) -> str:
    """A colour as "#rrggbb", "" for the usual one. Raises DimensionError."""
    if text and re.fullmatch("#[0-9a-fA-F]{6}", str(text)) is None:
        raise DimensionError(f'{what}: the colour must be "#rrggbb", not {one_line(repr(text), 40)}')
    return str(text)
