"""Processes that are killed while they record: what is left, and how it becomes a whole recording."""

import json
import os
import shutil
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest

from armature import engine
from armature.engine.recording import recording_writer
from armature.engine.recording.mcap import mcap_format
from armature.engine.recording.recording_columns import column_names
from armature.engine.recording.recording_files import PartFile, part_path
from armature.engine.recording.recording_metadata import metadata_of
from armature.engine.recording.recording_notes import notes_path, sidecar
from armature.engine.recording.recording_recovery import discard, find_recoverable, recover
from armature.engine.simulation.commands import NoteKind
from armature.engine.simulation.live.live_recording import LiveRecording
from armature.engine.simulation.stepper import Stepper
from tests.chance import some
from tests.time_limits import PROCESS, WAIT, wait_until

ROOT = Path(__file__).resolve().parents[2]
SUFFIXES = ("csv", "npz", "mat", "mcap")


def last_time(part: Path) -> float:
    """Simulated time of the last row that is on disk, s; 0 while there is none."""
    try:
        return float(engine.load_recording(part).t[-1]) if part.exists() else 0.0
    except engine.RecordingError:
        return 0.0


def test_what_a_kill_loses_is_less_than_half_a_second():
    assert recording_writer.FLUSH + mcap_format.FLUSH < 0.5


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
@pytest.mark.parametrize("suffix", some(["csv", "mcap", "npz", "mat"], 2))
def test_sigkill_loses_nothing_that_was_written(tmp_path, suffix):
    """With SOAK=1 in every format."""
    path = tmp_path / f"out.{suffix}"
    part = tmp_path / f"out.{suffix}.part"
    command = [sys.executable, "main.py", "simulate", "puma560", "--duration", "60", "--realtime", "--record", str(path)]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    try:
        ended = lambda: process.poll() is not None  # noqa: E731
        begun = wait_until(lambda: ended() or last_time(part))  # a header comes in pieces, and a row says that time runs
        assert not ended(), process.stderr.read()
        reached = wait_until(lambda: ended() or ((t := last_time(part)) > begun + 0.5 and t))
        os.kill(process.pid, signal.SIGKILL)
        assert process.wait(WAIT) == -signal.SIGKILL
    finally:
        process.kill()
        process.communicate()
    assert not path.exists()
    recorded = engine.load_recording(part)
    assert recorded.metadata["recovered"]
    assert recorded.t[0] == 0 and np.allclose(np.diff(recorded.t), 1e-3)
    assert recorded.t[-1] >= reached > begun
    assert recorded.robot_name == "puma560" and recorded.metadata["dt"] == 1e-3
    (found,) = find_recoverable(tmp_path)
    assert (found.path, found.robot_name, found.joint_names) == (part, "puma560", recorded.joint_names)
    assert recover(part) == path and not find_recoverable(tmp_path)
    whole = engine.load_recording(path)
    assert np.array_equal(whole.table(), recorded.table())
    assert dict(whole.metadata) == dict(recorded.metadata)
    beside = ["out.csv.meta.json"] if suffix == "csv" else []
    assert sorted(path.name for path in tmp_path.iterdir()) == [path.name, *beside]


def test_a_worker_that_was_never_stopped_does_not_hang_the_process(tmp_path):
    script = textwrap.dedent(
        """
        import sys, time, engine
        from armature.engine.simulation.commands import Run, StartRecording
        from armature.engine.simulation.live.simulation_worker import SimulationWorker
        worker = SimulationWorker(engine.load_robot("double_pendulum"))
        worker.start(); worker.post(Run()); worker.post(StartRecording(sys.argv[1]))
        assert worker.events.get().kind == "recording_started"
        time.sleep(0.4)
        """
    )
    done = subprocess.run(
        [sys.executable, "-c", script, tmp_path / "a.csv"], cwd=ROOT, capture_output=True, text=True, timeout=PROCESS
    )
    assert done.returncode == 0 and not done.stderr
    assert len(engine.load_recording(tmp_path / "a.csv.part")) > 1


# -- what is left, without killing anybody ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def run():
    robot = engine.load_robot("scara")
    return engine.simulate(robot, robot.configurations["home"], None, 0.2, 1e-3)


def flush(part: PartFile) -> None:
    """Write rows that a format holds back, as after the time that it may."""
    with pytest.MonkeyPatch.context() as later:
        later.setattr(mcap_format, "FLUSH", 0.0)
        part.flush()


def left(run, path: Path) -> Path:
    """The `.part` of a recording at `path` whose process died."""
    part = PartFile(path, run.columns, run.metadata)
    part.rows(run.table())
    flush(part)
    part.close()
    return part.path


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("cut", [0, 1, 9, 100])
def test_everything_up_to_the_last_whole_sample_is_recovered(run, tmp_path, suffix, cut):
    part = PartFile(tmp_path / f"a.{suffix}", run.columns, run.metadata)
    for first in (0, 100):
        part.rows(run.table(first, first + 100))
        flush(part)
    part.close()
    os.truncate(part.path, part.path.stat().st_size - cut)
    whole = engine.load_recording(recover(part.path))
    if suffix == "mcap":  # in chunks, each of them with an index behind it
        assert len(whole) in (100, 200) and (cut > 0 or len(whole) == 200)
    else:
        assert len(whole) == 200 - (cut > 0)
    assert np.array_equal(whole.table(), run.table(0, len(whole))) and whole.metadata["recovered"]


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_events_survive_a_kill_and_a_normal_end(run, tmp_path, suffix):
    for name, killed in (("killed", True), ("ended", False)):
        part = PartFile(tmp_path / f"{name}.{suffix}", run.columns, run.metadata)
        part.rows(run.table())
        part.note({"row": 5, "kind": "torque", "tau": [1.0, 0.1, 0.0]})
        part.note({"row": 9, "kind": "torque", "tau": [0.0, 0.0, 0.0]})
        flush(part)
        if killed:
            part.close()
            with notes_path(part.path).open("ab") as notes:
                notes.write(b'{"row": 12, "ki')
            recover(part.path)
        else:
            part.finish(lambda: False)
        events = engine.load_recording(tmp_path / f"{name}.{suffix}").metadata["events"]
        assert [event["row"] for event in events] == [5, 9] and events[0]["tau"] == [1.0, 0.1, 0.0]
        assert not notes_path(part.path).exists()


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_recording_can_be_recovered_in_another_format(run, tmp_path, suffix):
    target = tmp_path / ("b.csv" if suffix != "csv" else "b.mat")
    assert recover(left(run, tmp_path / f"a.{suffix}"), target) == target
    assert np.array_equal(engine.load_recording(target).table(), run.table())


def test_a_recording_that_is_being_written_is_not_offered(run, tmp_path):
    part = PartFile(tmp_path / "a.npz", run.columns, run.metadata)
    part.rows(run.table())
    assert find_recoverable(tmp_path) == []
    for do in (recover, discard):
        with pytest.raises(engine.RecordingError, match="still being written"):
            do(part.path)
    part.close()
    assert [found.path for found in find_recoverable(tmp_path)] == [part.path]


def test_what_cannot_be_recovered_is_not_offered(run, tmp_path):
    (tmp_path / "a.csv.part").write_text("not a recording")
    (tmp_path / "b.txt.part").write_text("a download")
    (tmp_path / "c.mcap.part").write_bytes(b"")
    PartFile(tmp_path / "d.npz", run.columns, run.metadata).close()
    assert find_recoverable(tmp_path) == [] and find_recoverable(tmp_path / "nowhere") == []
    assert len(list(tmp_path.iterdir())) == 4
    with pytest.raises(engine.RecordingError, match=r"d\.npz\.part: no complete sample"):
        recover(tmp_path / "d.npz.part")
    with pytest.raises(engine.RecordingError, match=r"end in \.csv, \.npz, \.mat or \.mcap, then \.part"):
        recover(tmp_path / "b.txt.part")
    with pytest.raises(engine.RecordingError, match="no such file"):
        recover(tmp_path / "nowhere.npz.part")


def test_recovery_takes_a_free_name_and_overwrites_nothing(run, tmp_path):
    run.save(tmp_path / "a.csv")
    before = (tmp_path / "a.csv").read_bytes()
    saved = PartFile(tmp_path / "b.csv", run.columns, run.metadata)
    saved.rows(run.table())
    saved.close()
    shutil.move(saved.path, part_path(tmp_path / "a.csv"))
    shutil.move(notes_path(saved.path), notes_path(part_path(tmp_path / "a.csv")))
    assert recover(tmp_path / "a.csv.part") == tmp_path / "a (2).csv"
    assert (tmp_path / "a.csv").read_bytes() == before and sidecar(tmp_path / "a (2).csv").exists()


def test_a_recovery_that_is_stopped_or_refused_changes_nothing(run, tmp_path):
    part = left(run, tmp_path / "a.npz")
    names = sorted(path.name for path in tmp_path.iterdir())
    with pytest.raises(engine.Cancelled):
        recover(part, cancelled=lambda: True)
    with pytest.raises(engine.RecordingError, match="the folder does not exist"):
        recover(part, tmp_path / "no" / "a.npz")
    assert sorted(path.name for path in tmp_path.iterdir()) == names
    discard(part)
    assert not list(tmp_path.iterdir())


def test_a_kill_while_the_end_is_written_loses_nothing(run, tmp_path):
    part = left(run, tmp_path / "a.npz")
    (tmp_path / "a.npz.tmp").write_bytes(b"half a zip file")
    assert len(engine.load_recording(recover(part))) == len(run)


def test_recordings_of_the_version_before_are_recovered(run, tmp_path):
    robot = engine.load_robot("scara")
    old = {
        key: value for key, value in metadata_of(robot, 1e-3, "rk4").items() if key in ("robot", "gravity", "integrator", "dt")
    }
    part = PartFile(tmp_path / "a.npz", column_names(robot.joint_names), old)
    part.rows(run.table())
    part.close()
    whole = engine.load_recording(recover(part.path))
    assert whole.metadata["schema"] == 1 and whole.robot_name == "scara" and whole.metadata["controller"] is None


def test_what_was_noted_behind_the_last_row_on_disk_is_no_part_of_what_is_read(tmp_path):
    """Notes are written before the rows that they belong to: of a run that goes on, or was killed between the two."""
    robot = engine.load_robot("double_pendulum")
    stepper = Stepper(robot, [0.3, 0.2], None, 1e-3, "rk4")
    running = LiveRecording(tmp_path / "run.npz", stepper, 0.0, lambda *_: None)
    running.enter_simulation(0.0, 0.0)
    for torque in ([0.5, 0.0], [0.0, 0.0]):
        stepper.set_torque(torque)
        running.note(NoteKind.TORQUE, stepper)
        running.steps(stepper.advance(50))
    part = tmp_path / "run.npz.part"
    wait_until(lambda: last_time(part) >= 0.098 and len(notes_path(part).read_bytes().splitlines()) >= 4)
    with notes_path(part).open("a") as notes:  # as if the rows in between waited for the disk
        for note in (
            {"row": 150, "kind": "torque", "torque": [1.0, 1.0]},
            {"row": 200, "kind": "leave", "t": 0.2, "wall": 0.2, "last": 1},
            {"row": 200, "kind": "log", "first": 0, "name": "e", "values": [[1.0]] * 200},
        ):
            notes.write(f"{json.dumps(note)}\n")
    read = engine.load_recording(tmp_path / "run.npz")
    kinds = [event["kind"] for event in read.metadata["events"]]
    assert kinds == ["begin", "enter", "torque", "torque", "log"] and len(read.log["e"]) == len(read)
    np.testing.assert_array_equal(engine.resimulate(read, robot).q, read.q)
    running.writer.abandon()
    assert running.writer.join(WAIT)
