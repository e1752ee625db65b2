"""The real window while it samples a large workspace: how long does it stand still?"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from tests.benchmarks.row import Row, seconds
from tests.virtual_display import use_virtual_display

ROOT = Path(__file__).resolve().parents[2]
TITLE = "longest stall of the window during 1,000,000 workspace samples with manipulability"


def rows() -> list[Row]:
    """The longest time in which the window answers nothing, beside the longest before, while it swings and redraws all along."""
    use_virtual_display()
    command = [sys.executable, "-m", "tests.benchmarks.stall_run"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=180)
    if done.returncode != 0:
        raise RuntimeError((done.stderr.strip().splitlines() or ["the window closed without a word"])[-1])
    seen = json.loads(done.stdout.splitlines()[-1])
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
