"""Fields take what is typed as it is written, and give the keys back."""

from __future__ import annotations

from itertools import product
from math import radians

import pytest
from PySide6.QtCore import QLocale, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip

from armature.app.state.number_marks import MARKS, NARROW
from tests.app.focus import focused
from tests.app.test_keyboard import CTRL


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


def test_what_is_no_number_is_refused_and_no_character_is_dropped(window, shown_field, press, wait_for):
    for name, typed, why in (
        ("joint_value_joint1", "12abc", "is not a number"),
        ("joint_value_joint1", "1.2.3", "is not a number"),
        ("joint_value_joint1", "1_000", "is not a number"),
        ("joint_value_joint1", "nan", "is not a number"),
        ("joint_value_joint1", "1e400", "is not a number"),
        ("joint_value_joint1", "50 m", "is not a number"),
        ("joint_value_joint1", "1e5", "is out of range; the range is −160.00 to 160.00°. The value is still 0.00°."),
        ("joint_value_joint1", "1e9", "is out of range"),
        ("simulation_dt", "50", "is out of range; the range is 0.05 to 20.00 ms. The value is still 1.00 ms."),
        ("torque_value_joint2", "1e5", "is out of range"),
        ("workspace_samples", "1500.5", "is not a number"),
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
        assert said not in window.status_line.currentMessage(), "taken back, nothing is refused any more"
        type_into(field, typed)
        QTest.mouseClick(
            window.scene, Qt.MouseButton.LeftButton, pos=QPoint(5, 5)
        )  # left as it is, the old value returns and it is said
        assert field.text() == field.textFromValue(before) + field.suffix(), (name, typed)
        wait_for(lambda said=said: said in window.status_line.currentMessage())
        assert field.value() == before and window.document.q is q, (name, typed)


def test_what_is_refused_is_told_when_tab_leaves_the_field(window, find, wait_for):
    field = find(window, "joint_value_joint1")
    field._red.setInterval(500)
    QTest.mouseClick(field.lineEdit(), Qt.MouseButton.LeftButton)
    field.selectAll()
    QTest.keyClicks(field, "abc")
    QTest.keyClick(field, Qt.Key.Key_Tab)
    assert not field.hasFocus()
    wait_for(lambda: "“abc” is not a number" in window.status_line.currentMessage())
    assert "“abc” is not a number" in QToolTip.text() and field.property("refused") == "true"
    assert field.text() == "0.00°"
    wait_for(lambda: field.property("refused") == "")
    assert not window.status_line.currentMessage()


def test_escape_takes_back_what_is_being_typed(window, find, press):
    field, q = find(window, "joint_value_joint1"), window.document.q
    QTest.mouseClick(field.lineEdit(), Qt.MouseButton.LeftButton)
    field.selectAll()
    QTest.keyClicks(field, "77")
    press(field, Qt.Key.Key_Escape)
    assert window.document.q is q and field.text() == field.textFromValue(field.value()) + field.suffix()


def test_an_empty_field_is_called_so(window, find, press):
    field = find(window, "joint_value_joint1")
    field.setFocus()
    field.selectAll()
    press(field, Qt.Key.Key_Backspace)
    press(field, Qt.Key.Key_Return)
    assert window.status_line.currentMessage() == "The field is empty. The value is still 0.00°."
    press(field, Qt.Key.Key_Escape)
    assert field.text() == "0.00°" and not window.status_line.currentMessage()
