"""Recordings on disks that fail: the simulation goes on, and what was recorded stays."""

import errno
import shutil
import subprocess
import sys
import textwrap
import threading
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from armature import engine
from armature.engine.recording import recording_files, recording_writer
from armature.engine.recording.recording_columns import column_names
from armature.engine.recording.recording_metadata import metadata_of
from armature.engine.recording.recording_recovery import recover
from armature.engine.recording.recording_writer import RecordingWriter
from armature.engine.simulation.commands import Run, StartRecording
from armature.engine.simulation.runs.scenario_run import ScenarioRun
from tests.engine.watched import Watched
from tests.time_limits import PROCESS, WAIT, wait_until

ROOT = Path(__file__).resolve().parents[2]
SUFFIXES = ("csv", "npz", "mat", "mcap")


def still_runs(worker):
    reached = worker.until(lambda s: s.running).t
    return worker.until(lambda s: s.running and s.recording is None and s.t > reached + 0.1)


def test_a_vanished_folder_stops_the_recording_and_not_the_simulation(start, tmp_path):
    folder = tmp_path / "usb"
    folder.mkdir()
    worker = start("double_pendulum")
    worker.post(Run())
    worker.post(StartRecording(folder / "run.csv"))
    worker.until(lambda s: s.rows > 100)
    shutil.rmtree(folder)
    event = worker.until_event("recording_failed")
    assert "its folder was deleted" in event.text and event.path == folder / "run.csv" and "\n" not in event.text
    still_runs(worker)


def test_a_moved_file_stops_the_recording_too(start, tmp_path):
    worker = start("double_pendulum")
    worker.post(Run())
    worker.post(StartRecording(tmp_path / "run.npz"))
    worker.until(lambda s: s.rows > 100)
    (tmp_path / "run.npz.part").rename(tmp_path / "elsewhere.npz.part")
    assert "moved or deleted" in worker.until_event("recording_failed").text
    still_runs(worker)
    assert len(engine.load_recording(tmp_path / "elsewhere.npz.part")) > 1


def test_a_missing_or_forbidden_folder_is_told(start, tmp_path):
    worker = start("double_pendulum")
    worker.post(StartRecording(tmp_path / "no" / "run.csv"))
    assert "the folder does not exist" in worker.until_event("recording_failed").text
    (tmp_path / "file").write_text("")
    worker.post(StartRecording(tmp_path / "file" / "run.csv"))
    assert "the folder does not exist" in worker.until_event("recording_failed").text
    worker.post(StartRecording(tmp_path / ("x" * 300 + ".csv")))
    assert "the name is too long" in worker.until_event("recording_failed").text


SMALL_DISK = """
    import sys, time, resource, signal
    from armature import engine
    from armature.engine.simulation.commands import Run, SetSpeed, StartRecording
    from armature.engine.simulation.live.simulation_worker import SimulationWorker
    from tests.time_limits import WAIT
    limit = int(sys.argv[1])
    if limit:
        engine.warm_up()  # before the limit, which would also keep compiled kernels from being cached
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    for path in sys.argv[2:]:
        worker = SimulationWorker(engine.load_robot("puma560"))
        worker.start()
        worker.post(SetSpeed(2.0))
        worker.post(Run())
        worker.post(StartRecording(path))
        while (event := worker.events.get()).kind != "recording_failed":
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
        print("stopped", worker.stop(WAIT))
"""


def record_on_small_disks(paths, limit) -> list[str]:
    """What a process of its own says that records to one after the other: two lines for each."""
    command = [sys.executable, "-c", textwrap.dedent(SMALL_DISK), str(limit), *paths]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=PROCESS)
    assert done.returncode == 0 and not done.stderr, done.stderr
    return done.stdout.splitlines()


@pytest.mark.skipif(sys.platform == "win32", reason="there are no limits on file sizes")
def test_a_file_that_may_not_grow_stops_the_recording_and_not_the_simulation(tmp_path):
    paths = [tmp_path / f"run.{suffix}" for suffix in SUFFIXES]
    lines = record_on_small_disks(paths, 100_000)
    for path in paths:
        assert lines[:2] == [f"{path}.part: the file exceeds the largest allowed size", "stopped True"]
        kept = engine.load_recording(f"{path}.part")
        assert len(kept) > 50 and np.all(np.isfinite(kept.table())), path
        del lines[:2]
    assert not lines


@pytest.fixture
def make_tiny_disk(tmp_path):
    """Mounts file systems of 128 kB each: `make_tiny_disk("name")`."""
    folders = []

    def make(name):
        folder = tmp_path / name
        folder.mkdir()
        mount = ["mount", "-t", "tmpfs", "-o", "size=128k", "none", folder]
        if sys.platform != "linux" or subprocess.run(mount, capture_output=True).returncode:
            pytest.skip("no file system can be mounted here")
        folders.append(folder)
        return folder

    yield make
    for folder in folders:
        subprocess.run(["umount", "-l", folder], check=True)


@pytest.fixture
def tiny_disk(make_tiny_disk):
    return make_tiny_disk("disk")


def test_a_full_disk_stops_the_recording_and_not_the_simulation(make_tiny_disk):
    paths = [make_tiny_disk(suffix) / f"run.{suffix}" for suffix in SUFFIXES]
    lines = record_on_small_disks(paths, 0)
    for path in paths:
        assert lines[:2] == [f"{path}.part: the disk is full", "stopped True"]
        assert len(engine.load_recording(f"{path}.part")) > 50, path
        del lines[:2]
    assert not lines


def test_a_run_of_a_scenario_that_the_disk_breaks_off_replaces_no_whole_one(tiny_disk, puma):
    path = tiny_disk / "run.csv"
    run = ScenarioRun("run", puma, puma.configurations["home"], None, duration=0.1, record=path)
    run.perform(False, lambda _: True)
    with pytest.raises(engine.RecordingError, match=r"run\.csv\.part: the disk is full"):
        replace(run, duration=2.0).perform(True, lambda _: True)
    assert len(engine.load_recording(path)) == 101
    assert (tiny_disk / "run.csv.part").exists()


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_of_a_block_larger_than_the_disk_what_went_in_is_kept(tiny_disk, puma, suffix):
    events = []
    path = tiny_disk / f"run.{suffix}"
    writer = RecordingWriter(path, puma, metadata_of(puma, 1e-3, "rk4"), lambda *event: events.append(event))
    rows = np.random.default_rng(1).normal(size=(1500, 25))
    rows[:, 0] = np.arange(1500)
    writer.put(rows)
    writer.close()
    assert writer.join(WAIT) and events[-1] == ("recording_failed", f"{path}.part: the disk is full")
    kept = engine.load_recording(f"{path}.part")
    assert len(kept) > 50 and np.array_equal(kept.t, rows[: len(kept), 0])


@pytest.mark.parametrize("suffix", ["npz", "mat"])
def test_a_disk_with_no_room_for_the_file_beside_its_rows_keeps_the_rows(tiny_disk, puma, suffix):
    """These formats are put together at the end, when the disk holds all rows already; recovery then goes elsewhere."""
    events = []
    path = tiny_disk / f"run.{suffix}"
    writer = RecordingWriter(path, puma, metadata_of(puma, 1e-3, "rk4"), lambda *event: events.append(event))
    rows = np.zeros((300, 25))
    rows[:, 0] = np.arange(300)
    assert writer.put(rows)
    writer.close()
    assert writer.join(WAIT)
    text = f"{path}: the disk is full; the recording was saved as run.{suffix}.part"
    assert events[-1] == ("recording_failed", text)
    assert len(engine.load_recording(f"{path}.part")) == 300 and not path.exists()
    with pytest.raises(engine.RecordingError, match="the disk is full"):
        recover(f"{path}.part")
    elsewhere = recover(f"{path}.part", tiny_disk.parent / f"saved.{suffix}")
    assert len(engine.load_recording(elsewhere)) == 300 and not list(tiny_disk.iterdir())


@pytest.fixture
def hung_disk(monkeypatch):
    """A disk that takes the header and then nothing, until the test ends."""
    released, hung, rows = threading.Event(), threading.Event(), recording_files.PartFile.rows

    def slow(self, table):
        hung.set()
        released.wait(WAIT)
        rows(self, table)

    monkeypatch.setattr(recording_files.PartFile, "rows", slow)
    yield hung
    released.set()
    for thread in threading.enumerate():
        if thread.name == "recording":
            thread.join(WAIT)


def test_a_hanging_disk_stalls_neither_the_simulation_nor_the_end(hung_disk, puma, tmp_path):
    worker = Watched(puma)
    worker.post(StartRecording(tmp_path / "run.csv"))
    worker.post(Run())
    assert hung_disk.wait(WAIT)
    reached = worker.until(lambda s: s.running and s.rows > 0).t
    worker.until(lambda s: s.t > reached + 0.3)
    assert not worker.stop(timeout=0.3)
    assert "run.csv.part" in worker.until_event("recording_failed").text
    wait_until(lambda: not worker.alive)


def test_a_disk_that_does_not_keep_up_ends_the_recording(hung_disk, monkeypatch, puma, tmp_path):
    monkeypatch.setattr(recording_writer, "QUEUE_BYTES", 8 * 25 * 200)
    worker = Watched(puma)
    worker.post(StartRecording(tmp_path / "run.csv"))
    worker.post(Run())
    assert "too slow" in worker.until_event("recording_failed").text
    still_runs(worker)
    worker.stop(timeout=1.0)


def test_who_can_wait_for_the_disk_loses_nothing(monkeypatch, puma, tmp_path):
    monkeypatch.setattr(recording_writer, "QUEUE_BYTES", 8 * 25 * 50)
    events = []
    writer = RecordingWriter(tmp_path / "run.npz", puma, metadata_of(puma, 1e-3, "rk4"), lambda *event: events.append(event))
    rows = np.random.default_rng(1).normal(size=(300, 25))
    rows[:, 0] = np.arange(300)
    for first in range(0, 300, 30):
        assert writer.put(rows[first : first + 30], wait=True)
    writer.close()
    assert writer.join(WAIT) and not writer.put(rows)
    assert [kind for kind, _ in events] == ["recording_started", "recording_stopped"]
    recorded = engine.load_recording(tmp_path / "run.npz")
    assert np.array_equal(recorded.table()[:, :25], rows) and recorded.columns == column_names(puma.joint_names)


def test_an_error_of_ours_in_the_writer_is_told(monkeypatch, puma, tmp_path):
    def broken(*_):
        raise ZeroDivisionError("ours")

    monkeypatch.setattr(recording_writer.Completer, "complete", broken)
    worker = Watched(puma)
    worker.post(Run())
    worker.post(StartRecording(tmp_path / "run.csv"))
    assert "unexpected ZeroDivisionError: ours" in worker.until_event("recording_failed").text
    still_runs(worker)
    assert worker.stop()


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_recording_that_a_full_disk_does_not_let_begin_leaves_nothing_in_the_way_of_the_next(tmp_path, monkeypatch, suffix):
    robot = engine.load_robot("pendulum")
    target, columns, metadata = tmp_path / f"run.{suffix}", column_names(robot.joint_names), metadata_of(robot, 1e-3, "")

    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as disk:
        disk.setattr(recording_files.os, "write", full)
        with pytest.raises(engine.RecordingError, match="the disk is full"):
            recording_files.PartFile(target, columns, metadata)
    assert not list(tmp_path.iterdir())
    recording_files.PartFile(target, columns, metadata).discard()
