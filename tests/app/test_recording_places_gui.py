"""Recordings say where they go and how large they are, are small by default, and are found again after a restart."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialogButtonBox, QFileDialog

from armature import engine
from armature.app.state.files import short_path
from armature.app.state.settings import Settings, decode, encode
from armature.app.state.units import megabytes
from armature.engine.recording.recording_formats import FORMATS
from tests.app.test_import_sheet_gui import choose
from tests.app.test_recording_gui import CTRL, record_a_run


def test_new_recordings_are_no_text():
    assert Settings().recording_format == "npz" and f".{Settings().recording_format}" in FORMATS


@pytest.mark.parametrize("suffix", FORMATS)
def test_the_expected_size_is_nearly_that_of_a_run(suffix, tmp_path):
    arm = engine.load_robot("puma560")
    run = engine.simulate(arm, arm.configurations["home"], None, 2.0, 1e-3)
    expected = FORMATS[suffix].size(len(run), len(run.columns))
    assert 0.6 < run.save(tmp_path / f"run{suffix}").stat().st_size / expected < 1.7


def test_sizes_are_told_in_the_unit_that_suits_them():
    texts = [megabytes(size) for size in (0, 900, 12_345, 999_400, 999_600, 5_040_000, 16_800_000, 2_300_000_000)]
    assert texts == ["0 kB", "0.9 kB", "12 kB", "999 kB", "1.0 MB", "5.0 MB", "17 MB", "2.3 GB"]


def test_folder_and_size_are_shown_before_and_while_a_recording_is_made(window, wait_for, press, find):
    window.docks.bring_up("recording")
    status, folder = find(window, "recording_status"), short_path(window.files.recording_folder())
    assert status.text() == f"Not recording · about 17 MB per minute in {folder}"
    choose(find(window, "recording_format"), "CSV text (.csv)")
    wait_for(lambda: status.text() == f"Not recording · about 23 MB per minute in {folder}")
    choose(find(window, "recording_format"), "NumPy archive (.npz)")
    window.document.open_robot("scara")
    wait_for(lambda: "about 11 MB per minute" in status.text())
    press(window, Qt.Key.Key_R, CTRL)
    wait_for(lambda: window.simulation.recording is not None)
    path = window.simulation.recording
    press(window.scene, Qt.Key.Key_Space)
    wait_for(lambda: f"B in {folder}" in status.text() and " 0 kB" not in status.text())
    assert status.text().startswith(f"{path.name} · ") and " rows · " in status.text()
    press(window.scene, Qt.Key.Key_Space)
    press(window, Qt.Key.Key_R, CTRL)
    wait_for(lambda: window.recordings.last_path == path and status.text().startswith("Not recording"))
    assert path.suffix == ".npz" and str(path) in window.banner.text.text()


def test_the_last_recording_is_replayed_after_a_restart(make_window, wait_for, press, find):
    before = make_window()
    path = record_a_run(before, wait_for, press)
    remembered = decode(encode(before.preferences.now)).last_recording
    after = make_window(anew=True, last_recording=remembered)
    after.docks.bring_up("recording")
    again = find(after, "recording_replay_last")
    assert after.actions_["replay_last"].isEnabled()
    QTest.mouseClick(again, Qt.MouseButton.LeftButton)
    wait_for(lambda: after.replay.replaying)
    assert path.name in find(after, "replay_title").text()


def test_a_last_recording_that_is_gone_is_not_offered(make_window, find, tmp_path):
    window = make_window(anew=True, last_recording=str(tmp_path / "gone.npz"))
    assert not window.actions_["replay_last"].isEnabled() and not find(window, "recording_replay_last").isEnabled()


def test_saving_a_recording_offers_the_usual_format_and_tells_the_sizes(window, wait_for, press, tmp_path):
    path, seen = record_a_run(window, wait_for, press), {}
    window.files.open_path(str(path))
    wait_for(lambda: window.replay.replaying)

    def look():
        dialog = QApplication.activeModalWidget()
        if not isinstance(dialog, QFileDialog):
            QTimer.singleShot(30, look)
            return
        seen.update(kinds=dialog.nameFilters(), now=dialog.selectedNameFilter(), name=dialog.selectedFiles()[0])
        QTest.mouseClick(
            dialog.findChild(QDialogButtonBox).button(QDialogButtonBox.StandardButton.Cancel), Qt.MouseButton.LeftButton
        )

    QTimer.singleShot(30, look)
    press(window, Qt.Key.Key_S, CTRL)
    recording = engine.load_recording(path)
    size = megabytes(FORMATS[".npz"].size(len(recording), len(recording.columns)))
    assert seen["now"] == f"NumPy archive, about {size} (*.npz)" and Path(seen["name"]).name == "puma560.npz"
    assert all(", about " in kind for kind in seen["kinds"])
