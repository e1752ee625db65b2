"""Everything has a way by keyboard, and F1 shows all of it."""

from __future__ import annotations

from collections import Counter
from math import radians

import pytest
from PySide6.QtCore import QLocale, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QTreeWidgetItemIterator

from app.actions import COMMANDS
from app.gestures import GESTURES

NONE, SHIFT, CTRL = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier
SHARED = {"Space"}  # Run and Pause: only one of the two can be done


def lines(dialog) -> list[str]:
    """What the table shows now, groups left out."""
    found, walk = [], QTreeWidgetItemIterator(dialog.table, QTreeWidgetItemIterator.IteratorFlag.NotHidden)
    while walk.value() is not None:
        if walk.value().parent() is not None:
            found.append(f"{walk.value().text(0)} | {walk.value().text(1)}")
        walk += 1
    return found


@pytest.fixture
def help_dialog(window, press, find):
    press(window, Qt.Key.Key_F1)
    dialog = find(window, "help_dialog")
    assert dialog.isVisible()
    yield dialog
    dialog.close()


def test_f1_lists_every_command_and_gesture(window, help_dialog):
    shown = lines(help_dialog)
    assert len(shown) == len(COMMANDS) + len(GESTURES)
    for command in COMMANDS:
        keys = window.actions_[command.name].shortcut().toString()
        assert any(line.startswith(keys) and command.text.rstrip("…") in line for line in shown), command.name


def test_the_help_is_searched_by_words_keys_and_menus(help_dialog):
    for text, expected in (("undo", "Ctrl+Z"), ("ctrl+z", "Undo"), ("view camera ortho", "Orthographic"), ("pinch", "fingers")):
        QTest.keyClicks(help_dialog.search, text)
        shown = lines(help_dialog)
        assert shown and len(shown) < 8 and any(expected in line for line in shown)
        help_dialog.search.clear()
    QTest.keyClicks(help_dialog.search, "no such thing")
    assert not lines(help_dialog) and help_dialog._nothing.isVisible()


@pytest.mark.parametrize("text_scale", [100, 150])
def test_the_help_fits_a_small_screen(make_window, press, find, text_scale):
    window = make_window(size=(1024, 700), text_scale=text_scale)
    press(window, Qt.Key.Key_F1)
    dialog = find(window, "help_dialog")
    assert dialog.minimumSizeHint().width() <= 1024 and dialog.minimumSizeHint().height() <= 700
    dialog.resize(min(dialog.width(), 1000), min(dialog.height(), 680))
    assert dialog.table.horizontalScrollBar().maximum() == 0
    dialog.close()


def test_no_two_commands_share_a_key(window):
    taken = Counter(keys.toString() for c in COMMANDS for keys in window.actions_[c.name].shortcuts())
    assert {keys for keys, times in taken.items() if times > 1} <= SHARED


def test_every_command_stands_in_a_menu(help_dialog):
    groups = [help_dialog.table.topLevelItem(i).text(0) for i in range(help_dialog.table.topLevelItemCount())]
    assert "Elsewhere" not in groups and "View › Camera" in groups


def test_a_joint_is_chosen_and_moved_by_keys(window, press, find):
    scene, document = window.scene, window.document
    window.joints.setFocus()
    press(window, Qt.Key.Key_Period)
    assert scene.selected == 0 and scene.hasFocus()
    press(scene, Qt.Key.Key_Comma)
    assert scene.selected == 5
    press(scene, Qt.Key.Key_Period)
    press(scene, Qt.Key.Key_Period)
    assert scene.selected == 1 and "joint2" in window.status_line.currentMessage()
    before = document.q.copy()
    for key, modifier, degrees in (
        (Qt.Key.Key_Up, NONE, 1.0),
        (Qt.Key.Key_Down, NONE, -1.0),
        (Qt.Key.Key_PageDown, CTRL, -10.0),
        (Qt.Key.Key_Up, CTRL | SHIFT, 0.1),
    ):
        value = document.q[1]
        press(scene, key, modifier)
        assert document.q[1] - value == pytest.approx(radians(degrees))
    for _ in range(4):
        window.actions_["undo"].trigger()
    assert document.q == pytest.approx(before)
    press(scene, Qt.Key.Key_Escape)
    assert scene.selected == -1
    press(scene, Qt.Key.Key_Up)
    assert document.q == pytest.approx(before)


def test_a_key_held_down_is_one_step_of_undo_and_stops_at_the_limit(window, press):
    scene, document = window.scene, window.document
    press(window, Qt.Key.Key_Period)
    before = document.q.copy()
    for _ in range(40):
        QTest.keyPress(scene, Qt.Key.Key_PageUp, CTRL)
    QTest.keyRelease(scene, Qt.Key.Key_PageUp, CTRL)
    assert document.q[0] == pytest.approx(document.robot.q_max[0])
    window.actions_["undo"].trigger()
    assert document.q == pytest.approx(before)


def test_typing_a_comma_into_a_field_selects_no_joint(window, find):
    field = find(window, "joint_value_joint1")
    field.setFocus()
    QTest.keyClicks(field, "12.5")
    assert window.scene.selected == -1


@pytest.mark.parametrize("language", ["C", "en_US", "de_DE"])
@pytest.mark.parametrize("typed", ["12,5", "12.5"])
def test_a_comma_begins_the_decimals_as_a_point_does(window, find, language, typed):
    for name, value in (("joint_value_joint1", 12.5), ("simulation_dt", 12.5)):
        field = find(window, name)
        field.setLocale(QLocale(language))
        field.selectAll()
        QTest.keyClicks(field, typed)
        QTest.keyClick(field, Qt.Key.Key_Return)
        assert field.value() == pytest.approx(value), name
    assert window.document.q[0] == pytest.approx(radians(12.5))


def test_undo_in_a_field_is_of_the_text_until_it_counts_and_then_of_the_arm(window, find):
    field = find(window, "joint_value_joint1")
    window.activateWindow()
    field.setFocus()
    before = window.document.q[0]
    field.selectAll()
    QTest.keyClicks(field, "12.5")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert window.document.q[0] == pytest.approx(radians(12.5))
    QTest.keyClicks(field, "7")
    QTest.keyClick(field, Qt.Key.Key_Z, CTRL)
    assert window.document.q[0] == pytest.approx(radians(12.5))
    QTest.keyClick(field, Qt.Key.Key_Escape)
    field.setFocus()
    QTest.keyClick(field, Qt.Key.Key_Z, CTRL)
    assert window.document.q[0] == before and field.hasFocus()
    QTest.keyClick(field, Qt.Key.Key_Y, CTRL)
    assert window.document.q[0] == pytest.approx(radians(12.5))


def test_space_presses_the_button_that_has_the_focus(make_window, find):
    window = make_window(perspective="workspace")
    box = find(window, "workspace_limits")
    box.setFocus()
    before = box.isChecked()
    QTest.keyClick(box, Qt.Key.Key_Space)
    assert box.isChecked() != before and not window.simulation.running


def test_letters_find_a_choice_in_a_list_and_are_no_shortcuts_there(window, find, wait_for):
    window.docks.bring_up("control")
    box, shown = find(window, "control_law"), dict(window.preferences.now.overlays)
    box.setFocus()
    QTest.keyClicks(box, "comp")
    assert box.currentData() == "computed-torque" and window.preferences.now.overlays == shown
    assert not window.preferences.now.orthographic and not window.simulation.running
