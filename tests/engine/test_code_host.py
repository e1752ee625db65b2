"""Own trajectories and own disturbances in processes of their own: the same figures, and faults that harm nobody."""

from __future__ import annotations

import gc
import warnings
from dataclasses import replace

import numpy as np
import pytest

from armature import engine
from armature.engine.control.own_law.host import user_code_host
from armature.engine.control.own_law.host.user_code_host import UserCodeHost
from armature.engine.control.own_law.kept_memory import described_memory, memory_of
from armature.engine.errors import LawError
from armature.engine.simulation.commands import Pause, Run, SetDisturbance, StartRecording, StopRecording
from armature.engine.simulation.live.simulation_worker import SimulationWorker
from armature.engine.simulation.simulation_event import EventKind
from tests.engine.test_own_trajectory_and_disturbance import PUSH, SWING
from tests.time_limits import wait_until

GROWING = """
def disturbance(t, q, qd, p):
    p.memory["calls"] = p.memory.get("calls", 0) + 1
    return [0, 0, p.slope * p.memory["calls"], 0, 0, 0]

disturbance.p = {"slope": (0, 1, 0.1)}
disturbance.link = "link3"
"""


@pytest.fixture
def host():
    host = UserCodeHost()
    yield host
    host.close()


@pytest.fixture
def file(tmp_path):
    def write(text):
        (tmp_path / "mine.py").write_text(text)
        return tmp_path / "mine.py"

    return write


def test_a_trajectory_comes_out_the_same_as_here(host, file, puma, monkeypatch):
    path = file(SWING)
    there, here = host.trajectory(path, puma, {}), engine.own_trajectory(path, 6)
    np.testing.assert_array_equal(there.coefficients, here.coefficients)
    assert there.origin == here.origin
    monkeypatch.setattr(user_code_host, "PLANNING", 0.5)
    for text, line, message in (
        (SWING.replace("np.sin", "np.six"), 5, "AttributeError"),
        (SWING.replace("    return", "    while True: pass\n    return"), 5, "did not return within 0.5 s"),
        (SWING.replace("    return", "    import os; os._exit(3)\n    return"), None, "exit code 3"),
    ):
        with pytest.raises(LawError, match=message) as found:
            host.trajectory(file(text), puma, {})
        assert found.value.line == line and "mine.py" in str(found.value)


def test_a_disturbance_pushes_as_it_does_here_and_its_recording_comes_out_again(host, file, puma, tmp_path):
    path = file(PUSH)
    there, here = host.disturbance(path, puma, {}), engine.load_disturbance(path)
    assert there.describe() == here.describe()
    runs = [engine.simulate(puma, np.zeros(6), None, 0.2, 1e-3, disturbance=one) for one in (there, here, None)]
    np.testing.assert_array_equal(runs[0].q, runs[1].q)
    assert np.abs(runs[0].q - runs[2].q).max() > 1e-3
    recording = engine.load_recording(runs[0].save(tmp_path / "run.npz"))
    assert engine.verify_recording(recording, allow_code=True).identical


@pytest.mark.parametrize("what", ["1 / 0", "(1, 2)", "exec('while True: pass')"])
def test_a_fault_of_a_live_disturbance_pauses_the_arm_and_it_goes_on_when_mended(host, file, puma, what):
    path = file(PUSH.replace("    return", f"    if 0.1 < t < 0.2:\n        return {what}\n    return"))
    worker = SimulationWorker(puma, puma.configurations["home"])
    worker.start()
    try:
        worker.post(SetDisturbance(host.disturbance(path, puma, {})))
        worker.post(Run())
        event = wait_until(lambda: worker.events.get(timeout=0.1) if not worker.events.empty() else None)
        assert event.kind is EventKind.DISTURBANCE and event.line == 7 and event.t == pytest.approx(0.101)
        wait_until(lambda: (shot := worker.mailbox.take()) is not None and not shot.running)
        worker.post(SetDisturbance(host.disturbance(file(PUSH), puma, {})))
        worker.post(Run())
        wait_until(lambda: (shot := worker.mailbox.take()) is not None and shot.running and shot.t > 0.2)
        assert worker.events.empty()
    finally:
        assert worker.stop()


def test_other_values_act_in_flight_with_the_memory_kept_and_come_out_again(host, file, puma, tmp_path):
    """Force and moment follow the number of calls, so that a memory begun anew would be seen."""
    path = file(GROWING)
    worker, recorded = SimulationWorker(puma, puma.configurations["home"]), tmp_path / "run.npz"
    worker.start()
    try:
        pushing = host.disturbance(path, puma, {})
        worker.post(SetDisturbance(pushing))
        worker.post(StartRecording(recorded))
        worker.post(Run())
        wait_until(lambda: (shot := worker.mailbox.take()) is not None and shot.t > 0.1)
        worker.post(SetDisturbance(replace(pushing, values={"slope": 0.5})))
        wait_until(lambda: (shot := worker.mailbox.take()) is not None and shot.t > 0.2)
        again = host.disturbance(file(GROWING + "# saved once more"), puma, {"slope": 0.5, "gone": 1.0})
        worker.post(SetDisturbance(again))
        changed = wait_until(worker.mailbox.take).t  # later than 0.2 if loading the new version took long
        wait_until(lambda: (shot := worker.mailbox.take()) is not None and shot.t > changed + 0.2)
        worker.post(Pause())
        worker.post(StopRecording())
        wait_until(recorded.exists)
        calls = memory_of(described_memory(again.process.memory))[
            "calls"
        ]  # of all, this may be asked while the worker is at work
    finally:
        assert worker.stop()
    recording = engine.load_recording(recorded)
    assert calls >= len(recording.t) - 1
    slopes = [event["disturbance"]["values"]["slope"] for event in recording.metadata["events"] if event["kind"] == "disturbance"]
    assert slopes[-2:] == [0.5, 0.5]
    assert engine.verify_recording(recording, allow_code=True).identical
    q_without = engine.resimulate(recording, disturbance=lambda t, q, qd, p: np.zeros(6)).q
    assert np.abs(recording.q - q_without).max() > 1e-3


def test_what_nobody_refers_to_any_more_leaves_no_socket_open(host, file, puma):
    gc.collect()  # what others have left
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        host.disturbance(file(PUSH), puma, {})
        gc.collect()
    assert not [warning for warning in caught if warning.category is ResourceWarning]
