"""Code of the user that does not return: after the limit one line says file and line, and the caller goes on."""

from __future__ import annotations

import subprocess
import sys
import threading
import time

import numpy as np
import pytest

from armature import engine
from armature.engine.control.own_law.call_limit import VARIABLE
from tests.time_limits import PROCESS

LIMIT = "0.4"

ENDLESS = """def control(t, q, qd, goal, arm, p):
    if t > 0.0045:
        while True: pass
    return 0 * q
"""
SWALLOWS = """def control(t, q, qd, goal, arm, p):
    stop = []
    while not stop:
        try:
            x = 1 / 0
        except Exception:
            pass
"""
SLEEPS = """import time
def control(t, q, qd, goal, arm, p):
    time.sleep(1e6)
"""
NESTED = """def turn(x):
    y = x
    for i in range(2000000000):
        for j in range(2000000000):
            y = y * 0.5 + j
    return y
def control(t, q, qd, goal, arm, p):
    if t > 0.0045 and q[0] < 10.0:
        return q * turn(t)
    return 0 * q
"""


@pytest.fixture(autouse=True)
def short(monkeypatch):
    monkeypatch.setenv(VARIABLE, LIMIT)


@pytest.fixture
def robot():
    return engine.load_robot("double_pendulum")


def written(tmp_path, text, name="my_law.py"):
    path = tmp_path / name
    path.write_text(text)
    return path


@pytest.mark.parametrize(("text", "lines"), [(ENDLESS, {3}), (SWALLOWS, {3, 4, 5, 6, 7}), (SLEEPS, {3})])
def test_a_law_that_does_not_return_is_named_with_its_line(robot, tmp_path, text, lines):
    path = written(tmp_path, text)
    with pytest.raises(engine.LawTimeoutError) as caught:
        engine.simulate(robot, [0, 0], None, 0.1, 1e-3, engine.load_law(path))
    assert caught.value.line in lines and caught.value.path == str(path)
    assert str(caught.value) == f"control in my_law.py did not return within 0.4 s, line {caught.value.line}"
    assert isinstance(caught.value, engine.EngineError)


def test_a_compiled_law_ends_and_is_named_as_it_is_in_python(robot, tmp_path, monkeypatch):
    monkeypatch.setattr("armature.engine.control.own_law.compiled_law._MOST_TURNS", 1_000_000)
    law = engine.load_law(written(tmp_path, NESTED), compiled=True)
    assert law.begin(robot).compiled
    with pytest.raises(engine.LawTimeoutError, match=r"control in my_law.py did not return within 0.4 s, line [345]$"):
        engine.simulate(robot, [0, 0], None, 0.1, 1e-3, law)


def test_disturbance_trajectory_function_and_file_are_limited_too(robot, tmp_path):
    push = written(tmp_path, "def disturbance(t, q, qd, p):\n    while True:\n        pass\n", "push.py")
    with pytest.raises(engine.LawTimeoutError, match=r"disturbance in push.py did not return within 0.4 s, line [23]$"):
        engine.simulate(robot, [0, 0], None, 0.1, 1e-3, disturbance=engine.load_disturbance(push))
    swing = written(tmp_path, "def trajectory(t, p):\n    while True:\n        pass\ntrajectory.duration = 1.0\n", "swing.py")
    with pytest.raises(engine.LawTimeoutError, match=r"trajectory in swing.py did not return within 0.4 s, line [23]$"):
        engine.own_trajectory(swing, 2)
    with pytest.raises(engine.LawTimeoutError, match=r"top-level code in loop.py did not return within 0.4 s, line [12]$"):
        engine.load_law(written(tmp_path, "while True:\n    pass\n", "loop.py"))

    def endless(t, q, qd):
        while True:
            pass

    with pytest.raises(engine.LawTimeoutError, match=r"endless in test_call_limit.py did not return within 0.4 s, line \d+$"):
        engine.simulate(robot, [0, 0], None, 0.1, 1e-3, endless)


def test_a_call_in_another_thread_is_ended_there(robot, tmp_path):
    law, found = engine.load_law(written(tmp_path, ENDLESS)), []

    def work():
        try:
            engine.simulate(robot, [0, 0], None, 0.1, 1e-3, law)
        except engine.LawTimeoutError as error:
            found.append(error.line)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert found == [3]


def test_nothing_is_left_behind(robot, tmp_path):
    with pytest.raises(engine.LawTimeoutError):
        engine.simulate(robot, [0, 0], None, 0.1, 1e-3, engine.load_law(written(tmp_path, SLEEPS)))
    run = engine.simulate(robot, [0, 0], None, 0.02, 1e-3, lambda t, q, qd: 0 * q)
    assert np.isfinite(run.q).all() and len(run) == 21


TRACED = """import sys
from armature import engine
robot = engine.load_robot("double_pendulum")
try:
    engine.simulate(robot, [0, 0], None, 0.1, 1e-3, engine.load_law(sys.argv[1]))
except engine.LawTimeoutError:
    sys.settrace(lambda *_: None)
    print((lambda: "traced")())
"""


@pytest.mark.parametrize("text", [ENDLESS, SWALLOWS, SLEEPS])
def test_functions_can_be_traced_after_a_call_was_ended(tmp_path, text):
    """A flag that CPython 3.11 leaves set for an interrupt that is deleted keeps every traced function from starting."""
    command = [sys.executable, "-c", TRACED, str(written(tmp_path, text))]
    assert subprocess.run(command, capture_output=True, text=True, timeout=PROCESS, check=True).stdout == "traced\n"


OFTEN = """import sys
from armature import engine
robot = engine.load_robot("double_pendulum")
law = engine.load_law(sys.argv[1])
for _ in range(150):
    try:
        engine.simulate(robot, [0, 0], None, 0.1, 1e-3, law)
    except engine.LawTimeoutError:
        pass
print("done")
"""


@pytest.mark.parametrize("text", [SLEEPS, ENDLESS])
def test_no_interrupt_reaches_the_caller(tmp_path, text, monkeypatch):
    """In a process of its own, since an interrupt that comes late would end the tests' process."""
    monkeypatch.setenv(VARIABLE, "0.01")
    command = [sys.executable, "-c", OFTEN, str(written(tmp_path, text))]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PROCESS, check=False)
    assert (done.stdout, done.returncode) == ("done\n", 0), done.stderr[-2000:]


def test_a_limit_of_zero_lets_a_call_take_its_time(robot, monkeypatch):
    monkeypatch.setenv(VARIABLE, "0")
    began = time.monotonic()

    def slow(t, q, qd):
        while t == 0.0 and time.monotonic() < began + 1.5 * float(LIMIT):
            pass
        return 0 * q

    assert len(engine.simulate(robot, [0, 0], None, 0.002, 1e-3, slow)) == 3


def test_the_command_ends_where_nothing_interrupts_the_call(tmp_path, monkeypatch):
    monkeypatch.setenv(VARIABLE, "2")  # time for a busy machine to start the thread, outside of the `try`
    path = written(
        tmp_path,
        "import threading\ndef control(t, q, qd, goal, arm, p):\n"
        "    work = threading.Thread(target=hold, daemon=True)\n"
        "    work.start()\n    while True:\n        try:\n            work.join()\n"
        "        except BaseException:\n            pass\n"
        "def hold():\n    threading.Event().wait()\n",
    )
    command = [sys.executable, "-m", "armature", "simulate", "double_pendulum", "--duration", "0.1", "--controller", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.splitlines() == ["armature: control in my_law.py did not return within 2 s, line 7"]
