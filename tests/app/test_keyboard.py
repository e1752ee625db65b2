"""Everything has a way by keyboard, and F1 shows all of it."""

from __future__ import annotations

from collections import Counter
from itertools import product
from math import radians

import pytest
from PySide6.QtCore import QLocale, QPoint, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QStyle, QStyleOptionFrame, QTabBar, QToolTip, QTreeWidgetItemIterator

from armature.app.control.feature import ControlFeature
from armature.app.dh.feature import DHSteps
from armature.app.state.number_marks import MARKS, NARROW
from armature.app.trajectory.feature import TrajectoryFeature
from armature.app.window.features import COMMANDS
from armature.app.window.help_gestures import GESTURES
from tests.app.focus import focused

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


def test_the_next_and_the_previous_joint_stand_together(window):
    edit = next(action.menu() for action in window.menuBar().actions() if action.text() == "&Edit")
    lines = edit.actions()
    assert lines.index(window.actions_["joint_previous"]) == lines.index(window.actions_["joint_next"]) + 1


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


def test_a_comma_begins_the_decimals_as_a_point_does(window, find):
    for language, separator, name in product(["C", "en_US", "de_DE"], ",.", ["joint_value_joint1", "simulation_dt"]):
        field = find(window, name)
        MARKS.use(QLocale(language).decimalPoint(), NARROW)
        for typed, value in (("7", 7.0), (f"12{separator}5", 12.5)):
            field.selectAll()
            QTest.keyClicks(field, typed)
            QTest.keyClick(field, Qt.Key.Key_Return)
            assert field.value() == pytest.approx(value), (language, typed, name)
            assert language != "de_DE" or "." not in field.text()
        assert name == "simulation_dt" or window.document.q[0] == pytest.approx(radians(12.5))
    MARKS.use(".", NARROW)


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


def type_into(field, text: str):
    """By a click into the field, keys, and Return."""
    QTest.mouseClick(field.lineEdit(), Qt.MouseButton.LeftButton)
    field.selectAll()
    QTest.keyClicks(focused(), text)
    QTest.keyClick(focused(), Qt.Key.Key_Return)
    QApplication.processEvents()


@pytest.fixture
def shown_field(window, find):
    """A field of the window by its name, its panel in front."""

    def bring_up(name):
        field = find(window, name)
        for dock in ("simulation", "workspace", "dynamics"):
            if window.docks[dock].isAncestorOf(field):
                window.docks.bring_up(dock)
        QTest.qWait(20)
        return field

    return bring_up


def test_return_in_a_field_gives_the_keys_back_to_the_view(window, shown_field, press):
    for name in ("joint_value_joint1", "torque_value_joint2", "simulation_dt", "workspace_samples", "gravity_z"):
        field, gizmo = shown_field(name), window.preferences.now.gizmo
        type_into(field, "5000" if name == "workspace_samples" else "2")
        assert window.scene.hasFocus(), name
        press(focused(), Qt.Key.Key_H)
        assert window.preferences.now.gizmo != gizmo, name
        field.setFocus()
        press(field, Qt.Key.Key_Return)  # nothing typed: done with it, too
        assert window.scene.hasFocus(), name


def test_space_in_a_field_runs_unless_something_is_being_typed(window, shown_field, wait_for, press):
    field = shown_field("simulation_dt")
    field.setFocus()
    field.selectAll()
    before = field.text()
    QTest.keyClick(field, Qt.Key.Key_Space)
    wait_for(lambda: window.simulation.running)
    assert field.text() == before
    press(window.scene, Qt.Key.Key_Space)
    wait_for(lambda: not window.simulation.running)
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, "2 ")
    assert not window.simulation.running and field.text() == "2  ms"
    press(field, Qt.Key.Key_Escape)


def test_numbers_are_taken_as_they_are_written(window, shown_field):
    for name, typed, value in (
        ("joint_value_joint1", "1e1", 10.0),
        ("joint_value_joint1", "1e2", 100.0),
        ("joint_value_joint1", "50°", 50.0),
        ("joint_value_joint1", "-2.5E-1", -0.25),
        ("joint_value_joint1", "50 °", 50.0),
        ("joint_value_joint1", "+3", 3.0),
        ("simulation_dt", "3 ms", 3.0),
        ("simulation_dt", "2e0", 2.0),
        ("simulation_dt", ".5", 0.5),
        ("workspace_samples", "1.5e4", 15_000),
        ("workspace_samples", "1e5", 100_000),
        ("workspace_samples", "200,000", 200_000),
    ):
        field = shown_field(name)
        assert field.value() != pytest.approx(value), (name, typed)
        type_into(field, typed)
        assert field.value() == pytest.approx(value) and window.scene.hasFocus(), (name, typed)


def test_what_is_no_number_is_refused_and_no_character_is_dropped(window, shown_field, press):
    for name, typed, why in (
        ("joint_value_joint1", "12abc", "is no number"),
        ("joint_value_joint1", "1.2.3", "is no number"),
        ("joint_value_joint1", "1_000", "is no number"),
        ("joint_value_joint1", "nan", "is no number"),
        ("joint_value_joint1", "1e400", "is no number"),
        ("joint_value_joint1", "50 m", "is no number"),
        ("joint_value_joint1", "1e5", "is out of range; valid is −160.00 to 160.00°. 0.00° stays."),
        ("joint_value_joint1", "1e9", "is out of range"),
        ("simulation_dt", "50", "is out of range; valid is 0.05 to 20.00 ms. 1.00 ms stays."),
        ("torque_value_joint2", "1e5", "is out of range"),
        ("workspace_samples", "1500.5", "is no number"),
        ("workspace_samples", "5", "is out of range"),
    ):
        field, q, said = shown_field(name), window.document.q, f"“{typed}” {why}"
        before = field.value()
        assert said not in window.status_line.currentMessage()
        type_into(field, typed)
        assert typed in field.text() and field.hasFocus() and field.value() == before, (name, typed)
        assert said in QToolTip.text() and said in window.status_line.currentMessage()
        assert field.palette().text().color().name() == window.bench.look.tokens.danger, (name, typed)
        press(field, Qt.Key.Key_Escape)
        assert window.scene.hasFocus() and field.text() == field.textFromValue(before) + field.suffix(), (name, typed)
        type_into(field, typed)
        QTest.mouseClick(
            window.scene, Qt.MouseButton.LeftButton, pos=QPoint(5, 5)
        )  # left as it is, the old value returns and it is said
        assert field.text() == field.textFromValue(before) + field.suffix(), (name, typed)
        assert said in window.status_line.currentMessage()
        assert field.value() == before and window.document.q is q, (name, typed)


def test_what_is_refused_is_told_when_tab_leaves_the_field(window, find, wait_for):
    field = find(window, "joint_value_joint1")
    field._red.setInterval(500)
    QTest.mouseClick(field.lineEdit(), Qt.MouseButton.LeftButton)
    field.selectAll()
    QTest.keyClicks(field, "abc")
    QTest.keyClick(field, Qt.Key.Key_Tab)
    assert not field.hasFocus()
    wait_for(lambda: "“abc” is no number" in window.status_line.currentMessage())
    assert "“abc” is no number" in QToolTip.text() and field.property("refused") == "true"
    assert field.text() == "0.00°"
    wait_for(lambda: field.property("refused") == "")


def test_escape_takes_back_what_is_being_typed(window, find, press):
    field, q = find(window, "joint_value_joint1"), window.document.q
    QTest.mouseClick(field.lineEdit(), Qt.MouseButton.LeftButton)
    field.selectAll()
    QTest.keyClicks(field, "77")
    press(field, Qt.Key.Key_Escape)
    assert window.document.q is q and field.text() == field.textFromValue(field.value()) + field.suffix()


@pytest.fixture
def table(window, find):
    """The gains of a PD controller, a cell of them chosen by the mouse."""
    window.docks.bring_up("control")
    window.features[ControlFeature].choose("pd")
    QTest.qWait(20)
    table = find(window, "control_gains")
    QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=table.visualRect(table.model().index(1, 0)).center())
    assert table.hasFocus()
    return table


def test_a_table_takes_digits_and_return_and_leaves_the_rest_to_the_window(window, table, press, wait_for):
    editing, gain = table.State.EditingState, table.model().index(1, 0).data()
    shown = dict(window.preferences.now.overlays)
    press(table, Qt.Key.Key_H)
    assert window.preferences.now.gizmo and table.state() != editing
    press(table, Qt.Key.Key_L, SHIFT)
    assert window.preferences.now.overlays["loads"] != shown["loads"]
    for key in (Qt.Key.Key_Q, Qt.Key.Key_Minus, Qt.Key.Key_Equal):
        press(table, key)
        assert table.state() != editing
    assert table.model().index(1, 0).data() == gain
    press(table, Qt.Key.Key_Space)
    wait_for(lambda: window.simulation.running)
    press(table, Qt.Key.Key_Space)
    wait_for(lambda: not window.simulation.running)
    for opens in (Qt.Key.Key_Return, Qt.Key.Key_7):
        press(table, opens)
        assert table.state() == editing
        QTest.keyClick(focused(), Qt.Key.Key_Escape)
        QApplication.processEvents()
        assert table.state() != editing and table.hasFocus()
    press(table, Qt.Key.Key_7)
    QTest.keyClicks(focused(), "5e1")
    QTest.keyClick(focused(), Qt.Key.Key_Return)
    QApplication.processEvents()
    assert table.model().index(1, 0).data() == "750"
    press(table, Qt.Key.Key_Escape)
    assert window.scene.hasFocus()


def tab(window, title: str):
    """Bring a dock to the front by a click on its tab."""
    for bar in window.findChildren(QTabBar):
        for k in range(bar.count()):
            if bar.tabText(k) == title and bar.isVisible():
                QTest.mouseClick(bar, Qt.MouseButton.LeftButton, pos=bar.tabRect(k).center())
                QTest.qWait(20)
                return
    raise AssertionError(title)


def test_no_key_goes_to_what_is_behind_a_tab(window, table, find, wait_for):
    gain = table.model().index(1, 0).data()
    tab(window, "Trajectory")
    assert window.scene.hasFocus()
    QTest.keyClicks(focused(), "7")
    assert table.model().index(1, 0).data() == gain and table.state() != table.State.EditingState
    more = find(window, "trajectory_more")
    more.setFocus()
    tab(window, "Simulation")
    QTest.keyClick(focused(), Qt.Key.Key_Space)
    wait_for(lambda: window.simulation.running)
    assert QApplication.activePopupWidget() is None


def test_tab_leads_to_nothing_that_is_behind_a_tab(window, find):
    window.docks.bring_up("simulation")
    QTest.qWait(20)
    hidden = [window.docks[name] for name in ("kinematics", "trajectory", "control", "dynamics", "workspace", "dh_steps")]
    window.scene.setFocus()
    seen = set()
    for key in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab):
        for _ in range(60):
            QTest.keyClick(focused(), key)
            now = QApplication.focusWidget()
            seen.add(now)
            assert not any(dock.isAncestorOf(now) for dock in hidden), now.objectName()
    assert len(seen) > 20


def test_a_button_that_the_mouse_pressed_does_not_keep_the_keys(make_window, find, wait_for):
    window = make_window(perspective="trajectory")
    more = find(window, "trajectory_more")

    def close_the_menu():
        if more.menu().isVisible():
            QTest.keyClick(more.menu(), Qt.Key.Key_Escape)
        else:
            QTimer.singleShot(30, close_the_menu)

    QTimer.singleShot(30, close_the_menu)
    QTest.mouseClick(more, Qt.MouseButton.LeftButton)
    field = find(window, "trajectory_speed")
    QTest.mouseClick(field.lineEdit(), Qt.MouseButton.LeftButton)
    field.selectAll()
    QTest.keyClicks(field, "50")
    QTest.mouseClick(find(window, "trajectory_add_joints"), Qt.MouseButton.LeftButton)  # what was typed counts, too
    assert window.features[TrajectoryFeature].draft.now.speed == 0.5 and window.scene.hasFocus()
    QTest.keyClick(focused(), Qt.Key.Key_Space)
    wait_for(lambda: window.simulation.running)
    assert QApplication.activePopupWidget() is None


def test_a_list_gives_the_keys_back_once_something_was_chosen(make_window, find, press):
    window = make_window(perspective="trajectory")
    window.docks.bring_up("control")
    QTest.qWait(20)
    box, loads = find(window, "control_law"), window.preferences.now.overlays["loads"]
    QTest.mouseClick(box, Qt.MouseButton.LeftButton)
    QTest.qWait(50)
    view = box.view()
    at = view.visualRect(view.model().index(box.findData("pd"), 0)).center()
    QTest.mouseMove(view.viewport(), at)
    QTest.qWait(QApplication.doubleClickInterval() + 100)  # so long a list takes a click for part of the one that opened it
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=at)
    QTest.qWait(50)
    assert box.currentData() == "pd" == window.features[ControlFeature].law and window.scene.hasFocus()
    press(focused(), Qt.Key.Key_L, SHIFT)
    assert window.preferences.now.overlays["loads"] != loads
    box.setFocus()
    press(box, Qt.Key.Key_L, SHIFT)  # nor does one that the keys of Tab led to
    assert window.preferences.now.overlays["loads"] == loads and box.currentData() == "pd"
    press(box, Qt.Key.Key_Return)
    assert window.scene.hasFocus()


def test_clicks_in_the_dh_panel_leave_it_its_keys(window, find, press, wait_for):
    press(window.scene, Qt.Key.Key_D, CTRL)
    QTest.qWait(50)
    player = window.features[DHSteps].player
    QTest.mouseClick(find(window, "dh_next_move"), Qt.MouseButton.LeftButton)
    wait_for(lambda: player.p == 1.0)
    press(focused(), Qt.Key.Key_Right)
    wait_for(lambda: player.p == 2.0)
    press(focused(), Qt.Key.Key_Space)
    assert player.playing and not window.simulation.running
