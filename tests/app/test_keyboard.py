"""Everything has a way by keyboard, and F1 shows all of it."""

from __future__ import annotations

from math import radians

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QTabBar, QTreeWidgetItemIterator

from armature.app.control.feature import ControlFeature
from armature.app.dh.feature import DHSteps
from armature.app.trajectory.feature import TrajectoryFeature
from tests.app.focus import focused

NONE, SHIFT, CTRL = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier


def lines(dialog) -> list[str]:
    """What the table shows now, groups left out."""
    found, walk = [], QTreeWidgetItemIterator(dialog.table, QTreeWidgetItemIterator.IteratorFlag.NotHidden)
    while walk.value() is not None:
        if walk.value().parent() is not None:
            found.append(f"{walk.value().text(0)} | {walk.value().text(1)}")
        walk += 1
    return found


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
    assert window.features[TrajectoryFeature].model.draft.speed == 0.5 and window.scene.hasFocus()
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
