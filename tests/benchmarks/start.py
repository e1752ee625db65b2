"""Time in s from the command to the first picture, a moving joint and a usable tool gizmo, with and without compiled kernels."""

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

# The program itself; only this is added: from when its event loop begins, turn a joint by a key until the arm in the 3D view
# follows, or wait until a hand on the tool is possible, and print when that and the first picture were on the screen.
PROGRAM = """
import os, sys, time
import armature.app.cli
from PySide6.QtCore import QTimer, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

enter_loop = QApplication.exec
frames, started, until = [], float(sys.argv[1]), sys.argv[2]

def watch_and_enter(*_):
    window = next(widget for widget in QApplication.topLevelWidgets() if hasattr(widget, "scene"))
    slider, before = window.findChild(QWidget, "joint_slider_joint1"), window.scene.X_WT.tolist()
    turned = []

    def frame():
        frames.append(time.time() - started)
        if turned and until == "turn":
            report()

    def look():
        if frames and until == "turn" and not turned:
            QTest.keyClick(slider, Qt.Key.Key_Right)
            if window.scene.X_WT.tolist() != before:
                turned.append(True)
        elif frames and until == "hand" and window.scene.gizmo.look.shown:
            frames.append(time.time() - started)
            report()

    window.scene.frameSwapped.connect(frame)
    timer = QTimer(window, interval=20)
    timer.timeout.connect(look)
    timer.start()
    window.actions_["gizmo"].setChecked(True)
    return enter_loop()

def report():
    print(frames[0], frames[-1], flush=True)
    os._exit(0)

QApplication.exec = watch_and_enter
sys.exit(armature.app.cli.main([]))
"""


def rows() -> list[Row]:
    """Median of some warm starts, and starts with an empty cache folder."""
    use_virtual_display()
    with tempfile.TemporaryDirectory() as settings:
        environment = {**os.environ, "XDG_CONFIG_HOME": settings}
        _start(environment, "hand")
        warm = [_start(environment, "turn") for _ in range(STARTS)]
        warm_hand = median(_waited(_start(environment, "hand")) for _ in range(STARTS))
        cold, cold_hand = _cold(environment, "turn"), _waited(_cold(environment, "hand"))
    first, waited = median(frame for frame, _ in warm), median(map(_waited, warm))
    return [
        Row("warm start to first frame", seconds(first), bar="under 2 s", passed=first < 2),
        Row("first start ever (no kernel compiled) to first frame", seconds(cold[0]), bar="under 3 s", passed=cold[0] < 3),
        Row(
            "from window to an arm whose joints turn, first start ever over warm start",
            seconds(_waited(cold)),
            f"{seconds(waited)} warm",
            _waited(cold) / waited,
        ),
        Row("from window to a hand on the tool, first start ever", seconds(cold_hand), f"{seconds(warm_hand)} warm"),
    ]


def _cold(environment: dict[str, str], until: str) -> tuple[float, float]:
    with tempfile.TemporaryDirectory() as cache:
        return _start({**environment, "XDG_CACHE_HOME": cache}, until)


def _waited(times: tuple[float, float]) -> float:
    first, then = times
    return then - first


def _start(environment: dict[str, str], until: str) -> tuple[float, float]:
    """Seconds from the command to the first frame, and until `turn` or `hand` is on the screen."""
    command = [sys.executable, "-c", PROGRAM, str(time.time()), until]
    try:
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=LONGEST)
    except subprocess.TimeoutExpired:
        raise RuntimeError(f"the window had no {until} within {LONGEST} s") from None
    if done.returncode != 0 or not done.stdout.strip():
        last = (done.stderr.strip().splitlines() or ["nothing printed"])[-1]
        raise RuntimeError(f"the window had no {until}: {last}")
    first, then = map(float, done.stdout.split()[-2:])
    return first, then
