"""A tool pose that is typed: the arm goes there, or says why not and waits for the rest of it."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Qt

from armature import engine
from armature.app.kinematics.tool_pose import ToolPoseSection
from armature.app.state.units import Units
from tests.app.focus import type_into


def test_a_typed_tool_pose(make_window, find, wait_for, press):
    window = make_window("puma560", perspective="explore")
    document, words = window.document, find(window, "tool_words")
    field = {name: find(window, f"tool_{name}") for name in ("x", "y", "z", "roll", "pitch", "yaw")}
    wait_for(lambda: field["z"].value() != 0.0)

    def tool():
        return engine.frame_pose(document.robot, document.q)

    def shown(name):
        return float(field[name].value())

    start, before = document.q.copy(), tool()
    type_into(field["z"], "0,8")
    wait_for(lambda: abs(tool()[2, 3] - 0.8) < 1e-6)
    assert np.allclose(tool()[:3, :3], before[:3, :3], atol=1e-6) and np.allclose(tool()[:2, 3], before[:2, 3], atol=1e-6)
    window.actions_["undo"].trigger()
    assert np.array_equal(document.q, start)
    wait_for(lambda: abs(shown("z") - before[2, 3]) < 1e-3)

    type_into(field["x"], "0.95")  # too far out at this height and in this orientation
    wait_for(words.isVisible)
    assert "stays" in words.text() and np.array_equal(document.q, start)
    assert shown("x") == 0.95 and field["x"].property("state") == "out"
    type_into(field["x"], "0.4")
    wait_for(lambda: abs(tool()[0, 3] - 0.4) < 1e-6)
    assert not words.isVisible() and field["x"].property("state") == "ok"

    there = document.q.copy()
    type_into(field["y"], "3")
    wait_for(words.isVisible)
    for length, factor in (("mm", 1000.0), ("m", 1.0)):
        window.preferences.set(length_unit=length)
        assert shown("y") == 3 * factor  # what is wanted and not reached is in other units, too
    press(field["y"].lineEdit(), Qt.Key.Key_Escape)
    assert not words.isVisible() and np.array_equal(document.q, there)
    assert abs(shown("y") - tool()[1, 3]) < 1e-4 and window.scene.hasFocus()

    type_into(field["y"], "3")  # Return gives the keys to the view
    wait_for(words.isVisible)
    assert window.scene.hasFocus()
    press(window.scene, Qt.Key.Key_Escape)
    assert not words.isVisible() and abs(shown("y") - tool()[1, 3]) < 1e-4

    window.document.open_robot("scara")  # its task is the place alone
    assert field["x"].isEnabled() and not field["yaw"].isEnabled() and "follows" in field["yaw"].toolTip()
    press(window.scene, Qt.Key.Key_Space)
    wait_for(lambda: not field["x"].isEnabled())
    press(window.scene, Qt.Key.Key_Space)
    wait_for(field["x"].isEnabled)


def test_polar_coordinates_are_read_and_typed(make_window, find, wait_for):
    window = make_window("puma560", perspective="explore")
    document = window.document
    r, phi = find(window, "tool_r"), find(window, "tool_phi")
    assert not r.isVisible()  # its axes are not parallel
    window.document.open_robot("scara")

    def tool():
        return engine.frame_pose(document.robot, document.q)[:3, 3]

    wait_for(lambda: r.isVisible() and abs(r.value() - np.hypot(*tool()[:2])) < 1e-3)
    assert abs(phi.value() - np.degrees(np.arctan2(tool()[1], tool()[0]))) < 0.01
    before = tool()
    type_into(r, "0.4")
    wait_for(lambda: abs(np.hypot(*tool()[:2]) - 0.4) < 1e-6)
    assert abs(tool()[2] - before[2]) < 1e-6 and abs(np.linalg.det([tool()[:2], before[:2]])) < 1e-6
    wait_for(lambda: abs(find(window, "tool_x").value() - tool()[0]) < 1e-3)  # read since the arm has moved
    type_into(phi, "-20")
    wait_for(lambda: abs(np.arctan2(tool()[1], tool()[0]) + np.radians(20)) < 1e-6)
    assert abs(np.hypot(*tool()[:2]) - 0.4) < 1e-6
    type_into(r, "3")
    wait_for(lambda: r.property("state") == "out" and find(window, "tool_words").isVisible())
    window.document.open_robot("rp")
    wait_for(lambda: abs(phi.value() - 30.0) < 0.01 and abs(r.value() - 0.7) < 1e-3)


def test_there_is_no_number_before_there_is_a_pose(qtbot):
    section = ToolPoseSection(Units())
    qtbot.addWidget(section)
    fields = [*section._fields, section.polar.r, section.polar.phi]
    section.set_robot(engine.load_robot("scara"))
    section.set_units(Units("rad"))
    assert {field.text()[0] for field in fields} == {"–"}
    section.show_pose(np.eye(4), np.eye(4)[0])
    assert [field.text() for field in fields[:3]] == ["0.0000 m"] * 3 and "–" not in "".join(field.text() for field in fields)
