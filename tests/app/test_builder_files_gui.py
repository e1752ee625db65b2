"""The file of an edited arm: saved with its comments, confirmed before it is left, watched, recovered after a kill."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog

from armature import engine
from armature.app.robots.own_file.feature import RobotFileFeature
from armature.app.session.session_keeper import left_sessions, session_folder
from armature.app.widgets.on_screen import on_screen
from armature.app.window.late_docks import BuilderDock
from tests.app.kept_window import settle
from tests.app.tables import type_cell
from tests.time_limits import PROCESS

CTRL = Qt.KeyboardModifier.ControlModifier
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def arm(tmp_path) -> Path:
    """A robot file of the user's own, with comments."""
    return Path(shutil.copy(ROOT / "robots/scara.toml", tmp_path / "mine.toml"))


@pytest.fixture
def edit(make_window, wait_for, arm):
    """A window on that file with an edit that is not saved."""

    def make(edited=True):
        window = make_window(str(arm), perspective="explore")
        window.actions_["edit_arm"].trigger()
        table = window.features[BuilderDock].feature.panel.table.table
        wait_for(lambda: window.document.draft is not None and table.model().rowCount() == 3)
        settle()
        if edited:
            type_cell(table, 1, 4, "0.3")
            assert window.document.unsaved and window.isWindowModified()
        return window

    yield make
    for file in session_folder().glob("*.armature"):
        file.unlink()


def button(window, name):
    """A button of the question that is open."""
    box = window.features[RobotFileFeature]._question
    return next(one for one in box.buttons() if one.objectName() == name)


def answer(window, wait_for, name):
    """Wait for the question and click an answer."""
    feature = window.features[RobotFileFeature]
    wait_for(lambda: feature._question is not None and feature._question.isVisible())
    QTest.mouseClick(button(window, name), Qt.MouseButton.LeftButton)
    settle()


def test_unsaved_changes_are_asked_about_and_saved_with_the_comments(edit, arm, wait_for):
    window, before = edit(), arm.read_text()
    window.close()
    answer(window, wait_for, "unsaved_cancel")
    assert window.isVisible() and window.document.unsaved and arm.read_text() == before
    window.files.open_robot("panda")
    window.files.finish()
    answer(window, wait_for, "unsaved_cancel")
    assert window.document.robot.name == "scara" and window.document.robot.dh.a[1] == 0.3
    window.files.open_robot("panda")
    window.files.finish()
    answer(window, wait_for, "unsaved_save")
    assert window.document.robot.name == "panda" and not window.isWindowModified()
    lines, old = arm.read_text().splitlines(), before.splitlines()
    assert [a for a, b in zip(lines, old, strict=True) if a != b] == [
        next(line for line in lines if "0.3" in line and "0.325" not in line)
    ]
    assert engine.load_robot(arm).dh.a[1] == 0.3


def test_discarded_changes_are_gone_and_the_window_closes(edit, arm, wait_for):
    window, before = edit(), arm.read_text()
    window.close()
    answer(window, wait_for, "unsaved_discard")
    wait_for(lambda: not window.isVisible())
    assert arm.read_text() == before and not list(session_folder().glob("*.armature"))


def test_a_refusal_goes_with_its_robot(edit, wait_for, find):
    window = edit(edited=False)
    table, why = window.features[BuilderDock].feature.panel.table.table, find(window, "builder_why")
    type_cell(table, 0, 6, "170 -170")
    assert "lower < upper" in why.text()
    window.files.open_robot("puma560")
    window.files.finish()
    wait_for(lambda: window.document.draft is not None and table.model().rowCount() == 6)
    assert not why.text()


def test_ctrl_s_saves_what_one_works_on(edit, arm, wait_for, monkeypatch, tmp_path):
    window = edit()
    actions = window.actions_
    assert actions["save_robot"].shortcut().toString() == "Ctrl+S" and actions["save_recording"].shortcut().isEmpty()
    QTest.keyClick(window.scene, Qt.Key.Key_S, CTRL)
    assert not window.document.unsaved and engine.load_robot(arm).dh.a[1] == 0.3
    QTest.keyClick(window.scene, Qt.Key.Key_Z, CTRL)  # before what was saved
    assert window.document.unsaved and window.isWindowModified()
    QTest.keyClick(window.scene, Qt.Key.Key_Y, CTRL)
    assert not window.document.unsaved

    other = tmp_path / "other.toml"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(other), "Robots (*.toml)"))
    actions["save_robot_as"].trigger()
    assert engine.load_robot(other).dh.a[1] == 0.3 and window.document.robot.source == other == window.document.draft.path
    window.files.open_robot("puma560")
    window.files.finish()
    assert window.document.robot.name == "puma560"
    assert actions["save_recording"].shortcut().toString() == "Ctrl+S"


def test_a_file_changed_by_another_program_is_never_overwritten_silently(edit, arm, wait_for, click):
    window = edit()
    theirs = arm.read_text().replace("0.4", "0.45", 1)
    arm.write_text(theirs)
    wait_for(lambda: "changed by another program" in window.banner.text.text())
    QTest.keyClick(window.scene, Qt.Key.Key_S, CTRL)
    assert arm.read_text() == theirs and window.document.unsaved
    settle()
    click(window, "banner_reload")
    assert window.document.draft.text == theirs and not window.document.unsaved
    window.actions_["undo"].trigger()
    assert window.document.robot.dh.a[1] == 0.3 and window.document.unsaved

    arm.write_text(theirs.replace("0.45", "0.5", 1))
    wait_for(lambda: window.banner.isVisible() and "changed by another program" in window.banner.text.text())
    settle()
    click(window, "banner_keep mine")
    assert engine.load_robot(arm).dh.a[1] == 0.3 and not window.document.unsaved


def test_a_robot_opened_over_an_unsaved_one_by_a_script_leaves_it_to_be_recovered(edit, wait_for, click):
    window = edit()
    window.document.open_robot("panda")
    assert "recovered" in window.banner.text.text()
    settle()
    click(window, "banner_recover")
    wait_for(lambda: window.document.robot.name == "scara")
    assert window.document.robot.dh.a[1] == 0.3 and window.document.unsaved


def test_an_edit_that_was_undone_is_not_kept(edit):
    window = edit(edited=False)
    document = window.document
    document.take_draft(None)  # as where a repair is made that no builder has begun
    document.edit_draft(engine.draft_of(document.robot).with_value(("joints", 1, "a"), 0.3), "repair")
    assert document.unsaved
    window.actions_["undo"].trigger()
    assert not document.unsaved and document.draft is not None
    document.open_robot("panda")
    assert "recovered" not in window.banner.text.text()


def test_figures_that_are_in_no_file_do_not_hide_unsaved_changes(edit, wait_for, click):
    window = edit()
    window.document.edit_robot(window.document.robot.without_friction(), "no friction")
    assert window.document.draft is None
    window.document.open_robot("panda")
    settle()
    click(window, "banner_recover")
    wait_for(lambda: window.document.robot.name == "scara")
    assert window.document.robot.dh.a[1] == 0.3 and window.document.unsaved


KILLED = """
import os, sys
from tests.virtual_display import use_virtual_display; use_virtual_display()
from dataclasses import replace
from armature.app.application import build_window, ensure_application
from armature.app.state.settings import Settings
from armature import engine
app = ensure_application()
window = build_window(sys.argv[1], Settings())
document = window.document
document.take_draft(engine.draft_of(document.robot))
document.edit_draft(document.draft.with_value(("joints", 1, "a"), 0.3), "a of joint 2")
from PySide6.QtCore import QTimer, QEventLoop
loop = QEventLoop()
from armature.app.widgets.on_screen import on_screen
from armature.app.session.session_keeper import session_folder
watch = QTimer(interval=20)
watch.timeout.connect(lambda: list(session_folder().glob("*.armature")) and os.kill(os.getpid(), 9))
watch.start()
loop.exec()
"""


def test_what_a_killed_process_left_is_offered_at_the_next_start(arm, make_window, wait_for, click):
    before = arm.read_text()
    killed = subprocess.run([sys.executable, "-c", KILLED, str(arm)], cwd=ROOT, timeout=PROCESS, capture_output=True, text=True)
    assert killed.returncode == -9, killed.stderr
    assert arm.read_text() == before
    window = make_window(engine.load_robot("puma560"))
    wait_for(lambda: "the session with mine of" in window.banner.text.text())
    click(window, "banner_recover")
    wait_for(lambda: window.document.robot.name == "scara")
    assert window.document.robot.dh.a[1] == 0.3 and window.document.unsaved and window.document.draft.path == arm
    wait_for(lambda: left_sessions() == [])
    wait_for(lambda: on_screen(window.docks["builder"].panel))
    window.actions_["undo"].trigger()
    assert window.document.draft.text == before and not window.document.unsaved
    window.features[RobotFileFeature].given_up = True
    window.document.take_draft(None)


def test_a_replaced_file_is_noticed_whether_it_is_edited_or_not(edit, arm, wait_for, click, make_window):
    window = edit(edited=False)
    for length in ("0.21", "0.22"):
        subprocess.run(["sed", "-i", f"0,/0.2[0-9]*/s//{length}/", str(arm)], check=True)
        wait_for(lambda: window.banner.isVisible() and "another program" in window.banner.text.text())
        settle()
        click(window, "banner_reload")
        assert window.document.draft.text == arm.read_text()

    other = make_window(engine.load_robot(arm), perspective="explore")
    assert other.document.draft is None
    arm.write_text(arm.read_text().replace("0.22", "0.23"))
    wait_for(lambda: other.banner.isVisible() and "another program" in other.banner.text.text())
    settle()
    click(other, "banner_reload")
    wait_for(lambda: other.document.robot.file_hash == engine.open_draft(arm).disk_hash)


def test_the_builder_looks_at_the_disk_when_it_comes_up(edit, arm, wait_for):
    window = edit(edited=False)
    window.features[RobotFileFeature].disk.watch.stop()  # as on a disk that tells nothing
    window.docks["builder"].hide()
    settle()
    arm.write_text(arm.read_text() + "# theirs\n")
    QTest.keyClick(window.scene, Qt.Key.Key_E, CTRL)
    wait_for(lambda: window.banner.isVisible() and "another program" in window.banner.text.text())


def test_a_new_arm_that_is_in_no_file_is_asked_about(edit, wait_for, click):
    window = edit(edited=False)
    feature = window.features[BuilderDock].feature
    for name in ("first", "second"):
        QTest.keyClick(window.scene, Qt.Key.Key_N, CTRL)
        wait_for(feature._dialog.isVisible if feature._dialog else lambda: False)
        feature._dialog.name.setText(name)
        click(feature._dialog, "new_robot_create")
        if name == "first":
            wait_for(lambda: window.document.robot.name == "first" and window.isWindowModified())
            wait_for(lambda: not feature._dialog.isVisible())
            window.activateWindow()
    box = window.features[RobotFileFeature]._question
    assert "not been saved" in box.text() and box.informativeText() == "Save it as a robot file?"
    answer(window, wait_for, "unsaved_cancel")
    assert window.document.robot.name == "first" and window.document.unsaved
