"""The tab *Kinematics* with real clicks and keys: its matrices are the engine's, a typed point is carried through them."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from armature import engine
from armature.app.equations.feature import EquationsFeature
from armature.app.equations.kinematics.arm_frames import ArmFrames, carried
from armature.app.equations.kinematics.kinematics_maker import PRODUCT, STEP, KinematicsMaker
from armature.app.equations.kinematics.kinematics_tab import KinematicsTab
from armature.app.equations.kinematics.products import by_table, parts
from tests.app.kept_window import AS_IT_STARTS, SIZE
from tests.app.test_small_windows_gui import click_tab

LEFT = Qt.MouseButton.LeftButton

MIMIC = """<robot name="copying"><link name="base"/><link name="upper"/><link name="lower"/>
<joint name="first" type="revolute"><parent link="base"/><child link="upper"/><origin xyz="0 0 0.4" rpy="0.2 0 0"/>
<axis xyz="0 1 0"/><limit lower="-2" upper="2" effort="1" velocity="1"/></joint>
<joint name="second" type="revolute"><parent link="upper"/><child link="lower"/><origin xyz="0.3 0 0"/>
<axis xyz="0 1 0"/><limit lower="-2" upper="2" effort="1" velocity="1"/>
<mimic joint="first" multiplier="-2" offset="0.1"/></joint>
</robot>"""


@pytest.fixture
def shown(make_window, wait_for):
    """A window with the tab in front."""

    def open_(robot, size=SIZE):
        window = make_window(robot, size, perspective="equations")
        panel = window.features[EquationsFeature].panel
        at = next(k for k, tab in enumerate(panel.tabs) if isinstance(tab, KinematicsTab))
        wait_for(lambda: panel.bar.isVisible() and panel.bar.tabRect(at).width() > 0)
        QTest.mouseClick(panel.bar, LEFT, pos=panel.bar.tabRect(at).center())
        return window, panel.tabs[at]

    return open_


def click_entry(view, row, column):
    """A click on an entry of a matrix."""
    QTest.mouseClick(view.viewport(), LEFT, pos=view.cell(row, column).center().toPoint())


def pick_from_menu(name):
    """A click on a line of the open menu, the clipboard being empty."""
    menu = next(m for m in QApplication.topLevelWidgets() if m.objectName() == "context_menu" and m.isVisible())
    line = next(action for action in menu.actions() if action.objectName() == name)
    QApplication.clipboard().clear()
    QTest.mouseClick(menu, LEFT, pos=menu.actionGeometry(line).center())


def turn_wheel(view, steps):
    """Ctrl and the wheel over a formula."""
    at = QPointF(view.viewport().rect().center())
    control, none = Qt.KeyboardModifier.ControlModifier, Qt.MouseButton.NoButton
    where = at, view.viewport().mapToGlobal(at)
    event = QWheelEvent(*where, QPoint(), QPoint(0, 120 * steps), none, control, Qt.ScrollPhase.NoScrollPhase, False)
    QApplication.sendEvent(view.viewport(), event)


def test_behind_another_dock_it_leaves_nothing_in_the_view(make_window, wait_for):
    window = make_window("puma560", AS_IT_STARTS)
    drawn = window.scene.stage.explanations
    window.docks.bring_up("equations")
    wait_for(lambda: drawn.lengths.visible() and drawn.point.visible())
    click_tab(QTest.mouseClick, window, "Dynamics")
    wait_for(lambda: not (drawn.lengths.visible() or drawn.point.visible()), 5)
    click_tab(QTest.mouseClick, window, "Equations")
    wait_for(lambda: drawn.lengths.visible() and drawn.point.visible())


def test_matrices_point_and_lengths_run_with_the_arm(shown, wait_for, find, press, click):
    window, tab = shown("puma560", AS_IT_STARTS)
    robot, page, stage = window.document.robot, tab.page, window.scene.stage
    wait_for(lambda: tab._made is not None and tab.pane.head.text(), 60)
    assert tab.k == 6 and not find(window, "kinematics_on").isEnabled()
    np.testing.assert_array_equal(page.product.values, engine.link_poses(robot, window.document.q)[6])
    wait_for(lambda: len(stage.explanations.lengths.named) == 5 and stage.explanations.lengths.visible())

    click(window, "kinematics_back")
    click(window, "kinematics_back")
    click(window, "kinematics_back")
    wait_for(lambda: tab._made.wanted.k == tab.k == 3)
    press(find(window, "joint_slider_joint3"), Qt.Key.Key_PageUp)
    q = window.document.q
    X = engine.link_poses(robot, q)
    wait_for(lambda: np.array_equal(page.product.values, X[3]))
    np.testing.assert_allclose(page.step.values, np.linalg.inv(X[2]) @ X[3], atol=1e-15)
    np.testing.assert_array_equal(page.general.values, page.step.values)
    assert "θ" in find(window, "kinematics_general_note").text()

    slider, seen = find(window, "joint_slider_joint1"), set()
    QTest.mousePress(slider, LEFT, pos=slider.rect().center())
    for far in (8, 16, 24):
        QTest.mouseMove(slider, slider.rect().center() + QPoint(far, 0))
        wait_for(lambda: np.array_equal(page.product.values, engine.link_poses(robot, window.document.q)[3]))
        seen.add(float(window.document.q[0]))
    QTest.mouseRelease(slider, LEFT, pos=slider.rect().center() + QPoint(24, 0))
    assert len(seen) == 3
    q = window.document.q
    X = engine.link_poses(robot, q)

    click_entry(page.step, 0, 3)
    wait_for(lambda: tab._made.wanted.matrix == STEP and tab.pane.head.text().startswith("A₃ [1, 4] ="))
    assert page.step.active == (0, 3) and page.product.active is None
    assert tab._made.formula[0, 3].evaluate(q) == pytest.approx(page.step.values[0, 3], abs=1e-12)
    assert "agree within" in find(window, "kinematics_checked").text() and "equal to" in tab.pane.head.text()
    before = tab._made.pieces[0].height
    QTest.mouseMove(page.step.viewport(), page.step.viewport().rect().center())
    wait_for(lambda: stage.arm.hovered == 2)
    QTest.mouseMove(tab.pane.view.viewport(), tab.pane.view.viewport().rect().center())
    wait_for(lambda: stage.arm.hovered == -1)
    turn_wheel(tab.pane.view, 3)
    wait_for(lambda: tab._made.pieces[0].height > 1.3 * before)
    high = page.product.height()
    turn_wheel(page.step, 3)
    wait_for(lambda: page.product.height() > 1.3 * high)
    tab.pane.copy.click()
    pick_from_menu("context_picture")
    assert QApplication.clipboard().image().height() > 20
    tab.pane.copy.click()
    pick_from_menu("context_python_matrix")
    wait_for(lambda: "def A3(q):" in QApplication.clipboard().text())

    field, table = find(window, "kinematics_point_y"), find(window, "kinematics_point_table")
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, "0.25")
    QTest.keyClick(field, Qt.Key.Key_Return)
    p = np.append(page.point.p, 1.0)
    assert p[1] == 0.25
    wait_for(lambda: np.allclose(table.numbers.values[-1], X[3] @ p, atol=1e-12))
    np.testing.assert_allclose(table.numbers.values[1], np.linalg.inv(X[2]) @ X[3] @ p, atol=1e-12)
    wait_for(lambda: np.allclose(stage.explanations.point.place, (X[3] @ p)[:3], atol=1e-12))
    QTest.mouseClick(table.viewport(), LEFT, pos=table.visualRect(table.model().index(2, 1)).center())
    wait_for(lambda: stage.explanations.point.point.symbol == "p_1")
    wait_for(lambda: np.allclose(stage.explanations.point.coordinates, (np.linalg.inv(X[1]) @ X[3] @ p)[:3], atol=1e-12))

    find(window, "kinematics_lengths").click()
    assert not stage.explanations.lengths.visible()
    window.docks["equations"].close()
    wait_for(lambda: stage.explanations.point.point is None)


def test_arms_without_table_trees_and_copied_joints(shown, wait_for, find, tmp_path):
    window, tab = shown("two_arms")
    page = tab.page
    wait_for(lambda: tab._made is not None, 60)
    for name, lengths in (("rp_offset", ["a₁ = r₁", "d₂ + q₂"]), ("scara", ["d₁ = h₁", "a₁ = r₁", "d₂ = h₂", "a₂ = r₂", "q₃"])):
        window.document.open_robot(name)
        wait_for(lambda: [length[0] for length in window.scene.stage.explanations.lengths.named] == lengths)  # noqa: B023
    window.document.open_robot("two_arms")
    wait_for(lambda: tab.frames.robot is window.document.robot)
    assert "no DH table" in find(window, "kinematics_general_note").text() and not page.lengths.isVisible()
    wait_for(lambda: page.step.values is not None)
    np.testing.assert_allclose(page.before.values @ page.general.values @ page.after.values, page.step.values, atol=1e-12)
    file = tmp_path / "copying.urdf"
    file.write_text(MIMIC)
    window.document.open_robot(str(file))
    wait_for(lambda: tab._made is not None and tab.frames.robot is window.document.robot, 60)
    wait_for(lambda: page.product.values is not None and tab.pane.head.text())
    robot, q = window.document.robot, window.document.q
    np.testing.assert_allclose(page.product.values, engine.frame_pose(robot, q, "lower"), atol=1e-12)
    window.document.open_robot("cobra600")
    assert not any(any(line) for line in (*page.product._pieces, *page.step._pieces)) and tab.pane.view._text == "Deriving…"
    wait_for(lambda: tab._made is not None and tab.frames.robot.name == "cobra600" and tab.pane.head.text(), 60)


@pytest.mark.parametrize("name", ["puma560", "panda", "scara", "two_arms", "rp_offset"])
def test_products_formulas_and_parts_are_the_engines_poses(name):
    robot = engine.load_robot(name)
    frames, maker = ArmFrames(robot), KinematicsMaker()
    q = np.random.default_rng(1).uniform(-1.0, 1.0, robot.n)
    X, p = frames.poses(q), np.array([0.1, 0.2, 0.3])
    for k in range(1, len(frames.frames)):
        product = X[0]
        for at in frames.path(k):
            product = product @ frames.step(X, at)
        np.testing.assert_allclose(product, engine.frame_pose(robot, q, frames.frames[k].name), atol=1e-12)
        np.testing.assert_allclose(maker.formula(frames, k, PRODUCT).evaluate(q), X[k], atol=1e-12)
        way = carried(frames, X, k, p)
        np.testing.assert_allclose(way[-1][2], X[k] @ [*p, 1.0], atol=1e-12)
        if not frames.is_tool(k):
            np.testing.assert_allclose(maker.formula(frames, k, STEP).evaluate(q), frames.step(X, k), atol=1e-12)
            np.testing.assert_allclose(by_table(frames, k, q), X[k], atol=1e-12)
            origin, motion, end = parts(frames, k, q)
            np.testing.assert_allclose(origin @ motion @ end, frames.step(X, k), atol=1e-12)


def test_the_coordinates_of_a_point_stand_below_it_and_clear_of_the_name_of_an_axis(shown, wait_for):
    window = shown("scara")[0]
    item = window.scene.stage.explanations.point
    wait_for(lambda: any("[0.2815 0.4675" in label.text for label in item.labels(window.scene.frame_state)))  # in its frame
    name, coordinates = item.labels(window.scene.frame_state)
    assert name.shift[1] < 0 < coordinates.shift[1]
    assert coordinates.rank < min(
        label.rank for label in window.scene.stage.explanations.lengths.labels(window.scene.frame_state)
    )
