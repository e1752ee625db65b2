"""Own laws in processes of their own: whatever they do, the simulation goes on, and no process is left."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from armature import engine
from armature.engine.control.own_law.host.hosted_law import HostedRun, LawHost, State
from armature.engine.control.own_law.host.law_process import Source
from armature.engine.control.own_law.host.nursery import Nursery
from armature.engine.control.own_law.own_law import law_from_text
from armature.engine.errors import LawError
from armature.engine.simulation.live.simulation_worker import SimulationWorker
from armature.engine.simulation.simulation_event import EventKind
from armature.engine.simulation.stepper import Stepper
from tests.time_limits import wait_until

GOOD = """
def control(t, q, qd, goal, arm, p):
    p.memory["calls"] = p.memory.get("calls", 0) + 1
    p.log["e"], p.log["calls"] = goal.q - q, p.memory["calls"]
    return p.kp * (goal.q - q) - p.kd * qd + arm.gravity(q)
control.p = {"kp": (0, 400, 100), "kd": (0, 60, 20)}
control.period = 0.001
"""
_DEF = "def control(t, q, qd, goal, arm, p):\n"
BROKEN = {
    "syntax": ("def control(:\n", 1),
    "exception": (_DEF + "    return q + nothing\n", 2),
    "not a number": (_DEF + "    return q * float('nan')\n", 2),
    "shape": (_DEF + "    return 1.0, 2.0\n", 2),
    "exit": (_DEF + "    import os\n    os._exit(3)\n", None),
    "leave": ("import sys\nsys.exit(2)\n", 2),
    "crash": ("import ctypes\n" + _DEF + "    return ctypes.string_at(0)\n", 3),
    "loop": (_DEF + "    while True:\n        t += 1\n", (2, 3)),
}


@pytest.fixture(scope="module")
def robot():
    return engine.load_robot("panda")


@pytest.fixture(scope="module")
def host(robot):
    host = LawHost()
    host.prepare(robot)
    yield host
    host.close()


@pytest.fixture
def worker(robot):
    worker = SimulationWorker(robot, robot.configurations["home"])
    worker.start()
    yield worker
    assert worker.stop()


def state_of(robot):
    q = robot.configurations["home"]
    return State(0.0, q, np.zeros(robot.n), np.concatenate([q, np.zeros(3 * robot.n)]))


def made(host, robot, text=GOOD, before=None, path="law.py"):
    return host.ready(Source(text, "law", path), robot, state_of(robot), before)


def snapshot(worker, true):
    """The first snapshot from now on that is as wanted."""
    return wait_until(lambda: (one := worker.mailbox.take()) is not None and true(one) and one)


@pytest.mark.parametrize("what", BROKEN)
def test_a_version_that_fails_never_takes_over_and_names_its_line(host, robot, what):
    text, line = BROKEN[what]
    with pytest.raises(LawError) as caught:
        made(host, robot, text)
    assert caught.value.path == "law.py"
    assert caught.value.line in (line if isinstance(line, tuple) else (line,))
    assert "law.py" in str(caught.value) and "\n" not in str(caught.value)


def test_the_law_in_its_process_is_the_law_here(host, robot):
    here = law_from_text(GOOD, "law").begin(robot)
    there = made(host, robot).begin(robot)
    rng = np.random.default_rng(1)
    for k in range(50):
        q, qd, reference = rng.normal(size=7), rng.normal(size=7), rng.normal(size=28)
        np.testing.assert_array_equal(there.torque(k * 1e-3, q, qd, reference), here.torque(k * 1e-3, q, qd, reference))
        np.testing.assert_array_equal(there.log["e"], here.log["e"])
        assert there.log["calls"] == k + 1 == here.log["calls"]


def test_where_the_system_cannot_fork_a_spare_process_is_kept(robot):
    host = LawHost(forks=False)
    try:
        law = made(host, robot)
        tau = law.begin(robot).torque(*state_of(robot))
        np.testing.assert_allclose(tau, engine.gravity_torque(robot, robot.configurations["home"]), atol=1e-9)
        with pytest.raises(LawError, match="line 2"):
            made(host, robot, BROKEN["exception"][0])
    finally:
        host.close()


PLAIN = """
import numpy as np
def control(t, q, qd, goal, arm, p):
    e = goal.q - q
    p.log["e"] = e
    return p.kp * e - p.kd * qd + arm.gravity(q)
control.p = {"kp": (0, 400, 100), "kd": (0, 60, 2)}
control.period = 0.001
"""


def test_what_numba_can_compile_takes_over_compiled_and_comes_out_the_same(host, robot, worker, tmp_path):
    law = made(host, robot, PLAIN)
    compiled = host.compiled(law, robot, state_of(robot))
    why = host.compiled(made(host, robot, PLAIN.replace("goal.q - q", "np.nan_to_num(goal.q - q)")), robot, state_of(robot))
    assert compiled.compiled and not law.compiled and isinstance(why, str) and "line" in why
    worker.start_recording(tmp_path / "run.npz")
    worker.set_controller(law)
    worker.run()
    snapshot(worker, lambda s: s.law is not None and s.t > 0.1 and not s.law.compiled)
    worker.set_controller(compiled)
    t = snapshot(worker, lambda s: s.law.compiled).t
    snapshot(worker, lambda s: s.t > t + 0.1)
    worker.stop_recording()
    recording = wait_until(lambda: _read(tmp_path / "run.npz"))
    again = engine.resimulate(recording, robot, allow_code=True)
    np.testing.assert_array_equal(again.q, recording.q)
    np.testing.assert_array_equal(again.tau, recording.tau)


def test_a_new_version_takes_over_with_the_memory_and_sliders_act(host, robot, worker):
    law = made(host, robot)
    worker.set_controller(law)
    worker.run()
    first = snapshot(worker, lambda s: s.law is not None and s.law.log.get("calls", 0) > 100)
    later = made(host, robot, GOOD.replace("p.kd * qd", "2 * p.kd * qd"), law)
    worker.set_controller(later)
    after = snapshot(worker, lambda s: s.law is not None and s.law.controller is later)
    assert after.law.log["calls"] > first.law.log["calls"] and after.running
    softer = replace_values(later, kp=7.0)
    worker.set_controller(softer)
    snapshot(worker, lambda s: s.law.controller is softer and s.law.log["calls"] > after.law.log["calls"])
    assert worker.events.empty()


def replace_values(law, **values):
    return replace(law, values={**law.values, **values})


@pytest.mark.parametrize("what", ["exception", "not a number", "shape", "exit", "loop"])
def test_a_fault_while_running_pauses_the_arm_and_keeps_every_step(host, robot, worker, tmp_path, what):
    body = BROKEN[what][0].removeprefix(_DEF)
    text = GOOD.replace(
        "    return p.kp", "    if t >= 0.2:\n" + "".join(f"    {row}\n" for row in body.splitlines()) + "    return p.kp"
    )
    worker.start_recording(tmp_path / "run.npz")
    worker.set_controller(made(host, robot, text))
    worker.run()
    event = wait_until(lambda: next((e for e in _drained(worker) if e.kind is EventKind.LAW), None))
    assert "law.py" in event.text and event.t == pytest.approx(0.2)
    assert what == "exit" or text.splitlines()[event.line - 1].strip() in body
    assert not snapshot(worker, lambda s: not s.running).running
    worker.stop_recording()
    wait_until(lambda: (tmp_path / "run.npz").exists())
    recording = wait_until(lambda: _read(tmp_path / "run.npz"))
    np.testing.assert_allclose(recording.t, np.arange(len(recording.t)) * 1e-3, atol=1e-9)
    assert recording.t[-1] == pytest.approx(0.2)
    worker.set_controller(made(host, robot))  # what is mended goes on
    worker.run()
    calls = snapshot(worker, lambda s: s.running and s.t > 0.25).law.log["calls"]
    assert (calls > 200) == (what not in ("exit", "loop"))  # whose memory went with their process


def test_a_recorded_run_with_reloads_and_sliders_comes_out_the_same_bit_for_bit(host, robot, worker, tmp_path):
    """Begun while the law is at work, so that its memory is in the recording."""
    text = GOOD.replace(
        "    return p.kp", "    p.memory['i'] = p.memory.get('i', 0 * q) + 1e-3 * (goal.q - q)\n    return p.memory['i'] + p.kp"
    )
    law = made(host, robot, text)
    worker.set_controller(law)
    worker.run()
    snapshot(worker, lambda s: s.law is not None and s.law.log.get("calls", 0) > 50)
    worker.start_recording(tmp_path / "run.npz")
    later = made(host, robot, text.replace("p.kd * qd", "1.5 * p.kd * qd"), law)
    for one in (later, replace_values(later, kp=37.5)):
        worker.set_controller(one)
        t = snapshot(worker, lambda s, one=one: s.law.controller is one).t
        snapshot(worker, lambda s, t=t: s.t > t + 0.1)
    worker.stop_recording()
    recording = wait_until(lambda: _read(tmp_path / "run.npz"))
    again = engine.resimulate(recording, robot, allow_code=True)
    np.testing.assert_array_equal(again.q, recording.q)
    np.testing.assert_array_equal(again.tau, recording.tau)
    with pytest.raises(engine.RecordingError, match="Python code"):
        engine.resimulate(recording, robot)


def _drained(worker):
    while not worker.events.empty():
        yield worker.events.get_nowait()


def _read(path):
    try:
        return engine.load_recording(path)
    except engine.EngineError:
        return None


@pytest.mark.parametrize("period", [0.001, 0.01])
def test_a_slow_law_keeps_its_period_and_time_runs_slower(host, robot, worker, tmp_path, period):
    """However long a call takes, it moves the arm as it does without a clock; the arm still does at once what it is told."""
    text = GOOD.replace("    return p.kp", "    import time\n    time.sleep(0.02)\n    return p.kp")
    text = text.replace("control.period = 0.001", f"control.period = {period}")
    law, batches = made(host, robot, text), []
    worker.set_controller(law)
    advance = Stepper.advance
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Stepper, "advance", lambda self, steps: batches.append(steps) or advance(self, steps))
        worker.start_recording(tmp_path / "slow.npz")
        worker.run()
        reading = snapshot(worker, lambda s: s.law is not None and s.law.log.get("calls", 0) > 40)
        worker.pause()
        snapshot(worker, lambda s: not s.running)
        worker.stop_recording()
        wait_until(lambda: (tmp_path / "slow.npz").exists())
    assert max(batches) <= round(period / reading.dt)  # one call in each, from the first on
    assert reading.law.period == period and reading.law.seconds > 0.02
    assert 0 < reading.real_time_factor < 1.1 * period / 0.02
    recording = engine.load_recording(tmp_path / "slow.npz")
    assert not [event for event in recording.metadata["events"] if "controller" in event]
    calls = np.unique(recording.log["calls"])
    assert len(recording) >= (len(calls) - 2) * round(period / reading.dt)


def test_a_slow_law_is_not_called_once_more_for_each_picture(host, robot, worker):
    text = GOOD.replace("    return p.kp", "    import time\n    time.sleep(0.005)\n    return p.kp")
    law, trials = made(host, robot, text), []
    trial = HostedRun.trial
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(HostedRun, "trial", lambda run, *state: trials.append(state[0]) or trial(run, *state))
        worker.set_controller(law)
        worker.run()
        reading = snapshot(worker, lambda s: s.law is not None and s.law.log.get("calls", 0) > 40)
        assert reading.running and np.isfinite(reading.tau).all() and reading.tau.any()
        assert sum(t > 0.002 for t in trials) == 0, trials
        worker.pause()
        snapshot(worker, lambda s: not s.running)
        assert trials[-1] > 0.03  # at rest it says what it would do


@pytest.mark.skipif(sys.platform != "linux", reason="the system forks")
def test_an_answer_that_comes_too_late_is_not_taken_for_the_next(monkeypatch):
    nursery = Nursery()
    try:
        number = nursery.process()[2]
        zygote = _parent(number)
        monkeypatch.setattr("armature.engine.control.own_law.host.nursery.READY", 1.0)
        last = nursery.process()[2]
        os.kill(zygote, signal.SIGSTOP)
        assert nursery.end(last) == ""
        with suppress(ProcessLookupError):
            os.kill(zygote, signal.SIGCONT)
        monkeypatch.undo()
        another = nursery.process()[2]
        assert _parent(another) != zygote and not _alive(zygote)
    finally:
        nursery.close()


def _parent(number: int) -> int:
    """Process that started another one."""
    return int(Path(f"/proc/{number}/stat").read_text().rsplit(")", 1)[1].split()[1])


def test_no_process_outlives_the_program(tmp_path):
    """Killed with a law in an endless loop."""
    script = tmp_path / "program.py"
    script.write_text(_PROGRAM)
    root = Path(__file__).resolve().parents[2]
    process = subprocess.Popen(
        [sys.executable, str(script)], stdout=subprocess.PIPE, text=True, cwd=root, env={**os.environ, "PYTHONPATH": str(root)}
    )
    numbers = [int(x) for x in process.stdout.readline().split()]
    assert len(numbers) == 2 and all(_alive(number) for number in numbers)
    process.send_signal(signal.SIGKILL)
    process.wait()
    wait_until(lambda: not any(_alive(number) for number in numbers))


def _alive(number):
    try:
        return Path(f"/proc/{number}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


_PROGRAM = """
import threading, numpy as np
from armature import engine
from armature.engine.control.own_law.host.law_process import LawProcess, Source
from armature.engine.control.own_law.host.nursery import Nursery
robot = engine.load_robot("panda")
nursery = Nursery()
text = "def control(t, q, qd, goal, arm, p):\\n    while True:\\n        pass\\n"
process = LawProcess(nursery, Source(text, "law", None), robot)
process.load({})
n = robot.n
threading.Thread(target=process.torque, args=(0.0, np.zeros(n), np.zeros(n), np.zeros(3 * n)), daemon=True).start()
print(nursery._zygote[0].pid, process._number, flush=True)
threading.Event().wait()
"""
