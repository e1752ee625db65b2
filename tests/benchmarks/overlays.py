"""What a frame with every overlay costs the GUI's thread in the program's own code, for two arms."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from tests.benchmarks.row import Row, seconds
from tests.virtual_display import use_virtual_display

ROOT = Path(__file__).resolve().parents[2]
ROBOTS = ("puma560", "panda")


def rows() -> list[Row]:
    """One row per arm: pose, readouts, layout of the labels and drawing calls; nothing is rasterised."""
    use_virtual_display()
    return [_row(robot) for robot in ROBOTS]


def _row(robot: str) -> Row:
    command = [sys.executable, "-m", "tests.benchmarks.overlays_run", robot]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=180)
    if done.returncode != 0:
        raise RuntimeError((done.stderr.strip().splitlines() or ["the window closed without a word"])[-1])
    seen = json.loads(done.stdout.splitlines()[-1])
    return Row(
        f"GUI thread per frame of {robot}, all {seen['overlays']} overlays, rasterising excluded",
        seconds(seen["all"]),
        f"{seconds(seen['none'])} without overlays",
        bar="under 4 ms",
        passed=seen["all"] < 0.004,
    )
