"""Drives a window from a script and prints what was seen as one line of JSON; `show` starts it."""

from __future__ import annotations

import json
import sys
import tempfile
import time
from os import environ
from statistics import median

import numpy as np

import armature

ARM, SINGLE, STREAM = "panda", 60, 4.0  # poses one by one, and seconds of a stream
REST = 0.02  # s after a frame, before the next pose


def main() -> int:
    """First single poses, each once the last is on the screen; then a stream of a thousand a second."""
    environ["XDG_RUNTIME_DIR"] = tempfile.mkdtemp(prefix="armature-bench-")
    began = time.perf_counter()
    view = armature.show(ARM, new=True)
    up = time.perf_counter() - began
    ready = view.robot.configurations["ready"]
    view.wait(3.0)  # what is still being prepared
    shown = []
    for k in range(SINGLE):
        view.q = ready + 0.3 * np.sin(k / 10)
        wait_for_frame(view, k + 1)
        shown.append(view.latency)
        time.sleep(REST)
    streamed, costs, count = {}, [], 0
    end = time.perf_counter() + STREAM
    while (now := time.perf_counter()) < end:
        view.q = ready + 0.3 * np.sin(count / 300)
        costs.append(time.perf_counter() - now)
        count += 1
        streamed[view.drawn] = view.latency
        time.sleep(max(0.0, 0.001 - (time.perf_counter() - now)))
    frames = len(streamed) - 1
    view.close()
    late = sorted(shown)[int(0.95 * SINGLE)]
    found = {"shown": median(shown), "late": late, "frame": STREAM / frames, "streamed": median(streamed.values())}
    print(json.dumps({**found, "fps": frames / STREAM, "rate": count / STREAM, "set": median(costs), "up": up}))
    return 0


def wait_for_frame(view: armature.View, number: int) -> None:
    """Until the pose of that number is on the screen."""
    end = time.monotonic() + 10.0
    while view.drawn < number:
        if time.monotonic() > end:
            raise RuntimeError("the pose was never drawn")
        time.sleep(0.0005)


if __name__ == "__main__":
    sys.exit(main())
