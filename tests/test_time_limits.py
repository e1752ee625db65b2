"""Limits that grow with the time this machine takes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from itertools import count
from pathlib import Path

import pytest

from tests import time_limits
from tests.time_limits import NAME, PROCESS, wait_until

ROOT = Path(__file__).resolve().parents[1]


def python(*arguments, **environment) -> subprocess.CompletedProcess:
    command = [sys.executable, *map(str, arguments)]
    clean = {name: value for name, value in os.environ.items() if name != "PYTEST_XDIST_WORKER"}
    return subprocess.run(command, cwd=ROOT, env=clean | environment, capture_output=True, text=True, timeout=PROCESS)


def test_the_factor_is_measured_unless_it_was_handed_on():
    assert python("-m", "tests.time_limits", **{NAME: "4"}).stdout == "4\n"
    assert 1 <= int(python("-m", "tests.time_limits", **{NAME: ""}).stdout) <= time_limits.LARGEST


def test_what_is_waited_for_is_returned_and_a_failure_tells_the_state(monkeypatch):
    numbers = count()
    assert wait_until(lambda: (k := next(numbers)) > 3 and k) == 4
    monkeypatch.setattr(time_limits, "WAIT", 0)
    with pytest.raises(AssertionError, match="waited 0 s: nothing heard"):
        wait_until(lambda: None, lambda: "nothing heard")


@pytest.mark.timeout(30)
def test_the_limits_of_tests_are_multiplied(request):
    assert time_limits.of_test(request.node) == 30 * time_limits.FACTOR
    assert time_limits.TEST == 120 * time_limits.FACTOR


HANGS = """import pytest
@pytest.mark.timeout(1)
def test_that_hangs():
    while True:
        pass
"""


def test_a_test_that_hangs_ends_its_process_with_its_line(tmp_path):
    """With two workers, too, whose output pytest captures."""
    (tmp_path / "test_hangs.py").write_text(HANGS)
    for workers in ("0", "1"):
        command = ["-m", "pytest", "-n", workers, "--max-worker-restart", "0", "-c", ROOT / "pyproject.toml", "--rootdir", ROOT]
        plugins = ["-p", "no:cacheprovider", "-p", "tests.conftest"]
        done = python(*command, *plugins, tmp_path / "test_hangs.py", **{NAME: "1", "ARMATURE_DISPLAY": "keep"})
        assert done.returncode == 1 and 'test_hangs.py", line' in done.stderr, done.stdout + done.stderr


IMPATIENT = """import os
from tests import time_limits
if "PYTEST_XDIST_WORKER" in os.environ:
    time_limits.CLEAN_UP = 1e-6
"""


def test_a_worker_that_waits_for_the_others_is_not_ended(tmp_path):
    (tmp_path / "test_passes.py").write_text("def test_passes():\n    pass\n")
    (tmp_path / "impatient.py").write_text(IMPATIENT)
    command = ["-m", "pytest", "-n", "1", "--max-worker-restart", "0", "-c", ROOT / "pyproject.toml", "--rootdir", ROOT]
    plugins = ["-p", "no:cacheprovider", "-p", "tests.conftest", "-p", "impatient"]
    paths = os.pathsep.join([str(tmp_path), str(ROOT)])
    done = python(*command, *plugins, tmp_path / "test_passes.py", PYTHONPATH=paths, ARMATURE_DISPLAY="keep")
    assert done.returncode == 0 and "Timeout" not in done.stderr, done.stdout + done.stderr


def test_an_interrupt_is_heard():
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_so_it_is_on_a_slow_machine_in_the_background_of_a_script():
    ignoring = "import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_IGN); os.execv(sys.executable, sys.argv[1:])"
    tests = ["-k", "are_multiplied or is_heard", __file__]
    pytest_run = [sys.executable, "-m", "pytest", "-n", "0", "-p", "no:cacheprovider", *tests]
    done = python("-c", ignoring, *pytest_run, **{NAME: "12", "ARMATURE_DISPLAY": "keep"})
    assert "2 passed" in done.stdout, done.stdout + done.stderr
