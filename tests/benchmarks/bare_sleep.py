"""A process that only sleeps 4 ms at a time, and prints the longest time between two wakings: what the machine itself does."""

from __future__ import annotations

import sys
import time
from itertools import pairwise

from engine.simulation.loop import WAKE
from engine.simulation.worker import take_precedence


def longest_gap(duration: float) -> float:
    """Seconds between two wakings, at most, with the precedence that the simulation's thread has."""
    take_precedence()
    end, woken = time.perf_counter() + duration, []
    while not woken or woken[-1] < end:
        time.sleep(WAKE)
        woken.append(time.perf_counter())
    return max(after - before for before, after in pairwise(woken))


if __name__ == "__main__":
    print(longest_gap(float(sys.argv[1])))
