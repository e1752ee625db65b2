"""Themes, text sizes, readouts, overlays, help: what the user sees."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QAbstractSlider, QAbstractSpinBox, QApplication, QComboBox, QLabel, QScrollBar
from pytestqt.exceptions import TimeoutError


def corner_colour(window) -> float:
    """Lightness of the window's own background, 0 to 1."""
    return window.grab().toImage().pixelColor(4, window.height() // 2).lightnessF()


def test_theme_switch(window):
    window.actions_["theme_dark"].trigger()
    assert corner_colour(window) < 0.3 and window.tokens.dark
    window.actions_["theme_light"].trigger()
    assert corner_colour(window) > 0.8 and not window.tokens.dark
    assert window.preferences.now.theme == "light"


def test_a_straight_wrist_turns_readouts_red_and_names_itself(window, find, wait_for):
    sigma, condition = find(window, "readout_sigma_min"), find(window, "readout_condition")
    wait_for(lambda: condition.property("level") == "0")
    assert condition.palette().windowText().color().name() == window.tokens.good
    q = window.document.q.copy()
    q[4] = 0.0
    window.document.edit(q)
    wait_for(lambda: condition.property("level") == "2")
    assert sigma.property("level") == "2"
    assert condition.palette().windowText().color().name() == window.tokens.danger
    assert find(window, "singularity_explanation").text() == window.readouts.latest.report.explanation
    window.actions_["undo"].trigger()
    wait_for(lambda: condition.property("level") == "0")


def test_thresholds_move_the_warning(window, find, wait_for):
    wait_for(lambda: window.readouts.latest is not None)
    find(window, "threshold_warn").setValue(2)
    wait_for(lambda: find(window, "readout_condition").property("level") == "1")
    assert window.preferences.now.warn_condition == 2


def test_kinematics_shows_the_live_dh_row_and_the_jacobian(window, find, wait_for):
    window.document.edit(np.array([0.5, 0.1, 0.2, 0.3, 0.4, 0.6]))
    dh, jacobian = find(window, "table_dh"), find(window, "table_jacobian")
    wait_for(lambda: dh.numbers.text(0, 0) == "28.648")
    assert dh.numbers.columns[0].startswith("θ") and (0, 0) in dh.numbers.marked
    assert jacobian.numbers.rows == ("vx", "vy", "vz", "ωx", "ωy", "ωz")
    assert np.array_equal(jacobian.numbers.values, window.readouts.latest.jacobian)
    assert find(window, "value_determinant").text() not in ("–", "not square")


def test_modified_tables_have_their_own_column_order(make_window, find):
    columns = find(make_window("panda"), "table_dh").numbers.columns
    assert [name[0] for name in columns] == ["a", "α", "d", "θ"]


@pytest.mark.parametrize("scale", [100, 150])
@pytest.mark.parametrize("size", [(1400, 900), (1024, 700)])
def test_nothing_is_clipped(make_window, wait_for, scale, size):
    window = make_window(size=size, text_scale=scale)
    for name in ("simulation", "workspace", "recording", "kinematics", "plots"):
        window.docks.bring_up(name)
        QTest.qWait(60)
        try:
            wait_for(lambda: not _clipped(window))  # the layout follows texts that arrive a few frames later
        except TimeoutError:
            pytest.fail(f"clipped: {_clipped(window)}")


def _clipped(window):
    """Texts wider than the label or button they stand in."""
    labels = [
        (label.text(), label.width(), label.sizeHint().width())
        for label in window.findChildren(QLabel)
        if label.isVisible() and not label.wordWrap() and label.text()
    ]
    buttons = [
        (button.text(), button.width(), button.minimumSizeHint().width())
        for button in window.findChildren(QAbstractButton)
        if button.isVisible() and button.text()
    ]
    return [text for text, width, needed in labels + buttons if width < needed - 1]


def test_every_control_has_a_name(window):
    kinds = (QAbstractButton, QAbstractSlider, QAbstractSpinBox, QComboBox)
    nameless = [
        (type(child).__name__, child.objectName(), child.parent().objectName())
        for kind in kinds
        for child in window.findChildren(kind)
        if not isinstance(child, QScrollBar)
        and not child.objectName().startswith("qt_")
        and not (child.accessibleName() or getattr(child, "text", lambda: "")())
    ]
    assert not nameless


def test_overlay_keys_and_memory(window, press, find):
    before = window.scene.overlay("grid")
    press(window.scene, Qt.Key.Key_G)
    assert window.scene.overlay("grid") != before
    assert window.preferences.now.overlays["grid"] != before


def test_layout_is_remembered(make_window):
    first = make_window()
    first.docks["plots"].hide()
    first.close()
    second = make_window(layouts=first.preferences.now.layouts, geometry=first.preferences.now.geometry)
    assert not second.docks["plots"].isVisible()
    second.actions_["reset_layout"].trigger()
    QApplication.processEvents()
    assert second.docks["plots"].isVisible()


def test_each_perspective_shows_its_panels_and_remembers_them(make_window, press):
    window = make_window(perspective="explore")
    assert window.docks["kinematics"].isVisible() and not window.docks["plots"].isVisible()
    press(window, Qt.Key.Key_5, Qt.KeyboardModifier.ControlModifier)
    assert window.docks["simulation"].isVisible() and window.docks["plots"].isVisible()
    window.docks["plots"].hide()
    press(window, Qt.Key.Key_3, Qt.KeyboardModifier.ControlModifier)
    assert window.docks["workspace"].isVisible() and not window.docks["simulation"].isVisible()
    assert window.actions_["perspective_workspace"].isChecked()
    press(window, Qt.Key.Key_5, Qt.KeyboardModifier.ControlModifier)
    assert window.docks["simulation"].isVisible() and not window.docks["plots"].isVisible()
    window.close()
    again = make_window(perspective=window.preferences.now.perspective, layouts=window.preferences.now.layouts)
    assert again.docks["simulation"].isVisible() and not again.docks["plots"].isVisible()


def test_a_dock_can_float_and_come_back(window):
    dock = window.docks["kinematics"]
    dock.setFloating(True)
    QTest.qWait(80)
    assert dock.isVisible() and dock.titleBarWidget() is None
    dock.setFloating(False)
    QTest.qWait(80)
    window.actions_["reset_layout"].trigger()
    QTest.qWait(50)
