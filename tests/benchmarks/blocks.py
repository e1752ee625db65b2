"""What the window does at one go when another robot, theme, perspective or panel is chosen."""

from __future__ import annotations

from tests.benchmarks.apart import printed
from tests.benchmarks.row import Row, seconds

BAR = 0.016  # s
WORDS = {
    "robot": "opening a robot",
    "theme": "changing the theme",
    "perspective": "changing the perspective",
    "equations": "Equations for the first time",
    "return": "Equations and back",
    "late": "the other panels that come late, the worst",
    "export": "exporting the derivation",
}


def rows() -> list[Row]:
    """The longest time that the GUI's thread computes between two turns of its event loop, without what the driver draws."""
    seen = printed("blocks_run", timeout=480.0)
    return [
        Row(f"{words}: longest block", seconds(seen[name]), bar="under 16 ms", passed=seen[name] <= BAR)
        for name, words in WORDS.items()
    ]
