"""Numbers as findings tell them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def number(x: float) -> str:
    """Four digits, with a true minus."""
    text = f"{x:.4g}"
    return (f"{float(text):.7g}" if 1e-4 <= abs(x) < 1e7 else text).replace("-", "−")


def vector(values: Sequence[float] | np.ndarray) -> str:
    """[x, y, z]"""
    return f"[{', '.join(number(float(x)) for x in values)}]"


def given(readings: Sequence[tuple[float, str]]) -> str:
    """Return how a figure was given, "was given in g" for one reading and "may have been given in g or in t" for several, each
    a pair of factor and phrase.
    """
    *others, last = [phrase for _, phrase in readings]
    return f"may have been entered {', '.join(others)} or {last}" if others else f"was probably entered {last}"


def listed_moments(moments: Sequence[float] | np.ndarray) -> str:
    """a, b, c kg·m²"""
    return ", ".join(number(float(x)) for x in moments) + " kg·m²"
