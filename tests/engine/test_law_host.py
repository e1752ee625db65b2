"""Own laws in processes of their own: whatever they do, the simulation goes on, and no process is left."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from armature import engine
from armature.engine.control.own_law.host import user_code_host
from armature.engine.control.own_law.host.code_process import CodeProcess
from armature.engine.control.own_law.host.code_service import Source
from armature.engine.control.own_law.host.user_code_host import State, UserCodeHost
from armature.engine.control.own_law.own_law import law_from_text
from armature.engine.errors import LawError
from armature.engine.simulation.commands import Pause, Run, SetController, StartRecording, StopRecording
from armature.engine.simulation.live.simulation_worker import SimulationWorker
from armature.engine.simulation.simulation_event import EventKind
from armature.engine.simulation.stepper import Stepper
from tests.time_limits import PROCESS, wait_until

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
HARMFUL = {
    "killed": ("os.kill(os.getpid(), signal.SIGKILL)", "its process ended: it was killed"),
    "gone, its child holds its pipes": (
        "time.sleep(20) if os.fork() == 0 else os._exit(3)",
        "its process ended: exit code 3",
    ),
    "stopped": ("os.kill(os.getpid(), signal.SIGSTOP)", "did not return within 0.5 s and was stopped"),
    "deaf": ("time.sleep(1e6)", "law.py, line 4: at t = 0 s it did not return within 0.5 s and was stopped"),
    "leaking": ("resource.setrlimit(resource.RLIMIT_AS, (1 << 32,) * 2); bytes(1 << 33)", "line 4: .*MemoryError"),
    "flooding its pipe": ("[os.write(fd, b'x' * 9999) for fd in range(3, 64) if is_socket(fd)]", "its process ended"),
    "closing all files": ("os.closerange(0, 4096)", "its process ended"),
    "shouting": ("print('x' * 1000000)", "line 4: .*returned None"),
}
_HELPERS = """import os, resource, signal, stat, time
is_socket = lambda fd: os.path.exists(f"/proc/self/fd/{fd}") and stat.S_ISSOCK(os.fstat(fd).st_mode)
"""


@pytest.fixture(scope="module")
def robot():
    return engine.load_robot("panda")


@pytest.fixture(scope="module")
def host(robot):
    host = UserCodeHost()
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
    return host.controller(Source(text, "law", path), robot, state_of(robot), before)


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


@pytest.mark.skipif(sys.platform != "linux", reason="system calls of Linux")
@pytest.mark.parametrize("what", HARMFUL)
def test_code_that_harms_its_process_is_refused_and_the_next_version_runs(host, robot, what, monkeypatch):
    monkeypatch.setattr(user_code_host, "FIRST", 0.5)
    body, message = HARMFUL[what]
    with pytest.raises(LawError, match=message):
        made(host, robot, f"{_HELPERS}{_DEF}    {body}\n")
    assert made(host, robot).begin(robot).torque(*state_of(robot)).any()


@pytest.mark.skipif(sys.platform != "linux", reason="the system forks")
def test_a_version_is_loaded_after_the_fork_server_was_killed(host, robot):
    assert made(host, robot).begin(robot).torque(*state_of(robot)).any()
    child = multiprocessing.active_children()[0]
    os.kill(int(Path(f"/proc/{child.pid}/stat").read_text().rsplit(")", 1)[1].split()[1]), signal.SIGKILL)
    assert made(host, robot).begin(robot).torque(*state_of(robot)).any()


def test_a_law_may_log_and_remember_a_lot(host, robot):
    text = GOOD.replace(
        "    return", "    p.log['all'] = p.memory['all'] = q[0] + t * p.log['calls'] * np.ones(100000)\n    return"
    )
    run = made(host, robot, "import numpy as np\n" + text).begin(robot)
    for k in range(1, 6):
        run.torque(0.5, *state_of(robot)[1:])
        np.testing.assert_array_equal(run.log["all"], robot.configurations["home"][0] + 0.5 * k)
    later = made(host, robot).begin(robot)
    later.memory = run.memory
    later.torque(*state_of(robot))
    assert later.log["calls"] == 6


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
    host = UserCodeHost("spawn")
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
    compiled = host.compile(law, robot, state_of(robot))
    why = host.compile(made(host, robot, PLAIN.replace("goal.q - q", "np.nan_to_num(goal.q - q)")), robot, state_of(robot))
    assert compiled.compiled and not law.compiled and isinstance(why, str) and "line" in why
    worker.post(StartRecording(tmp_path / "run.npz"))
    worker.post(SetController(law))
    worker.post(Run())
    snapshot(worker, lambda s: s.law is not None and s.t > 0.1 and not s.law.compiled)
    worker.post(SetController(compiled))
    t = snapshot(worker, lambda s: s.law.compiled).t
    snapshot(worker, lambda s: s.t > t + 0.1)
    worker.post(StopRecording())
    recording = wait_until(lambda: _read(tmp_path / "run.npz"))
    again = engine.resimulate(recording, robot, allow_code=True)
    np.testing.assert_array_equal(again.q, recording.q)
    np.testing.assert_array_equal(again.tau, recording.tau)


def test_a_new_version_takes_over_with_the_memory_and_sliders_act(host, robot, worker):
    law = made(host, robot)
    worker.post(SetController(law))
    worker.post(Run())
    first = snapshot(worker, lambda s: s.law is not None and s.law.log.get("calls", 0) > 100)
    later = made(host, robot, GOOD.replace("p.kd * qd", "2 * p.kd * qd"), law)
    worker.post(SetController(later))
    after = snapshot(worker, lambda s: s.law is not None and s.law.controller is later)
    assert after.law.log["calls"] > first.law.log["calls"] and after.running
    softer = replace_values(later, kp=7.0)
    worker.post(SetController(softer))
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
    worker.post(StartRecording(tmp_path / "run.npz"))
    worker.post(SetController(made(host, robot, text)))
    worker.post(Run())
    event = wait_until(lambda: next((e for e in _drained(worker) if e.kind is EventKind.LAW), None))
    assert "law.py" in event.text and event.t == pytest.approx(0.2)
    assert what == "exit" or text.splitlines()[event.line - 1].strip() in body
    assert not snapshot(worker, lambda s: not s.running).running
    worker.post(StopRecording())
    wait_until(lambda: (tmp_path / "run.npz").exists())
    recording = wait_until(lambda: _read(tmp_path / "run.npz"))
    np.testing.assert_allclose(recording.t, np.arange(len(recording.t)) * 1e-3, atol=1e-9)
    assert recording.t[-1] == pytest.approx(0.2)
    worker.post(SetController(made(host, robot)))  # what is mended goes on
    worker.post(Run())
    calls = snapshot(worker, lambda s: s.running and s.t > 0.25).law.log["calls"]
    assert (calls > 200) == (what not in ("exit", "loop"))  # whose memory went with their process


def test_a_recorded_run_with_reloads_and_sliders_comes_out_the_same_bit_for_bit(host, robot, worker, tmp_path):
    """Begun while the law is at work, so that its memory is in the recording."""
    text = GOOD.replace(
        "    return p.kp", "    p.memory['i'] = p.memory.get('i', 0 * q) + 1e-3 * (goal.q - q)\n    return p.memory['i'] + p.kp"
    )
    law = made(host, robot, text)
    worker.post(SetController(law))
    worker.post(Run())
    snapshot(worker, lambda s: s.law is not None and s.law.log.get("calls", 0) > 50)
    worker.post(StartRecording(tmp_path / "run.npz"))
    later = made(host, robot, text.replace("p.kd * qd", "1.5 * p.kd * qd"), law)
    for one in (later, replace_values(later, kp=37.5)):
        worker.post(SetController(one))
        t = snapshot(worker, lambda s, one=one: s.law.controller is one).t
        snapshot(worker, lambda s, t=t: s.t > t + 0.1)
    worker.post(StopRecording())
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
    worker.post(SetController(law))
    advance = Stepper.advance
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Stepper, "advance", lambda self, steps: batches.append(steps) or advance(self, steps))
        worker.post(StartRecording(tmp_path / "slow.npz"))
        worker.post(Run())
        reading = snapshot(worker, lambda s: s.law is not None and s.law.log.get("calls", 0) > 40)
        worker.post(Pause())
        snapshot(worker, lambda s: not s.running)
        worker.post(StopRecording())
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
    trial = CodeProcess.trial
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(CodeProcess, "trial", lambda run, *state: trials.append(state[0]) or trial(run, *state))
        worker.post(SetController(law))
        worker.post(Run())
        reading = snapshot(worker, lambda s: s.law is not None and s.law.log.get("calls", 0) > 40)
        assert reading.running and np.isfinite(reading.tau).all() and reading.tau.any()
        assert sum(t > 0.002 for t in trials) == 0, trials
        worker.post(Pause())
        snapshot(worker, lambda s: not s.running)
        assert trials[-1] > 0.03  # at rest it says what it would do


@pytest.fixture
def program(tmp_path):
    """A script without a guard for its main part, which runs a law and prints the numbers of the processes."""
    script = tmp_path / "program.py"
    script.write_text(_PROGRAM)
    root = Path(__file__).resolve().parents[2]
    environment = {**os.environ, "PYTHONPATH": str(root)}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    process = subprocess.Popen([sys.executable, str(script)], cwd=tmp_path, env=environment, start_new_session=True, **pipes)
    yield process
    process.kill()
    process.communicate()


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_no_process_outlives_the_program(program):
    """Killed with a law in an endless loop."""
    numbers = [int(x) for x in program.stdout.readline().split()]
    assert len(numbers) == 2 and all(_alive(number) for number in numbers)
    program.send_signal(signal.SIGKILL)
    program.wait()
    wait_until(lambda: not any(_alive(number) for number in numbers))


@pytest.mark.skipif(sys.platform != "linux", reason="signals of a terminal")
def test_ctrl_c_in_a_terminal_is_heard_by_the_program_alone(program):
    assert program.stdout.readline()
    os.killpg(program.pid, signal.SIGINT)
    out, err = program.communicate(timeout=PROCESS)
    assert out == "interrupted, and line 2 did not return within 1 s\n" and err == ""


def _alive(number):
    try:
        return Path(f"/proc/{number}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


_PROGRAM = """
import multiprocessing, threading
from pathlib import Path
import numpy as np
from armature import engine
from armature.engine.control.own_law.host.code_process import CodeProcess
from armature.engine.control.own_law.host.code_service import Source

robot = engine.load_robot("panda")
n = robot.n
text = "def control(t, q, qd, goal, arm, p):\\n    while True: pass\\n"
process = CodeProcess(Source(text, "law", None), robot)
process.load("control", {})

def call():
    try:
        process.torque(0.0, np.zeros(n), np.zeros(n), np.zeros(3 * n))
    except engine.LawError as error:
        failed.append(error)

failed = []
thread = threading.Thread(target=call, daemon=True)
thread.start()
(child,) = multiprocessing.active_children()
try:
    print(child.pid, Path(f"/proc/{child.pid}/stat").read_text().rsplit(")", 1)[1].split()[1], flush=True)
    threading.Event().wait()
except KeyboardInterrupt:
    thread.join()
    line, why = failed[0].line, str(failed[0]).partition("it did")[2]
    print(f"interrupted, and line {line} did{why.removesuffix(' and was stopped')}")
"""
