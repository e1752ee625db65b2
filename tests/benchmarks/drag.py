"""Dragging the hand in the real window: from the event to the frame that shows it."""

from __future__ import annotations

from tests.benchmarks.apart import printed
from tests.benchmarks.row import Row, seconds

FRAMES = 15


def rows() -> list[Row]:
    """Latency from a mouse event to the swapped frame, what of it the program spends on the event, and frames per second."""
    seen = printed("drag_run")
    if not seen["moved"]:
        raise RuntimeError("the drag did not move the arm")
    rate = 1.0 / seen["shown"]
    return [
        Row(
            "drag event to repaint latency, hand of the panda, 1280×800",
            f"{seconds(seen['shown'])} (95 % within {seconds(seen['late'])})",
        ),
        Row("of which inverse kinematics, undo step and panels", seconds(seen["handled"])),
        Row("frames per second while the hand is dragged", f"{rate:.0f}", bar=f"{FRAMES} or more", passed=rate >= FRAMES),
    ]
