"""What a frame with every overlay costs the GUI's thread in the program's own code, for two arms."""

from __future__ import annotations

from tests.benchmarks.apart import printed
from tests.benchmarks.row import Row, seconds

ROBOTS = ("puma560", "panda")


def rows() -> list[Row]:
    """One row per arm: pose, readouts, layout of the labels and drawing calls; nothing is rasterised."""
    return [_row(robot) for robot in ROBOTS]


def _row(robot: str) -> Row:
    seen = printed("overlays_run", robot)
    return Row(
        f"GUI thread per frame of {robot}, all {seen['overlays']} overlays, rasterising excluded",
        seconds(seen["all"]),
        f"{seconds(seen['none'])} without overlays",
        bar="under 4 ms",
        passed=seen["all"] < 0.004,
    )
