"""A tool pose that is typed: the arm goes there, or says why not and waits for the rest of it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PySide6.QtCore import Qt

from armature import engine
from armature.app.kinematics.tool_pose import ToolPoseSection
from armature.app.state.units import Units
from tests.app.focus import type_into

CASES = Path(__file__).parents[1] / "data" / "robots"


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
    assert "not moved" in words.text() and np.array_equal(document.q, start)
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


def test_an_arm_of_four_joints_takes_a_place_and_names_what_it_cannot_take(make_window, find, wait_for, press):
    window = make_window(str(CASES / "task_4dof_gripper.urdf"), perspective="explore")
    document, words = window.document, find(window, "tool_words")
    document.edit(np.array([0.4, 0.3, 0.5, 0.2]))
    field = {name: find(window, f"tool_{name}") for name in ("y", "yaw", "pitch")}
    wait_for(lambda: abs(field["pitch"].value() - np.degrees(1.0)) < 0.1)
    assert (
        find(window, "singularity_task")
        .text()
        .startswith("Task x, y, z, rx, ry, rz, all six coordinates, because no task is given. 4 j")
    )

    def tool():
        return engine.frame_pose(document.robot, document.q)

    before = tool()
    type_into(field["y"], "0.1")
    wait_for(lambda: abs(tool()[1, 3] - 0.1) < 1e-6)
    assert np.allclose(tool()[[0, 2], 3], before[[0, 2], 3], atol=1e-6)
    there = document.q.copy()
    type_into(field["yaw"], "0")
    wait_for(words.isVisible)
    assert "4 joints for 6 coordinates" in words.text() and "rz by" in words.text() and np.array_equal(document.q, there)
    press(window.scene, Qt.Key.Key_Escape)
    type_into(field["pitch"], "50")
    wait_for(lambda: abs(np.degrees(np.arcsin(-tool()[2, 0])) - 50.0) < 1e-3)


def test_a_task_along_the_axes_of_the_arm_is_named(make_window, find, wait_for, tmp_path):
    (tmp_path / "arm.urdf").write_text((CASES / "task_4dof_gripper.urdf").read_text())
    (tmp_path / "arm.armature.toml").write_text('task = ["x", "y", "z", "ry"]\ntask_axes = "arm"\n')
    window = make_window(str(tmp_path / "arm.urdf"), perspective="explore")
    wait_for(lambda: find(window, "singularity_task").text().startswith("Task x, y, z, ry along the arm's axes."))
    window.document.edit(np.array([0.4, 0.3, 0.5, 0.2]))
    before = engine.frame_pose(window.document.robot, window.document.q)
    field = find(window, "tool_y")
    wait_for(lambda: abs(field.value() - before[1, 3]) < 1e-4)
    type_into(field, "0.12")
    wait_for(lambda: abs(engine.frame_pose(window.document.robot, window.document.q)[1, 3] - 0.12) < 1e-6)
    assert abs(engine.frame_pose(window.document.robot, window.document.q)[2, 0] - before[2, 0]) < 1e-6  # the same pitch


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
