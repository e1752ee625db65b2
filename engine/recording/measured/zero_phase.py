"""Smoothing without delay, and slopes, of what was sampled at even times."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

ORDER = 2  # of the Butterworth filter, which runs forwards and then backwards
_SHORT = 8  # samples: what is shorter is not filtered
USUAL = 10.0  # Hz
METHOD = "Butterworth of order 2, forwards and backwards (no delay); its gain at f is 1 / (1 + (tan πf/r / tan πf_c/r)⁴)"


def usual_cutoff(rate: float) -> float:
    """10 Hz, or a fifth of a lower rate."""
    return min(USUAL, rate / 5.0)


def smoothed(values: np.ndarray, rate: float, cutoff: float) -> np.ndarray:
    """Columns `(N, k)` without what is faster than `cutoff` Hz; each stretch between gaps by itself.

    Butterworth of order 2 forwards and backwards: gain 1 / (1 + (tan πf/r / tan πf_c/r)⁴), no delay.

    Beyond its ends a stretch goes on as the cubic through the nearest period of the cut-off: a longer one would be no cubic, a
    shorter one would make much of noise. So slopes and curvatures hold up to the ends.

    Source: Gustafsson 1996, Determining the initial states in forward-backward filtering, IEEE Trans. Signal Processing 44(4).
    """
    from scipy.signal import butter, sosfiltfilt  # 0.3 s, which only this needs

    sections = butter(ORDER, cutoff, fs=rate, output="sos")
    result = values.copy()
    for k, part in stretches(values):
        length = part.stop - part.start
        if length >= _SHORT:
            beyond = max(15, int(3 * rate / cutoff))
            y = _continued(values[part, k], max(_SHORT, round(rate / cutoff)), beyond)
            result[part, k] = sosfiltfilt(sections, y, padlen=0)[beyond:-beyond]
    return result


def _continued(y: np.ndarray, near: int, beyond: int) -> np.ndarray:
    """`y` with `beyond` more at both ends, on the cubics that come nearest to the first and the last `near`."""
    from numpy.polynomial import Polynomial

    near = min(near, len(y))
    x, outside = np.arange(near), np.arange(-beyond, 0)
    before, after = (Polynomial.fit(x, part, 3)(outside) for part in (y[:near], y[::-1][:near]))
    return np.concatenate([before, y, after[::-1]])


# Five neighbours in a row give the slope at the first, the second and the middle one, to the fourth order of the spacing.
_STENCIL = np.array([[-25.0, 48.0, -36.0, 16.0, -3.0], [-3.0, -10.0, 18.0, -6.0, 1.0], [1.0, -8.0, 0.0, 8.0, -1.0]]) / 12.0


def slopes(values: np.ndarray, rate: float) -> np.ndarray:
    """Derivatives `(N, k)` per s, from five neighbours each, to the fourth order; 0 where a stretch has one sample only.

    Source: Fornberg 1988, Generation of finite difference formulas on arbitrarily spaced grids, Math. Comp. 51(184).
    """
    result = np.full_like(values, np.nan)
    for k, part in stretches(values):
        result[part, k] = _slope(values[part, k]) * rate
    return result


def _slope(y: np.ndarray) -> np.ndarray:
    """Differences per sample."""
    if len(y) < 5:
        return np.zeros(1) if len(y) == 1 else np.gradient(y)
    first, second, middle = _STENCIL
    slope = np.convolve(y, middle[::-1], "same")
    slope[:2] = first @ y[:5], second @ y[:5]
    slope[-2:] = -(second @ y[:-6:-1]), -(first @ y[:-6:-1])
    return slope


def stretches(values: np.ndarray) -> Iterator[tuple[int, slice]]:
    """Column and rows of every stretch of numbers."""
    for k in range(values.shape[1]):
        known = np.isfinite(values[:, k])
        edges = np.flatnonzero(np.diff(np.concatenate([[False], known, [False]]).astype(np.int8)))
        for first, last in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True):
            yield k, slice(first, last)
