"""Fair timing: the rivals take turns in one process, and medians over the rounds are compared."""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median


def race(rivals: dict[str, Callable[[], object]], rounds: int = 15, round_seconds: float = 0.02) -> dict[str, float]:
    """Median seconds per call of each rival.

    Every round calls each rival, in turn and in alternating order, so often that it takes about `round_seconds`.
    """
    calls = {name: _calls_for(function, round_seconds) for name, function in rivals.items()}
    seconds: dict[str, list[float]] = {name: [] for name in rivals}
    for k in range(rounds):
        for name in list(rivals)[:: 1 if k % 2 == 0 else -1]:
            seconds[name].append(_per_call(rivals[name], calls[name]))
    return {name: median(values) for name, values in seconds.items()}


def _per_call(function: Callable[[], object], calls: int) -> float:
    started = time.perf_counter()
    for _ in range(calls):
        function()
    return (time.perf_counter() - started) / calls


def _calls_for(function: Callable[[], object], seconds: float) -> int:
    function()
    calls = 1
    while (spent := _per_call(function, calls) * calls) < seconds / 4:
        calls *= 4
    return max(1, round(calls * seconds / spent))
