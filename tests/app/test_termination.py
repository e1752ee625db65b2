"""A signal that ends the program, whatever it is doing just then."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.time_limits import PROCESS

ROOT = Path(__file__).resolve().parents[2]
DURING_A_PAINT = """
import os, signal
from PySide6.QtCore import QEvent, QObject, QTimer
from armature.app import application
from armature.app.state.jobs import JobRunner

class Paint(QObject):
    painted = 0

    def eventFilter(self, widget, event):
        if event.type() == QEvent.Type.Paint:
            self.painted += 1
            if self.painted == 2:
                os.kill(os.getpid(), signal.SIGTERM)
                sum(range(1000))  # where Python notices it
        return False

def prepare(window):
    bar = window.menuBar()
    window.paint = Paint()
    bar.installEventFilter(window.paint)
    again = QTimer(window)
    again.timeout.connect(bar.update)
    again.start(50)
    return JobRunner("nothing", window)

application._prepare_engine = prepare
print("ended with", application.run("scara"))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_a_signal_during_a_paint_closes_the_window_after_it(tmp_path):
    environment = os.environ | {"PYTHONPATH": str(ROOT), "XDG_CONFIG_HOME": str(tmp_path), "PYTHONFAULTHANDLER": "1"}
    done = subprocess.run(
        [sys.executable, "-c", DURING_A_PAINT], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=PROCESS
    )
    assert (done.returncode, done.stdout) == (0, "ended with 0\n"), done.stderr[-2000:]
