"""Energies in recordings are those of the arm with what it held under the gravity there was; the ledger tells what came along."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from armature import engine
from armature.engine.simulation.commands import SetModel, SetPayload, SetState, StartRecording, Step, StopRecording
from armature.engine.simulation.stepper import Stepper

PICK = Path(engine.__file__).parents[1] / "assets" / "trajectories" / "pick_place_puma560.toml"
BOX = engine.Payload(2.0, [0.0, 0.0, 0.1], np.diag([4e-3, 4e-3, 4e-3]))


def energies(robot, recording, rows):
    q, qd = recording.q[rows], recording.qd[rows]
    return np.column_stack([engine.kinetic_energy(robot, q, qd), engine.potential_energy(robot, q)])


def columns(recording):
    return np.column_stack([recording.kinetic, recording.potential])


def test_pick_and_place_holds_851_g_between_grasp_and_release(puma):
    way, law = engine.load_trajectory(PICK, puma), engine.default_gains(puma, "computed-torque")
    run = engine.simulate(puma, way.start, None, way.duration, 1e-3, law, trajectory=way)
    (grasp, box), (release, _) = way.payloads
    holds = (run.t > grasp - 1e-7) & (run.t < release - 1e-7)
    assert 500 < holds.sum() < len(run) - 500
    np.testing.assert_array_equal(columns(run)[holds], energies(box.held_by(puma), run, holds))
    np.testing.assert_array_equal(columns(run)[~holds], energies(puma, run, ~holds))
    assert engine.verify_recording(run).identical
    stepper = Stepper(puma, way.start, None, 1e-3, ledger=True)
    stepper.set_controller(law)
    stepper.set_trajectory(way)
    stepper.advance(len(run) - 1)
    ledger, total = stepper.ledger(), columns(run).sum(axis=1)
    spent = ledger.motor + ledger.friction + ledger.stop + ledger.hand
    at_once = [int(k) + 1 for k in np.flatnonzero(np.diff(holds.astype(int)))]
    brought = [(energies(box.held_by(puma), run, [k]) - energies(puma, run, [k])).sum() for k in at_once]
    assert min(np.abs(brought)) > 0.1 and ledger.payload == pytest.approx(brought[0] - brought[1], abs=1e-9)
    assert total[-1] - total[0] == pytest.approx(spent + ledger.payload, abs=1e-6)


@pytest.mark.parametrize("integrator", ["rk4", "gauss6"])
def test_the_ledger_balances_when_something_is_caught_and_dropped_in_motion(puma, integrator):
    """What an object brings along is named: at the same speed and height as the hand, its kinetic and potential energy."""
    q = puma.configurations["home"]
    stepper = Stepper(puma, q, np.full(6, 0.8), 1e-3, integrator, ledger=True)
    stepper.set_controller(engine.default_gains(puma, "pd-gravity"))
    for payload in (BOX, None, BOX, None):
        stepper.advance(150)
        before = stepper.ledger()
        stepper.set_payload(payload)
        after = stepper.ledger()
        held, state = BOX.held_by(puma), (stepper.q, stepper.qd)
        brought = engine.kinetic_energy(held, *state) - engine.kinetic_energy(puma, *state)
        brought += engine.potential_energy(held, state[0]) - engine.potential_energy(puma, state[0])
        assert after.payload - before.payload == pytest.approx(brought if payload else -brought, abs=1e-9)
        assert after.motor == before.motor and abs(after.residual) < 1e-6
    stepper.advance(150)
    assert abs(stepper.ledger().residual) < 1e-6 and abs(stepper.ledger().payload) > 1e-3


@pytest.mark.parametrize("suffix", ["npz", "mcap"])
def test_a_live_recording_follows_payload_and_gravity(start, puma, tmp_path, suffix):
    moon = puma.with_gravity((0, 0, -1.62))
    worker = start("puma560")
    worker.post(SetState(puma.configurations["ready"]))
    worker.post(StartRecording(tmp_path / f"run.{suffix}"))
    worker.post(Step(100))
    worker.post(SetPayload(BOX))
    worker.post(Step(100))
    worker.post(SetModel(moon))
    worker.post(Step(100))
    worker.post(SetPayload(None))
    worker.post(Step(100))
    worker.post(StopRecording())
    run = engine.load_recording(worker.until_event("recording_stopped").path)
    marks = [event["row"] for event in run.metadata["events"] if event["kind"] in ("payload", "model")]
    assert len(marks) == 3
    ends = [0, *marks, len(run)]
    for arm, first, last in zip((puma, BOX.held_by(puma), BOX.held_by(moon), moon), ends, ends[1:]):
        np.testing.assert_array_equal(columns(run)[first:last], energies(arm, run, slice(first, last)))
    assert engine.verify_recording(run).identical
