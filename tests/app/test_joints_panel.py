"""Posing the arm by hand: sliders, numbers, keys, undo."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from armature import engine
from armature.app.joints.joint_row import JointRow
from armature.app.joints.shown_joint import ShownJoint
from armature.app.state.units import Units
from armature.app.style.colour_tokens import LIGHT
from armature.app.widgets.joint_slider import JointSlider
from tests.app.kept_window import settle

LEFT = Qt.MouseButton.LeftButton
CTRL = Qt.KeyboardModifier.ControlModifier


def drag(widget, start: QPoint, end: QPoint, steps: int = 8):
    QTest.mousePress(widget, LEFT, pos=start)
    for k in range(1, steps + 1):
        QTest.mouseMove(widget, start + (end - start) * k / steps)
        QApplication.processEvents()
    QTest.mouseRelease(widget, LEFT, pos=end)
    QApplication.processEvents()


def handle(slider) -> QPoint:
    return QPoint(round(slider._handle_x(slider.value())), slider.height() // 2)


def type_into(field, text: str):
    QTest.mouseClick(field.lineEdit(), LEFT)
    field.selectAll()
    QTest.keyClicks(field.lineEdit(), text)
    QTest.keyClick(field.lineEdit(), Qt.Key.Key_Return)
    QApplication.processEvents()


def test_dragging_a_slider_moves_the_joint_and_is_one_undo_step(window, find, press):
    slider, document = find(window, "joint_slider_joint1"), window.document
    before = document.q.copy()
    start = handle(slider)
    drag(slider, start, start + QPoint(40, 0))
    assert document.q[0] > before[0] + 0.2
    assert np.array_equal(document.q[1:], before[1:])
    assert document.undo_stack.count() == 1
    press(window, Qt.Key.Key_Z, CTRL)
    assert np.array_equal(document.q, before)
    press(window, Qt.Key.Key_Y, CTRL)
    assert document.q[0] > before[0] + 0.2


def test_two_drags_are_two_undo_steps(window, find):
    slider = find(window, "joint_slider_joint2")
    for by in (20, -45):
        start = handle(slider)
        drag(slider, start, start + QPoint(by, 0))
    assert window.document.undo_stack.count() == 2


def test_a_drag_that_ends_where_it_began_leaves_no_step(window, find):
    slider = find(window, "joint_slider_joint1")
    start = handle(slider)
    QTest.mousePress(slider, LEFT, pos=start)
    for x in (10, 20, 0):
        QTest.mouseMove(slider, start + QPoint(x, 0))
    QTest.mouseRelease(slider, LEFT, pos=start)
    assert window.document.undo_stack.count() in (0, 1)
    assert abs(window.document.q[0]) < 0.02


def test_a_typed_value_is_taken_exactly(window, find):
    type_into(find(window, "joint_value_joint1"), "45.123456")
    assert window.document.q[0] == pytest.approx(np.radians(45.123456), abs=1e-12)
    assert window.document.undo_stack.count() == 1


def test_enter_without_typing_does_not_round_the_value(window, find):
    window.document.edit_joint(0, 0.123456789)
    field = find(window, "joint_value_joint1")
    QTest.mouseClick(field.lineEdit(), LEFT)
    QTest.keyClick(field.lineEdit(), Qt.Key.Key_Return)
    assert window.document.q[0] == 0.123456789


def test_a_pose_out_of_range_is_shown_red_and_none_is_typed_or_stepped_to(window, find):
    field = find(window, "joint_value_joint1")
    type_into(field, "200")
    assert window.document.q[0] == 0.0 and field.property("refused") == "true"
    assert "range is −160.00 to 160.00°" in window.status_line.currentMessage()
    QTest.keyClick(field, Qt.Key.Key_Escape)
    type_into(field, "159.5")
    field.setFocus()
    QTest.keyClick(field, Qt.Key.Key_Up)
    assert window.document.q[0] == pytest.approx(np.radians(160)) and field.text() == "160.00°"
    window.document.edit_joint(0, np.radians(200))  # as a named pose may
    assert field.property("state") == "out" and field.text() == "200.00°"
    colour = field.palette().text().color()
    assert colour.name() == window.bench.look.tokens.danger
    QTest.keyClick(field, Qt.Key.Key_Up)
    assert window.document.q[0] == pytest.approx(np.radians(200))
    QTest.keyClick(field, Qt.Key.Key_Down)
    assert window.document.q[0] == pytest.approx(np.radians(199))
    window.document.edit_joint(0, np.radians(1e5))
    assert field.text() == "100000°"
    type_into(field, "158")
    assert field.property("state") == "near"
    type_into(field, "0")
    assert field.property("state") == "ok"


def test_arrow_keys_belong_to_the_focused_slider(window, find, press):
    slider = find(window, "joint_slider_joint1")
    slider.setFocus()
    press(slider, Qt.Key.Key_Right)
    assert window.document.q[0] == pytest.approx(np.radians(1), abs=2e-3)
    assert window.document.undo_stack.count() == 1
    press(slider, Qt.Key.Key_Right)
    assert window.document.undo_stack.count() == 2


def test_escape_in_a_field_gives_the_focus_back_to_the_view(window, find, press):
    field = find(window, "joint_value_joint1")
    field.setFocus()
    press(field, Qt.Key.Key_Escape)
    assert window.scene.hasFocus()


def test_unlimited_joints_keep_their_turns(make_window, find):
    window = make_window("double_pendulum")
    name = window.document.robot.joint_names[0]
    window.document.edit_joint(0, 4 * np.pi + 0.5)
    slider = find(window, f"joint_slider_{name}")
    assert find(window, f"joint_limits_{name}").text() == "no limits"
    slider.setFocus()
    QTest.keyClick(slider, Qt.Key.Key_Right)
    assert window.document.q[0] == pytest.approx(4 * np.pi + 0.5 + np.radians(1), abs=2e-3)


def test_the_slider_of_a_joint_without_limits_stands_where_its_field_says(make_window, find):
    window = make_window("ur5")
    slider = find(window, "joint_slider_" + window.document.robot.joint_names[0])

    def shown() -> float:
        return 720.0 * slider.value() / 20_000 - 360.0

    for degrees, stands in ((-221.0, -221.0), (221.0, 221.0), (360.0, 360.0), (500.0, 140.0), (-500.0, -140.0)):
        window.document.edit_joint(0, np.radians(degrees))
        assert shown() == pytest.approx(stands, abs=0.05)
    window.document.edit_joint(0, np.radians(500.0))
    centre, right = handle(slider), QPoint(slider.width() - 3, slider.height() // 2)
    QTest.mousePress(slider, Qt.MouseButton.LeftButton, pos=centre)
    for _ in range(3):
        QTest.mouseMove(slider, QPoint(4, centre.y()))
        QTest.mouseMove(slider, right)
        assert window.document.q[0] == pytest.approx(np.radians(720.0), abs=0.05)
        assert shown() == pytest.approx(360.0, abs=1.5)
    QTest.mouseRelease(slider, Qt.MouseButton.LeftButton, pos=right)
    assert np.degrees(window.document.q[0]) == pytest.approx(720.0, abs=1.5)


def test_units_switch_what_is_shown_not_what_is(make_window, find):
    window = make_window("scara")
    window.document.edit(np.array([np.pi / 2, 0.3, 0.05]))
    first, third = (find(window, f"joint_value_{window.document.robot.joint_names[i]}") for i in (0, 2))
    assert first.text() == "90.00°"
    assert third.text() == "0.0500 m"
    window.actions_["angle_rad"].trigger()
    window.actions_["length_mm"].trigger()
    assert first.text() == "1.5708 rad"
    assert third.text() == "50.0 mm"
    assert window.document.q[0] == np.pi / 2
    type_into(first, "1")
    assert window.document.q[0] == 1.0


def test_named_poses_can_be_undone(window, find):
    home = window.document.q.copy()
    find(window, "action_pose_zero").trigger()
    assert not window.document.q.any()
    window.actions_["undo"].trigger()
    assert np.array_equal(window.document.q, home)


def test_dragging_a_link_in_the_view_turns_its_joint_in_one_undo_step(window, wait_for):
    scene, document = window.scene, window.document
    spot, joint = link_spot(scene, 1)
    before = document.q.copy()
    drag(scene, spot, spot + QPoint(30, 60), steps=10)
    changed = np.flatnonzero(document.q != before)
    assert changed.tolist() == [joint]
    assert document.undo_stack.count() == 1
    window.actions_["undo"].trigger()
    assert np.array_equal(document.q, before)


def link_spot(scene, wanted: int) -> tuple[QPoint, int]:
    """A pixel on the link of joint `wanted`."""
    for y in range(10, scene.height(), 6):
        for x in range(10, scene.width(), 6):
            hit = scene.pick(x, y)
            if hit is not None and hit.joint == wanted:
                return QPoint(x, y), wanted
    raise AssertionError(f"joint {wanted} is nowhere in the view")


def test_rows_stay_with_another_robot_and_are_of_its_joints(window, find):
    rows = [find(window, f"joint_slider_joint{k}").parentWidget() for k in range(1, 7)]
    find(window, "joint_motion").setChecked(True)
    window.files.open_robot("panda")
    window.files.finish()
    assert [find(window, f"joint_slider_joint{k}").parentWidget() for k in range(1, 7)] == rows
    slider, document = find(window, "joint_slider_joint7"), window.document
    assert slider.isVisible() and find(window, "joint_value_joint7").isVisible()
    QApplication.processEvents()
    drag(slider, handle(slider), handle(slider) + QPoint(30, 0))
    assert document.q[6] > document.robot.configurations["home"][6] and document.undo_stack.count() == 1
    window.files.open_robot("rp")
    window.files.finish()
    settle()
    slides = find(window, "joint_value_joint2")
    assert slides.suffix() == " m" and find(window, "joint_speed_joint2").suffix() == " m/s"
    assert len([row for row in window.joints._rows if not row.isHidden()]) == 2 == len(window.joints._rows)
    low, high = document.robot.q_min[1], document.robot.q_max[1]
    type_into(slides, str(high))
    assert document.q[1] == pytest.approx(high) and rows[1].state(high + 0.1) == "out" == rows[1].state(low - 0.1)


def test_rows_that_were_made_for_a_robot_that_did_not_come_are_gone(window, find):
    made = window.joints.make_rows(engine.load_robot("panda"))
    next(made)
    assert window.joints._rows[6].isHidden()
    window.document.open_robot("irb140")
    assert len(window.joints._rows) == 6 and not any(row.isHidden() for row in window.joints._rows)


def test_a_row_of_the_next_robot_lights_up_nothing_of_the_one_before(make_window):
    window = make_window("scara")
    arm = window.scene.stage.arm
    window.scene.highlight_joint(2)
    assert arm.bodies["state"][:, 2].any()
    window.scene.highlight_joint(window.document.robot.n)
    assert not arm.bodies["state"][:, 2].any()


def test_a_long_name_of_a_joint_is_shortened_in_the_middle(qtbot):
    row = JointRow(ShownJoint("left_shoulder_pitch_joint_of_the_second_arm", -2.0, 2.0, False, (-2.0, 2.0)), Units(), None)
    short = JointRow(ShownJoint("joint1", -2.0, 2.0, False, (-2.0, 2.0)), Units(), None)
    for each in (row, short):
        qtbot.addWidget(each)
        each.resize(each.minimumSizeHint().width(), 60)
        each.show()
    title, whole = row._title, short._title
    assert row.minimumSizeHint().width() < short.minimumSizeHint().width() + 60
    assert "…" in title.shown_text() and title.toolTip() == title.text()
    assert whole.shown_text() == "joint1"
    row.resize(900, 60)
    qtbot.waitUntil(lambda: title.shown_text() == title.text())


@pytest.mark.parametrize("motion", [False, True])
def test_radians_and_back_move_nothing_in_the_window(make_window, find, motion):
    window = make_window("puma560", perspective="explore", size=(1400, 900))
    if motion:
        QTest.mouseClick(find(window, "joint_motion"), LEFT)
    joints = window.docks["joints"]
    window.resizeDocks([joints], [1], Qt.Orientation.Horizontal)  # as narrow as its rows are

    def widths() -> tuple[int, int]:
        """Once nothing moves any more."""
        now, still = None, 0
        while still < 3:
            QTest.qWait(50)
            now, before = (joints.width(), window.scene.width()), now
            still = still + 1 if now == before else 0
        return now

    before = widths()
    for name, symbol in (("angle_rad", "rad"), ("angle_deg", "°")):
        QTest.mouseClick(window.toolbar.widgetForAction(window.actions_[name]), LEFT)
        assert find(window, "joint_value_joint1").text().endswith(symbol)
        assert widths() == before, name


@pytest.mark.parametrize("value", [0.0, 1e-5, 0.8, -0.8])
def test_a_slider_is_filled_from_zero_to_the_handle(qtbot, value):
    slider = JointSlider(-1.0, 1.0, True, 0.01)
    qtbot.addWidget(slider)
    slider.set_theme(LIGHT)
    slider.resize(200, 24)
    slider.show_value(value)
    image = slider.grab().toImage()
    middle, accent, handle_x = image.height() // 2, QColor(LIGHT.accent), slider._handle_x(slider.value())
    filled = [
        x for x in range(image.width()) if image.pixelColor(x, middle) == accent and abs(x - handle_x) > slider._radius() + 1
    ]
    zero = slider._handle_x(10_000)
    low, high = sorted((zero, handle_x))
    assert all(low - 1 <= x <= high + 1 for x in filled)
    assert len(filled) == pytest.approx(max(0.0, abs(handle_x - zero) - slider._radius()), abs=4)
