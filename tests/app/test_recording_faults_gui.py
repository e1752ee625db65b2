"""Recording in the window when the disk fails or another window is quicker: one clear line, nothing lost, the arm goes on."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from armature import engine
from armature.engine.simulation.commands import StopRecording
from tests.chance import some

CTRL = Qt.KeyboardModifier.ControlModifier


def told(window, find) -> str:
    return find(window, "banner_text").text() if find(window, "banner").isVisible() else ""


def record(window, wait_for, press) -> Path:
    """Run and record for a moment, or until a small disk is full; return the file that is being written."""
    press(window, Qt.Key.Key_R, CTRL)
    wait_for(lambda: window.simulation.recording is not None)
    path = window.simulation.recording
    press(window.scene, Qt.Key.Key_Space)
    run = window.simulation
    wait_for(lambda: run.latest.running and (run.latest.rows > 100 or run.recording is None))
    return path


def still_runs_and_can_record_again(window, wait_for, folder):
    assert not window.actions_["record"].isChecked()
    t = window.simulation.latest.t
    wait_for(lambda: window.simulation.latest.running and window.simulation.latest.t > t + 0.1)
    window.preferences.set(recording_folder=str(folder))
    window.actions_["record"].trigger()
    wait_for(lambda: window.simulation.recording is not None and window.simulation.latest.rows > 20)
    path = window.simulation.recording
    window.actions_["record"].trigger()
    wait_for(path.exists)
    assert len(engine.load_recording(path)) > 20


def test_a_folder_removed_while_recording(make_window, tmp_path, wait_for, press, find):
    folder = tmp_path / "usb"
    window = make_window(recording_folder=str(folder))
    path = record(window, wait_for, press)
    shutil.rmtree(folder)
    wait_for(lambda: any(words in told(window, find) for words in ("its folder was deleted", "the folder does not exist")))
    assert path.name in told(window, find) and find(window, "banner").property("severity") == "error"
    still_runs_and_can_record_again(window, wait_for, tmp_path / "elsewhere")


@pytest.mark.parametrize("suffix", some(["csv", "mcap", "npz", "mat"], 2))
def test_a_disk_that_becomes_full_while_recording(make_window, tiny_disk, tmp_path, wait_for, press, find, suffix):
    """With SOAK=1 in every format."""
    window = make_window(recording_folder=str(tiny_disk), recording_format=suffix)
    path = record(window, wait_for, press)
    wait_for(lambda: "the disk is full" in told(window, find), 60)
    assert path.name in told(window, find) and "\n" not in told(window, find)
    kept = engine.load_recording(f"{path}.part")
    assert len(kept) > 50 and kept.metadata["recovered"]
    still_runs_and_can_record_again(window, wait_for, tmp_path / "elsewhere")


def test_two_windows_that_record_to_the_same_name(make_window, tmp_path, wait_for, find):
    """Within the same moment, into the same folder: the later one takes another name."""
    windows = [make_window(recording_folder=str(tmp_path / "shared")) for _ in range(2)]
    for window in windows:
        window.actions_["record"].trigger()
    wait_for(lambda: all(told(window, find).startswith("Recording to") for window in windows))
    wait_for(lambda: all(window.simulation.recording is not None for window in windows))
    paths = [window.simulation.recording for window in windows]
    assert len(set(paths)) == 2 and all(window.actions_["record"].isChecked() for window in windows)
    for window in windows:
        window.actions_["run"].trigger()
    wait_for(lambda: all(window.simulation.latest is not None and window.simulation.latest.t > 0.3 for window in windows))
    for window in windows:
        window.simulation.send(StopRecording())
    wait_for(lambda: all(path.exists() for path in paths))
    for path in paths:
        assert len(engine.load_recording(path)) > 200
    assert not list((tmp_path / "shared").glob("*.part*"))
