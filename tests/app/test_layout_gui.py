"""Docks and perspectives: what each shows, and what is remembered."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
)

from armature.app.widgets.on_screen import on_screen


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


def test_the_key_of_a_perspective_brings_its_own_panel_to_the_front(make_window, press, wait_for):
    window, ctrl = make_window(perspective="equations"), Qt.KeyboardModifier.ControlModifier
    equations, frames = (window.docks[name] for name in ("equations", "frames"))
    wait_for(lambda: on_screen(equations.widget()))
    for keys in ((Qt.Key.Key_6,), (Qt.Key.Key_1, Qt.Key.Key_6)):  # pressed again, and from another perspective
        window.actions_["assign_frames"].trigger()
        wait_for(lambda: on_screen(frames.widget()) and not on_screen(equations.widget()))
        for key in keys:
            press(window, key, ctrl)
        wait_for(lambda: on_screen(equations.widget()) and window.preferences.now.perspective == "equations")
    press(window, Qt.Key.Key_5, ctrl)
    window.docks.bring_up("control")  # one of its own stays in front, until its key is pressed again
    wait_for(lambda: on_screen(window.docks["control"].widget()))
    press(window, Qt.Key.Key_6, ctrl)
    press(window, Qt.Key.Key_5, ctrl)
    wait_for(lambda: on_screen(window.docks["control"].widget()))
    assert not on_screen(window.docks["dynamics"].widget())
    press(window, Qt.Key.Key_5, ctrl)
    wait_for(lambda: on_screen(window.docks["dynamics"].widget()))


def test_a_dock_can_float_and_come_back(window):
    dock = window.docks["kinematics"]
    dock.setFloating(True)
    QTest.qWait(80)
    assert dock.isVisible() and dock.titleBarWidget() is None
    dock.setFloating(False)
    QTest.qWait(80)
    window.actions_["reset_layout"].trigger()
    QTest.qWait(50)
