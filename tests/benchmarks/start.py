"""From the command to the first picture on the screen and to an arm that can be dragged: with kernels compiled, and without."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from tests.benchmarks.row import Row, seconds
from tests.virtual_display import use_virtual_display

ROOT = Path(__file__).resolve().parents[2]
STARTS = 5
LONGEST = 300  # s

# The program itself; only this is added: when its event loop begins, watch the 3D view for the first picture on the screen, or
# have the window say when a hand on the arm is possible.
PROGRAM = """
import os, sys, time
import armature.app.cli
from PySide6.QtWidgets import QApplication

enter_loop = QApplication.exec

def watch_and_enter(*_):
    if sys.argv[2] == "frame":
        view = next(widget for widget in QApplication.allWidgets() if widget.objectName() == "scene_view")
        view.frameSwapped.connect(report)
    else:
        window = next(widget for widget in QApplication.topLevelWidgets() if hasattr(widget, "bench"))
        window.bench.startup.draggable.connect(report)
    return enter_loop()

def report():
    print(time.time() - float(sys.argv[1]), flush=True)
    os._exit(0)

QApplication.exec = watch_and_enter
sys.exit(armature.app.cli.main([]))
"""


def rows() -> list[Row]:
    """Median of some warm starts, and starts with an empty cache folder."""
    use_virtual_display()
    with tempfile.TemporaryDirectory() as settings:
        environment = {**os.environ, "XDG_CONFIG_HOME": settings}
        _start(environment)
        warm = median(_start(environment) for _ in range(STARTS))
        warm_drag = median(_start(environment, "drag") for _ in range(STARTS))
        with tempfile.TemporaryDirectory() as cache:
            cold = _start({**environment, "XDG_CACHE_HOME": cache})
        with tempfile.TemporaryDirectory() as cache:
            cold_drag = _start({**environment, "XDG_CACHE_HOME": cache}, "drag") - cold
    return [
        Row("warm start to first frame", seconds(warm), bar="under 2 s", passed=warm < 2),
        Row("first start ever (no kernel compiled) to first frame", seconds(cold), bar="under 3 s", passed=cold < 3),
        Row("warm start to draggable arm", seconds(warm_drag)),
        Row("first start ever, from window to draggable arm", seconds(cold_drag), bar="20 s", passed=cold_drag < 20),
    ]


def _start(environment: dict[str, str], until: str = "frame") -> float:
    command = [sys.executable, "-c", PROGRAM, str(time.time()), until]
    try:
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=LONGEST)
    except subprocess.TimeoutExpired:
        raise RuntimeError(f"the window had no {until} within {LONGEST} s") from None
    if done.returncode != 0 or not done.stdout.strip():
        last = (done.stderr.strip().splitlines() or ["nothing printed"])[-1]
        raise RuntimeError(f"the window had no {until}: {last}")
    return float(done.stdout.split()[-1])
