"""The times of a log put in order: counters that began anew, rows out of order, twice the same time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from armature.engine.recording.measured.log_mapping import TIMES, LogMapping
from armature.engine.recording.measured.log_table import STAMPS, LogTable

_WRAPS = (2.0**16, 2.0**31, 2.0**32)  # where counters of so many bits begin anew
_DAY = 86_400.0
_APART = 50  # periods: what goes back by more began anew, what goes back by less came too late
_SAME = 1e-3  # of a period: no time between two rows


@dataclass(frozen=True, eq=False)
class LogTimes:
    """`t` `(N,)` s from 0 on, always growing, of the rows `rows` `(N,)` of the table; `period` s between most of them.

    `began` is the first time as seconds since 1970, 0 where the log does not tell it.
    """

    t: np.ndarray
    rows: np.ndarray
    period: float
    began: float
    notes: tuple[str, ...]


def times_of(table: LogTable, mapping: LogMapping, wanted: np.ndarray) -> LogTimes:
    """The times of the rows that are `wanted` `(N,)`; raises ValueError where they tell no time."""
    notes: list[str] = []
    rows = np.flatnonzero(wanted)
    if mapping.time:
        raw = table.column(mapping.time)[rows]
        known = np.isfinite(raw)
        if not known.all():
            notes.append(f"{(~known).sum():,} rows without a time were left out")
            raw, rows = raw[known], rows[known]
        scale = TIMES[mapping.time_unit] or mapping.period
    else:
        raw, scale = rows.astype(float), mapping.period
    if len(raw) < 2:
        raise ValueError("it has fewer than two rows with a time")
    began = float(raw[0]) * scale if mapping.time else 0.0
    wraps = tuple(_WRAPS) if mapping.time_unit != STAMPS else (_DAY,)
    raw = _continued(raw, wraps, notes)
    t = (raw - raw[0]) * scale
    order = np.argsort(t, kind="stable")
    late = int((np.diff(t) < 0).sum())
    if late:
        one, many = "a row came out of order and was put in order", f"{late:,} rows came out of order and were put in order"
        notes.append(one if late == 1 else many)
        t, rows = t[order] - t[order[0]], rows[order]
    steps = np.diff(t)
    forward = steps[steps > 0]
    if not len(forward):
        raise ValueError(f"all its times are the same: {mapping.time or 'rows'} tells no time")
    period = float(np.median(forward))
    fresh = np.concatenate([[True], steps > _SAME * period])
    if not fresh.all():
        notes.append(f"{(~fresh).sum():,} rows with the time of the one before were left out")
        t, rows = t[fresh], rows[fresh]
    return LogTimes(t, rows, period, began if 9e8 < began < 5e9 else 0.0, tuple(notes))


def _continued(raw: np.ndarray, wraps: tuple[float, ...], notes: list[str]) -> np.ndarray:
    """Counters go on where they began anew."""
    steps = np.diff(raw)
    forward = steps[steps > 0]
    back = np.flatnonzero(steps < 0)
    if not len(back) or not len(forward):
        return raw
    period = float(np.median(forward))
    offset, wrapped, restarted = np.zeros(len(raw)), 0, 0
    for k in back:
        step = -float(steps[k])
        if step <= _APART * period:
            continue
        wrap = next((wrap for wrap in wraps if abs(wrap - step - period) <= 20 * period and wrap > 10 * period), 0.0)
        offset[k + 1 :] += wrap if wrap else step + period
        wrapped, restarted = wrapped + bool(wrap), restarted + (not wrap)
    if wrapped:
        notes.append(
            f"the counter of time ran over {wrapped} times and was continued"
            if wrapped > 1
            else "the counter of time ran over once and was continued"
        )
    if restarted:
        often = "once" if restarted == 1 else f"{restarted} times"
        notes.append(f"time began anew {often} and was continued one period later")
    return raw + offset
