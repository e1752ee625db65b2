"""The help: every command and gesture, searched, run, and in a menu."""

from __future__ import annotations

from collections import Counter

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QStyle, QStyleOptionFrame

from armature.app.window.features import COMMANDS
from armature.app.window.former_names import FORMER_NAMES
from armature.app.window.help_gestures import GESTURES
from tests.app.test_keyboard import CTRL, SHIFT, lines

SHARED = {"Space"}  # Run and Pause: only one of the two can be done


@pytest.fixture
def help_dialog(window, press, find):
    press(window, Qt.Key.Key_F1)
    dialog = find(window, "help_dialog")
    assert dialog.isVisible()
    yield dialog
    dialog.close()


def test_f1_lists_every_command_and_gesture(window, help_dialog):
    shown = lines(help_dialog)
    assert len(shown) == len(COMMANDS) + len(GESTURES) + sum(name.startswith("dock_") for name in FORMER_NAMES)
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


def test_renamed_entries_are_found_by_their_former_titles(window, help_dialog):
    for key, old in ((key, old) for key, titles in FORMER_NAMES.items() for old in titles):
        help_dialog.search.clear()
        QTest.keyClicks(help_dialog.search, old)
        new = next((c.text.rstrip("…") for c in COMMANDS if f"action_{c.name}" == key), "")
        assert any(new in line for line in lines(help_dialog)), key
    help_dialog.search.clear()
    shown = window.actions_["show_loads"].isChecked()
    QTest.keyClicks(help_dialog.search, "loads of the links")
    (line,) = lines(help_dialog)
    assert "Joint reactions  (formerly Loads of the links)" in line
    QTest.keyClick(help_dialog.search, Qt.Key.Key_Return)
    assert window.actions_["show_loads"].isChecked() != shown and not help_dialog.isVisible()
    window.actions_["show_loads"].trigger()


def test_the_help_is_a_palette_that_runs_the_command_found(window, press, find):
    press(window, Qt.Key.Key_P, CTRL | SHIFT)
    dialog = find(window, "help_dialog")
    assert dialog.isVisible() and not window.preferences.now.orthographic
    QTest.keyClicks(dialog.search, "perspective dynamics")
    QTest.keyClick(dialog.search, Qt.Key.Key_Return)
    assert not dialog.isVisible() and window.preferences.now.perspective == "dynamics"
    window.actions_["help"].trigger()
    assert dialog.isVisible() and not dialog.search.text()
    QTest.keyClicks(dialog.search, "perspective")
    first = dialog.table.currentItem().text(1)
    QTest.keyClick(dialog.search, Qt.Key.Key_Down)
    assert dialog.table.currentItem().text(1) != first
    for typed, name in (("record", "Record"), ("run", "Run"), ("default lay", "Default layout"), ("undo", "Undo")):
        dialog.search.clear()
        QTest.keyClicks(dialog.search, typed)
        assert dialog.table.currentItem().text(1).split(":")[0] == name
        assert dialog.table.viewport().rect().intersects(dialog.table.visualItemRect(dialog.table.currentItem()))
    dialog.search.clear()
    QTest.keyClicks(dialog.search, "pinch")
    QTest.keyClick(dialog.search, Qt.Key.Key_Return)
    assert dialog.isVisible()  # a gesture is no command
    dialog.search.clear()
    line = dialog.table.topLevelItem(0).child(3)
    one = dialog.table.fontMetrics().height()
    assert dialog.table.visualItemRect(line).height() > 1.6 * one  # it wraps
    dialog.close()


@pytest.mark.parametrize("text_scale", [100, 150])
def test_the_help_fits_a_small_screen(make_window, press, find, wait_for, text_scale):
    window = make_window(size=(1024, 700), text_scale=text_scale)
    press(window, Qt.Key.Key_F1)
    dialog = find(window, "help_dialog")
    assert dialog.minimumSizeHint().width() <= 1024 and dialog.minimumSizeHint().height() <= 700
    dialog.resize(min(dialog.width(), 1000), min(dialog.height(), 680))
    wait_for(lambda: dialog.table.fontMetrics().height() > (20 if text_scale == 150 else 10))  # in the size of text chosen
    steps = [label for label in dialog.findChildren(QLabel) if label.wordWrap()]
    wait_for(lambda: all(label.height() >= label.heightForWidth(label.width()) for label in steps))  # nothing is cut
    table = dialog.table
    wait_for(lambda: table.horizontalScrollBar().maximum() == 0 and table.columnWidth(1) > 0.5 * table.viewport().width())
    (keys,) = table.findItems("Click on a frame or link while", Qt.MatchFlag.MatchStartsWith | Qt.MatchFlag.MatchRecursive, 0)
    wrapped = table.fontMetrics().horizontalAdvance(keys.text(0)) > table.columnWidth(0) - table.indentation()
    assert wrapped == (table.visualItemRect(keys).height() > 1.8 * table.fontMetrics().height())
    dialog.close()


def test_the_hint_of_the_search_has_the_room_it_needs(help_dialog):
    search, option = help_dialog.search, QStyleOptionFrame()
    search.initStyleOption(option)
    room = search.style().subElementRect(QStyle.SubElement.SE_LineEditContents, option, search)
    assert search.fontMetrics().horizontalAdvance(search.placeholderText()) <= room.width() - 4  # 2 px on either side


def test_no_two_commands_share_a_key(window):
    taken = Counter(keys.toString() for c in COMMANDS for keys in window.actions_[c.name].shortcuts())
    assert {keys for keys, times in taken.items() if times > 1} <= SHARED


def test_every_command_stands_in_a_menu(help_dialog):
    groups = [help_dialog.table.topLevelItem(i).text(0) for i in range(help_dialog.table.topLevelItemCount())]
    assert "Elsewhere" not in groups and "View › Camera" in groups
