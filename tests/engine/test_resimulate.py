"""Recordings done again from what they say about themselves come out the same to the last bit, or are refused in one line."""

import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from armature import engine
from armature.engine.control.laws.pid import PID
from armature.engine.model.payload import Payload
from armature.engine.recording.convert_recording import convert_recording
from armature.engine.recording.recording_files import PartFile
from armature.engine.recording.recording_formats import SUFFIXES
from armature.engine.recording.recording_notes import notes_path
from armature.engine.simulation.commands import (
    Hold,
    Pause,
    ReleasePull,
    Reset,
    Run,
    SetController,
    SetIntegrator,
    SetModel,
    SetPayload,
    SetPull,
    SetSensors,
    SetSpeed,
    SetState,
    SetTimeStep,
    SetTorque,
    SetTrajectory,
    StartRecording,
    Step,
    StopRecording,
)
from armature.engine.simulation.live.simulation_worker import SimulationWorker
from tests.chance import seeds
from tests.time_limits import WAIT

PICK = Path(__file__).resolve().parents[2] / "assets" / "trajectories" / "pick_place_puma560.toml"


@pytest.fixture(scope="module")
def fall(puma):
    return engine.simulate(puma, puma.configurations["ready"], np.full(6, 0.1), 0.2, 1e-3)


def same(recording, **options) -> bool:
    found = engine.verify_recording(recording, **options)
    assert found.identical, found
    assert found.samples == len(recording)
    return True


def refusal(recording, **options) -> str:
    with pytest.raises(engine.RecordingError) as caught:
        engine.resimulate(recording, **options)
    text = str(caught.value)
    assert text.startswith("the recording cannot be simulated again: ") and "\n" not in text
    return text


@pytest.mark.parametrize("integrator", ["euler", "rk4", "midpoint", "gauss6", "adaptive"])
def test_a_fall_by_every_integrator(puma, integrator):
    assert same(engine.simulate(puma, puma.configurations["ready"], None, 0.02, 1e-3, integrator=integrator))


def test_every_change_of_the_robot(puma):
    arm = puma.with_payload(0.851, (0, 0, 0.1), np.diag([1e-3, 1e-3, 2e-3])).with_gravity((0, 1, -3)).without_friction(["joint2"])
    assert same(engine.simulate(arm.without_stops(), puma.configurations["ready"], None, 0.1, 1e-3))
    X = engine.frame_pose(puma, np.zeros(6))
    assert same(engine.simulate(puma.without_friction().with_tool(X), puma.configurations["ready"], None, 0.1, 1e-3))


@pytest.mark.parametrize("suffix", ["csv", "npz", "mat", "mcap"])
def test_out_of_every_format(fall, tmp_path, suffix):
    assert same(engine.load_recording(fall.save(tmp_path / f"a.{suffix}")))


@pytest.mark.parametrize("law", ["pd", "pid", "pd-gravity", "computed-torque", "impedance", "resolved-rate", "gravity", "torque"])
def test_every_controller(puma, law):
    controller = replace(engine.default_gains(puma, law), period=0.004)
    model = puma.with_payload(2.0)
    made = engine.simulate(puma, puma.configurations["ready"], np.full(6, 0.1), 0.1, 1e-3, controller, model=model)
    assert same(made)


def test_pick_and_place_with_a_payload_that_comes_and_goes(puma):
    way = engine.load_trajectory(PICK, puma)
    controller = engine.default_gains(puma, "computed-torque")
    made = engine.simulate(puma, way.start, None, way.duration, 2e-3, controller, trajectory=way, knows_payload=False)
    assert same(made)


def eventful(worker, puma, path) -> engine.Recording:
    """A live recording with everything that can be done meanwhile."""
    worker.post(SetState(puma.configurations["ready"]))
    worker.post(SetTorque(np.full(6, 0.5)))
    worker.post(SetPayload(Payload(0.5)))
    worker.post(Step(30))  # begins in the middle of a run
    worker.post(SetController(PID(np.full(6, 50.0), np.full(6, 5.0), np.full(6, 20.0), period=0.003), puma.with_payload(0.3)))
    worker.post(Step(40))
    worker.post(StartRecording(path))
    worker.post(Step(50))
    worker.post(SetState(puma.configurations["home"]))
    worker.post(SetController(None))
    worker.post(Step(7))
    worker.post(SetTorque(np.arange(6.0)))
    worker.post(SetPull(3, [0.1, 0, 0], [0.5, 0.5, 0.5], 100.0, 5.0))
    worker.post(Step(20))
    worker.post(ReleasePull())
    worker.post(SetModel(puma.with_gravity((0, 0, -1)).without_friction()))
    worker.post(Step(20))
    worker.post(SetTimeStep(5e-4))
    worker.post(SetIntegrator("gauss6"))
    worker.post(SetPayload(None))
    worker.post(Step(20))
    worker.post(SetController(engine.default_gains(puma, "computed-torque")))
    worker.post(SetTrajectory(engine.load_trajectory(PICK, puma)))
    worker.post(Run())
    worker.until(lambda s: s.running and s.rows > 400)
    worker.post(Reset(puma.configurations["ready"]))
    worker.until(lambda s: s.running and s.rows > 600)
    worker.post(SetTorque(np.ones(6)))
    worker.until(lambda s: s.running and s.rows > 700)
    worker.post(StopRecording())
    return engine.load_recording(worker.until_event("recording_stopped").path)


def test_a_live_recording_with_everything_that_can_be_done_meanwhile(start, puma, tmp_path):
    recording = eventful(start("puma560"), puma, tmp_path / "run.mcap")
    kinds = [event["kind"] for event in recording.metadata["events"]]
    assert kinds[0] == "begin" and {"pose", "enter", "leave", "jump", "state", "reset", "pull", "model", "trajectory"} <= set(
        kinds
    )
    assert same(recording)


def test_recordings_of_versions_whose_laws_remember_less(start, puma, tmp_path):
    worker = start("puma560")
    worker.post(SetController(PID(np.full(6, 50.0), np.full(6, 5.0), np.full(6, 20.0), period=0.003)))
    worker.post(Step(40))
    worker.post(StartRecording(tmp_path / "run.npz"))
    worker.post(Step(50))
    worker.post(StopRecording())
    worker.until_event("recording_stopped")
    recording = engine.load_recording(tmp_path / "run.npz")
    begin = recording.metadata["events"][0]
    assert len(begin["memory"]) > 13 and same(recording)
    begin["memory"] = begin["memory"][:13]  # next look, torques, integrals
    assert same(recording)
    begin["memory"] = [0.0] * 100
    assert "incomplete" in refusal(recording)


@pytest.mark.parametrize("seed", seeds(8))
def test_anything_done_in_any_order(puma, tmp_path, seed):
    """Commands drawn by chance, while the arm runs and while it is paused, into every format."""
    hand, now = np.random.default_rng(seed), [0.0]
    worker = SimulationWorker(puma, puma.configurations["ready"], 1e-3, "rk4", lambda: now[0])
    path = tmp_path / f"a{SUFFIXES[seed % len(SUFFIXES)]}"
    way = engine.minimum_jerk([puma.configurations["ready"], puma.configurations["ready"] + 0.1], [0.05])
    way = replace(way, payloads=((0.01, Payload(0.4)), (0.03, None)))

    def pose() -> np.ndarray:
        return puma.configurations["ready"] + hand.uniform(-0.1, 0.1, 6)

    def sensors() -> engine.Sensors | None:
        figures = {"counts": 4096, "position_noise": 1e-4, "torque_noise": 0.1, "delay": hand.choice([0.0, 0.004])}
        return engine.Sensors(**figures, seed=int(hand.integers(9))) if hand.random() < 0.7 else None

    def law(name: str):
        return replace(engine.default_gains(puma, name, hand.uniform(5, 20)), period=hand.choice([None, 0.003]))

    draws = [
        lambda: Run(),
        lambda: Run(),
        lambda: Pause(),
        lambda: Step(int(hand.integers(1, 9))),
        lambda: Reset(pose()),
        lambda: SetState(pose(), hand.normal(size=6) * 0.1),
        lambda: SetTimeStep(hand.choice([5e-4, 1e-3, 2e-3])),
        lambda: SetIntegrator(str(hand.choice(["euler", "rk4", "midpoint", "gauss6"]))),
        lambda: SetTorque(hand.normal(size=6)),
        lambda: SetPull(3, [0.1, 0, 0], hand.normal(size=3), 50.0, 5.0),
        lambda: ReleasePull(),
        lambda: SetController(law("pid")),  # twice in a row: other gains, and the integral continues
        lambda: SetController(law("pid")),
        lambda: SetController(law(str(hand.choice(["pd", "impedance", "computed-torque"])))),
        lambda: SetController(None),
        lambda: SetTrajectory(way),
        lambda: SetTrajectory(None),
        lambda: Hold(),
        lambda: SetPayload(Payload(hand.uniform(0.1, 1.0))),
        lambda: SetModel(puma.with_gravity(hand.normal(size=3)).without_friction(["joint2"])),
        lambda: SetSpeed(hand.uniform(0.3, 3.0)),
        lambda: SetSensors(sensors()),
        lambda: SetSensors(sensors()),
    ]
    for k in range(60):
        if k == 9 and seed % 2:
            worker.obey(SetSensors(sensors()))
        if k == 10:
            worker.obey(StartRecording(path))
        worker.obey(draws[hand.integers(len(draws))]())
        for _ in range(hand.integers(1, 4)):
            now[0] += hand.uniform(0.001, 0.008)
            worker.catch_up()
    worker.obey(StopRecording())
    assert worker.events.empty() or worker.events.get().kind == "recording_started"
    assert all(writer.join(WAIT) for writer in worker.writers)
    recording = engine.load_recording(path)
    assert len(recording) > 100 and len(recording.metadata["events"]) > 40
    assert same(recording)


def test_a_run_that_was_killed_is_the_same_as_far_as_it_came(start, puma, tmp_path, monkeypatch):
    close = PartFile.close
    monkeypatch.setattr(PartFile, "close", lambda part: (time.sleep(0.3), close(part)))  # who hears of the end comes after it
    worker = start("puma560")
    part = tmp_path / "run.npz.part"
    worker.post(StartRecording(part.with_suffix("")))
    worker.post(Run())
    worker.until_event("recording_started")
    worker.until(lambda s: s.rows > 300 and notes_path(part).exists())  # the disk comes after the simulation
    part.rename(tmp_path / "moved.npz.part")  # ends it as a pulled plug does
    notes_path(part).rename(tmp_path / "moved.npz.part.notes")
    worker.until_event("recording_failed")
    assert same(engine.load_recording(engine.recover(tmp_path / "moved.npz.part")))


def test_a_bit_that_differs_is_found(fall):
    table = fall.table()
    table[70, 3] = np.nextafter(table[70, 3], 10)
    found = engine.verify_recording(engine.Recording.from_table(table, fall.joint_names, fall.metadata))
    assert (found.identical, found.sample, found.column) == (False, 70, "q.joint3") and 0 < found.difference < 1e-15


def test_another_version_of_the_program_is_named(fall):
    assert not engine.verify_recording(fall).version
    older = replace(fall, metadata={**fall.metadata, "version": "0.0.9"})
    assert engine.verify_recording(older).version == "0.0.9"
    assert engine.verify_recording(replace(older, q=fall.q + 1e-12)).version == "0.0.9"


def test_kernels_of_another_processor_are_named(fall):
    assert fall.metadata["target"] and not engine.verify_recording(fall).target
    elsewhere = replace(fall, metadata={**fall.metadata, "target": "x86-64-v2"})
    assert engine.verify_recording(elsewhere).target == "x86-64-v2"
    assert engine.verify_recording(replace(elsewhere, q=fall.q + 1e-12)).target == "x86-64-v2"
    again = engine.resimulate(replace(elsewhere, metadata={**elsewhere.metadata, "version": "0.0.9"}))  # was made here and now
    assert [again.metadata[key] for key in ("target", "version")] == [fall.metadata[key] for key in ("target", "version")]
    assert not engine.verify_recording(replace(fall, metadata={**fall.metadata, "target": ""})).target  # older ones tell nothing


def test_what_cannot_be_done_again_is_told(fall, puma, tmp_path):
    def other(**changed):
        return engine.Recording.from_table(fall.table(), fall.joint_names, {**fall.metadata, **changed})

    assert "its dt is missing" in refusal(engine.Recording.from_table(fall.table(), fall.joint_names, {}))
    assert "the hash of its robot file" in refusal(other(file_sha256=""))
    assert "differs from the recorded robot file" in refusal(other(file_sha256="0" * 64))
    assert "file not found" in refusal(other(source=str(tmp_path / "gone.toml")))
    assert same(other(source=str(tmp_path / "gone.toml")), robot=puma)
    assert "recorded parameters differ" in refusal(other(model_sha256="0" * 64))
    assert "not a valid change of payload" in refusal(other(changes=[{"wheels": 4}]))
    assert "unknown controller 'magic'" in refusal(other(controller={"kind": "magic"}))
    assert "unknown event 'dance'" in refusal(other(events=[{"row": 3, "kind": "dance"}]))
    assert "do not match" in refusal(other(events=[{"row": 999, "kind": "torque", "torque": [0.0] * 6}, {"row": 3}]))
    assert "incomplete" in refusal(other(events=[{"row": 3, "kind": "torque"}]))
    made = engine.simulate(puma, fall.q[0], None, 0.01, 1e-3, controller=lambda t, q, qd: np.zeros(6))
    assert "came from a Python function" in refusal(made)
    part = convert_recording(fall.save(tmp_path / "a.npz"), tmp_path / "b.npz", start=0.1)
    assert "open the whole recording" in refusal(engine.load_recording(part))


def test_numbers_that_are_missing_are_told_beside_a_difference(fall):
    table = fall.table().copy()
    table[50:80, 3] = np.nan
    gap = engine.Recording.from_table(table, fall.joint_names, fall.metadata)
    found = engine.verify_recording(gap)
    assert not found.identical and found.unknown == 30 and (found.sample, found.column) == (50, "q.joint3")
    assert np.isnan(found.difference)
    table[120, 5] += 1e-9
    found = engine.verify_recording(engine.Recording.from_table(table, fall.joint_names, fall.metadata))
    assert found.unknown == 30 and (found.sample, found.column) == (120, "q.joint5") and found.difference > 0


@pytest.mark.parametrize("call", [engine.resimulate, engine.verify_recording])
def test_what_is_no_recording_is_told(call):
    with pytest.raises(engine.RecordingError, match="recording must be a Recording"):
        call("fall.csv")


def test_damaged_metadata_are_told_in_plain_words(fall):
    for changed in ({"changes": None}, {"changes": 3}, {"controller": []}, {"controller": {"kind": "pd"}}, {"events": 5}):
        text = refusal(replace(fall, metadata={**fall.metadata, **changed}))
        assert not any(word in text for word in ("NoneType", "object", "iterable", "int()", "attribute")), text
