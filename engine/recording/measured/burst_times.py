"""Times of rows that a buffer wrote in bursts, all rows of a burst with nearly one time."""

from __future__ import annotations

import numpy as np

_TINY = 0.05  # of the period: steps of time within a burst are shorter
_SHARE = 0.8  # of the bursts are as even as the numbers below say
_EVEN = 0.25  # of the typical size of a burst, and of the typical time to the next one
_LONGEST = 1.0  # s from burst to burst; rows that are logged now and then are no buffer
_FEWEST = 5  # bursts
_MOVES = 3.0  # times the motion from row to row in a burst is the motion to the next burst: more, and rows are repeated values
_NICE = 0.005  # a rate so near to a whole number of Hz is that
_OFF = 3.0  # periods: range of the bursts' times about even ones


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
    normal = np.abs(between - gap) <= 2 * _EVEN * gap
    alike = (np.abs(sizes - size) <= max(1.0, _EVEN * size)) & (sizes > 1)
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
