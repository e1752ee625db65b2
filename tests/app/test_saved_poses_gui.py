"""Poses saved under a name: by menu and dialog, kept per robot, renamed, deleted, gone to."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QStyle, QStyleOptionFrame

from armature.app.application import build_window
from tests.app.focus import focused

CTRL_ALT = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier


def titles(menu) -> list[str]:
    return [action.text() for action in menu.actions() if action.text()]


def test_a_pose_is_saved_gone_to_renamed_and_deleted(make_window, press, find, click, wait_for):
    window = make_window("scara")
    document, menu = window.document, window.bench.poses
    low = np.array([0.5, -0.4, 0.05])
    document.edit(low)
    press(window, Qt.Key.Key_S, CTRL_ALT)
    dialog = find(window, "poses_dialog")
    wait_for(dialog.isActiveWindow)
    name, words = find(dialog, "pose_name"), find(dialog, "pose_words")
    QTest.keyClicks(name, "home")
    QTest.keyClick(name, Qt.Key.Key_Return)
    assert "robot file" in words.text()
    QTest.keyClicks(name, "over the box")  # what was refused is selected, to be typed over
    QTest.keyClick(name, Qt.Key.Key_Return)
    assert titles(menu)[-2] == "over the box"
    document.edit(np.zeros(3))
    click(dialog, "pose_save")
    assert titles(menu)[-3:-1] == ["over the box", "pose 1"]

    go = next(action for action in menu.actions() if action.text() == "over the box")
    menu.popup(window.mapToGlobal(window.rect().center()))
    QTest.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(go).center())
    assert np.array_equal(document.q, low)
    window.actions_["undo"].trigger()
    assert not document.q.any()

    dialog.activateWindow()
    wait_for(dialog.isActiveWindow)
    shown = find(dialog, "pose_list")
    QTest.mouseClick(shown.viewport(), Qt.MouseButton.LeftButton, pos=shown.visualItemRect(shown.item(0)).center())
    for typed, kept in (("pose 1", "over the box"), ("above", "above")):
        click(dialog, "pose_rename")
        wait_for(lambda: isinstance(focused(), QLineEdit) and focused() is not name)
        editor = focused()
        editor.selectAll()
        QTest.keyClicks(editor, typed)
        QTest.keyClick(editor, Qt.Key.Key_Return)
        QApplication.processEvents()
        assert shown.item(0).text() == kept
    click(dialog, "pose_go")
    assert np.array_equal(document.q, low)

    window.document.open_robot("rp")
    assert "above" not in titles(menu) and shown.count() == 0
    window.document.open_robot("scara")
    assert titles(menu)[-3:-1] == ["above", "pose 1"]
    shown.setCurrentRow(1)
    shown.setFocus()
    QTest.keyClick(shown, Qt.Key.Key_Delete)
    assert titles(menu)[-2] == "above"
    settings = window.preferences.now
    window.close()
    again = build_window("scara", settings)
    assert np.array_equal(again.bench.document.q, again.document.robot.configurations["home"])
    assert titles(again.bench.poses)[-2] == "above"
    again.close()
    again.deleteLater()


def test_the_next_name_is_typed_over_the_one_that_is_offered(make_window, press, find, wait_for):
    window = make_window("scara")
    press(window, Qt.Key.Key_S, CTRL_ALT)
    dialog = find(window, "poses_dialog")
    wait_for(dialog.isActiveWindow)
    name = find(dialog, "pose_name")
    for typed in ("high", "low"):
        QTest.keyClicks(name, typed)
        QTest.keyClick(name, Qt.Key.Key_Return)
    assert titles(window.bench.poses)[-3:-1] == ["high", "low"]


def test_a_name_that_is_edited_is_seen_whole(make_window, press, find, click, wait_for):
    window = make_window("scara")
    press(window, Qt.Key.Key_S, CTRL_ALT)
    dialog = find(window, "poses_dialog")
    wait_for(dialog.isActiveWindow)
    click(dialog, "pose_save")
    click(dialog, "pose_rename")
    wait_for(lambda: isinstance(focused(), QLineEdit) and focused() is not find(dialog, "pose_name"))
    editor, option = focused(), QStyleOptionFrame()
    editor.initStyleOption(option)
    room = editor.style().subElementRect(QStyle.SubElement.SE_LineEditContents, option, editor)
    assert room.height() >= editor.fontMetrics().height()
    QTest.keyClick(editor, Qt.Key.Key_Escape)


def outside(scene) -> bool:
    """Whether some of the arm is out of the picture."""
    x, y, _ = scene.camera.project(scene.points_to_frame()[0]).T
    return bool(((x < 0) | (x > scene.width()) | (y < 0) | (y > scene.height())).any())


def test_a_pose_that_is_chosen_or_reset_to_stays_in_view_unless_the_view_is_ones_own(make_window):
    window = make_window("puma560", size=(1400, 900), perspective="explore")
    scene, poses = window.scene, {action.text(): action for action in window.bench.poses.actions()}
    window.document.edit(window.document.robot.configurations["stretched"])
    assert outside(scene)
    poses["home"].trigger()
    poses["stretched"].trigger()
    assert not outside(scene)
    seen = scene.camera.pose()
    poses["home"].trigger()  # all of it is in the picture
    assert scene.camera.pose() == seen
    poses["stretched"].trigger()
    window.document.follow(window.document.robot.configurations["home"])
    scene.fit()
    window.actions_["reset"].trigger()
    assert np.array_equal(window.document.q, window.document.robot.configurations["stretched"]) and not outside(scene)
    poses["home"].trigger()
    scene.fit()
    scene.zoom(scene.width() / 2, scene.height() / 2, 0.5)
    own = scene.camera.pose()
    poses["stretched"].trigger()
    assert scene.camera.pose() == own and outside(scene)
