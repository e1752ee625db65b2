"""Time limits of the tests, multiplied by how much slower this machine is than the one they were chosen on.

The factor is measured once for each run and handed to all its processes in `ARMATURE_TIME_FACTOR`; `python -m tests.time_limits`
prints it. A limit ends a test that hangs; no test measures speed by it.
"""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable
from typing import Any

import numpy as np

NAME = "ARMATURE_TIME_FACTOR"
USUAL = 0.3  # s for the workload on two quiet cores of 2026, with a sixth to spare
LARGEST = 12


def _slowness() -> int:
    """Time of a fixed workload over its usual time, rounded up to 1, 2, … `LARGEST`."""
    grid, total = np.linspace(0.0, 1.0, 50_000), 0.0
    start = time.perf_counter()
    for k in range(200):
        total += float(np.sin(k * grid).sum())
        for j in range(20_000):
            total += j % 7
    return min(max(1, math.ceil((time.perf_counter() - start) / USUAL)), LARGEST)


FACTOR = int(os.environ.get(NAME) or _slowness())
os.environ[NAME] = str(FACTOR)

WAIT = 20 * FACTOR  # s for a condition
PROCESS = 100 * FACTOR  # s for a process that a test starts
TEST = 120 * FACTOR  # s for a test, unless it is marked with a limit of its own
CLEAN_UP = 120 * FACTOR  # s for the fixtures of a test that failed


def wait_until(condition: Callable[[], Any], state: Callable[[], object] = str) -> Any:
    """Return the first true value of `condition()`; fail with `state()` where none comes."""
    end = time.monotonic() + WAIT
    while not (result := condition()):
        assert time.monotonic() < end, f"waited {WAIT} s: {state()}"
        time.sleep(0.002)
    return result


if __name__ == "__main__":
    print(FACTOR)


def of_test(item: Any) -> float:
    """Time limit of a pytest item in s: that of its mark `timeout` on a usual machine, or `TEST`."""
    mark = item.get_closest_marker("timeout")
    return TEST if mark is None else mark.args[0] * FACTOR
