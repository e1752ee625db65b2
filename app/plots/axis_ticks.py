"""Round numbers along an axis."""

from __future__ import annotations

from math import ceil, floor, log10


def ticks(low: float, high: float, most: int) -> tuple[list[float], int]:
    """At most `most` multiples of 1, 2 or 5 times a power of ten within low…high, and the decimals that tell them apart."""
    least = (high - low) / max(most, 1)
    power = 10.0 ** floor(log10(least))
    step = next(k * power for k in (1.0, 2.0, 5.0, 10.0) if k * power >= least * (1 - 1e-9))
    first, last = ceil(low / step - 1e-9), floor(high / step + 1e-9)
    return [k * step for k in range(first, last + 1)], max(0, -floor(log10(step) + 1e-9))
