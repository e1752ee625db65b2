"""The real window, simulating and redrawing: does it keep real time, and what does a frame cost the GUI's thread?"""

from __future__ import annotations

from tests.benchmarks.apart import printed
from tests.benchmarks.before import BEFORE, checkout
from tests.benchmarks.row import Row, seconds

LONG = 0.020  # s


def rows() -> list[Row]:
    """Real-time factor, longest gap between steps, and the GUI thread's own time per frame with every overlay on."""
    seen = printed("window_run", timeout=240.0)
    with checkout() as before:
        then = printed("window_run", timeout=600.0, root=before)["own_per_frame"]
    factor, own = seen["factor"], seen["own_per_frame"]
    gaps, bare = sorted(seen["gaps"]), seen["bare_gaps"]
    run = f"{seen['seconds']:.0f} s, {seen['frames_per_second']:.0f} frames/s"
    return [
        Row(f"real-time factor, 1 kHz, swinging puma560, {run}", f"{factor:.5f}", bar="0.999 or more", passed=factor >= 0.999),
        Row(
            "longest gap between steps in that run",
            f"{seconds(gaps[-1])} (99.9 % within {seconds(gaps[int(0.999 * (len(gaps) - 1))])})",
            f"{seconds(max(bare))} of a process that only sleeps",
            bar="no gap over 20 ms",
            passed=gaps[-1] <= LONG,
        ),
        Row(
            "gaps over 20 ms in that run",
            str(sum(gap > LONG for gap in gaps)),
            f"{sum(gap > LONG for gap in bare)} of a process that only sleeps",
        ),
        Row(
            "GUI thread's own time per frame, all overlays on",
            seconds(own),
            f"{seconds(seen['gui_per_frame'])} with Qt and driver",
            bar="under 4 ms",
            passed=own < 0.004,
        ),
        Row(
            "GUI thread's own time per frame, beside what it was",
            seconds(own),
            f"{seconds(then)} ({BEFORE})",
            then / own,
            "2x",
            then >= 2 * own,
        ),
    ]
