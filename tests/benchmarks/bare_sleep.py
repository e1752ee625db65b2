"""A process that only sleeps, 4 ms at a time, and prints how long that took: what the machine itself does."""

from __future__ import annotations

import json
import sys
import time
from itertools import pairwise

from armature.engine.simulation.live.simulation_worker import take_precedence
from armature.engine.simulation.run_loop import WAKE


def gaps(duration: float) -> list[float]:
    """Seconds from one waking to the next, with the precedence that the simulation's thread has."""
    take_precedence()
    end, woken = time.perf_counter() + duration, [time.perf_counter()]
    while woken[-1] < end:
        time.sleep(WAKE)
        woken.append(time.perf_counter())
    return [after - before for before, after in pairwise(woken)]


if __name__ == "__main__":
    print(json.dumps(gaps(float(sys.argv[1]))))
