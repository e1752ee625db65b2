"""Recordings opened beside the window: dropped, slow, given up, wrong; what was open stays until another one is there."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

import engine
from tests.app.test_open_robots import drop
from tests.app.test_whole_loop_gui import answer_the_file_dialog

OLD = Path(__file__).parents[1] / "data" / "recordings"
ROWS = 45_000  # of a recording that takes a second to read


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """A short recording of the Puma, and a long one as `.mcap`, which is slow to read."""
    folder, robot = tmp_path_factory.mktemp("recordings"), engine.load_robot("puma560")
    short = engine.simulate(robot, robot.configurations["home"], np.zeros(6), 0.2, 1e-3)
    table = np.tile(short.table(0, 1), (ROWS, 1))
    table[:, 0] = np.arange(ROWS) * 1e-3
    long = engine.Recording.from_table(table, short.joint_names, short.metadata)
    return short.save(folder / "short.npz"), long.save(folder / "long.mcap")


def title(window, find) -> str:
    return find(window, "replay_title").text()


def told(window, find) -> str:
    return find(window, "banner_text").text() if find(window, "banner").isVisible() else ""


@pytest.fixture
def opened(window, files, find, wait_for):
    """A window in which the short one is open, half way through."""
    drop(window, files[0])
    wait_for(lambda: "short.npz" in title(window, find))
    window.replay.seek(0.5)
    return window


def still_open(window, find):
    return window.recordings.replaying and "short.npz" in title(window, find) and window.replay.t == pytest.approx(0.1)


def test_the_window_lives_while_a_long_one_is_read(opened, files, find, wait_for):
    drop(opened.scene, files[1])
    wait_for(lambda: told(opened, find) == "Reading long.mcap…" and find(opened, "banner_progress").value() > 0)
    wait_for(lambda: find(opened, "banner_cancel").isVisible())  # the layout shows it in the next turn of the event loop
    assert still_open(opened, find)
    find(opened, "replay_timeline").setFocus()
    QTest.keyClick(find(opened, "replay_timeline"), Qt.Key.Key_End)
    assert opened.replay.t == pytest.approx(0.2)
    wait_for(lambda: "long.mcap" in title(opened, find))
    assert len(opened.replay.recording) == ROWS and opened.replay.t == 0 and not told(opened, find)


def test_it_can_be_given_up(opened, files, find, wait_for):
    drop(opened, files[1])
    wait_for(lambda: find(opened, "banner_progress").isVisible())
    QTest.mouseClick(find(opened, "banner_cancel"), Qt.MouseButton.LeftButton)
    QTest.qWait(300)
    assert still_open(opened, find) and not told(opened, find)


def test_of_two_in_a_row_the_latter_opens(opened, files, find, wait_for):
    opened.recordings.close_replay()
    shown = []
    opened.files.recording_opened.connect(lambda _, path: shown.append(path.name))
    drop(opened, files[1])
    drop(opened, files[0])
    wait_for(lambda: opened.recordings.replaying)
    QTest.qWait(1500)
    assert shown == ["short.npz"] and len(opened.replay.recording) == 201


def test_a_robot_opened_meanwhile_is_the_later_wish(opened, files, find):
    drop(opened, files[1])
    opened.files.open_robot("scara")
    QTest.qWait(1500)
    assert opened.document.robot.name == "scara" and not opened.recordings.replaying


def truncated(files, path):
    path.write_bytes(files[1].read_bytes()[:-5000])


def foreign(_, path):
    path.write_text("x,y\n1,2\n")


def of_another_arm(_, path):
    robot = engine.load_robot("double_pendulum")
    made = engine.simulate(robot, [0.1, 0.2], None, 0.01, 1e-3)
    metadata = {**made.metadata, "robot": "grandfather clock", "source": ""}
    engine.Recording.from_table(made.table(), made.joint_names, metadata).save(path)


@pytest.mark.parametrize(
    ("name", "make", "words"),
    [
        ("cut.mcap", truncated, "damaged, or it ends too early"),
        ("foreign.csv", foreign, "no column 'q.<joint>'"),
        ("empty.npz", lambda _, path: path.touch(), "the file is empty"),
        ("gone.mat", lambda *_: None, "no such file"),
        ("clock.npz", of_another_arm, "made with grandfather clock"),
    ],
)
def test_what_cannot_be_opened_is_one_line_and_changes_nothing(opened, files, find, wait_for, tmp_path, name, make, words):
    path = tmp_path / name
    make(files, path)
    drop(opened, path)
    wait_for(lambda: name in told(opened, find))
    assert words in told(opened, find) and "\n" not in told(opened, find)
    assert find(opened, "banner").property("kind") == "error"
    assert still_open(opened, find) and opened.document.robot.name == "puma560"


@pytest.mark.parametrize("name", ["version_1.csv", "version_1.npz", "version_1_killed.npz.part"])
def test_files_of_an_older_version_open(make_window, find, wait_for, tmp_path, name):
    window = make_window("double_pendulum")
    path = Path(shutil.copy(OLD / name, tmp_path / name))
    drop(window, path)
    wait_for(lambda: window.recordings.replaying)
    assert name in title(window, find) and len(window.replay.recording) == len(engine.load_recording(path))
    assert ("recovered" in told(window, find)) == name.endswith(".part")


def test_closing_while_it_is_read(opened, files):
    drop(opened, files[1])
    opened.close()


def test_a_name_without_a_suffix_is_saved_in_the_chosen_format_and_replaces_nothing(opened, find, wait_for, tmp_path):
    answer_the_file_dialog(tmp_path / "run 1.5")
    opened.actions_["save_recording"].trigger()
    wait_for(lambda: told(opened, find).startswith("Saved"))
    assert np.array_equal(engine.load_recording(tmp_path / "run 1.5.csv").table(), opened.replay.recording.table())
    (tmp_path / "run 1.5.csv").write_text("precious")
    answer_the_file_dialog(tmp_path / "run 1.5")
    opened.actions_["save_recording"].trigger()
    wait_for(lambda: "exists; choose another name" in told(opened, find))
    assert (tmp_path / "run 1.5.csv").read_text() == "precious"


def test_a_file_of_another_kind_is_told_what_can_be_opened(window, tmp_path, find):
    path = tmp_path / "notes.txt"
    path.write_text("not a robot")
    window.files.open_path(str(path))
    assert "notes.txt is not opened: it is neither a robot (.toml, .urdf) nor a recording" in find(window, "banner_text").text()
