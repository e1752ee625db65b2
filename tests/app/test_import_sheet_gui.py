"""The import sheet: logs dropped, guesses changed by hand, what cannot be, what is remembered, and the recording made."""

from __future__ import annotations

from dataclasses import replace
from threading import Event

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from armature import engine
from armature.app.recording.importing.import_model import ImportModel, first_mapping, motion_of, read, write_import
from armature.app.recording.importing.sheet import ImportSheet
from armature.app.recording.measured.feature import MeasuredFeature
from armature.app.state.job import Job
from armature.engine.recording.measured import log_motion
from armature.engine.recording.measured.log_motion import motion_from_log
from tests.app.test_open_robots import drop
from tests.engine import awkward_logs
from tests.engine.awkward_logs import motion
from tests.time_limits import WAIT


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("logs")
    return {name: write(folder / name) for name, write in awkward_logs.ALL.items()}


def open_sheets() -> list[ImportSheet]:
    return [w for w in QApplication.topLevelWidgets() if isinstance(w, ImportSheet) and w.isVisible()]


@pytest.fixture
def sheet(wait_for):
    """The sheet once a log is read and looked at."""

    def of(window) -> ImportSheet:
        wait_for(lambda: any(found.go.isEnabled() or found.problem.text() for found in open_sheets()))
        return open_sheets()[0]

    return of


def choose(box, text: str):
    """Goes to an entry of a box by its keys."""
    box.setFocus()
    target = box.findText(text)
    assert target >= 0, text
    for _ in range(abs(target - box.currentIndex())):
        QTest.keyClick(box, Qt.Key.Key_Down if box.currentIndex() < target else Qt.Key.Key_Up)
    assert box.currentText() == text


def type_in(field, text: str):
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, text)
    QTest.keyClick(field, Qt.Key.Key_Return)


def press(button):
    assert button.isEnabled() and button.isVisible()
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def test_a_log_becomes_a_recording_that_is_replayed(make_window, logs, sheet, find, wait_for, tmp_path, monkeypatch):
    window = make_window("ur5")
    drop(window, logs["german.csv"])
    shown = sheet(window)
    assert (
        "separator semicolon, decimal mark comma, names in line 2, units in line 3, data from line 4"
        in find(shown, "import_head").text()
    )
    assert find(shown, "import_q_joint6").currentText() == "A6" and find(shown, "import_angle_unit").currentText() == "deg"
    assert "zero-phase low-pass at 10 Hz" in shown.notes.text() and "unit in the file: deg" in shown.notes.text()
    assert np.allclose(shown.preview.plot.values[0], np.degrees(motion(np.zeros(1))[0][0]), atol=1e-4)
    assert (
        shown.preview.rows.horizontalHeaderItem(1).text() == "q joint1\nA1"
        and shown.preview.rows.item(1, 1).text() == "0,0000000"
    )
    choose(find(shown, "import_angle_unit"), "rad")  # a guess, changed
    wait_for(lambda: shown.preview.plot.values[0][2] > 1000)
    choose(find(shown, "import_angle_unit"), "deg")
    choose(find(shown, "import_q_joint1"), "A2")
    choose(find(shown, "import_q_joint2"), "A1")
    type_in(find(shown, "import_cutoff"), "70")
    wait_for(lambda: "cut-off of 70 Hz must be below half the rate" in shown.problem.text() and not shown.go.isEnabled())
    type_in(find(shown, "import_cutoff"), "8")
    wait_for(lambda: shown.go.isEnabled() and "low-pass at 8 Hz" in shown.notes.text() and not shown.problem.isVisible())
    target = tmp_path / "made.mcap"
    shown.target.selectAll()
    QTest.keyClicks(shown.target, str(target))
    press(shown.go)
    wait_for(lambda: window.replay.replaying and not open_sheets())
    assert "made.mcap" in find(window, "replay_title").text()
    recording = window.replay.recording
    assert np.allclose(recording.q[:, :2], motion(recording.t)[0][:, [1, 0]], atol=1e-6)
    assert recording.metadata["imported"]["filter"]["cutoff"] == 8.0

    window.files.open_path(str(logs["german.csv"]))  # the second time it is as it was chosen
    shown = sheet(window)
    assert find(shown, "import_q_joint1").currentText() == "A2" and find(shown, "import_cutoff").value() == 8.0
    press(find(shown, "import_guess"))
    wait_for(lambda: find(shown, "import_q_joint1").currentText() == "A1" and not find(shown, "import_guess").isVisible())
    shown.target.selectAll()
    QTest.keyClicks(shown.target, str(target))
    wait_for(shown.go.isEnabled)
    press(shown.go)
    wait_for(lambda: "made.mcap exists; choose another name" in shown.problem.text())
    press(find(shown, "import_cancel"))
    assert window.replay.recording is recording  # nothing that was there is lost
    wait_for(lambda: not open_sheets())
    window.document.open_robot("panda")
    motions, go_on = [], Event()

    def counted(*args):
        motions.append(args[2])
        assert go_on.wait(WAIT)
        return motion_from_log(*args)

    monkeypatch.setattr(log_motion, "motion_from_log", counted)
    window.files.open_path(str(logs["german.csv"]))
    wait_for(lambda: open_sheets() and open_sheets()[0].preview.title.text() == "Computing the curves…")
    assert open_sheets()[0].progress.isVisible() and not open_sheets()[0].go.isEnabled()
    go_on.set()
    shown = sheet(window)
    assert shown.robot.currentData() == "ur5" and shown.preview.title.text().startswith("Preview of the recording")
    assert (
        "saved settings for these columns (ur5)" in find(shown, "import_origin").text()
        and find(shown, "import_origin").isVisible()
    )
    assert find(shown, "import_q_joint1").currentText() == "A2" and not shown.progress.isVisible()
    type_in(find(shown, "import_cutoff"), "9")
    wait_for(lambda: shown.go.isEnabled() and "low-pass at 9 Hz" in shown.notes.text())
    count = len(motions)
    shown.target.selectAll()
    QTest.keyClicks(shown.target, str(tmp_path / "again.npz"))
    press(shown.go)
    wait_for(lambda: (tmp_path / "again.npz").exists() and not open_sheets())
    assert len(motions) == count  # the motion that was looked at is the one that is saved


def test_how_a_file_is_written_can_be_said(make_window, logs, sheet, find, wait_for):
    window = make_window("ur5")
    window.files.open_path(str(logs["german.csv"]))
    shown = sheet(window)
    QTest.mouseClick(find(shown, "import_text_format"), Qt.MouseButton.LeftButton)
    choose(find(shown, "import_decimal"), "point")
    wait_for(lambda: "no rows of numbers" in shown.problem.text())
    assert not shown.go.isEnabled()
    choose(find(shown, "import_decimal"), "comma")
    wait_for(shown.go.isEnabled)
    type_in(find(shown, "import_first_line"), "104")
    wait_for(lambda: "400 rows" in find(shown, "import_head").text())
    choose(find(shown, "import_robot"), "panda")
    wait_for(lambda: find(shown, "import_q_joint7").currentText() == "—" and "column for joint7" in shown.warning.text().lower())
    press(find(shown, "import_cancel"))
    for name in ("bag.mcap", "matlab.mat", "toolbox.npz", "bare.dat", "irregular.txt"):
        window.files.open_path(str(logs[name]))
        shown = sheet(window)
        assert shown.go.isEnabled(), (name, shown.problem.text())
        press(find(shown, "import_cancel"))
        wait_for(lambda: not open_sheets())


def test_a_mapping_is_chosen_without_a_window(logs, tmp_path):
    arm, job = engine.load_robot("ur5"), Job(0, lambda *_: None)
    model = ImportModel(arm)
    table = read(logs["german.csv"], ("", "", 0), job)
    model.take_table(table)
    assert (model.separator, model.decimal, model.first_line) == (";", ",", 4) and "data from line 4" in model.head
    model.take_guess(first_mapping(table, arm, None))
    assert model.mapping.q[5] == "A6" and model.remembered is None and not model.is_possible
    model.set_target(str(tmp_path / "a.txt"))
    model.take_motion(motion_of(table, arm, model.mapping, job))
    assert model.is_possible and any(text.startswith("Angle unit: ") for text in model.guesses)
    assert not model.check_target() and "must end in" in model.fault
    model.set_target(str(tmp_path / "a.npz"))
    assert model.check_target() and write_import(table, arm, model.mapping, model.found, model.path, job).exists()
    assert not model.check_target() and "exists" in model.fault
    model.change("angle_unit", "rad")
    model.set_column("q", 0, "A2")
    assert model.mapping.angle_unit == "rad" and model.mapping.q[0] == "A2" and not model.found.is_of(table, arm, model.mapping)
    model.fail("no rows")
    assert model.problem == "no rows" and not model.is_possible
    model.take_table(replace(table, wrong="line 3"))
    assert "Line 3 is not a number" in model.problem
    model.skips_cells = True
    assert not model.problem


def test_what_is_no_log_is_told_in_one_line(make_window, find, wait_for, tmp_path):
    window = make_window("ur5")
    for name, content, why in (
        ("diary.csv", b"dear diary,\ntoday nothing moved\n", "This log cannot be read: "),
        ("new.mat", b"MATLAB 7.3 MAT-file".ljust(512), "save it with -v7"),
    ):
        (tmp_path / name).write_bytes(content)
        drop(window, tmp_path / name)
        wait_for(lambda why=why: find(window, "banner").isVisible() and why in find(window, "banner_text").text())


def test_warnings_and_cells_of_words_are_seen(make_window, sheet, find, wait_for, tmp_path):
    window = make_window("puma560")
    rows = [f"{k / 100},0.1,{-1.2 if k < 50 else -0.5},{'ERR' if k == 60 else 0.2},0,0,0,0.3" for k in range(100)]
    (tmp_path / "seven.csv").write_text("t,q1,q2,q3,q4,q5,q6,q7\n" + "\n".join(rows))
    drop(window, tmp_path / "seven.csv")
    shown = sheet(window)
    assert "Line 62, column 4 (q3): 'ERR' is not a number" in shown.problem.text() and not shown.go.isEnabled()
    missing = find(shown, "import_missing")
    assert missing.isVisible() and not shown.warning.isVisible()
    missing.setFocus()
    QTest.keyClick(missing, Qt.Key.Key_Space)
    wait_for(shown.go.isEnabled)
    assert "not used: q7; the log has positions of 7 joints, puma560 has 6" in shown.warning.text().lower()
    assert "joint2 at −68.75° (limits −45° to 225°)" in shown.warning.text() and shown.warning.isVisible()
    assert "1 cell is not a number and is treated as missing" in shown.notes.text() and not shown.problem.isVisible()
    shown.target.selectAll()
    QTest.keyClicks(shown.target, str(tmp_path / "made.npz"))
    press(shown.go)
    wait_for(lambda: window.replay.replaying and not open_sheets())
    panel = window.features[MeasuredFeature].panel
    wait_for(panel.warned.isVisible)
    assert (
        "joint2 at −68.75°" in panel.warned.text()
        and "q7" in panel.warned.text()
        and "joint2" not in find(window, "measured_about").text()
    )


def test_both_columns_of_a_split_clock_are_marked_as_the_time(make_window, sheet, find, tmp_path):
    rows = "\n".join(f"{k // 100},{k % 100 * 10**7},{np.sin(k / 100):.6f}" for k in range(300))
    (tmp_path / "a.csv").write_text(f"sec,nanosec,q1\n{rows}\n")
    window = make_window("pendulum")
    drop(window, tmp_path / "a.csv")
    shown = sheet(window)
    assert find(shown, "import_time").currentText() == "sec + nanosec"
    heads = [shown.preview.rows.horizontalHeaderItem(k).text() for k in range(3)]
    assert heads == ["t\nsec", "t\nnanosec", "q theta\nq1"]
