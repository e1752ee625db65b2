"""`typical_step`: the step of time from row to row that most of a log is made of."""

from __future__ import annotations

import numpy as np

SAME = 1e-3  # of the typical step: rows that are nearer than this have the same time
_LONGEST = 0.1  # of the steps may be gaps, and say nothing of a step
_BURSTS = 3.0  # times the median is the mean of the others: rows came in bursts


def typical_step(steps: np.ndarray) -> float:
    """Typical step s of times that differ by `steps` `(N,)` s, never the smallest one; 0 where no step is positive.

    It is the median of the positive steps. Where rows come in bursts, of two or more with nearly the same time, the median is
    the step within a burst: then the steps that are as good as none are left out, and where the others differ as much
    still, it is their mean without the longest tenth.
    """
    forward = np.sort(steps[steps > 0])
    while len(forward):
        median = float(np.median(forward))
        usual = forward[: max(1, round((1 - _LONGEST) * len(forward)))]
        mean = float(usual.mean())
        if mean <= _BURSTS * median:
            return median
        longer = forward[forward > SAME * usual[-1]]
        if len(longer) == len(forward):
            return mean
        forward = longer
    return 0.0
