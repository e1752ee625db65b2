"""Recordings done again under another law: all the rest is as it was, and what comes out is a recording like any other."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from armature import engine
from armature.engine.simulation.commands import SetState, StartRecording, Step, StopRecording
from tests.engine.test_resimulate import PICK, eventful, same


@pytest.fixture(scope="module")
def fall(puma):
    return engine.simulate(puma, puma.configurations["ready"], np.full(6, 0.1), 0.2, 1e-3)


def pd(t, q, qd, q_d, qd_d):
    return 300 * (q_d - q) + 30 * (qd_d - qd)


@pytest.mark.parametrize("law", ["pd", "pid", "pd-gravity", "computed-torque", "impedance", "resolved-rate", "gravity"])
def test_a_fall_under_a_law_is_what_simulating_that_law_gives(puma, fall, law):
    controller = replace(engine.default_gains(puma, law), period=0.003)
    again = engine.resimulate(fall, controller=controller)
    direct = engine.simulate(puma, fall.q[0], fall.qd[0], 0.2, 1e-3, controller)
    assert np.array_equal(again.table(), direct.table())
    assert again.metadata["controller"] == direct.metadata["controller"]
    assert again.remarks == ()
    assert same(again)


def test_the_trajectory_and_what_the_tool_holds_stay(puma, tmp_path):
    way = engine.load_trajectory(PICK, puma)
    made = engine.simulate(puma, way.start, None, way.duration, 2e-3, engine.default_gains(puma, "pd"), trajectory=way)
    better = engine.default_gains(puma, "computed-torque")
    for file in (made, engine.load_recording(made.save(tmp_path / "a.csv"))):
        again = engine.resimulate(file, controller=better, knows_payload=False)
        direct = engine.simulate(puma, way.start, None, way.duration, 2e-3, better, trajectory=way, knows_payload=False)
        assert np.array_equal(again.table(), direct.table())
    model = puma.with_payload(2.0)
    again = engine.resimulate(made, controller=better, model=model)
    direct = engine.simulate(puma, way.start, None, way.duration, 2e-3, better, trajectory=way, model=model)
    assert np.array_equal(again.table(), direct.table())


def test_functions_are_laws_before_and_after(puma, fall):
    python = engine.resimulate(fall, controller=pd)
    assert np.allclose(python.table(), engine.resimulate(fall, controller=engine.PD(300, 30)).table(), rtol=0, atol=1e-7)
    with pytest.raises(engine.RecordingError, match=r"came from a Python function, .*; pass it as law=…, or pass a"):
        engine.resimulate(python)
    assert engine.verify_recording(python, law=pd).identical
    assert np.array_equal(engine.resimulate(python, controller=pd).table(), python.table())


def test_all_that_was_done_meanwhile_is_done_again_but_the_changes_of_the_law(start, puma, tmp_path):
    recording = eventful(start("puma560"), puma, tmp_path / "run.mcap")
    law = engine.default_gains(puma, "pd-gravity")
    again = engine.resimulate(recording, controller=law)
    assert again.remarks == ("2 recorded changes of the controller are ignored; pd-gravity runs from start to end",)
    assert np.array_equal(again.t, recording.t)
    assert np.array_equal(again.q[0], recording.q[0]) and not np.array_equal(again.q, recording.q)
    kinds = [event["kind"] for event in again.metadata["events"]]
    assert kinds == [event["kind"] for event in recording.metadata["events"] if event["kind"] != "controller"]
    placed = [event for event in again.metadata["events"] if event["kind"] in ("state", "reset")]
    assert placed and all(np.isclose(again.q, event["q"], rtol=0, atol=1e-12).all(axis=1).any() for event in placed)
    assert same(again)
    assert same(engine.load_recording(again.save(tmp_path / "again.npz")))
    python = engine.resimulate(recording, controller=engine.PythonLaw(lambda t, q, qd, q_d: 50 * (q_d - q), period=0.004))
    assert len(python) == len(recording)


def test_a_live_fall_is_held_where_its_recording_begins(start, puma, tmp_path):
    worker = start("puma560")
    worker.post(SetState(np.zeros(6)))
    worker.post(Step(300))  # has fallen a little by then
    worker.post(StartRecording(tmp_path / "fall.npz"))
    worker.post(Step(1000))
    worker.post(StopRecording())
    recording = engine.load_recording(worker.until_event("recording_stopped").path)
    again = engine.resimulate(recording, controller=engine.default_gains(puma, "computed-torque"))
    assert np.abs(recording.q[-1] - recording.q[0]).max() > 0.1
    assert np.abs(again.q[-1] - recording.q[0]).max() < 0.02 < np.abs(recording.q[0]).max() / 5  # as near as friction lets it
    assert same(again)


def test_what_cannot_be_is_one_line(puma, fall):
    adaptive = engine.simulate(puma, fall.q[0], None, 0.01, 1e-3, integrator="adaptive")
    for recording, controller, told in (
        (fall, engine.PD([1, 2], 3), "kp must be one number or 6 numbers"),
        (fall, "pd", "must be one such as default_gains returns"),
        (adaptive, engine.PD(1, 1), "the adaptive integrator does not support controllers"),
        (fall, lambda t, q, qd: [1], r"at t = 0 s the controller <lambda> returned \[1.0\]"),
    ):
        with pytest.raises(engine.EngineError, match=told) as caught:
            engine.resimulate(recording, controller=controller)
        assert "\n" not in str(caught.value)
    with pytest.raises(engine.DivergenceError, match="diverged at joint"):
        engine.resimulate(fall, controller=engine.PD(1e12, 1e12, saturate=False))
