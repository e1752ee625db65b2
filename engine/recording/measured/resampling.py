"""Resampling of logs: even rows are retained, small gaps bridged, large gaps empty; low-pass filter and derivatives."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from armature.engine.rounding import in_decimals

ORDER = 2  # of the Butterworth filter, which runs forwards and then backwards
_SHORT = 8  # samples; shorter stretches are not filtered
USUAL = 10.0  # Hz
METHOD = "Butterworth of order 2, forwards and backwards (no delay); its gain at f is 1 / (1 + (tan πf/r / tan πf_c/r)⁴)"
# Five neighbours in a row give the slope at the first, the second and the middle one, to the fourth order of the spacing.
_STENCIL = np.array([[-25.0, 48.0, -36.0, 16.0, -3.0], [-3.0, -10.0, 18.0, -6.0, 1.0], [1.0, -8.0, 0.0, 8.0, -1.0]]) / 12.0
_EVEN = 0.02  # of a period: the times of even rows are as near as this to even ones
_NICE = 0.005  # a rate so near to a whole number of Hz is that
MOST_ROWS = 20_000_000
_MOST_OF_LOG = 10  # times the rows of the log, unless a rate is given
_NEAR = 4  # rows
_LONELY = 20.0  # times the steps before and after it: across so long a step no curve is known
_LAST = 1e-3  # of a period: by so much may the last even row be later than the last of the log
LEAST_GAP, GAP_PERIODS = 0.1, 10.0  # longest bridged gap: s and periods


def usual_cutoff(rate: float) -> float:
    """10 Hz, or a fifth of a lower rate."""
    return min(USUAL, rate / 5.0)


def low_pass(values: np.ndarray, rate: float, cutoff: float) -> np.ndarray:
    """Low-pass filter columns `(N, k)` at `cutoff` Hz without delay; stretches between gaps are separate.

    Butterworth of order 2 forwards and backwards: gain 1 / (1 + (tan πf/r / tan πf_c/r)⁴), no delay.

    Each stretch is extrapolated by the cubic through the nearest period of the cut-off (a longer part is not cubic, a shorter one
    amplifies noise), so that slopes and curvatures are correct up to the ends.

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


@dataclass(frozen=True, eq=False)
class Grid:
    """Even times `t` `(M,)` s; `kept` is True if they are the rows of the log."""

    t: np.ndarray
    rate: float
    kept: bool
    max_gap: float


def even_grid(t: np.ndarray, period: float, rate: float, max_gap: float) -> Grid:
    """The even times for rows at `t`; rate and gap as given, 0 for the usual ones. Raises ValueError where they are too many."""
    steps = np.diff(t)
    close = steps[steps < 1.8 * period]
    mean = float(close.mean()) if len(close) else period
    mean = mean if mean > 0.5 * period else period  # rows in bursts
    span, count = float(t[-1]), len(t)
    own = span / (count - 1)
    gap = max_gap or max(LEAST_GAP, GAP_PERIODS * mean)
    even = bool(np.abs(t - np.arange(count) * own).max() <= _EVEN * own)
    if even:
        whole = float(round(1.0 / own))
        own = 1.0 / whole if abs(own * whole - 1.0) * count < _EVEN else own
    if even and (not rate or abs(rate * own - 1.0) < 1e-6):
        return Grid(in_decimals(np.arange(count) * own), 1.0 / own, True, gap)
    given = bool(rate)
    if not rate:
        rate = 1.0 / mean
        rate = float(round(rate)) if rate > 10 and abs(rate - round(rate)) < _NICE * rate else rate
    rows = int(span * rate + _LAST) + 1
    if rows < 2:
        raise ValueError(f"{span:g} s at {rate:g} Hz are fewer than two samples; choose a higher rate")
    if rows > MOST_ROWS:
        raise ValueError(
            f"{span:,.6g} s at {rate:,.6g} Hz are {rows:,} samples, too many; choose a lower rate or another time unit"
        )
    if rows > _MOST_OF_LOG * count and not given:
        most = int(steps.argmax())
        where = f"its largest gap is {steps[most]:,.4g} s, at t = {t[most]:,.4g} s"
        raise ValueError(
            f"{count:,} rows over {span:,.6g} s would be {rows:,} samples at {rate:,.6g} Hz, most of them empty ({where}); "
            "import a part of the log, or give the rate"
        )
    return Grid(in_decimals(np.arange(rows) / rate), rate, False, gap)


def resample(grid: Grid, t: np.ndarray, values: np.ndarray, smooth: bool) -> np.ndarray:
    """Resample columns `(N, k)` at `t` to the grid, `(M, k)`: smooth ones by Akima interpolation, others linearly.

    Steps far longer than their neighbours are bridged linearly, without overshoot.
    """
    if grid.kept and np.isfinite(values).all():
        return values.copy()
    from scipy.interpolate import Akima1DInterpolator  # 0.3 s, which only this needs

    result = np.full((len(grid.t), values.shape[1]), np.nan)
    for k in range(values.shape[1]):
        known = np.isfinite(values[:, k])
        at, y = t[known], values[known, k]
        if len(at) < 2:
            continue
        inside = (grid.t >= at[0] - grid.max_gap) & (grid.t <= at[-1] + grid.max_gap)  # its ends stand a moment longer
        x = np.clip(grid.t[inside], at[0], at[-1])
        if smooth and len(at) > 4:
            lonely = _lonely(at)[np.clip(np.searchsorted(at, x, side="right") - 1, 0, len(at) - 2)]
            result[inside, k] = np.where(lonely, np.interp(x, at, y), Akima1DInterpolator(at, y, method="makima")(x))
        else:
            result[inside, k] = np.interp(x, at, y)
        if grid.kept:
            result[known, k] = y
        result[_within(grid.t, at, grid.max_gap), k] = np.nan
    return result


def _lonely(at: np.ndarray) -> np.ndarray:
    """Return which steps `(N - 1,)` of growing times are far longer than both neighbours."""
    steps = np.diff(at)
    around = np.maximum(np.append(steps[1:], steps[-2]), np.append(steps[1], steps[:-1]))
    return steps > _LONELY * around


def _within(t: np.ndarray, at: np.ndarray, max_gap: float) -> np.ndarray:
    """Which times `(M,)` lie within a gap of `at` that is too large to be bridged."""
    wide = np.flatnonzero(np.diff(at) > max_gap * (1 + 1e-9))
    inside = np.zeros(len(t), bool)
    for k in wide:
        inside[np.searchsorted(t, at[k] + 1e-9, side="right") : np.searchsorted(t, at[k + 1] - 1e-9, side="left")] = True
    return inside


def gaps(t: np.ndarray, values: np.ndarray, period: float, max_gap: float) -> tuple[int, int]:
    """How many gaps in the columns are bridged, and how many are left empty; one in several columns counts once."""
    bridged, left = set[tuple[float, float]](), set[tuple[float, float]]()
    for k in range(values.shape[1]):
        at = t[np.isfinite(values[:, k])]
        if len(at) < 2:
            continue
        steps = np.diff(at)
        for first in np.flatnonzero(steps > 1.8 * period):
            wide = steps[first] > max_gap * (1 + 1e-9)
            if wide or not _made_up(at, int(first), period):
                (left if wide else bridged).add((float(at[first]), float(at[first + 1])))
    return len(bridged), len(left)


def _made_up(at: np.ndarray, first: int, period: float) -> bool:
    """Whether rows near the step after `first` come so soon that none is missing: they only came late, or early."""
    for k in range(1, _NEAR + 1):
        ends = [(first, first + 1 + k)] * (first + 1 + k < len(at)) + [(first - k, first + 1)] * (first >= k)
        if any(at[last] - at[start] <= (k + 1.5) * period for start, last in ends):
            return True
    return False


def all_empty(values: np.ndarray) -> bool:
    """Whether no column holds a stretch of numbers."""
    return next(stretches(values), None) is None
