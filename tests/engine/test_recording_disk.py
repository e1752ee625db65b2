"""Recordings on their way to disk: the same bits, one time axis, and every way a disk or a process can fail."""

import os
import shutil
import signal
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import engine
from engine.recording import npz_format, part_file, writer
from engine.recording.columns import column_names
from engine.recording.derived import metadata_of
from engine.recording.writer import RecordingWriter
from tests.engine.watched import PATIENCE, Watched, workers

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def start():
    yield from workers()


@pytest.fixture
def puma():
    return engine.load_robot("puma560")


# -- what is written -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("suffix", ["csv", "npz"])
def test_a_recording_holds_what_simulate_gives_to_the_last_bit(start, puma, tmp_path, suffix):
    worker, q0 = start("puma560"), puma.configurations["ready"]
    worker.set_state(q0)
    worker.start_recording(tmp_path / f"run.{suffix}")
    worker.step(700)
    worker.stop_recording()
    event = worker.until_event("recording_stopped")
    assert event.path == tmp_path / f"run.{suffix}" and "702 samples" in event.text
    recorded = engine.load_recording(event.path)
    expected = engine.simulate(puma, q0, None, 0.7, 1e-3)
    assert recorded.t[0] == 0 and np.all(np.diff(recorded.t) > 0)
    assert np.allclose(np.diff(recorded.t[1:]), 1e-3)
    assert np.array_equal(recorded.table(1)[:, 1:], expected.table()[:, 1:])
    assert [path.name for path in tmp_path.iterdir()] == [f"run.{suffix}"]


def test_a_running_simulation_is_recorded_step_by_step(start, tmp_path):
    worker = start("double_pendulum")
    worker.run()
    worker.until(lambda s: s.t > 0.05)
    worker.start_recording(tmp_path / "run.csv")
    snapshot = worker.until(lambda s: s.rows > 300)
    assert snapshot.recording == tmp_path / "run.csv"
    worker.stop_recording()
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

    def at(wall, command, *arguments, done):
        clock.now = wall
        getattr(worker, command)(*arguments)
        worker.until(done)

    at(50.0, "start_recording", tmp_path / "run.csv", done=lambda s: s.rows == 1)
    at(51.0, "set_state", [0.1, 0.2], done=lambda s: s.rows == 2)
    at(51.5, "set_state", [0.3, 0.4], done=lambda s: s.rows == 3)
    at(53.0, "step", 100, done=lambda s: s.rows == 104)
    at(54.0, "reset", [0.0, 0.0], done=lambda s: s.rows == 105)
    at(54.0, "step", 1, done=lambda s: s.rows == 107)
    worker.stop_recording()
    worker.until_event("recording_stopped")
    recorded = engine.load_recording(tmp_path / "run.csv")
    times = [0, 1, 1.5, *(3 + 0.001 * np.arange(101)), 4.1, 4.1, 4.101]
    assert np.allclose(recorded.t, times) and np.all(np.diff(recorded.t) > 0)
    robot = engine.load_robot("double_pendulum")
    for k in (0, 1, 2, 104):
        assert not recorded.qd[k].any() and not recorded.qdd[k].any()
        assert np.allclose(recorded.tau[k], engine.gravity_torque(robot, recorded.q[k]))
    assert np.array_equal(recorded.q[2], [0.3, 0.4]) and np.array_equal(recorded.q[104], [0.0, 0.0])


def test_poses_of_an_arm_without_masses_are_recorded(start, tmp_path):
    worker = start("irb140")
    worker.start_recording(tmp_path / "poses.npz")
    for k in range(1, 5):
        worker.set_state(np.full(6, k / 10))
    worker.stop_recording()
    worker.until_event("recording_stopped")
    recorded = engine.load_recording(tmp_path / "poses.npz")
    assert np.allclose(recorded.q[1:, 0], [0.1, 0.2, 0.3, 0.4])
    assert not recorded.tau.any() and not recorded.kinetic.any()


def test_stopping_the_worker_or_changing_the_robot_finishes_the_recording(puma, tmp_path):
    watched = Watched(puma)
    watched.run()
    watched.start_recording(tmp_path / "a.csv")
    watched.until(lambda s: s.rows > 50)
    watched.set_robot(engine.load_robot("scara"), [0.1, 0.1, 0.1])
    watched.until_event("recording_stopped")
    watched.start_recording(tmp_path / "b.npz")
    watched.run()
    watched.until(lambda s: s.rows > 50)
    assert watched.stop(timeout=PATIENCE)
    assert engine.load_recording(tmp_path / "a.csv").joint_names == puma.joint_names
    assert len(engine.load_recording(tmp_path / "b.npz").joint_names) == 3


def test_large_streams_become_npz_in_small_pieces(puma, tmp_path, monkeypatch):
    monkeypatch.setattr(npz_format, "_BUFFER", 8 * 1000 * 3)
    monkeypatch.setattr(npz_format, "_BLOCK", 10_000)
    recording = engine.simulate(puma, puma.configurations["home"], None, 0.999, 1e-3)
    stream = tmp_path / "s.part"
    stream.write_bytes(npz_format.stream_header(recording.columns, recording.metadata) + recording.table().tobytes())
    with (tmp_path / "s.npz").open("wb") as file:
        assert npz_format.convert_stream(stream, file)
    assert np.array_equal(engine.load_recording(tmp_path / "s.npz").table(), recording.table())
    with (tmp_path / "t.npz").open("wb") as file:
        assert not npz_format.convert_stream(stream, file, cancelled=lambda: True)


# -- what is never overwritten ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("there", "text"), [("run.csv", "exists and is not overwritten"), ("run.csv.part", "unfinished recording")]
)
def test_files_that_exist_are_left_alone(start, tmp_path, there, text):
    (tmp_path / there).write_text("precious")
    worker = start("double_pendulum")
    worker.start_recording(tmp_path / "run.csv")
    assert text in worker.until_event("recording_failed").text
    assert (tmp_path / there).read_text() == "precious" and len(list(tmp_path.iterdir())) == 1
    worker.start_recording(tmp_path / "run.csv", overwrite=True)
    worker.until_event("recording_started")
    worker.stop_recording()
    worker.until_event("recording_stopped")
    assert len(engine.load_recording(tmp_path / "run.csv")) == 1


def test_a_file_that_appears_meanwhile_is_not_overwritten(start, tmp_path):
    worker = start("double_pendulum")
    worker.start_recording(tmp_path / "run.csv")
    worker.until_event("recording_started")
    (tmp_path / "run.csv").write_text("precious")
    worker.stop_recording()
    assert "kept as run.csv.part" in worker.until_event("recording_failed").text
    assert (tmp_path / "run.csv").read_text() == "precious"
    assert len(engine.load_recording(tmp_path / "run.csv.part")) == 1


def test_two_recordings_at_once_and_bad_names_are_refused(start, tmp_path):
    worker = start("double_pendulum")
    worker.start_recording(tmp_path / "a.csv")
    worker.start_recording(tmp_path / "b.csv")
    assert f"already recording to {tmp_path / 'a.csv'}" in worker.until_event("refused").text
    worker.stop_recording()
    worker.start_recording(tmp_path / "c.mat")
    assert ".csv or .npz" in worker.until_event("recording_failed").text


# -- disks that fail -------------------------------------------------------------------------------------------------------------


def still_runs(worker):
    reached = worker.until(lambda s: s.running).t
    return worker.until(lambda s: s.running and s.recording is None and s.t > reached + 0.1)


def test_a_vanished_folder_stops_the_recording_and_not_the_simulation(start, tmp_path):
    folder = tmp_path / "usb"
    folder.mkdir()
    worker = start("double_pendulum")
    worker.run()
    worker.start_recording(folder / "run.csv")
    worker.until(lambda s: s.rows > 100)
    shutil.rmtree(folder)
    event = worker.until_event("recording_failed")
    assert "its folder is gone" in event.text and event.path == folder / "run.csv" and "\n" not in event.text
    still_runs(worker)


def test_a_moved_file_stops_the_recording_too(start, tmp_path):
    worker = start("double_pendulum")
    worker.run()
    worker.start_recording(tmp_path / "run.npz")
    worker.until(lambda s: s.rows > 100)
    (tmp_path / "run.npz.part").rename(tmp_path / "elsewhere.npz.part")
    assert "moved or deleted" in worker.until_event("recording_failed").text
    still_runs(worker)
    assert len(engine.load_recording(tmp_path / "elsewhere.npz.part")) > 1


def test_a_missing_or_forbidden_folder_is_told(start, tmp_path):
    worker = start("double_pendulum")
    worker.start_recording(tmp_path / "no" / "run.csv")
    assert "the folder does not exist" in worker.until_event("recording_failed").text
    (tmp_path / "file").write_text("")
    worker.start_recording(tmp_path / "file" / "run.csv")
    assert "the folder does not exist" in worker.until_event("recording_failed").text
    worker.start_recording(tmp_path / ("x" * 300 + ".csv"))
    assert "the name is too long" in worker.until_event("recording_failed").text


SMALL_DISK = """
    import sys, time, resource, signal
    import engine
    from engine.simulation.worker import SimulationWorker
    path, limit = sys.argv[1], int(sys.argv[2])
    engine.warm_up()  # before the limit, which would also keep compiled kernels from being cached
    if limit:
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    worker = SimulationWorker(engine.load_robot("puma560"))
    worker.start()
    worker.run()
    worker.start_recording(path)
    while (event := worker.events.get(timeout=60)).kind != "recording_failed":
        pass
    print(event.text)
    worker.mailbox.take()
    t = 0.0
    while not t:
        snapshot = worker.mailbox.take()
        t = snapshot.t if snapshot and snapshot.running and snapshot.recording is None else 0.0
        time.sleep(0.01)
    while not ((snapshot := worker.mailbox.take()) and snapshot.running and snapshot.t > t + 0.1):
        time.sleep(0.01)
    print("stopped", worker.stop())
"""


def record_on_a_small_disk(path, limit) -> list[str]:
    script = textwrap.dedent(SMALL_DISK)
    done = subprocess.run([sys.executable, "-c", script, path, str(limit)], cwd=ROOT, capture_output=True, text=True, timeout=100)
    assert done.returncode == 0 and not done.stderr, done.stderr
    return done.stdout.splitlines()


@pytest.mark.skipif(sys.platform == "win32", reason="there are no limits on file sizes")
@pytest.mark.parametrize("suffix", ["csv", "npz"])
def test_a_file_that_may_not_grow_stops_the_recording_and_not_the_simulation(tmp_path, suffix):
    path = tmp_path / f"run.{suffix}"
    lines = record_on_a_small_disk(path, 100_000)
    assert lines == [f"{path}.part: the file reached the largest size allowed", "stopped True"]
    kept = engine.load_recording(f"{path}.part")
    assert len(kept) > 50 and np.all(np.isfinite(kept.table()))


@pytest.fixture
def tiny_disk(tmp_path):
    folder = tmp_path / "disk"
    folder.mkdir()
    if (
        sys.platform != "linux"
        or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=128k", "none", folder], capture_output=True).returncode
    ):
        pytest.skip("no file system can be mounted here")
    yield folder
    subprocess.run(["umount", "-l", folder], check=True)


def test_a_full_disk_stops_the_recording_and_not_the_simulation(tiny_disk):
    path = tiny_disk / "run.csv"
    lines = record_on_a_small_disk(path, 0)
    assert lines == [f"{path}.part: the disk is full", "stopped True"]
    assert len(engine.load_recording(f"{path}.part")) > 50


@pytest.fixture
def hung_disk(monkeypatch):
    """A disk that takes the header and then nothing, until the test ends."""
    released, hung, append = threading.Event(), threading.Event(), part_file.PartFile.append

    def slow(self, data):
        if self._size:
            hung.set()
            released.wait(PATIENCE)
        append(self, data)

    monkeypatch.setattr(part_file.PartFile, "append", slow)
    yield hung
    released.set()
    for thread in threading.enumerate():
        if thread.name == "recording":
            thread.join(PATIENCE)


def test_a_hanging_disk_stalls_neither_the_simulation_nor_the_end(hung_disk, puma, tmp_path):
    worker = Watched(puma)
    worker.start_recording(tmp_path / "run.csv")
    worker.run()
    assert hung_disk.wait(PATIENCE)
    reached = worker.until(lambda s: s.running and s.rows > 0).t
    worker.until(lambda s: s.t > reached + 0.3)
    assert not worker.stop(timeout=0.3)
    assert "kept as run.csv.part" in worker.until_event("recording_failed").text
    assert not worker.alive


def test_a_disk_that_does_not_keep_up_ends_the_recording(hung_disk, monkeypatch, puma, tmp_path):
    monkeypatch.setattr(writer, "QUEUE_BYTES", 8 * 25 * 200)
    worker = Watched(puma)
    worker.start_recording(tmp_path / "run.csv")
    worker.run()
    assert "does not keep up" in worker.until_event("recording_failed").text
    still_runs(worker)
    worker.stop(timeout=1.0)


def test_who_can_wait_for_the_disk_loses_nothing(monkeypatch, puma, tmp_path):
    monkeypatch.setattr(writer, "QUEUE_BYTES", 8 * 25 * 50)
    told = []
    tape = RecordingWriter(tmp_path / "run.npz", puma, metadata_of(puma, 1e-3, "rk4"), lambda *event: told.append(event))
    rows = np.random.default_rng(1).normal(size=(1000, 25))
    rows[:, 0] = np.arange(1000)
    for first in range(0, 1000, 30):
        assert tape.put(rows[first : first + 30], wait=True)
    tape.close()
    assert tape.join(PATIENCE) and not tape.put(rows)
    assert [kind for kind, _ in told] == ["recording_started", "recording_stopped"]
    recorded = engine.load_recording(tmp_path / "run.npz")
    assert np.array_equal(recorded.table()[:, :25], rows) and recorded.columns == column_names(puma.joint_names)


def test_an_error_of_ours_in_the_writer_is_told(monkeypatch, puma, tmp_path):
    def broken(*_):
        raise ZeroDivisionError("ours")

    monkeypatch.setattr(writer.Completer, "complete", broken)
    worker = Watched(puma)
    worker.run()
    worker.start_recording(tmp_path / "run.csv")
    assert "unexpected ZeroDivisionError: ours" in worker.until_event("recording_failed").text
    still_runs(worker)
    assert worker.stop()


# -- processes that are killed ---------------------------------------------------------------------------------------------------


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
@pytest.mark.parametrize("suffix", ["csv", "npz"])
def test_sigkill_loses_at_most_the_last_half_second(tmp_path, suffix):
    path = tmp_path / f"out.{suffix}"
    part = tmp_path / f"out.{suffix}.part"
    command = [sys.executable, "main.py", "simulate", "puma560", "--duration", "60", "--realtime", "--record", str(path)]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    try:
        end = time.monotonic() + PATIENCE
        size = None
        while size is None or part.stat().st_size <= size:  # the header, then the first rows
            size = part.stat().st_size if part.exists() and size is None else size
            assert process.poll() is None and time.monotonic() < end, process.stderr.read()
            time.sleep(0.005)
        first_seen = time.monotonic()
        time.sleep(1.5)
        elapsed = time.monotonic() - first_seen
        os.kill(process.pid, signal.SIGKILL)
        assert process.wait(PATIENCE) == -signal.SIGKILL
    finally:
        process.kill()
        process.communicate()
    assert not path.exists()
    recorded = engine.load_recording(part)
    assert recorded.metadata["recovered"]
    assert recorded.t[0] == 0 and np.allclose(np.diff(recorded.t), 1e-3)
    assert recorded.t[-1] >= elapsed - 0.5


def test_a_worker_that_was_never_stopped_does_not_hang_the_process(tmp_path):
    script = textwrap.dedent(
        """
        import sys, time, engine
        from engine.simulation.worker import SimulationWorker
        worker = SimulationWorker(engine.load_robot("double_pendulum"))
        worker.start(); worker.run(); worker.start_recording(sys.argv[1])
        assert worker.events.get(timeout=60).kind == "recording_started"
        time.sleep(0.4)
        """
    )
    done = subprocess.run(
        [sys.executable, "-c", script, tmp_path / "a.csv"], cwd=ROOT, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0 and not done.stderr
    assert len(engine.load_recording(tmp_path / "a.csv.part")) > 1
