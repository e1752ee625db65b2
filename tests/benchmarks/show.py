"""A script that drives the window: from `view.q = …` to the frame that shows it, and what setting it costs."""

from __future__ import annotations

from tests.benchmarks.apart import printed
from tests.benchmarks.row import Row, seconds

LATENCY, RATE = 0.05, 1000  # s beyond a frame; poses a second


def rows() -> list[Row]:
    """The latency of single poses beside the time of a frame, and a stream faster than the screen."""
    seen = printed("show_run")
    beyond = seen["shown"] - seen["frame"]
    return [
        Row(
            "view.q to the screen, panda, window of 1400×900 in a process of its own",
            f"{seconds(seen['shown'])} (95 % within {seconds(seen['late'])}), a frame takes {seconds(seen['frame'])}",
            bar=f"a frame and {seconds(LATENCY)}",
            passed=beyond <= LATENCY,
        ),
        Row(
            "the same while 1,000 poses a second are set",
            f"{seconds(seen['streamed'])}, {seen['fps']:.0f} frames per second of {seen['rate']:.0f} poses",
            bar=f"a frame and {seconds(LATENCY)}",
            passed=seen["streamed"] - seen["frame"] <= LATENCY,
        ),
        Row("time that view.q = … takes of the script", seconds(seen["set"])),
        Row("armature.show to a window that is up", seconds(seen["up"])),
    ]
