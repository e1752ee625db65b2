"""Background jobs, fault reports, and the ring of samples."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
import threading
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from armature.app.plots.plot_history import TERMS, History
from armature.app.state.edits.pose_edit import next_gesture
from armature.app.state.jobs import JobRunner
from armature.app.window.fault_dialog import FaultDialog
from armature.app.window.faults import FaultReporter
from armature.engine import EngineError
from armature.engine.errors import KernelsAwaitedError
from tests.time_limits import PROCESS

ROOT = Path(__file__).resolve().parents[2]


def test_the_latest_request_wins(qtbot):
    runner, gate, results = JobRunner("test"), threading.Event(), []
    runner.finished.connect(results.append)
    runner.start(lambda job: (gate.wait(5), "old")[1])
    runner.start(lambda job: "new")
    gate.set()
    qtbot.waitUntil(lambda: results == ["new"])
    qtbot.wait(50)
    assert results == ["new"] and not runner.busy
    runner.stop()


def test_cancel_drops_and_finish_early_keeps(qtbot):
    def work(job):
        while not job.cancelled():
            threading.Event().wait(0.005)
        return "part"

    runner, results = JobRunner("test"), []
    runner.finished.connect(results.append)
    runner.start(work)
    runner.cancel()
    qtbot.wait(60)
    assert results == []
    runner.start(work)
    runner.finish_early()
    qtbot.waitUntil(lambda: results == ["part"])
    runner.stop()


def test_a_job_that_raises_cancelled_has_no_result_and_no_fault(qtbot):
    def work(job):
        while True:
            threading.Event().wait(0.005)
            job.check()

    runner, results, texts = JobRunner("test"), [], []
    runner.finished.connect(results.append)
    runner.failed.connect(texts.append)
    runner.start(work)
    runner.finish_early()
    qtbot.waitUntil(lambda: results == [None])
    assert texts == [] and not runner.busy
    runner.stop()


def test_an_engine_error_is_a_message(qtbot):
    def work(job):
        raise EngineError("no such quantity")

    runner, texts = JobRunner("test"), []
    runner.failed.connect(texts.append)
    runner.start(work)
    qtbot.waitUntil(lambda: texts == ["no such quantity"])
    runner.stop()


def test_faults_are_told_once_per_kind_and_logged(qtbot, tmp_path):
    reporter, told = FaultReporter(tmp_path / "log" / "faults.log"), []
    reporter.fault.connect(told.append)
    reporter.install()
    try:
        for _ in range(3):
            thread = threading.Thread(target=lambda: 1 / 0, name="worker")
            thread.start()
            thread.join()
        qtbot.waitUntil(lambda: len(told) == 1)
        try:
            raise KeyError("two\nlines")
        except KeyError:
            sys.excepthook(*sys.exc_info())
        qtbot.waitUntil(lambda: len(told) == 2)
    finally:
        reporter.uninstall()
    assert "thread worker" in told[0].line and "\n" not in told[1].line
    assert (tmp_path / "log" / "faults.log").read_text().count("---") >= 4
    dialog = FaultDialog(told[0])
    dialog.show()
    assert "ZeroDivisionError" in dialog._details.toPlainText()
    dialog.close()


def test_a_kernel_that_is_still_being_compiled_is_no_fault(qtbot, tmp_path):
    reporter, faults, refusals = FaultReporter(tmp_path / "faults.log"), [], []
    reporter.fault.connect(faults.append)
    reporter.refused.connect(refusals.append)
    reporter.install()
    try:
        sys.excepthook(KernelsAwaitedError, KernelsAwaitedError("kernels are still being compiled"), None)
    finally:
        reporter.uninstall()
    assert refusals == ["kernels are still being compiled"] and not faults and not (tmp_path / "faults.log").exists()


def sample(t: float, q: float, running: bool = True) -> SimpleNamespace:
    """A snapshot of an arm of one joint at rest."""
    rest = np.zeros(1)
    names = (
        "q_desired",
        "qd_desired",
        "qdd_desired",
        "tool_desired",
        "ledger",
        "law",
        "q_measured",
        "qd_measured",
        "tau_measured",
    )
    rates = {"qd": rest, "qdd": rest, "tau": rest, "tau_terms": dict.fromkeys(TERMS, rest)}
    return SimpleNamespace(t=t, running=running, q=np.array([q]), kinetic=1.0, potential=2.0, **rates, **dict.fromkeys(names))


def test_history_keeps_the_last_samples_and_restarts_when_time_does():
    history = History(1, capacity=8)
    for k in range(30):
        history.append(sample(0.1 * k, k), 0.5)
    assert np.allclose(history.get("q")[:, 0], np.arange(22, 30)) and np.allclose(history.t, 0.1 * np.arange(22, 30))
    assert np.allclose(history.get("energy"), [1.0, 2.0, 3.0])
    assert history.get("q_desired") is None and history.get("work") is None
    history.append(sample(0.0, 5), 0.5)
    assert len(history) == 1


def test_how_the_tool_moved_is_computed_once_and_only_when_it_is_wanted():
    asked = []

    def tool_motion(q, qd, qdd):
        asked.append(q[:, 0].tolist())
        return np.hstack([q, q, q]), np.hstack([qd, qd, qd]), np.hstack([qdd, qdd, qdd])

    history = History(1, capacity=4, tool_motion=tool_motion)
    for k in range(6):
        history.append(sample(0.1 * k, k), 0.5)
    assert not asked
    assert history.get("tool")[:, 2].tolist() == [2, 3, 4, 5] and history.get("tool_velocity").tolist() == [[0] * 3] * 4
    for k in range(6, 9):  # the ring begins anew in between
        history.append(sample(0.1 * k, k), 0.5)
    assert history.frozen().get("tool")[:, 0].tolist() == history.get("tool")[:, 0].tolist() == [5, 6, 7, 8]
    assert asked == [[2, 3, 4, 5], [6, 7, 8], [6, 7, 8]] and history.get("tool_velocity_desired") is None


def test_posing_while_the_run_is_paused_is_no_part_of_its_curves():
    history = History(1)
    for t, q, running in ((0.0, 1, True), (0.1, 2, True), (0.2, 3, False), (0.2, 7, False), (0.2, 7, True)):
        history.append(sample(t, q, running), 0.5)
    assert np.allclose(history.get("q")[:, 0], [1, 2, 3, 7])


def test_gestures_are_never_the_same_twice():
    assert len({next_gesture() for _ in range(1000)}) == 1000


def test_a_thread_that_may_not_give_way_computes_all_the_same(qtbot, monkeypatch):
    def refused(*_):
        raise OSError(errno.ENOSYS, "Function not implemented")

    monkeypatch.setattr(os, "setpriority", refused, raising=False)
    runner, results = JobRunner("test"), []
    runner.finished.connect(results.append)
    runner.start(lambda job: "there")
    qtbot.waitUntil(lambda: results == ["there"])
    runner.stop()


NICE_PROGRAM = """
import os
from PySide6.QtCore import QCoreApplication, QTimer
from armature.app.state.jobs import JobRunner
app, runner = QCoreApplication([]), JobRunner("test")
for signal in (runner.finished, runner.failed):
    signal.connect(lambda told: (print("told", told), app.quit()))
runner.start(lambda job: os.getpriority(os.PRIO_PROCESS, 0))
QTimer.singleShot(20_000, app.quit)
app.exec()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="threads have no priority of their own elsewhere")
def test_a_program_started_with_nice_still_computes():
    """Without the right to raise a priority, which root has unless it gives it up."""
    without_right = ["setpriv", "--bounding-set=-sys_nice"] if os.geteuid() == 0 else []
    if without_right and shutil.which("setpriv") is None:
        pytest.skip("root cannot give up its rights here")
    command = [*without_right, "nice", "-n", "11", sys.executable, "-c", NICE_PROGRAM]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=PROCESS)
    assert done.stdout == "told 11\n" and not done.stderr, done
