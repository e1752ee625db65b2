"""Repair the times of a log: clocks that stepped back or restarted, rows out of order, repeated times."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from armature.engine.recording.measured.log_mapping import TIMES, LogMapping
from armature.engine.recording.measured.log_table import STAMPS, LogTable

_TINY = 0.05  # of the period: steps of time within a burst are shorter
_SHARE = 0.8  # share of the bursts that must be as even as the numbers below
_EVEN_BURSTS = 0.25  # of the typical size of a burst, and of the typical time to the next one
_LONGEST = 1.0  # s from burst to burst; rows that are logged now and then are no buffer
_FEWEST = 5  # bursts
_MOVES = 3.0  # times the motion from row to row in a burst is the motion to the next burst: more, and rows are repeated values
_NICE = 0.005  # a rate so near to a whole number of Hz is that
_OFF = 3.0  # periods: range of the bursts' times about even ones
SAME = 1e-3  # of the typical step: rows that are nearer than this have the same time
_GAP_SHARE = 0.1  # longest share of the steps, ignored as gaps
_BURSTS = 3.0  # times the median is the mean of the others: rows came in bursts
_COUNTERS = (2.0**16, 2.0**31, 2.0**32)  # counts at which counters of 16, 31 and 32 bits wrap
_WRAPS = (*_COUNTERS, 2.0**32 * 1e-3, 2.0**32 * 1e-6)  # the last two in units of a thousand or a million counts
_DAY = 86_400.0
_APART = 50  # periods: a time that goes back by more is no late row
_FREE = 0.6  # of a period on either side: room for a row that came late
_EVEN = 1.2  # periods: more than that is no usual step
_FEW = 0.4  # of the rows: fewer with a time of their own are warned of
_OFTEN = 1e-3  # of the rows: a clock does not step back more often than three times and this


def spread_bursts(t: np.ndarray, q: np.ndarray) -> tuple[np.ndarray, str] | None:
    """Return even times for rows that came in bursts, and a remark; None where they did not.

    `t` `(N,)` s never falls, `q` `(N, n)` are the positions. Bursts are of about even size and follow each other in about even
    times, and positions move within them as they do from one to the next. A burst is spread up to the next one, where no pause
    follows; all rows are one period apart where that agrees with the time of every burst.
    """
    steps = np.diff(t)
    first = np.concatenate([[0], np.flatnonzero(steps > _TINY * _usual_gap(steps)) + 1])
    sizes, starts = np.diff([*first, len(t)]), t[first]
    if len(first) < _FEWEST:
        return None
    size, between = float(np.median(sizes)), np.diff(starts)
    gap = float(np.median(between))
    normal = np.abs(between - gap) <= 2 * _EVEN_BURSTS * gap
    alike = (np.abs(sizes - size) <= max(1.0, _EVEN_BURSTS * size)) & (sizes > 1)
    if size < 2 or gap > _LONGEST or alike.mean() < _SHARE or normal.mean() < _SHARE:
        return None
    inside = np.ones(len(steps), bool)
    inside[first[1:] - 1] = False
    moves = np.nan_to_num(np.abs(np.diff(q, axis=0))).sum(axis=1)
    within, onward = float(moves[inside].mean()), float(moves[first[1:] - 1][normal].mean())
    begun = int(sizes[0] < size and normal[0])  # the log began within a burst
    period = float(between[begun:][normal[begun:]].sum() / sizes[begun:-1][normal[begun:]].sum())
    if not within or onward > _MOVES * within or steps[inside].max() > _TINY * period:
        return None
    rate = float(round(1.0 / period))
    for even in (1.0 / rate if rate and abs(rate * period - 1.0) < _NICE else period, period):
        if np.ptp((starts - even * first)[begun:]) <= _OFF * even:
            return even * np.arange(len(t)), _remark(size, gap, even)
    width = np.where(normal, between, np.minimum(between, period * sizes[:-1]))
    width = np.append(width, period * sizes[-1])
    if begun:
        width[0] = min(width[0], period * sizes[0])
        starts = np.concatenate([[starts[1] - width[0]], starts[1:]])
    spread = np.repeat(starts, sizes) + (np.arange(len(t)) - np.repeat(first, sizes)) * np.repeat(width / sizes, sizes)
    return spread - spread[0], _remark(size, gap, period)


def _remark(size: float, gap: float, period: float) -> str:
    return (
        f"rows come in bursts of about {size:g} with almost equal times, every {gap:.4g} s; they were spaced evenly "
        f"at {period:.4g} s"
    )


def _usual_gap(steps: np.ndarray) -> float:
    """Return the step in s that half of the time is spent in steps shorter than, without those longer than `_LONGEST`."""
    short = np.sort(steps[(steps > 0) & (steps <= _LONGEST)])
    if not len(short):
        return 0.0
    spent = np.cumsum(short)
    return float(short[np.searchsorted(spent, 0.5 * spent[-1])])


def typical_step(steps: np.ndarray) -> float:
    """Typical step s of times that differ by `steps` `(N,)` s, never the smallest one; 0 where no step is positive.

    It is the median of the positive steps. Where rows come in bursts, of two or more with nearly the same time, the median is
    the step within a burst: then the steps that are as good as none are left out, and where the others differ as much
    still, it is their mean without the longest tenth.
    """
    forward = np.sort(steps[steps > 0])
    while len(forward):
        median = float(np.median(forward))
        usual = forward[: max(1, round((1 - _GAP_SHARE) * len(forward)))]
        mean = float(usual.mean())
        if mean <= _BURSTS * median:
            return median
        longer = forward[forward > SAME * usual[-1]]
        if len(longer) == len(forward):
            return mean
        forward = longer
    return 0.0


@dataclass(frozen=True, eq=False)
class LogTimes:
    """Times of rows: `t` `(N,)` s from 0, increasing, of the rows `rows` `(N,)` of the table; `period` s is the typical step.

    `began` is the first time in s since 1970, 0 if unknown; `warnings` are problems of the times.
    """

    t: np.ndarray
    rows: np.ndarray
    period: float
    began: float
    notes: tuple[str, ...]
    warnings: tuple[str, ...] = ()


def repair_times(table: LogTable, mapping: LogMapping, wanted: np.ndarray, q: np.ndarray) -> LogTimes:
    """Return the times of the `wanted` rows `(N,)`, with positions `q` `(N, n)`; raises ValueError without times."""
    notes, warnings = list[str](), list[str]()
    rows = np.flatnonzero(wanted)
    if mapping.time:
        raw = table.column(mapping.time)[rows]
        known = np.isfinite(raw) & ~_unset(raw)
        if not known.all():
            notes.append(f"{(~known).sum():,} rows without a time were omitted")
            raw, rows = raw[known], rows[known]
        scale = TIMES[mapping.time_unit] or mapping.period
    else:
        raw, scale = rows.astype(float), mapping.period
    if len(raw) < 2:
        raise ValueError("fewer than two rows have a time")
    raw, rows = _without_strays(raw, rows, notes)
    began = float(raw[0]) * scale + table.origins.get(mapping.time, 0.0) if mapping.time else 0.0
    wraps = _WRAPS if mapping.time_unit != STAMPS else (_DAY,)
    t = _continued(raw - raw[0], rows, wraps, scale, notes) * scale
    order = np.argsort(t, kind="stable")
    late = np.flatnonzero(np.diff(t) < 0)
    if len(late):
        first = f"row {rows[late[0] + 1] + 1:,}, {t[late[0]] - t[late[0] + 1]:.4g} s earlier than the row before"
        one, many = "one row was out of order and was sorted", f"{len(late):,} rows were out of order and were sorted"
        notes.append(f"{one}: {first}" if len(late) == 1 else f"{many}, the first: {first}")
        t, rows = t[order] - t[order[0]], rows[order]
    period = typical_step(np.diff(t))
    if not period:
        raise ValueError(f"all times in {mapping.time or 'the file'} are equal; choose another time column, or give the period")
    if (spread := spread_bursts(t, q[rows])) is not None:
        t, remark = spread
        notes.append(remark)
    else:
        fresh = _fresh(t, SAME * period)
        if not fresh.all():
            latest = float(np.diff(t)[~fresh[1:]].max())
            near = f", or up to {1e6 * latest:.3g} µs later," if latest > 0 else ""
            left_out = f"{(~fresh).sum():,} rows with the same time as the row before{near} were omitted"
            if fresh.mean() < _FEW:
                warnings.append(f"{left_out}; if the rows are evenly spaced, choose no time column and give the period")
            else:
                notes.append(left_out)
            t, rows = t[fresh], rows[fresh]
    return LogTimes(t, rows, typical_step(np.diff(t)), began if 9e8 < began < 5e9 else 0.0, tuple(notes), tuple(warnings))


def _unset(raw: np.ndarray) -> np.ndarray:
    """Return which stamps are 0 because nothing set them: all others are farther from 0 than from one another."""
    others = raw[np.isfinite(raw) & (raw != 0)]
    if not len(others) or np.abs(others).min() <= np.ptp(others):
        return np.zeros(len(raw), bool)
    return raw == 0


def _without_strays(raw: np.ndarray, rows: np.ndarray, notes: list[str]) -> tuple[np.ndarray, np.ndarray]:
    """Return times and rows without single stamps far from both neighbours, which are near each other."""
    period = typical_step(np.diff(raw))
    if len(raw) < 4 or not period:
        return raw, rows
    near = (raw[2:] > raw[:-2]) & (raw[2:] - raw[:-2] <= 3 * period)
    far = np.minimum(np.abs(raw[1:-1] - raw[:-2]), np.abs(raw[1:-1] - raw[2:])) > _APART * period
    stray = np.concatenate([[False], near & far, [False]])
    if stray.any():
        first = f"row {rows[np.flatnonzero(stray)[0]] + 1:,}"
        count = int(stray.sum())
        one = f"{first} has a time far from the times of its neighbours and was omitted"
        many = f"{count:,} rows, the first is {first}, have times far from the times of their neighbours and were omitted"
        notes.append(one if count == 1 else many)
        raw, rows = raw[~stray], rows[~stray]
    return raw, rows


def _fresh(t: np.ndarray, least: float) -> np.ndarray:
    """Return which of the growing times `t` are later by more than `least` s than the last one that is."""
    fresh = np.concatenate([[True], np.diff(t) > least])
    if fresh.all():
        return fresh
    last = t[0]
    for k in range(1, len(t)):
        fresh[k] = t[k] - last > least
        last = t[k] if fresh[k] else last
    return fresh


def _continued(raw: np.ndarray, rows: np.ndarray, wraps: tuple[float, ...], scale: float, notes: list[str]) -> np.ndarray:
    """Return times that continue by one period where a counter wrapped, or the clock stepped back or restarted."""
    steps = np.diff(raw)
    period = typical_step(steps)
    back = np.flatnonzero(steps < 0)
    if not len(back) or not period:
        return raw
    stepped = [k for k in back.tolist() if steps[k] < -_APART * period or not _is_late(raw, k, period)]
    small = [k for k in stepped if steps[k] >= -_APART * period]
    if len(small) > 3 + _OFTEN * len(raw):  # the stamps tremble: no clock steps back so often
        stepped = [k for k in stepped if steps[k] < -_APART * period]
    offset, wrapped, lines = np.zeros(len(raw)), 0, list[str]()
    for k in stepped:
        step = -float(steps[k])
        wrap = next((wrap for wrap in wraps if abs(wrap - step - period) <= 20 * period and wrap > 10 * period), 0.0)
        offset[k + 1 :] += wrap if wrap else step + period
        wrapped += bool(wrap)
        small_step = not wrap and step <= _APART * period and k + 1 < len(steps)
        if small_step and _EVEN * period < steps[k + 1] <= step + (1 + _EVEN) * period:
            offset[k + 2 :] -= steps[k + 1] - period  # the clock recovers at once, or in part
        if not wrap:
            what = "the clock restarted" if step > _APART * period else "the time steps back"
            lines.append(f"{what} at row {rows[k + 1] + 1:,}, by {step * scale:.4g} s")
    if wrapped:
        often = f"{wrapped} times" if wrapped > 1 else "once"
        notes.append(f"the time counter overflowed {often}; later times were corrected")
    if lines:
        more = f", and at {len(lines) - 1} more rows" if len(lines) > 2 else ", and at one more row" if len(lines) == 2 else ""
        notes.append(f"{lines[0]}{more}; the times after it were shifted to continue one period later")
    return raw + offset


def _is_late(raw: np.ndarray, k: int, period: float) -> bool:
    """Whether row k + 1 fills a place that the rows before it left free, rather than beginning a clock that stepped back."""
    before = raw[max(0, k + 1 - 2 * _APART) : k + 1]
    return bool(np.abs(before - raw[k + 1]).min() >= _FREE * period)
