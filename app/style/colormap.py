"""A perceptually even colour map for values between 0 and 1, readable by colour-blind eyes and in grey."""

from __future__ import annotations

from functools import cache

import numpy as np

# Dark violet over teal to yellow: lightness rises evenly (CIE L* 15 to 91), hue turns one way only.
# Eleven samples of viridis (S. van der Walt, N. Smith; dedicated to the public domain, CC0).
ANCHORS = np.array(
    [
        [0.267, 0.005, 0.329],
        [0.283, 0.141, 0.458],
        [0.254, 0.265, 0.530],
        [0.207, 0.372, 0.553],
        [0.164, 0.471, 0.558],
        [0.128, 0.567, 0.551],
        [0.135, 0.659, 0.518],
        [0.267, 0.749, 0.441],
        [0.478, 0.821, 0.318],
        [0.741, 0.873, 0.150],
        [0.993, 0.906, 0.144],
    ]
)


def lookup(values: np.ndarray) -> np.ndarray:
    """Colours `(N, 4)` (red, green, blue, alpha in 0…1, sRGB) of values `(N,)`; clipped to 0…1, grey where not finite."""
    values = np.asarray(values, float)
    at = np.clip(np.nan_to_num(values, nan=0.0), 0.0, 1.0)
    knots = np.linspace(0.0, 1.0, len(ANCHORS))
    colours = np.ones((*values.shape, 4))
    for channel in range(3):
        colours[..., channel] = np.interp(at, knots, ANCHORS[:, channel])
    colours[~np.isfinite(values)] = 0.5, 0.5, 0.5, 1.0
    return colours


def lookup_bytes(values: np.ndarray) -> np.ndarray:
    """The same colours as bytes `(N, 4)`, in 256 steps: a million points at once."""
    values = np.asarray(values, float)
    step = np.where(np.isfinite(values), np.clip(values, 0.0, 1.0) * 255.0 + 0.5, 256.0)
    return _steps()[step.astype(np.intp)]


@cache
def _steps() -> np.ndarray:
    """256 colours from the dark end to the bright one, and grey."""
    return np.round(255.0 * lookup(np.append(np.linspace(0.0, 1.0, 256), np.nan))).astype(np.uint8)


def normalised(values: np.ndarray) -> tuple[np.ndarray, float, float]:
    """Values scaled to 0…1 with the (low, high) they were scaled by; the middle of the map when all are equal."""
    values = np.asarray(values, float)
    finite = values[np.isfinite(values)]
    if not finite.size:
        return np.full(values.shape, np.nan), 0.0, 0.0
    low, high = float(finite.min()), float(finite.max())
    if high <= low:
        return np.where(np.isfinite(values), 0.5, np.nan), low, high
    return (values - low) / (high - low), low, high
