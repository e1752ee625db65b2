"""Recordings of a live simulation: the same bits as without a window, one time axis, and nothing overwritten."""

import os
import sys
import threading

import numpy as np
import pytest

from armature import engine
from armature.engine.simulation.commands import Reset, Run, SetRobot, SetState, StartRecording, Step, StopRecording
from tests.engine.watched import Watched
from tests.time_limits import WAIT

SUFFIXES = ("csv", "npz", "mat", "mcap")


# -- what is written -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_recording_holds_what_simulate_gives_to_the_last_bit(start, puma, tmp_path, suffix):
    worker, q0 = start("puma560"), puma.configurations["ready"]
    worker.post(SetState(q0))
    worker.post(StartRecording(tmp_path / f"run.{suffix}"))
    worker.post(Step(700))
    worker.post(StopRecording())
    event = worker.until_event("recording_stopped")
    assert event.path == tmp_path / f"run.{suffix}" and "701 samples" in event.text
    recorded = engine.load_recording(event.path)
    expected = engine.simulate(puma, q0, None, 0.7, 1e-3)
    assert recorded.t[0] == 0 and np.allclose(np.diff(recorded.t), 1e-3)
    assert np.array_equal(recorded.table()[:, 1:], expected.table()[:, 1:])
    beside = ["run.csv.meta.json"] if suffix == "csv" else []
    assert sorted(path.name for path in tmp_path.iterdir()) == [f"run.{suffix}", *beside]
    assert recorded.robot_name == "puma560" and recorded.metadata["file_sha256"] == puma.file_hash


def test_a_running_simulation_is_recorded_step_by_step(start, tmp_path):
    worker = start("double_pendulum")
    worker.post(Run())
    worker.until(lambda s: s.t > 0.05)
    worker.post(StartRecording(tmp_path / "run.csv"))
    snapshot = worker.until(lambda s: s.rows > 300)
    assert snapshot.recording == tmp_path / "run.csv"
    worker.post(StopRecording())
    worker.until_event("recording_stopped")
    recorded = engine.load_recording(tmp_path / "run.csv")
    assert recorded.t[0] == 0 and np.allclose(np.diff(recorded.t), 1e-3)
    k = 100
    again = engine.simulate(engine.load_robot("double_pendulum"), recorded.q[k], recorded.qd[k], 0.1, 1e-3)
    assert np.array_equal(recorded.q[k : k + 101], again.q)
    assert worker.until(lambda s: s.recording is None).running


class Clock:
    """A wall clock that the test turns."""

    now = 50.0

    def __call__(self):
        return self.now


def test_pose_edits_steps_and_resets_share_one_time_axis(start, tmp_path):
    clock = Clock()
    worker = start("double_pendulum", clock=clock)

    def at(wall, command, done):
        clock.now = wall
        worker.post(command)
        worker.until(done)

    at(50.0, StartRecording(tmp_path / "run.csv"), lambda s: s.recording is not None)
    at(51.0, SetState([0.1, 0.2]), lambda s: s.rows == 2)
    at(51.5, SetState([0.3, 0.4]), lambda s: s.rows == 3)
    at(53.0, Step(100), lambda s: s.rows == 104)
    at(54.0, Reset([0.0, 0.0]), lambda s: s.rows == 105)
    at(54.0, Step(1), lambda s: s.rows == 107)
    worker.post(StopRecording())
    worker.until_event("recording_stopped")
    recorded = engine.load_recording(tmp_path / "run.csv")
    times = [0, 1, 1.5, *(3 + 0.001 * np.arange(101)), 4.1, 4.1, 4.101]
    assert np.allclose(recorded.t, times) and np.all(np.diff(recorded.t) > 0)
    robot = engine.load_robot("double_pendulum")
    for k in (0, 1, 2, 104):
        assert not recorded.qd[k].any() and not recorded.qdd[k].any()
        assert np.allclose(recorded.tau[k], engine.gravity_torque(robot, recorded.q[k]))
    assert np.array_equal(recorded.q[2], [0.3, 0.4]) and np.array_equal(recorded.q[104], [0.0, 0.0])


@pytest.mark.parametrize("ran", [0, 50])
def test_waiting_for_a_run_is_no_part_of_it(start, tmp_path, ran):
    """Begun while paused, be it before a run or in the middle of it: no gap, and as long as what was simulated."""
    clock = Clock()
    worker = start("double_pendulum", clock=clock)
    if ran:
        worker.post(Step(ran))
    worker.post(StartRecording(tmp_path / "run.csv"))
    worker.until(lambda s: s.recording is not None)
    clock.now += 0.525
    worker.post(Step(100))
    worker.until(lambda s: s.rows == 101)
    clock.now += 2.0
    worker.post(StopRecording())
    worker.until_event("recording_stopped")
    recorded = engine.load_recording(tmp_path / "run.csv")
    assert recorded.t[0] == 0 and np.allclose(np.diff(recorded.t), 1e-3)
    assert len(recorded) == 101 and recorded.duration == pytest.approx(0.1, abs=1e-9)
    assert engine.verify_recording(recorded).identical


def test_poses_of_an_arm_without_masses_are_recorded(start, tmp_path):
    worker = start("irb140")
    worker.post(StartRecording(tmp_path / "poses.npz"))
    for k in range(1, 5):
        worker.post(SetState(np.full(6, k / 10)))
    worker.post(StopRecording())
    worker.until_event("recording_stopped")
    recorded = engine.load_recording(tmp_path / "poses.npz")
    assert np.allclose(recorded.q[1:, 0], [0.1, 0.2, 0.3, 0.4])
    assert not recorded.tau.any() and not recorded.kinetic.any()


def test_stopping_the_worker_or_changing_the_robot_finishes_the_recording(puma, tmp_path):
    watched = Watched(puma)
    watched.post(Run())
    watched.post(StartRecording(tmp_path / "a.csv"))
    watched.until(lambda s: s.rows > 50)
    watched.post(SetRobot(engine.load_robot("scara"), [0.1, 0.1, 0.1]))
    watched.until_event("recording_stopped")
    watched.post(StartRecording(tmp_path / "b.npz"))
    watched.post(Run())
    watched.until(lambda s: s.rows > 50)
    assert watched.stop(timeout=WAIT)
    assert engine.load_recording(tmp_path / "a.csv").joint_names == puma.joint_names
    assert len(engine.load_recording(tmp_path / "b.npz").joint_names) == 3


# -- what is never overwritten ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("there", "text"),
    [
        ("run.csv", "already exists"),
        ("run.csv.meta.json", "already exists"),
        ("run.csv.part", "unfinished recording"),
    ],
)
def test_files_that_exist_are_left_alone(start, tmp_path, there, text):
    (tmp_path / there).write_text("precious")
    worker = start("double_pendulum")
    worker.post(StartRecording(tmp_path / "run.csv"))
    assert text in worker.until_event("recording_failed").text
    assert (tmp_path / there).read_text() == "precious" and len(list(tmp_path.iterdir())) == 1
    worker.post(StartRecording(tmp_path / "run.csv", overwrite=True))
    worker.until_event("recording_started")
    worker.post(StopRecording())
    worker.until_event("recording_stopped")
    assert len(engine.load_recording(tmp_path / "run.csv")) == 1


def test_a_file_that_appears_meanwhile_is_not_overwritten(start, tmp_path):
    worker = start("double_pendulum")
    worker.post(StartRecording(tmp_path / "run.csv"))
    worker.until_event("recording_started")
    (tmp_path / "run.csv").write_text("precious")
    worker.post(StopRecording())
    assert "saved as run.csv.part" in worker.until_event("recording_failed").text
    assert (tmp_path / "run.csv").read_text() == "precious"
    assert len(engine.load_recording(tmp_path / "run.csv.part")) == 1


def test_two_recordings_at_once_and_bad_names_are_refused(start, tmp_path):
    worker = start("double_pendulum")
    worker.post(StartRecording(tmp_path / "a.csv"))
    worker.post(StartRecording(tmp_path / "b.csv"))
    assert f"already recording to {tmp_path / 'a.csv'}" in worker.until_event("refused").text
    worker.post(StopRecording())
    worker.post(StartRecording(tmp_path / "c.bag"))
    assert ".csv, .npz, .mat or .mcap" in worker.until_event("recording_failed").text


@pytest.mark.skipif(sys.platform != "linux", reason="a thread has no priority of its own here")
def test_the_simulation_goes_first_and_what_it_starts_does_not(start, tmp_path):
    worker = start("double_pendulum")
    worker.post(StartRecording(tmp_path / "a.csv"))
    worker.until(lambda s: s.recording)
    threads = {thread.name: thread.native_id for thread in threading.enumerate()}
    try:
        os.sched_setscheduler(0, os.SCHED_RR | os.SCHED_RESET_ON_FORK, os.sched_param(1))
        os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
    except PermissionError:
        pytest.skip("this user may not run threads in real time")
    assert os.sched_getscheduler(threads["simulation"]) & ~os.SCHED_RESET_ON_FORK == os.SCHED_RR
    others = [thread for name, thread in threads.items() if name != "simulation"]
    assert len(others) >= 2, threads
    assert {os.sched_getscheduler(thread) for thread in others} == {os.SCHED_OTHER}
