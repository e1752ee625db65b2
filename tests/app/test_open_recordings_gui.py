"""Recordings opened beside the window: dropped, slow, given up, wrong; what was open stays until another one is there."""

from __future__ import annotations

import shutil
import threading
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from armature import engine
from armature.app.recording.recording_files import OwnerDialog, RecordingFilesFeature
from armature.app.recording.recording_owner import owner_of
from armature.app.recording.replay_tools_feature import ReplayToolsFeature
from armature.engine.recording.recording_notes import sidecar
from tests.app.dialogs import answer_the_file_dialog
from tests.app.test_open_robots import drop

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


def banner_text(window, find) -> str:
    return find(window, "banner_text").text() if find(window, "banner").isVisible() else ""


@pytest.fixture
def opened(window, files, find, wait_for):
    """A window in which the short one is open, half way through."""
    drop(window, files[0])
    wait_for(lambda: "short.npz" in title(window, find))
    window.replay.seek(0.5)
    return window


def still_open(window, find):
    return window.replay.replaying and "short.npz" in title(window, find) and window.replay.t == pytest.approx(0.1)


def test_the_window_lives_while_a_long_one_is_read(opened, files, find, wait_for):
    drop(opened.scene, files[1])
    wait_for(lambda: banner_text(opened, find) == "Reading long.mcap…" and find(opened, "banner_progress").value() > 0)
    wait_for(lambda: find(opened, "banner_cancel").isVisible())  # the layout shows it in the next turn of the event loop
    assert still_open(opened, find)
    find(opened, "replay_timeline").setFocus()
    QTest.keyClick(find(opened, "replay_timeline"), Qt.Key.Key_End)
    assert opened.replay.t == pytest.approx(0.2)
    wait_for(lambda: "long.mcap" in title(opened, find))
    assert len(opened.replay.recording) == ROWS and opened.replay.t == 0 and not banner_text(opened, find)


def all_read(wait_for):
    """Wait for the threads that read, given up or not, and for what they said last."""
    wait_for(lambda: not any(thread.name == "job-read-recording" for thread in threading.enumerate()))
    QTest.qWait(50)


def test_it_can_be_given_up(opened, files, find, wait_for):
    drop(opened, files[1])
    wait_for(lambda: find(opened, "banner_progress").isVisible())
    QTest.mouseClick(find(opened, "banner_cancel"), Qt.MouseButton.LeftButton)
    all_read(wait_for)
    assert still_open(opened, find) and not banner_text(opened, find)


def test_of_two_in_a_row_the_latter_opens(opened, files, find, wait_for):
    opened.replay.close()
    shown = []
    opened.files.recording_opened.connect(lambda _, path: shown.append(path.name))
    drop(opened, files[1])
    drop(opened, files[0])
    wait_for(lambda: opened.replay.replaying)
    all_read(wait_for)
    assert shown == ["short.npz"] and len(opened.replay.recording) == 201


def test_a_robot_opened_meanwhile_is_the_later_wish(opened, files, find, wait_for):
    drop(opened, files[1])
    opened.document.open_robot("scara")
    all_read(wait_for)
    assert opened.document.robot.name == "scara" and not opened.replay.replaying


def truncated(files, path):
    path.write_bytes(files[1].read_bytes()[:-5000])


def foreign(_, path):
    path.write_text("x,y\n1,2\n")


def of_another_arm(_, path):
    table = np.zeros((3, 4 * 9 + 11))
    engine.Recording.from_table(table, tuple(f"wheel{k}" for k in range(9)), {"robot": "grandfather clock"}).save(path)


@pytest.mark.parametrize(
    ("name", "make", "words"),
    [
        ("cut.mcap", truncated, "damaged or cut off"),
        ("foreign.csv", foreign, "fewer than two rows of numbers"),
        ("empty.npz", lambda _, path: path.touch(), "the file is empty"),
        ("gone.mat", lambda *_: None, "no such file"),
        ("clock.npz", of_another_arm, "recorded with grandfather clock"),
    ],
)
def test_what_cannot_be_opened_is_one_line_and_changes_nothing(opened, files, find, wait_for, tmp_path, name, make, words):
    path = tmp_path / name
    make(files, path)
    drop(opened, path)
    banner = find(opened, "banner")  # at first it may say "Reading …"
    wait_for(lambda: name in banner_text(opened, find) and banner.property("severity") == "error")
    assert words in banner_text(opened, find) and "\n" not in banner_text(opened, find)
    assert still_open(opened, find) and opened.document.robot.name == "puma560"


@pytest.mark.parametrize("name", ["version_1.csv", "version_1.npz", "version_1_killed.npz.part"])
def test_files_of_an_older_version_open(make_window, find, wait_for, tmp_path, name):
    window = make_window("double_pendulum")
    path = Path(shutil.copy(OLD / name, tmp_path / name))
    drop(window, path)
    if name.endswith(".csv"):  # which never said whose it is
        press_enter_in(question_of(window, wait_for))
    wait_for(lambda: window.replay.replaying)
    assert name in title(window, find) and len(window.replay.recording) == len(engine.load_recording(path))
    assert ("recovered" in banner_text(window, find)) == name.endswith(".part")


def press_enter_in(dialog):
    assert dialog.isVisible()
    QTest.keyClick(dialog.names, Qt.Key.Key_Return)


@pytest.fixture
def nameless(files, tmp_path):
    """The short recording as a plain table of some program: no name of a robot, inside or outside."""
    path = engine.load_recording(files[0]).save(tmp_path / "measured.csv")
    sidecar(path).unlink()
    return path


def question_of(window, wait_for) -> OwnerDialog:
    wait_for(lambda: window.findChild(OwnerDialog) is not None and window.findChild(OwnerDialog).isVisible())
    return window.findChild(OwnerDialog)


def names_in(dialog) -> list[str]:
    return [dialog.names.item(k).text() for k in range(dialog.names.count())]


def test_the_owner_of_a_recording_that_does_not_say_so_is_chosen(opened, nameless, find, wait_for):
    drop(opened, nameless)
    question = question_of(opened, wait_for)
    names = names_in(question)
    assert names[0] == "puma560 (open)" and question.names.currentRow() == 0
    assert {"stanford", "ur5", "irb140"} < set(names) and not {"panda", "scara"} & set(names)
    assert "measured.csv" in find(question, "owner_text").text() and "6 joints" in find(question, "owner_text").text()
    assert still_open(opened, find)  # the window goes on meanwhile
    QTest.mouseClick(find(question, "owner_cancel"), Qt.MouseButton.LeftButton)
    QTest.qWait(200)
    assert still_open(opened, find) and opened.document.robot.name == "puma560" and opened.findChild(OwnerDialog) is None
    drop(opened, nameless)
    press_enter_in(question_of(opened, wait_for))
    wait_for(lambda: "measured.csv" in title(opened, find))
    assert opened.document.robot.name == "puma560"


def test_another_robot_can_be_the_answer(make_window, nameless, find, wait_for):
    window = make_window("scara")
    drop(window, nameless)
    question = question_of(window, wait_for)
    assert "scara" not in " ".join(names_in(question))
    item = question.names.findItems("ur5", Qt.MatchFlag.MatchExactly)[0]
    QTest.mouseClick(question.names.viewport(), Qt.MouseButton.LeftButton, pos=question.names.visualItemRect(item).center())
    QTest.mouseClick(find(question, "owner_show"), Qt.MouseButton.LeftButton)
    wait_for(lambda: "measured.csv" in title(window, find))
    assert window.document.robot.name == "ur5"
    window.replay.seek(0.5)
    assert np.array_equal(window.document.q, window.replay.recording.q[window.replay.row])


def test_a_robot_that_is_gone_is_asked_for_with_its_name_and_another_recording_takes_the_question_away(
    opened, files, tmp_path, find, wait_for
):
    run = engine.load_recording(files[0])
    gone = {**run.metadata, "robot": "workshop arm", "source": str(tmp_path / "gone.toml")}
    path = engine.Recording.from_table(run.table(), run.joint_names, gone).save(tmp_path / "workshop.npz")
    drop(opened, path)
    question = question_of(opened, wait_for)
    assert "with workshop arm, which is not available" in find(question, "owner_text").text()
    drop(opened, files[0])
    wait_for(lambda: opened.findChild(OwnerDialog) is None and not opened.features[RecordingFilesFeature]._reading.busy)
    assert "short.npz" in title(opened, find)


def test_nothing_is_asked_where_it_was_said(opened, nameless, find, wait_for):
    opened.features[RecordingFilesFeature].open(nameless, of_open_robot=True)
    wait_for(lambda: "measured.csv" in title(opened, find))
    assert opened.findChild(OwnerDialog) is None
    opened.document.open_robot("scara")
    opened.features[RecordingFilesFeature].open(nameless, of_open_robot=True)
    wait_for(lambda: "scara has 3 joints" in banner_text(opened, find))
    assert not opened.replay.replaying


def test_columns_without_numbers_are_told_and_the_arm_stays_where_it_has_none(opened, files, find, wait_for, tmp_path):
    run = engine.load_recording(files[0])
    table = run.table().copy()
    table[100:, 2] = np.nan  # q.joint2
    table[:, 7:13] = np.nan  # every qd
    path = engine.Recording.from_table(table, run.joint_names, run.metadata).save(tmp_path / "holes.npz")
    drop(opened, path)
    wait_for(lambda: "holes.npz" in title(opened, find))
    assert banner_text(opened, find) == (
        "holes.npz: not a number (NaN): q.joint2 in 101 of 201 rows, first in row 101 (t = 0.1 s); qd.* in all 201 rows."
    )
    assert find(opened, "banner").property("severity") == "warning"
    opened.replay.seek(0.25)
    opened.replay.seek(0.75)
    QTest.qWait(300)
    assert opened.document.q[1] == run.q[99, 1] and opened.document.q[0] == run.q[opened.replay.row, 0]
    find(opened, "banner").hide()
    opened.features[ReplayToolsFeature].lay_over(path)
    wait_for(lambda: opened.features[ReplayToolsFeature].compared)
    assert "holes.npz: not a number" in banner_text(opened, find)
    opened.replay.seek(1.0)


def test_closing_while_it_is_read(opened, files):
    drop(opened, files[1])
    opened.close()


def test_a_name_without_a_suffix_is_saved_in_the_chosen_format_and_replaces_nothing(opened, find, wait_for, tmp_path):
    answer_the_file_dialog(tmp_path / "run 1.5")
    opened.actions_["save_recording"].trigger()
    wait_for(lambda: banner_text(opened, find).startswith("Saved"))
    assert np.array_equal(engine.load_recording(tmp_path / "run 1.5.npz").table(), opened.replay.recording.table())
    (tmp_path / "run 1.5.npz").write_text("precious")
    answer_the_file_dialog(tmp_path / "run 1.5")
    opened.actions_["save_recording"].trigger()
    wait_for(lambda: "exists; choose another name" in banner_text(opened, find))
    assert (tmp_path / "run 1.5.npz").read_text() == "precious"


def test_a_file_of_another_kind_is_told_what_can_be_opened(window, tmp_path, find, wait_for):
    for name, words in (
        ("notes.md", "notes.md cannot be opened: it is not a robot (.toml, .urdf"),
        ("notes.txt", "notes.txt: no rows of numbers"),
    ):
        path = tmp_path / name
        path.write_text("not a robot")
        window.files.open_path(str(path))
        wait_for(
            lambda words=words: (
                words in find(window, "banner_text").text() and find(window, "banner").property("severity") == "error"
            )
        )


def test_robots_whose_joints_have_the_names_in_the_recording_come_first(nameless):
    recording = engine.load_recording(nameless)
    other = replace(engine.load_robot("puma560"), name="other", joint_names=tuple(f"j{k}" for k in range(6)), source=None)
    shown = [name for name, _ in owner_of(recording, nameless, other).fit]
    same = [name for name in shown if name != "other (open)" and engine.load_robot(name).joint_names == recording.joint_names]
    assert "puma560" in same and shown[: len(same) + 1] == [*same, "other (open)"]
    assert owner_of(recording, nameless, engine.load_robot("puma560")).fit[0][0] == "puma560 (open)"
