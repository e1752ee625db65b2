"""Samples of recordings explained: torque terms, energies and works, under what acted on the arm at the time."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from armature import engine
from armature.engine.simulation.commands import (
    ReleasePull,
    SetModel,
    SetPayload,
    SetPull,
    SetState,
    StartRecording,
    Step,
    StopRecording,
)
from armature.engine.simulation.runs.recorded_dynamics import RecordedDynamics
from armature.engine.simulation.stepper import Stepper
from tests.engine.watched import workers

PICK = Path(engine.__file__).parents[1] / "assets" / "trajectories" / "pick_place_puma560.toml"
WORKS = ("motor", "friction", "payload")


@pytest.fixture
def start():
    yield from workers()


@pytest.fixture(scope="module")
def puma():
    return engine.load_robot("puma560")


def test_pick_and_place_is_explained_with_and_without_its_object(puma):
    way, law = engine.load_trajectory(PICK, puma), engine.default_gains(puma, "computed-torque")
    run = engine.simulate(puma, way.start, None, way.duration, 1e-3, law, trajectory=way)
    told = RecordedDynamics(run, puma)
    assert not told.doubt
    (grasp, box), (release, _) = way.payloads
    for when, holds in ((grasp - 0.2, False), (grasp + 0.2, True), (release - 0.05, True), (release + 0.2, False)):
        row = int(np.searchsorted(run.t, when))
        shown = told.snapshot(row)
        assert (shown.payload is not None) == holds and (not holds or shown.payload.mass == box.mass)
        np.testing.assert_allclose(sum(shown.tau_terms.values()), run.tau[row], atol=1e-9)
        np.testing.assert_allclose(shown.tau_terms["gravity"], engine.gravity_torque(puma, run.q[row]), atol=1e-9)
        moves, loss = run.qd[row] != 0, engine.friction_torque(puma, run.qd[row])
        np.testing.assert_allclose(shown.tau_terms["friction"][moves], loss[moves], atol=1e-6)
        assert shown.tau_terms["payload"].any() == holds
        assert shown.energy == pytest.approx(run.kinetic[row] + run.potential[row], abs=1e-12)
    stepper = Stepper(puma, way.start, None, 1e-3, ledger=True)
    stepper.set_controller(law)
    stepper.set_trajectory(way)
    stepper.advance(len(run) - 1)
    kept, reckoned = stepper.ledger(), told.snapshot(len(run) - 1).ledger
    for name in ("kinetic", "potential", "start", "motor", "payload"):
        assert getattr(reckoned, name) == pytest.approx(getattr(kept, name), abs=1e-9), name
    assert reckoned.friction == pytest.approx(kept.friction, rel=1e-3)
    assert reckoned.hand == 0.0 and np.isnan(reckoned.residual)


def test_a_live_recording_tells_what_was_done_meanwhile(start, puma, tmp_path):
    """Every last sample before a pause is explained as the simulation showed it: hand, load, gravity, friction."""
    worker, shown = start("puma560"), []

    def go():
        worker.post(Step(100))
        shown.append(worker.until(lambda s: s.steps == 100 * (len(shown) + 1) and not s.running))

    worker.post(SetState(puma.configurations["ready"]))
    worker.post(StartRecording(tmp_path / "run.npz"))
    go()
    worker.post(SetPayload(engine.Payload(1.5, [0, 0, 0.05])))
    go()
    worker.post(SetPull(3, [0.0, 0.1, 0.0], [0.6, 0.3, 0.9], 150.0, 5.0))
    go()
    worker.post(SetModel(puma.with_gravity((0, 0, -1.62)).without_friction()))
    go()
    worker.post(ReleasePull())
    worker.post(SetPayload(None))
    go()
    worker.post(StopRecording())
    run = engine.load_recording(worker.until_event("recording_stopped").path)
    told = RecordedDynamics(run, puma)
    assert not told.doubt
    leaves = [event["row"] for event in run.metadata["events"] if event["kind"] == "leave"]
    assert len(leaves) == len(shown) == 5
    for row, live in zip(leaves, shown, strict=True):
        again = told.snapshot(row)
        np.testing.assert_array_equal(again.q, live.q)
        for name, term in live.tau_terms.items():
            np.testing.assert_allclose(again.tau_terms[name], term, atol=1e-9, err_msg=name)
        assert (again.pull_force is None) == (live.pull_force is None) and (again.payload is None) == (live.payload is None)
        for name in ("kinetic", "potential", "start", *WORKS):
            assert getattr(again.ledger, name) == pytest.approx(getattr(live.ledger, name), abs=2e-3), name
        np.testing.assert_allclose(again.tool_wrench, live.tool_wrench, atol=1e-9)
    assert np.isnan(told.snapshot(leaves[-1]).ledger.hand)


def test_without_metadata_it_is_reckoned_with_the_robot_and_says_so(puma, tmp_path):
    run = engine.simulate(puma.with_gravity((0, 0, -3)), puma.configurations["ready"], None, 0.1, 1e-3)
    bare = engine.Recording.from_table(run.table(), run.joint_names, {})
    told = RecordedDynamics(bare, puma)
    assert "is missing" in told.doubt and "\n" not in told.doubt
    np.testing.assert_allclose(told.snapshot(50).tau_terms["gravity"], engine.gravity_torque(puma, run.q[50]), atol=1e-12)
    known = RecordedDynamics(run, puma).snapshot(50)
    np.testing.assert_allclose(known.tau_terms["gravity"], engine.gravity_torque(puma, run.q[50]) * 3 / 9.81, atol=1e-9)


def test_a_part_of_a_longer_recording_is_explained_where_nothing_changed(puma, tmp_path):
    run = engine.simulate(puma.with_gravity((0, 0, -3)).without_friction(), puma.configurations["ready"], None, 0.1, 1e-3)
    part = engine.load_recording(engine.convert_recording(run.save(tmp_path / "a.npz"), tmp_path / "b.npz", start=0.02))
    told = RecordedDynamics(part, puma)
    assert not told.doubt and part.t[0] == pytest.approx(0.02)
    shown, whole = told.snapshot(30), RecordedDynamics(run, puma).snapshot(50)
    for name, term in whole.tau_terms.items():
        np.testing.assert_allclose(shown.tau_terms[name], term, atol=1e-9, err_msg=name)
    assert shown.ledger.start == pytest.approx(run.kinetic[20] + run.potential[20], abs=1e-9)
    way, law = engine.load_trajectory(PICK, puma), engine.default_gains(puma, "computed-torque")
    run = engine.simulate(puma, way.start, None, 1.0, 1e-3, law, trajectory=way)
    part = engine.convert_recording(run.save(tmp_path / "c.npz"), tmp_path / "d.npz", start=0.02)
    assert "part of a longer one" in RecordedDynamics(engine.load_recording(part), puma).doubt


def test_samples_that_are_not_all_numbers_are_not_explained_and_the_others_are(puma):
    """NaN from the first sample on, in each of q, qd, qdd, tau; works are not known from there on."""
    run = engine.simulate(puma, puma.configurations["home"], None, 0.05, 1e-3)
    for group in ("q", "qd", "qdd", "tau"):
        for first, last in ((0, 3), (10, 20)):
            values = getattr(run, group).copy()
            values[first:last, 2] = np.nan
            told = RecordedDynamics(replace(run, **{group: values}), puma)
            assert all((told.snapshot(row) is None) == (first <= row < last) for row in range(len(run))), group
            after = told.snapshot(last)
            np.testing.assert_allclose(after.tau_terms["gravity"], engine.gravity_torque(puma, run.q[last]), atol=1e-9)
            if group in ("q", "tau"):
                assert np.isnan(after.ledger.motor)
