"""Record, stop, open, replay; closing while recording; what goes wrong."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from armature import engine
from armature.app.recording.recording_files import RecordingFilesFeature
from armature.app.state.units import grouped
from armature.engine.recording.recording_notes import RecordingEvent
from armature.engine.simulation.simulation_event import Event
from tests.chance import some

CTRL = Qt.KeyboardModifier.ControlModifier


def record_a_run(window, wait_for, press) -> Path:
    press(window, Qt.Key.Key_R, CTRL)
    wait_for(lambda: window.simulation.recording is not None)
    press(window.scene, Qt.Key.Key_Space)
    wait_for(lambda: window.simulation.latest.t > 0.4)
    press(window.scene, Qt.Key.Key_Space)
    wait_for(lambda: not window.simulation.running)
    path = window.simulation.recording
    press(window, Qt.Key.Key_R, CTRL)
    wait_for(lambda: window.simulation.recording is None and window.recordings.last_path == path)
    return path


def open_recording(window, wait_for, path):
    window.files.open_path(str(path))
    wait_for(lambda: window.replay.replaying)


@pytest.mark.parametrize("suffix", some(["csv", "mcap", "npz", "mat"], 2))
def test_record_stop_open_replay(make_window, wait_for, press, find, suffix):
    """With SOAK=1 in every format."""
    window = make_window(recording_format=suffix)
    path = record_a_run(window, wait_for, press)
    recording = engine.load_recording(path)
    assert len(recording) >= 400
    open_recording(window, wait_for, path)
    assert np.array_equal(window.document.q, recording.q[0])
    assert find(window, "dock_recording").isVisible()
    find(window, "replay_play").click()
    wait_for(lambda: np.allclose(window.document.q, recording.q[-1]) and not window.replay.playing)
    timeline = find(window, "replay_timeline")
    timeline.setFocus()
    press(timeline, Qt.Key.Key_Home)
    assert np.array_equal(window.document.q, recording.q[0])
    QTest.mouseClick(timeline, Qt.MouseButton.LeftButton, pos=QPoint(timeline.width() // 2, timeline.height() // 2))
    assert 0 < window.replay._t < recording.duration
    find(window, "replay_close").click()
    assert not window.replay.replaying


def test_the_arm_stays_where_the_replay_left_it(window, wait_for, press, find):
    path = record_a_run(window, wait_for, press)
    open_recording(window, wait_for, path)
    window.replay.seek(0.5)
    pose = window.document.q.copy()
    find(window, "replay_close").click()
    QTest.qWait(120)
    assert np.array_equal(window.document.q, pose)


def test_a_hand_on_the_arm_ends_the_replay(window, wait_for, press, find):
    path = record_a_run(window, wait_for, press)
    open_recording(window, wait_for, path)
    window.recordings._panel.play.click()
    window.document.edit_joint(0, 0.7)
    assert not window.replay.replaying
    QTest.qWait(100)
    assert window.document.q[0] == 0.7


def test_pose_edits_are_recorded_while_paused(window, wait_for, press):
    press(window, Qt.Key.Key_R, CTRL)
    wait_for(lambda: window.simulation.recording is not None)
    for k in range(1, 4):
        window.document.edit_joint(0, 0.1 * k)
    path = window.simulation.recording
    press(window, Qt.Key.Key_R, CTRL)
    wait_for(lambda: window.simulation.recording is None and path.exists())
    recording = engine.load_recording(path)
    assert recording.q[-1, 0] == pytest.approx(0.3)
    assert not recording.qd.any()


@pytest.mark.parametrize("ran", [False, True])
def test_a_recording_begun_while_paused_lasts_as_long_as_the_run(window, wait_for, press, ran):
    if ran:
        press(window.scene, Qt.Key.Key_Space)
        wait_for(lambda: window.simulation.latest.t > 0.2)
        press(window.scene, Qt.Key.Key_Space)
        wait_for(lambda: not window.simulation.running)
    before = window.simulation.latest.t
    press(window, Qt.Key.Key_R, CTRL)
    wait_for(lambda: window.simulation.recording is not None)
    QTest.qWait(500)
    press(window.scene, Qt.Key.Key_Space)
    wait_for(lambda: window.simulation.latest.t > before + 0.3)
    press(window.scene, Qt.Key.Key_Space)
    wait_for(lambda: not window.simulation.running)
    ran_for, path = window.simulation.latest.t - before, window.simulation.recording
    press(window, Qt.Key.Key_R, CTRL)
    wait_for(lambda: window.simulation.recording is None and path.exists())
    recording = engine.load_recording(path)
    assert np.diff(recording.t).max() < 1.5 * window.simulation.latest.dt
    assert recording.duration == pytest.approx(ran_for, abs=1e-6)
    open_recording(window, wait_for, path)
    assert window.replay.recording.duration == recording.duration


def test_the_status_counts_rows(window, wait_for, press, find):
    window.docks.bring_up("recording")
    press(window, Qt.Key.Key_R, CTRL)
    press(window.scene, Qt.Key.Key_Space)
    wait_for(lambda: "rows" in find(window, "recording_status").text())
    assert window.actions_["record"].isChecked()


def test_closing_while_running_and_recording_saves_the_recording(make_window, wait_for, press):
    window = make_window()
    press(window, Qt.Key.Key_R, CTRL)
    wait_for(lambda: window.simulation.recording is not None)
    press(window.scene, Qt.Key.Key_Space)
    wait_for(lambda: window.simulation.latest.t > 0.3)
    path = window.simulation.recording
    window.close()
    assert path.exists() and not path.with_name(path.name + ".part").exists()
    assert len(engine.load_recording(path)) > 200


def test_a_folder_that_cannot_be_made_is_a_message(make_window, tmp_path, press, find):
    blocked = tmp_path / "file"
    blocked.write_text("")
    window = make_window(recording_folder=str(blocked / "inside"))
    press(window, Qt.Key.Key_R, CTRL)
    assert find(window, "banner").isVisible() and "not started" in find(window, "banner_text").text()
    assert not window.actions_["record"].isChecked()


def test_a_recording_opens_the_robot_it_was_made_with(window, wait_for, press):
    path = record_a_run(window, wait_for, press)
    window.document.open_robot("scara")
    open_recording(window, wait_for, path)
    assert window.document.robot.name == "puma560"


def test_space_plays_the_replay_and_runs_once_escape_has_closed_it(window, wait_for, press):
    path = record_a_run(window, wait_for, press)
    open_recording(window, wait_for, path)
    for _ in range(4):  # as slow as can be: it must not be over before one has looked
        press(window.scene, Qt.Key.Key_Minus)
    assert window.replay.speed <= 0.1
    press(window.scene, Qt.Key.Key_Space)
    assert window.replay.playing and not window.simulation.running
    press(window.scene, Qt.Key.Key_Escape)
    assert not window.replay.replaying
    press(window.scene, Qt.Key.Key_Space)
    wait_for(lambda: window.simulation.running)


def test_nothing_to_save_is_said(window, tmp_path, wait_for):
    feature = window.features[RecordingFilesFeature]
    feature.save(tmp_path / "copy.csv")
    wait_for(lambda: "There is no recording yet" in window.banner.text.text())
    assert not (tmp_path / "copy.csv").exists()


def test_a_recording_can_be_saved_in_the_other_format(window, wait_for, press, tmp_path):
    record_a_run(window, wait_for, press)
    for suffix in ("npz", "mat", "mcap"):
        target = tmp_path / f"copy.{suffix}"
        window.features[RecordingFilesFeature].save(target)
        wait_for(target.exists)
        assert len(engine.load_recording(target)) >= 400


def test_the_last_recording_is_replayed_by_name_and_its_samples_are_counted_as_elsewhere(window, wait_for, press, find):
    last, elsewhere = window.actions_["replay_last"], Path("/there/1,234 0.5.csv")
    assert not last.isEnabled()
    path = record_a_run(window, wait_for, press)
    assert last.isEnabled() and find(window, "recording_replay_last").isEnabled()
    press(window, Qt.Key.Key_F1)
    search = find(window, "help_dialog").search
    QTest.keyClicks(search, "replay last")
    QTest.keyClick(search, Qt.Key.Key_Return)
    wait_for(lambda: window.replay.replaying)
    assert path.name in find(window, "replay_title").text()
    stopped = Event(RecordingEvent.STOPPED, f"3,690 samples in {elsewhere}", path=elsewhere)
    window.simulation.event_arrived.emit(stopped)
    assert window.banner.text.text() == f"{grouped(3690)} samples in {elsewhere}"
