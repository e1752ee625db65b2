"""The tab *Recursion* with real clicks and keys: at the pose, in a typed motion, a run and a sample."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from armature import engine
from armature.app.equations.feature import EquationsFeature
from armature.app.equations.recursion_tab import RecursionTab
from armature.app.scene.overlays.newton_euler.rnea_terms import figures
from armature.app.state.posed_motion import PosedMotion
from tests.app.focus import type_into


@pytest.fixture
def walked(make_window, wait_for):
    """A window with the tab in front: `walked("puma560")` gives both."""

    def open_(robot):
        window = make_window(robot)
        wait_for(lambda: window.bench.simulation.ready or not window.document.robot.has_dynamics)
        window.actions_["perspective_equations"].trigger()
        panel = window.features[EquationsFeature].panel
        k = next(k for k, tab in enumerate(panel.tabs) if isinstance(tab, RecursionTab))
        wait_for(lambda: panel.bar.isVisible() and panel.bar.tabRect(k).width() > 0)
        QTest.mouseClick(panel.bar, Qt.MouseButton.LeftButton, pos=panel.bar.tabRect(k).center())
        return window, panel.tabs[k]

    return open_


def test_the_walk_by_keys_buttons_and_scrubber(walked, find, wait_for):
    window, tab = walked("puma560")
    stage, robot, q = window.scene.stage, window.document.robot, window.document.q
    counter, table = find(window, "recursion_counter"), find(window, "recursion_table")
    wait_for(lambda: counter.text() == "Step 0 of 18" and stage.explanations.rnea_step.moment is not None)
    assert stage.arm.see_through and "−g" in find(window, "recursion_sentence").text()
    tab.player.speed = 20.0
    tab.page.setFocus()
    for number in (1, 2):
        QTest.keyClick(tab.page, Qt.Key.Key_Right)
        wait_for(lambda number=number: tab.player.p == number and counter.text() == f"Step {number} of 18")
    assert stage.explanations.rnea_step.moment.body == stage.arm.lit == 1
    steps = engine.rnea_steps(robot, q, 0 * q, 0 * q)
    assert figures(steps.a_c[2], 9.81) in find(window, "recursion_equations").text()
    QTest.keyClick(tab.page, Qt.Key.Key_Left)
    wait_for(lambda: counter.text() == "Step 1 of 18")
    assert not window.bench.simulation.running
    QTest.keyClick(tab.page, Qt.Key.Key_Right, Qt.KeyboardModifier.ControlModifier)
    wait_for(lambda: counter.text() == "Step 6 of 18")
    line = find(window, "recursion_timeline")
    QTest.mousePress(line, Qt.MouseButton.LeftButton, pos=QPoint(line.width() // 2, line.height() // 2))
    QTest.mouseRelease(line, Qt.MouseButton.LeftButton)
    assert 8 < tab.player.p < 10
    QTest.keyClick(tab.page, Qt.Key.Key_End)
    wait_for(lambda: counter.text() == "Step 18 of 18")
    np.testing.assert_allclose(table.numbers.values[:, 4], engine.rnea(robot, q, 0 * q, 0 * q), atol=1e-9)
    assert "agree within" in find(window, "recursion_equal").text()
    QTest.keyClick(tab.page, Qt.Key.Key_Home)
    QTest.keyClick(tab.page, Qt.Key.Key_Space)
    wait_for(lambda: tab.player.p == 18)  # played to its end, by Space, while the arm stood
    assert not window.bench.simulation.running
    window.docks["equations"].close()
    wait_for(lambda: stage.explanations.rnea_step.moment is None)
    assert stage.arm.lit == -1 and not stage.arm.see_through


def test_motions_axes_and_arms_without_masses(walked, find, wait_for, tmp_path):
    window, tab = walked("scara")
    robot, simulation, table = window.document.robot, window.bench.simulation, find(window, "recursion_table")
    wait_for(lambda: tab.walk is not None)
    qd, qdd = np.linspace(0.5, 1.0, robot.n), np.ones(robot.n)
    simulation.pose_motion(PosedMotion(qd, qdd))
    QTest.keyClick(tab.page, Qt.Key.Key_End)
    needed = engine.rnea(robot, window.document.q, qd, qdd)
    wait_for(lambda: np.allclose(table.numbers.values[:, 4], needed, atol=1e-9))
    np.testing.assert_allclose(table.numbers.values[:, 3], needed, atol=1e-9)
    assert "Joints" in find(window, "recursion_source").text()
    axes = find(window, "recursion_axes")
    tab._seek(2.0)
    v, a, joint, following, weight, together, m_a = find(window, "recursion_forces").numbers.values
    q, m = window.document.q, robot.bodies[1].mass

    def centre(t):  # of mass, of link 2 after so long
        X = engine.link_poses(robot, q + qd * t + 0.5 * qdd * t**2)[2]
        return X[:3, 3] + X[:3, :3] @ (np.linalg.inv(robot.links["link2"].X_BF) @ [*robot.bodies[1].com, 1.0])[:3]

    h = 1e-4
    np.testing.assert_allclose(v, (centre(h) - centre(-h)) / (2 * h), atol=1e-6)
    np.testing.assert_allclose(a, (centre(h) - 2 * centre(0) + centre(-h)) / h**2, atol=1e-5)
    loads = engine.link_loads(robot, q, qd, qdd)[:, :3]
    np.testing.assert_allclose([joint, following, weight], [loads[1], -loads[2], m * robot.gravity], atol=1e-12)
    np.testing.assert_allclose([together, m_a], [m * a, m * a], atol=1e-12)
    in_world = find(window, "recursion_equations").text()
    axes.setFocus()
    QTest.keyClick(axes, Qt.Key.Key_Down)
    wait_for(lambda: find(window, "recursion_equations").text() != in_world)
    steps = engine.rnea_steps(robot, window.document.q, qd, qdd, axes="link")
    assert figures(steps.a_c[2], 9.81) in find(window, "recursion_equations").text()
    simulation.set_friction(False)  # with it the arm may stand still before a slow machine looks
    window.actions_["run"].trigger()
    wait_for(lambda: simulation.latest.t > 0.2)
    window.actions_["pause"].trigger()
    wait_for(lambda: not simulation.running)
    latest = simulation.latest
    needed = engine.rnea(simulation.robot, latest.q, latest.qd, latest.qdd)
    QTest.keyClick(tab.page, Qt.Key.Key_End)
    wait_for(lambda: np.allclose(table.numbers.values[:, 4], needed, atol=1e-9))
    assert "the simulation at" in find(window, "recursion_source").text()
    q = robot.configurations["home"]
    run = engine.simulate(robot.with_payload(1.0), q, 0 * q + 0.3, 0.05, 1e-3)
    window.files.open_path(str(run.save(tmp_path / "run.npz")))
    needed = engine.rnea(robot.with_payload(1.0), run.q[0], run.qd[0], run.qdd[0])
    wait_for(lambda: np.allclose(table.numbers.values[:, 4], needed, atol=1e-9))
    window.document.open_robot("irb140")
    wait_for(lambda: "has no masses" in find(window, "recursion_obstacle").text())
    assert window.scene.stage.explanations.rnea_step.moment is None and find(window, "recursion_obstacle").isVisible()


def test_the_gyroscope_carries_its_weight(walked, find, click, wait_for):
    """Speeds typed, the wheel's moment with w × I w in numbers, and a run in which it stays level."""
    window, tab = walked("gyroscope")
    wait_for(lambda: tab.walk is not None)
    click(window, "joint_motion")
    type_into(find(window, "joint_speed_spin"), str(np.degrees(200.0)))
    type_into(find(window, "joint_speed_precession"), str(np.degrees(0.981)))
    tab.page.setFocus()
    tab.player.speed = 20.0
    for move in ("Step 3 of 9", "Step 6 of 9"):
        QTest.keyClick(tab.page, Qt.Key.Key_Right, Qt.KeyboardModifier.ControlModifier)
        wait_for(lambda move=move: find(window, "recursion_counter").text() == move)
    wait_for(lambda: "(0, 1.962, 0) + (0, 1.962, 0)" in find(window, "recursion_equations").text())
    assert "(0, 3.924, 0) N·m" in find(window, "recursion_equations").text()
    window.actions_["run"].trigger()
    wait_for(lambda: window.bench.simulation.latest.t > 0.5)
    assert abs(window.bench.simulation.latest.q[1]) < 1e-9 and window.bench.simulation.latest.q[0] > 0.4
