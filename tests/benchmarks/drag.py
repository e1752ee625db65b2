"""Dragging the hand in the real window: from the event to the frame that shows it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from tests.benchmarks.row import Row, seconds
from tests.virtual_display import use_virtual_display

ROOT = Path(__file__).resolve().parents[2]
FRAMES = 15


def rows() -> list[Row]:
    """Latency from a mouse event to the swapped frame, what of it the program spends on the event, and frames per second."""
    use_virtual_display()
    command = [sys.executable, "-m", "tests.benchmarks.drag_run"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)
    if done.returncode != 0:
        raise RuntimeError((done.stderr.strip().splitlines() or ["the window closed without a word"])[-1])
    seen = json.loads(done.stdout.splitlines()[-1])
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
