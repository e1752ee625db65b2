"""The real window while it samples a large workspace: how long does it stand still?"""

from __future__ import annotations

from tests.benchmarks.apart import printed
from tests.benchmarks.row import Row, seconds

TITLE = "longest stall of the window during 1,000,000 workspace samples with manipulability"


def rows() -> list[Row]:
    """The longest time in which the window answers nothing, beside the longest before, while it swings and redraws all along."""
    seen = printed("stall_run")
    if seen["samples"] != 1_000_000:
        raise RuntimeError(f"{seen['samples']} points were sampled")
    quiet, busy = seen["quiet"], seen["busy"]
    rate = seen["frames"] / seen["taken"]
    return [
        Row(
            TITLE,
            f"{seconds(busy['longest'])} (99 % within {seconds(busy['usual'])})",
            f"{seconds(quiet['longest'])} at rest, a frame's drawing",
        ),
        Row("frames per second meanwhile, every one another picture", f"{rate:.0f}"),
    ]
