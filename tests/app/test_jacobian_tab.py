"""The tab *Jacobian* with real mouse and keys: its numbers are the engine's, columns are drawn, factors lead to their zeros."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from armature import engine
from armature.app.equations.feature import EquationsFeature
from armature.app.equations.jacobian.jacobian_point import ANALYTIC, GEOMETRIC, link_point, moving_links, tool_point
from armature.app.equations.jacobian.jacobian_tab import JacobianTab
from armature.app.state.posed_motion import PosedMotion
from armature.engine.dynamics.centre_of_mass import com_jacobian

MIMIC = """<robot name="copying"><link name="base"/><link name="upper"/><link name="lower"/><link name="tip"/>
<joint name="first" type="revolute"><parent link="base"/><child link="upper"/><origin xyz="0 0 0.4" rpy="0.2 0 0"/>
<axis xyz="0 1 0"/><limit lower="-2" upper="2" effort="1" velocity="1"/></joint>
<joint name="second" type="revolute"><parent link="upper"/><child link="lower"/><origin xyz="0.3 0 0"/>
<axis xyz="0 1 0"/><limit lower="-2" upper="2" effort="1" velocity="1"/>
<mimic joint="first" multiplier="-2" offset="0.1"/></joint>
<joint name="end" type="fixed"><parent link="lower"/><child link="tip"/><origin xyz="0.2 0 0"/></joint></robot>"""
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def shown(make_window, wait_for):
    """A window with the tab in front."""

    def open_(robot):
        window = make_window(robot, perspective="equations")
        wait_for(lambda: window.bench.simulation.ready or not window.document.robot.has_dynamics, 60)
        panel = window.features[EquationsFeature].panel
        at = next(k for k, tab in enumerate(panel.tabs) if isinstance(tab, JacobianTab))
        wait_for(lambda: panel.bar.isVisible() and panel.bar.tabRect(at).width() > 0)
        QTest.mouseClick(panel.bar, LEFT, pos=panel.bar.tabRect(at).center())
        return window, panel.tabs[at]

    return open_


def pick(box, text):
    """Choose a line of a box by its keys."""
    box.setFocus()
    while text not in box.currentText():
        before = box.currentIndex()
        QTest.keyClick(box, Qt.Key.Key_Down)
        assert box.currentIndex() != before, text


def middle(table, row, column):
    """The middle of a cell."""
    return table.visualRect(table.model().index(row, column)).center()


def test_columns_motion_and_factors(shown, wait_for, find, press, click):
    window, tab = shown("puma560")
    robot, page, items = window.document.robot, tab.page, window.scene.stage.explanations
    table, motion = page.table, page.motion
    wait_for(lambda: tab._made is not None and tab.pane.head.text().startswith("J₁₁ ="), 60)
    assert find(window, "jacobian_freedom").text() == "6 joints for 6 task coordinates: not redundant."
    press(find(window, "joint_slider_joint2"), Qt.Key.Key_PageUp)
    q = window.document.q
    wait_for(lambda: np.array_equal(table.numbers.values, engine.jacobian(robot, q)))

    QTest.mouseMove(table.viewport(), middle(table, 0, 0))
    QTest.mouseMove(table.viewport(), middle(table, 1, 2))
    wait_for(lambda: window.scene.stage.arm.hovered == 2 and [a.symbol for a in items.columns.placed.arrows] == ["v₃", "ω₃"])
    J = engine.jacobian(robot, q)
    np.testing.assert_allclose(items.columns.placed.arrows[0].vector, J[:3, 2], atol=1e-12)
    np.testing.assert_allclose(items.columns.placed.arrows[1].vector, J[3:, 2], atol=1e-12)
    QTest.mouseMove(tab.pane.view.viewport(), tab.pane.view.viewport().rect().center())
    wait_for(lambda: window.scene.stage.arm.hovered == -1 and items.columns.columns is None)

    qd, qdd = np.linspace(0.8, -0.5, 6), np.linspace(-0.2, 0.3, 6)
    window.bench.simulation.pose_motion(PosedMotion(qd, qdd))
    wait_for(lambda: np.allclose(motion.numbers.values[:, 0], J @ qd, atol=1e-12))
    drift = engine.jacobian_dot(robot, q, qd) @ qd
    np.testing.assert_allclose(motion.numbers.values[:, 1:], np.column_stack([drift, J @ qdd, drift + J @ qdd]), atol=1e-12)
    assert "Joints" in find(window, "jacobian_source").text() and "e−0" in find(window, "jacobian_checked").text()
    wait_for(lambda: items.columns.placed.arrows and items.columns.placed.arrows[-2].symbol == "v")
    *chain, whole, turn = items.columns.placed.arrows
    np.testing.assert_allclose(whole.vector, J[:3] @ qd, atol=1e-12)
    np.testing.assert_allclose(turn.vector, J[3:] @ qd, atol=1e-12)
    np.testing.assert_allclose(sum(arrow.vector for arrow in chain), whole.vector, atol=1e-12)
    heads = items.columns.placed.tips
    np.testing.assert_allclose(heads[: len(chain)], [*(arrow.at for arrow in chain[1:]), heads[len(chain)]], atol=1e-9)

    QTest.mouseClick(table.viewport(), LEFT, pos=middle(table, 2, 1))
    wait_for(lambda: tab.pane.head.text().startswith("J₃₂ ="))
    assert float(tab._made.formula[2, 1].evaluate(q)) == pytest.approx(J[2, 1], abs=1e-12)
    tab.pane.copy.click()
    menu = next(m for m in QApplication.topLevelWidgets() if m.objectName() == "context_menu" and m.isVisible())
    line = next(action for action in menu.actions() if action.objectName() == "context_latex_entry")
    QApplication.clipboard().clear()
    QTest.mouseClick(menu, LEFT, pos=menu.actionGeometry(line).center())
    wait_for(lambda: QApplication.clipboard().text() == tab._made.formula[2, 1].latex())

    factor = tab._made.det.factors[1]
    assert "3 factors" in find(window, "jacobian_det_sentence").text()
    click(window, "jacobian_factor_go_2")
    wait_for(lambda: not tab.glide.moving and np.allclose(window.document.q, factor.q))
    assert abs(np.linalg.det(engine.jacobian(robot, window.document.q))) < 1e-9
    wait_for(lambda: find(window, "jacobian_factor_value_2").text() == "= 0")
    window.actions_["run"].trigger()
    wait_for(lambda: window.bench.simulation.latest.t > 0.1)
    window.actions_["pause"].trigger()
    wait_for(lambda: not window.bench.simulation.running)
    latest = window.bench.simulation.latest
    wait_for(lambda: np.allclose(motion.numbers.values[:, 0], engine.jacobian(robot, latest.q) @ latest.qd, atol=1e-12))
    assert find(window, "jacobian_source").text().startswith("q̇ and q̈ from the simulation. Velocities in m/s")
    window.docks["equations"].close()
    wait_for(lambda: items.columns.columns is None)


def test_links_angles_and_other_arms(shown, wait_for, find, press, tmp_path):
    window, tab = shown("puma560")
    robot, page, q = window.document.robot, tab.page, window.document.q
    pick(page.link, "link3")
    pick(page.place, "mass")
    point = link_point(robot, "link3", True)
    wait_for(lambda: np.array_equal(page.table.numbers.values, engine.jacobian(point.robot, q)))
    assert not page.table.numbers.values[:, 3:].any()
    pick(page.link, "link6")
    pick(page.kind_choice, "Analytic")
    words = find(window, "jacobian_rates")  # at home the pitch is 90°
    wait_for(lambda: "det E = 1/cos(pitch) = ∞" in words.text() and np.isnan(page.table.numbers.values).all())
    press(find(window, "joint_slider_joint3"), Qt.Key.Key_PageUp)
    q, point = window.document.q, tab.point
    wait_for(lambda: np.array_equal(page.table.numbers.values, engine.analytic_jacobian(point.robot, q)))
    assert np.linalg.det(page.rates.values) == pytest.approx(1.0 / np.cos(point.angles(q)[1]))
    QTest.mouseClick(page.table.viewport(), LEFT, pos=middle(page.table, 4, 1))
    wait_for(lambda: "rows 4 to 6 by E" in tab.pane.view._text)

    window.document.open_robot("panda")
    wait_for(lambda: find(window, "jacobian_freedom").text() == "7 joints for 6 coordinates: 1 redundant.", 60)
    wait_for(lambda: "7 joints for 6 task coordinates" in find(window, "jacobian_det_sentence").text(), 60)
    file = tmp_path / "copying.urdf"
    file.write_text(MIMIC)
    window.document.open_robot(str(file))
    wait_for(lambda: tab._made is not None and "mimic joints" in tab.pane.view._text, 60)
    robot, q = window.document.robot, window.document.q
    wait_for(lambda: np.array_equal(page.table.numbers.values, engine.jacobian(robot, q)) or page.kind == ANALYTIC)
    assert page.table.numbers.values.shape == (6, 1)
    QTest.mouseMove(page.table.viewport(), middle(page.table, 1, 0))
    QTest.mouseMove(page.table.viewport(), middle(page.table, 2, 0))
    columns, linear = window.scene.stage.explanations.columns, engine.jacobian(robot, q)[:3, 0]
    wait_for(lambda: any(np.allclose(arrow.vector, linear, atol=1e-12) for arrow in columns.placed.arrows[:1]))  # of this arm
    window.document.open_robot("cobra600")
    assert tab.pane.view._text == find(window, "jacobian_det_sentence").text() == "Deriving…"
    wait_for(lambda: page.table.numbers.values.shape == (6, window.document.robot.n) and tab._made is not None, 60)
    pick(page.link, "link2")
    assert not page.place.isEnabled() and "no mass data" in page.place.toolTip()


@pytest.mark.parametrize("name", ["scara", "rp_offset", "puma560", "two_arms"])
def test_the_points_add_up_to_the_centre_of_mass_and_formulas_are_the_engines(name):
    robot = engine.load_robot(name)
    q = np.random.default_rng(3).uniform(0.2, 1.0, robot.n)
    qd = np.linspace(1.0, -1.0, robot.n)
    points = [link_point(robot, link, True) for link in moving_links(robot)]
    masses = np.array([body.mass for body in robot.bodies])
    weighted = sum(m * point.jacobian(q, GEOMETRIC)[:3] for m, point in zip(masses, points)) / masses.sum()
    np.testing.assert_allclose(weighted, com_jacobian(robot, q), atol=1e-12)
    for point in (*points, tool_point(robot)):
        J = point.jacobian(q, GEOMETRIC)
        np.testing.assert_allclose(point.formula().evaluate(q), J, atol=1e-12)
        h = 1e-6
        later, before = (point.jacobian(q + s * h * qd, ANALYTIC) for s in (1, -1))
        np.testing.assert_allclose(point.jacobian_dot(q, qd, ANALYTIC), (later - before) / (2 * h), atol=1e-5)
    if name == "scara":
        assert "l_{c1}" in points[0].formula()[0, 0].latex()
