"""The line above the view: a fault stands until it is closed or settled, and what is said in between does not take it away."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from armature import engine
from armature.app.recording.recording_files import RecordingFilesFeature
from armature.app.state.severity import Severity
from tests.app.test_open_robots import drop

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def banner(window):
    return window.banner


@pytest.fixture
def good(tmp_path):
    robot = engine.load_robot("puma560")
    q = robot.configurations["home"]
    return engine.simulate(robot, q, 0 * q, 0.02, 1e-3).save(tmp_path / "good.npz")


@pytest.fixture
def bad(tmp_path):
    path = tmp_path / "bad.npz"
    path.write_bytes(b"no recording")
    return path


def faulty(banner, text):
    return banner.isVisible() and banner.property("severity") == "error" and text in banner.text.text()


def test_a_recording_that_opens_settles_the_one_that_did_not(window, banner, bad, good, wait_for):
    drop(window, bad)
    wait_for(lambda: faulty(banner, "bad.npz"))
    wait_for(lambda: window.scene.frame_state.covered == banner.height())  # sentences in the view stand below it
    drop(window, good)
    wait_for(lambda: window.replay.replaying)
    assert not banner.isVisible()
    wait_for(lambda: not window.scene.frame_state.covered)


def test_a_robot_that_opens_settles_a_file_that_did_not(window, banner, tmp_path, wait_for):
    (tmp_path / "notes.txt").write_text("hello")
    drop(window, tmp_path / "notes.txt")
    wait_for(lambda: faulty(banner, "notes.txt"))
    drop(window, engine.load_robot("scara").source)
    wait_for(lambda: window.document.robot.name == "scara")
    assert not banner.isVisible()


def test_a_robot_or_a_recording_that_opens_settles_a_scenario_that_was_refused(window, banner, good, tmp_path, wait_for):
    scenario = tmp_path / "runs.toml"
    scenario.write_text('robot = "puma560"\n[[runs]]\nname = "a"\n')
    scara = engine.load_robot("scara").source
    for next_one, there in ((scara, lambda: window.document.robot.name == "scara"), (good, lambda: window.replay.replaying)):
        drop(window, scenario)
        assert banner.isVisible() and "is a scenario file" in banner.text.text()
        drop(window, next_one)
        wait_for(there)
        assert "scenario" not in banner.text.text() or not banner.isVisible()


def test_information_covers_a_fault_of_something_else_only_for_a_while(window, banner, bad, good, find, wait_for, press):
    drop(window, bad)
    wait_for(lambda: faulty(banner, "bad.npz"))
    press(window.scene, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    assert "no recording yet" in banner.text.text() and banner.property("severity") == "info"
    banner._timer.setInterval(0)
    wait_for(lambda: faulty(banner, "bad.npz"))
    press(window.scene, Qt.Key.Key_R, Qt.KeyboardModifier.ControlModifier)
    wait_for(lambda: "Recording to" in banner.text.text())
    QTest.mouseClick(banner._close, LEFT)  # the information's, not the fault's
    assert faulty(banner, "bad.npz")
    QTest.mouseClick(banner._close, LEFT)
    assert not banner.isVisible()


def test_a_later_save_settles_the_one_that_failed_and_nothing_else(window, banner, bad, good, tmp_path, wait_for):
    drop(window, good)
    wait_for(lambda: window.replay.replaying)
    drop(window, bad)
    wait_for(lambda: faulty(banner, "bad.npz"))
    save = window.features[RecordingFilesFeature].save
    save(tmp_path / "nowhere" / "copy.csv")
    wait_for(lambda: faulty(banner, "was not saved"))
    save(tmp_path / "copy.csv")
    wait_for(lambda: "Saved" in banner.text.text())
    banner.dismiss()
    assert faulty(banner, "bad.npz")


def test_a_run_settles_the_one_that_diverged(window, banner, wait_for, press):
    banner.show_message(Severity.ERROR, "It diverged.", subject="simulation")
    press(window.scene, Qt.Key.Key_Space)
    wait_for(lambda: window.simulation.running)
    assert not banner.isVisible()
