"""Clocks written in two columns, whole seconds and the rest of the second, as ROS and `struct timespec` have them."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from armature.engine.recording.measured.log_table import LogTable

_SECONDS = ("sec", "secs", "second", "seconds")
_PARTS = {
    **dict.fromkeys(("nanosec", "nanosecs", "nanosecond", "nanoseconds", "nanos", "nsec", "nsecs"), 1e9),
    **dict.fromkeys(("microsec", "microsecs", "microsecond", "microseconds", "micros", "usec", "usecs"), 1e6),
    **dict.fromkeys(("millisec", "millisecs", "millisecond", "milliseconds", "millis", "msec", "msecs"), 1e3),
}
_WORD = re.compile(r"(.*?)([A-Z]?[a-z]+|[A-Z]+)(?:\s*[\[(][^\])\d]*[\])])?((?: \(\d+\))?)")


def with_joined_clocks(table: LogTable) -> LogTable:
    """Return the table with one column `sec + nanosec` in s in place of every clock in two columns.

    t = (sec − sec₀) + nanosec/10⁹ s; `origins` holds sec₀, so that the times since 1970 lose no digits. The seconds are whole
    numbers and the other column whole numbers below one second, under names that differ in the last word only.
    """
    parts = {k: said for k, name in enumerate(table.names) if (said := _last_word(name))}
    names, units, origins = list(table.names), list(table.units), dict(table.origins)
    gone, times = list[int](), dict[int, np.ndarray]()
    for k, (stem, word, number) in parts.items():
        if word not in _SECONDS:
            continue
        for other, (its_stem, its_word, its_number) in parts.items():
            per_s = _PARTS.get(its_word, 0.0)
            if not per_s or (its_stem, its_number) != (stem, number) or other in gone:
                continue
            if (joined := _joined(table.values[:, k], table.values[:, other], per_s)) is not None:
                times[k], origins[f"{table.names[k]} + {table.names[other]}"] = joined
                names[k], units[k] = f"{table.names[k]} + {table.names[other]}", "s"
                gone.append(other)
                break
    if not gone:
        return table
    left = [k for k in range(len(names)) if k not in gone]
    values = table.values[:, left]
    for k, column in times.items():
        values[:, left.index(k)] = column
    return replace(
        table,
        names=tuple(names[k] for k in left),
        units=tuple(units[k] for k in left),
        values=values,
        origins=origins,
    )


def _last_word(name: str) -> tuple[str, str, str] | None:
    """Return what is before the last word, that word, and the number of a name that is there several times."""
    found = _WORD.fullmatch(name)
    if found is None:
        return None
    stem, word, number = found.groups()
    return stem.lower().strip(" ._/-"), word.lower(), number


def _joined(seconds: np.ndarray, part: np.ndarray, per_s: float) -> tuple[np.ndarray, float] | None:
    """Return the times from the first second on and that second; None where the columns are no halves of one clock."""
    known = np.isfinite(seconds) & np.isfinite(part)
    s, p = seconds[known], part[known]
    if len(s) < 2 or (s != np.round(s)).any() or (p != np.round(p)).any() or p.min() < 0 or p.max() >= per_s:
        return None
    others = s[s != 0]
    far = len(others) > 0 and np.abs(others).min() > np.ptp(others)
    is_set = (s != 0) | (p != 0) if far else np.ones(len(s), bool)  # stamps that were never set are 0
    origin = float(s[is_set][0])
    times = np.full(len(seconds), np.nan)
    times[np.flatnonzero(known)[is_set]] = (s[is_set] - origin) + p[is_set] / per_s
    return times, origin
