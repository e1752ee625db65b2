"""The trajectory dock: limits of joints and tool, broken, told and edited."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip

from armature import engine
from armature.app.trajectory.trajectory_draft import example
from armature.app.trajectory.waypoint_table import STAY, TIME
from tests.app.tables import type_cell
from tests.app.test_trajectory_gui import capture, click, near_home, planned, status


def test_a_broken_limit_is_named(trajectory_dock, find, wait_for):
    window, feature = trajectory_dock()
    capture(window, find, *near_home(window, [0] * 6, [1.0, 0, 0, 0, 0, 0]))
    planned(feature, wait_for)
    assert "within all limits" in status(window, find)
    type_cell(find(window, "trajectory_waypoints"), 1, TIME, "0.05")
    wait_for(lambda: feature.model.preview is not None and feature.model.preview.duration == pytest.approx(0.05))
    assert "Torque of joint1 is" in status(window, find) and "the limit is 97.6 N·m" in status(window, find)
    assert find(window, "trajectory_status").property("severity") == "error"


def test_limits_are_told_in_the_units_of_the_window(trajectory_dock, find, wait_for):
    window, feature = trajectory_dock("panda")
    home = window.document.robot.configurations["home"]
    capture(window, find, home, home + 0.5)
    type_cell(find(window, "trajectory_waypoints"), 1, TIME, "0.3")
    wait_for(lambda: feature.model.preview is not None and feature.model.preview.violation)
    found = feature.model.preview.violation
    assert found.quantity == "speed"
    assert f"the limit is {np.degrees(found.limit):.4g} °/s" in status(window, find)
    window.preferences.set(angle_unit="rad")
    assert f"the limit is {found.limit:.4g} rad/s" in status(window, find)


def test_what_is_wrong_with_the_waypoints_is_told_while_the_arm_runs(trajectory_dock, find, wait_for):
    window, feature = trajectory_dock()
    feature.model.put(example(window.document.robot))
    planned(feature, wait_for)
    click(window, find, "run")
    wait_for(lambda: "max. tracking error" in find(window, "trajectory_progress").text())
    feature.model.selected = 1
    feature.model.set_value(0, 9.0, 10**6)  # out of reach
    wait_for(lambda: find(window, "trajectory_status").property("severity") == "error")
    before = window.simulation.latest.t
    wait_for(lambda: window.simulation.latest.t > before + 0.3)
    assert find(window, "trajectory_status").property("severity") == "error" and "aypoint 2" in status(window, find)
    click(window, find, "stop")
    assert "controller is disabled" in find(window, "trajectory_progress").text()


def test_a_broken_limit_is_told_before_the_run_and_run_when_asked_again(trajectory_dock, find, wait_for):
    window, feature = trajectory_dock()
    capture(window, find, *near_home(window, [0] * 6, [1.0, 0, 0, 0, 0, 0]))
    type_cell(find(window, "trajectory_waypoints"), 1, TIME, "0.05")
    wait_for(lambda: feature.model.preview is not None and feature.model.preview.violation)
    run, enter = find(window, "trajectory_run"), Qt.Key.Key_Return
    assert run.text() == "Run"
    QTest.keyClick(window, enter, Qt.KeyboardModifier.ControlModifier)
    text = status(window, find)
    assert "not run: torque of joint1 is" in text and "at t = " in text and "the limit is 97.6 N·m" in text
    assert feature.model.followed is None and not window.simulation.running
    assert run.text() == "Run anyway" and "violates a limit" in run.toolTip()
    type_cell(find(window, "trajectory_waypoints"), 1, STAY, "1")  # another trajectory is told of anew
    wait_for(lambda: feature.model.preview is not None)
    assert run.text() == "Run"
    click(window, find, "run")
    assert feature.model.followed is None
    click(window, find, "run")
    assert feature.model.followed is not None and "not run" not in status(window, find)
    wait_for(lambda: window.simulation.running)
    click(window, find, "stop")


def test_a_path_below_the_floor_is_told_with_time_and_link_before_the_run(trajectory_dock, find, wait_for):
    window, feature = trajectory_dock()
    capture(window, find, window.document.robot.configurations["home"], [0.0, -0.785, -1.878, 0.0, 0.0, 0.0])
    found = planned(feature, wait_for).violation
    text = status(window, find)
    assert text.startswith(f"{found.link} goes below the floor at t = {found.t:.3f} s") and " mm" in text
    assert find(window, "trajectory_status").property("severity") == "error" and "within" not in text
    QTest.keyClick(window, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert feature.model.followed is None and f"not run: {found.link} goes below" in status(window, find)
    type_cell(find(window, "trajectory_waypoints"), 1, TIME, "0.05")  # too fast as well: both are reported
    wait_for(lambda: feature.model.preview is not None and len(feature.model.preview.violations) == 2)
    assert "the limit is" in status(window, find) and "below the floor" in status(window, find)
    window.document.edit_robot(window.document.robot.with_floor(-0.5), "floor")  # the arm stands on a table
    wait_for(lambda: feature.model.preview is not None and len(feature.model.preview.violations) == 1)
    assert "below the floor" not in status(window, find)


def type_into(field, text):
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, text)
    QTest.keyClick(field, Qt.Key.Key_Return)
    QApplication.processEvents()


def test_the_limits_of_the_tool_are_shown_edited_undone_and_saved(trajectory_dock, find, wait_for, tmp_path):
    window, feature = trajectory_dock(perspective="trajectory_dock")
    home, other = near_home(window, [0] * 6, [0, 0.1, 0.2, 0, 0, 0])
    capture(window, find, home)
    X = engine.frame_pose(window.document.robot, other)
    feature.model.edit(feature.model.draft.inserted(1, engine.Waypoint(X_WT=X, kind="line")), "line")
    usual = planned(feature, wait_for).duration
    speed, whence = find(window, "tool_limit_speed"), find(window, "tool_limits_whence")
    assert speed.text() == "0.500 m/s" and find(window, "tool_limit_angular_jerk").value() == pytest.approx(np.degrees(80))
    assert whence.text().startswith("Default values: 0.5 m/s") and not find(window, "tool_limits_reset").isEnabled()
    type_into(speed, "0.02")
    assert feature.model.draft.tool_limits == engine.ToolLimits(speed=0.02)
    assert find(window, "tool_limit_acceleration").value() == pytest.approx(0.08)
    assert whence.text().startswith("From this trajectory: speed")
    slow = planned(feature, wait_for).duration
    length = np.linalg.norm(X[:3, 3] - engine.frame_pose(window.document.robot, home)[:3, 3])
    assert slow > usual and slow == pytest.approx(length * 1.875 / 0.02)
    type_into(speed, "0")  # no speed: it is refused
    assert speed.text() == "0 m/s" and "above 0" in QToolTip.text()
    QTest.keyClick(speed, Qt.Key.Key_Escape)
    assert feature.model.draft.tool_limits == engine.ToolLimits(speed=0.02) and speed.text() == "0.020 m/s"
    feature.files.save(str(tmp_path / "slow.toml"))
    type_into(speed, "3")
    assert feature.model.draft.tool_limits == engine.ToolLimits(speed=3.0)
    window.actions_["undo"].trigger()
    window.bench.views.flush()
    assert feature.model.draft.tool_limits == engine.ToolLimits(speed=0.02) and speed.text() == "0.020 m/s"
    QTest.mouseClick(find(window, "tool_limits_reset"), Qt.MouseButton.LeftButton)
    window.bench.views.flush()
    assert feature.model.draft.tool_limits == engine.ToolLimits() and speed.text() == "0.500 m/s"
    feature.files.load(str(tmp_path / "slow.toml"))
    assert feature.model.draft.tool_limits == engine.ToolLimits(speed=0.02)
    for typed, shown in (("0.0001", "0.0001 m/s"), ("100000", "100000 m/s"), ("0.00002 m/s", "2e−05 m/s")):
        type_into(speed, typed)
        assert speed.text() == shown
        assert speed.fontMetrics().horizontalAdvance(shown) < speed.lineEdit().contentsRect().width()
    feature.files.load(str(tmp_path / "slow.toml"))
    assert "joint moves" in find(window, "tool_limits_scope").text()
    window.preferences.set(angle_unit="rad", length_unit="mm")
    window.bench.views.flush()
    assert speed.text() == "20.0 mm/s" and find(window, "tool_limit_angular_speed").text() == "2.000 rad/s"
