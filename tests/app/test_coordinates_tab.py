"""Generalized coordinates: masses, constraints and 3N − k, live while joints are moved."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from armature import engine
from armature.app.equations.coordinates.constraints import point_masses
from armature.app.equations.coordinates.coordinates_tab import CoordinatesTab
from armature.app.equations.coordinates.joint_constraints import body_poses, off, taken
from armature.app.equations.feature import EquationsFeature
from armature.app.widgets.on_screen import on_screen
from armature.engine.files import shipped
from armature.engine.rotations import rot_x


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("pendulum", ["y₁ = 0", "|r₁| = l₁"]),
        ("spherical_pendulum", ["|r₁| = l₁"]),
        ("double_pendulum", ["y₁ = 0", "|r₁| = l₁", "y₂ = 0", "|r₂ − r₁| = l₂"]),
        ("rp", ["y₁ = 0", "|r₁| = l₁", "y₂ = 0", "(r₁ × r₂)y = 0"]),
        ("sliding_mass", ["y₁ = 0", "z₁ = 0"]),
    ],
)
def test_constraints_leave_as_many_coordinates_as_joints_and_hold_at_every_pose(name, words):
    robot = engine.load_robot(name)
    masses = point_masses(robot)
    assert [constraint.words for constraint in masses.constraints] == words
    assert 3 * len(masses.bodies) - len(words) == robot.n
    rng = np.random.default_rng(1)
    for _ in range(20):
        r = masses.places(robot, rng.uniform(-2, 2, robot.n))
        assert max(abs(constraint.measure(r) - constraint.wanted) for constraint in masses.constraints) < 1e-12
    broken = r + np.array([0.1, 0.25, 0.4])  # a mass elsewhere breaks them
    assert max(abs(constraint.measure(broken) - constraint.wanted) for constraint in masses.constraints) > 1e-3


def test_masses_and_constraints_follow_the_arm(make_window, find, wait_for, press):
    window = make_window("double_pendulum", perspective="equations")
    panel = window.features[EquationsFeature].panel
    tab = next(tab for tab in panel.tabs if isinstance(tab, CoordinatesTab))
    QTest.mouseClick(panel.bar, Qt.MouseButton.LeftButton, pos=panel.bar.tabRect(panel.tabs.index(tab)).center())
    if not on_screen(tab):  # behind the bar's arrows
        panel.bar.setCurrentIndex(panel.tabs.index(tab))
    wait_for(lambda: on_screen(tab) and tab.masses is not None)
    assert "3·2 − 4 = 2" in tab.count.text()
    slider = find(window, f"joint_slider_{window.document.robot.joint_names[0]}")
    for _ in range(4):
        slider.setFocus()
        press(slider, Qt.Key.Key_Right)
        q = window.document.q
        a, b = q[0], q[0] + q[1]
        first = 0.7 * np.array([np.cos(a), 0, np.sin(a)])
        second = first + 0.5 * np.array([np.cos(b), 0, np.sin(b)])
        wait_for(lambda first=first: np.allclose(tab.places.numbers.values[0, :3], first, atol=1e-12))
        assert tab.places.numbers.values[1, :3] == pytest.approx(second, abs=1e-12)
        assert tab.constraints.numbers.values[:, 0] == pytest.approx([0, 0.7, 0, 0.5], abs=1e-12)
        assert np.abs(tab.constraints.numbers.values[:, 2]).max() < 1e-9
    window.document.open_robot("spherical_pendulum")
    wait_for(lambda: tab.count.text().startswith("1 point mass has 3N = 3 coordinates and k = 1 constraint:"))
    first, second = window.document.robot.joint_names
    for q, lost in ((np.array([0.4, 0.7]), ""), (np.array([0.4, 0.0]), f"At this pose {first} moves no mass")):
        window.document.edit(q)
        wait_for(lambda q=q, lost=lost: np.array_equal(tab._shown, q))
        assert (lost in tab.free.text()) if lost else tab.free.text().endswith("satisfy the constraints.")
    window.document.open_robot("pendulum")
    wait_for(lambda: "theta satisfies" in tab.free.text())
    window.document.open_robot("panda")
    wait_for(lambda: "6·7 − 35 = 7" in tab.count.text() and not tab.constraints.isVisible())
    window.document.open_robot("two_arms")
    wait_for(lambda: f"= {window.document.robot.n}." in tab.count.text())


def test_a_base_elsewhere_changes_no_constraint(tmp_path):
    text = shipped("robots", "double_pendulum.toml").read_text(encoding="utf-8")
    (tmp_path / "moved.toml").write_text(text.replace("[base]", "[base]\nxyz = [0.4, 0.0, 0.3]"), encoding="utf-8")
    robot, moved = engine.load_robot("double_pendulum"), engine.load_robot(tmp_path / "moved.toml")
    for q in ([0.0, 0.0], [0.5, -0.7]):
        here, there = (point_masses(arm).places(arm, np.array(q)) for arm in (robot, moved))
        assert there == pytest.approx(here, abs=1e-12)


@pytest.mark.parametrize("name", ["puma560", "scara", "two_arms", "gyroscope", "so101", "kr6_r900", "rp_offset"])
def test_joints_of_bodies_take_what_is_not_left_and_hold_at_every_pose(name):
    robot = engine.load_robot(name)
    N, n = len(robot.bodies), robot.n
    assert taken(robot).sum() == 6 * N - n
    rng = np.random.default_rng(2)
    for _ in range(10):
        X = body_poses(robot, engine.link_poses(robot, rng.uniform(-2, 2, n)))
        assert np.abs(off(robot, X)).max() < 1e-12
    for i in range(N):  # a link elsewhere, and one turned about an axis across its joint's, miss by just that much
        moved, turned = X.copy(), X.copy()
        moved[i, :3, 3] += 0.1 * X[i, :3, 0]
        assert off(robot, moved)[i] == pytest.approx([0.1, 0], abs=1e-12)
        turned[i, :3, :3] = X[i, :3, :3] @ rot_x(0.2)[:3, :3]
        assert off(robot, turned)[i] == pytest.approx([0, 0.2], abs=1e-12)


def test_coordinates_of_links_follow_the_arm_in_the_users_units(make_window, find, wait_for, press):
    window = make_window("scara", perspective="equations")
    panel = window.features[EquationsFeature].panel
    tab = next(tab for tab in panel.tabs if isinstance(tab, CoordinatesTab))
    panel.bar.setCurrentIndex(panel.tabs.index(tab))
    wait_for(lambda: on_screen(tab) and "6·3 − 15 = 3" in tab.count.text())
    press(find(window, "joint_slider_joint1"), Qt.Key.Key_PageUp)
    q1, q2, q3 = window.document.q
    c1, s1, c12, s12 = np.cos(q1), np.sin(q1), np.cos(q1 + q2), np.sin(q1 + q2)
    hand = [0.325 * c1 + 0.225 * c12, 0.325 * s1 + 0.225 * s12, 0.45 - q3]
    places = tab.bodies.places.numbers
    wait_for(lambda: np.allclose(places.values[2, :3], hand, atol=1e-12))
    assert places.values[0] == pytest.approx([0.325 * c1, 0.325 * s1, 0.4, 0, 0, np.degrees(q1)], abs=1e-9)
    assert tab.bodies.joints.numbers.values[:, :2].tolist() == [[5, 1]] * 3
    assert tab.bodies.joints.numbers.rows == ("joint1 (revolute)", "joint2 (revolute)", "joint3 (prismatic)")
    window.preferences.set(length_unit="mm", angle_unit="rad")
    wait_for(lambda: np.allclose(places.values[0], [325 * c1, 325 * s1, 400, 0, 0, q1], atol=1e-9))
    assert places.columns == ("x mm", "y mm", "z mm", "roll rad", "pitch rad", "yaw rad")
