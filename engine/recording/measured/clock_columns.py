"""The column of time: by its name, else the first one that grows, where the arm's joints do not need it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from armature.engine.recording.measured.column_words import COUNTERS, TIMES, ColumnMeaning, column_meaning
from armature.engine.recording.measured.log_mapping import TIMES as TIME_UNITS
from armature.engine.recording.measured.log_table import ARRIVAL, STAMPS, LogTable

_SECONDS = ("sec", "secs", "second", "seconds")
_PARTS = {
    **dict.fromkeys(("nanosec", "nanosecs", "nanosecond", "nanoseconds", "nanos", "nsec", "nsecs"), 1e9),
    **dict.fromkeys(("microsec", "microsecs", "microsecond", "microseconds", "micros", "usec", "usecs"), 1e6),
    **dict.fromkeys(("millisec", "millisecs", "millisecond", "milliseconds", "millis", "msec", "msecs"), 1e3),
}
_WORD = re.compile(r"(.*?)([A-Z]?[a-z]+|[A-Z]+)(?:\s*[\[(][^\])\d]*[\])])?((?: \(\d+\))?)")
_GROWS = 0.6  # of the steps of a clock go forward, of those that are not 0
_GROWS_WELL = 0.9  # share of the steps of a clock with few rows out of order
_MOVES = 0.05  # of the steps of a clock are not 0
_STEADY = 0.99  # of the steps of a clock recognised only by its growth
_EVEN = 0.05  # of the step: most deviation of a clock recognised only by its growth


def with_joined_clocks(table: LogTable) -> LogTable:
    """Return the table with one column `sec + nanosec` in s in place of every clock in two columns.

    t = (sec − sec₀) + nanosec/10⁹ s; `origins` holds sec₀, so that the times since 1970 lose no digits. The seconds are whole
    numbers and the other column whole numbers below one second, under names that differ in the last word only.
    """
    parts = {k: meaning for k, name in enumerate(table.names) if (meaning := _last_word(name))}
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
    """Return the text before the last word, that word, and the number of a repeated name."""
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


def clocks(table: LogTable, words: Sequence[ColumnMeaning]) -> list[int]:
    """Return the indices of the columns that grow and whose name, unit or cells indicate a time."""
    return [k for k in range(len(table.names)) if _score(table, words, k) >= 1.0]


def names_a_time(table: LogTable, name: str, meaning: ColumnMeaning) -> bool:
    """Whether name, unit or cells of a column indicate a time."""
    unit = table.unit(name)
    return unit in TIME_UNITS or bool(set(meaning.words) & (TIMES | COUNTERS))


def clock_of(table: LogTable, words: Sequence[ColumnMeaning], found: Sequence[int], used: Sequence[int]) -> str:
    """Return the name of the clock in `found` for the columns `used`, "" for none.

    A clock without values in rows where these hold numbers is not their clock. Of tables side by side, each with its clock, it is
    the clock of the same table; otherwise the one whose name most clearly means time, then the more even one, then the first.
    """
    if not found:
        return ""
    known = np.isfinite(table.values[:, list(used)]).any(axis=1) if used else np.ones(len(table), bool)
    blocks = _blocks(found, len(table.names))
    mine = {blocks[k] for k in used}

    def rank(k: int) -> tuple[float, ...]:
        has = np.isfinite(table.values[:, k])
        covered = float(has[known].mean()) if known.any() else 0.0
        sent = float(not table.names[k].endswith(ARRIVAL))
        even = round(_evenness(table.values[:, k]), 1)
        return round(covered, 1), float(blocks[k] in mine), _score(table, words, k), sent, even, -k

    return table.names[max(found, key=rank)]


def other_clocks(table: LogTable, time: str) -> list[str]:
    """Return the clocks of a log next to its column of time; arrivals in a bag and counters of rows are not named."""
    words = [column_meaning(name) for name in table.names]
    found = [k for k in clocks(table, words) if set(words[k].words) & TIMES or table.units[k] in TIME_UNITS]
    return [name for k in found if (name := table.names[k]) != time and not name.endswith(ARRIVAL)] if time else []


def _blocks(found: Sequence[int], count: int) -> list[int]:
    """Return the index of the table of each column, for tables side by side; each table begins with its clock."""
    blocks, now = list[int](), 0
    for k in range(count):
        now += k in found and k > 0 and k - 1 not in found
        blocks.append(now)
    return blocks


def growing_first(table: LogTable, words: Sequence[ColumnMeaning], n: int, plain: Sequence[int]) -> str:
    """Return the first column where it grows as a clock does and the columns `plain` without it are enough for n joints.

    Without any names, columns that are just enough for the positions of n joints, or for their speeds and torques, too, leave
    it open: then "".
    """
    if not len(table.names) or words[0].kind or words[0].rank or not _is_even(table.values[:, 0]):
        return ""
    if sum(k != 0 for k in plain) < n:
        return ""
    whole = len(table.names) % n == 0 and len(table.names) // n <= 3
    return "" if n > 1 and whole and is_unnamed(table) else table.names[0]


def is_unnamed(table: LogTable) -> bool:
    """Whether the columns have no names."""
    return all(name.startswith("column ") for name in table.names)


def may_be_time(table: LogTable, name: str) -> bool:
    """Whether a column without a name grows evenly, as a clock does."""
    return name.startswith("column ") and _is_even(table.column(name))


def _grows(t: np.ndarray) -> float:
    """Return the share of steps that go forward, of those that go anywhere."""
    steps = np.diff(t[np.isfinite(t)])
    moved = np.count_nonzero(steps)
    return np.count_nonzero(steps > 0) / moved if moved > _MOVES * len(steps) else 0.0


def _is_even(t: np.ndarray) -> bool:
    steps = np.diff(t[np.isfinite(t)])
    if not len(steps) or (steps > 0).mean() < _STEADY:
        return False
    return _evenness(t) > 0.5


def _evenness(t: np.ndarray) -> float:
    """Return the share of steps that are as long as their median."""
    steps = np.diff(t[np.isfinite(t)])
    step = float(np.median(steps)) if len(steps) else 0.0
    return float((np.abs(steps - step) < _EVEN * step).mean()) if step > 0 else 0.0


def _score(table: LogTable, words: Sequence[ColumnMeaning], k: int) -> float:
    """Return a score for a column being a time; at least 1 if more than its growth indicates it."""
    meaning, grows = set(words[k].words), _grows(table.values[:, k])
    if grows < _GROWS:
        return 0.0
    if table.units[k] == STAMPS:
        return 10.0
    timed = bool(meaning & TIMES) or table.units[k] in TIME_UNITS
    score = 3.0 * timed + 1.0 * bool(meaning & COUNTERS)
    if not score or (words[k].kind and not timed):
        return 0.0
    return score + 0.6 * (grows > _GROWS_WELL)
