"""The Equations dock: its numbers are the engine's, an entry shows its formula, which is typeset, evaluated and copied."""

from __future__ import annotations

import re

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from armature import engine
from armature.app.equations.dynamics_tab import DynamicsTab
from armature.app.equations.feature import EquationsFeature
from armature.app.equations.formula_maker import index_words
from armature.app.equations.formula_view import FormulaView
from armature.app.equations.lagrange.lagrange_tab import LagrangeTab
from armature.app.equations.printed.slips import SLIPS, Motion
from armature.app.equations.symbolic.symbol_matrix import SymbolMatrix
from armature.app.equations.symbols import Symbol, numbers_of, symbols_of
from armature.app.equations.typesetter import Typesetter
from armature.app.state.posed_motion import PosedMotion
from armature.app.state.units import significant
from armature.app.style.colour_tokens import DARK, LIGHT
from armature.app.widgets.section import Page, Section
from armature.engine.formulas.factor import COS, Factor
from armature.engine.kinematics.jacobian import body_jacobian

LEFT = Qt.MouseButton.LeftButton


def click_entry(tables, name, row, column):
    """A click on an entry of a matrix."""
    table = tables.tables[name]
    QTest.mouseClick(table.viewport(), LEFT, pos=table.visualRect(table.model().index(row, column)).center())


def equation_tab(window, kind):
    """The tab of that kind, brought to the front by a click."""
    panel = window.features[EquationsFeature].panel
    k = next(k for k, tab in enumerate(panel.tabs) if isinstance(tab, kind))
    QTest.mouseClick(panel.bar, LEFT, pos=panel.bar.tabRect(k).center())
    assert panel.front is panel.tabs[k]
    return panel.tabs[k]


def test_numbers_run_with_the_arm_and_a_click_shows_the_formula(make_window, wait_for, find, press):
    window = make_window("puma560", perspective="equations")
    tab, robot = equation_tab(window, DynamicsTab), window.document.robot
    tables, pane = tab.tables, tab.formula.pane
    wait_for(lambda: pane.head.text().startswith("M₁₁ ="), 60)
    click_entry(tables, "M", 1, 2)
    wait_for(lambda: pane.head.text().startswith("M₂₃ ="))
    assert "below 1 %" in pane.left_out.text() and "N·m" in pane.left_out.text()
    few, before = len(tab.formula.typeset.symbols), list(pane.view.numbers)

    table, arm = tables.tables["M"], window.scene.stage.arm
    QTest.mouseMove(table.viewport(), table.visualRect(table.model().index(0, 1)).center())
    QTest.mouseMove(table.viewport(), table.visualRect(table.model().index(1, 2)).center())
    wait_for(lambda: (arm.hovered, arm.hovered_too) == (2, (3, 4, 5)))
    lit = np.flatnonzero(arm.bodies["state"][:, 2])
    assert set(lit) == {arm.slot_of[k] for k in (2, 3, 4, 5)}  # what both joints move is in M₂₃, link 2 is not
    assert window.scene.stage.explanations.axes.joints == (1, 2)
    QTest.mouseMove(pane.view.viewport(), pane.view.viewport().rect().center())
    wait_for(lambda: (arm.hovered, arm.hovered_too) == (-1, ()))

    torque, levers = tables.tables["g"], window.scene.stage.explanations.levers
    tab.findChild(Page).ensureWidgetVisible(torque)
    QTest.mouseMove(torque.viewport(), torque.visualRect(torque.model().index(0, 0)).center())
    QTest.mouseMove(torque.viewport(), torque.visualRect(torque.model().index(0, 1)).center())
    wait_for(lambda: len(levers.levers) == 5)
    texts = [label.text.split()[0] for label in levers.labels(window.scene.frame_state)]
    masses = ["m₂", "m₃", "m₄", "m₅", "m₆"]  # each says whose it is
    assert texts == [f"{mass}g" for mass in masses] + masses
    arms = np.linalg.norm(levers.levers[:, 1] - levers.levers[:, 0], axis=1)
    ways = np.sign([body_jacobian(robot, window.document.q, i, robot.bodies[i].com)[2, 1] for i in range(1, 6)])
    weights = np.array([np.linalg.norm(arrow.vector) for arrow in levers.weights.arrows])
    np.testing.assert_allclose(ways * arms @ weights, engine.gravity_torque(robot, window.document.q)[1])
    QTest.mouseMove(pane.view.viewport(), pane.view.viewport().rect().center())
    wait_for(lambda: not levers.visible())

    press(find(window, "joint_slider_joint3"), Qt.Key.Key_PageUp)
    q = window.document.q
    wait_for(lambda: np.array_equal(tables.tables["M"].numbers.values, engine.mass_matrix(robot, window.document.q)))
    np.testing.assert_array_equal(tables.tables["g"].numbers.values[0], engine.gravity_torque(robot, q))
    wait_for(lambda: pane.view.numbers == numbers_of(tab.formula.typeset.symbols, q, np.zeros(6), np.zeros(6)) != before)

    pane.share.setFocus()
    pane.share.selectAll()
    QTest.keyClicks(pane.share, "0")
    QTest.keyClick(pane.share, Qt.Key.Key_Return)
    wait_for(lambda: pane.left_out.text().startswith("All terms"), 60)
    wait_for(lambda: "with all terms" not in pane.head.text() and len(tab.formula.typeset.symbols) > few)

    pane.copy.click()
    menu = next(m for m in QApplication.topLevelWidgets() if m.objectName() == "context_menu" and m.isVisible())
    line = next(action for action in menu.actions() if action.objectName() == "context_latex_entry")
    QApplication.clipboard().clear()
    QTest.mouseClick(menu, LEFT, pos=menu.actionGeometry(line).center())
    wait_for(lambda: QApplication.clipboard().text() == tab.formula.typeset.formula.latex())

    headers = [section.header.text() for section in tables.findChildren(Section)]
    assert headers[0].endswith("matrix  [kg·m²]") and headers[-1].endswith("torque  [N·m]")
    window.document.open_robot("rp")
    headers = [section.header.text() for section in tables.findChildren(Section)]
    assert headers[0].endswith("[kg·m², kg·m, kg]") and headers[-1].endswith("torque  [N·m, N]")
    window.document.open_robot("cobra600")
    assert not tables.isVisible() and "no masses" in tab._obstacle.text()


def test_an_index_with_a_joint_twice_is_explained():
    symbols = symbols_of(engine.equations(engine.load_robot("puma560"), 0.01).M[0, 0])
    assert "s_{223}" in [symbol.latex for symbol in symbols]
    assert index_words(symbols) == "s₂₂₃ = sin(2 q₂ + q₃)."
    less = Symbol("", Factor(COS, (0, 1, -1)))
    assert index_words([less]) == "c₂₋₃ = cos(q₂ − q₃)." and index_words(symbols[:4]) == ""


@pytest.mark.parametrize("name", ["double_pendulum", "scara"])
def test_the_symbols_are_the_formula(name):
    robot = engine.load_robot(name)
    q, qd = np.array([0.3, 0.2, 0.1])[: robot.n], np.array([0.4, -0.5, 0.6])[: robot.n]
    for equations in (engine.equations(robot), engine.equations(robot, 0.0)):
        for formula in (equations.M[0, 0], equations.C[0, 1], equations.g[robot.n - 1]):
            total, term, sign = 0.0, None, 1.0
            symbols = symbols_of(formula)
            for symbol, number in zip(symbols, numbers_of(symbols, q, qd, qd)):
                if symbol.latex in "+-":
                    total += 0.0 if term is None else sign * term
                    sign, term = (-1.0 if symbol.latex == "-" else 1.0), 1.0
                    continue
                term = (1.0 if term is None else term) * (_plain(symbol.latex) if number is None else number)
            values = formula.evaluate(q, qd) if "qd" in formula.arguments else formula.evaluate(q)
            assert total + sign * term == pytest.approx(float(values), abs=2e-3)


def _plain(latex):
    """The number that a coefficient without letters is."""
    fraction = re.fullmatch(r"\\frac\{(\d+)\}\{(\d+)\}", latex)
    return float(fraction[1]) / float(fraction[2]) if fraction else float(latex)


@pytest.mark.parametrize("name", ["rp", "scara", "double_pendulum"])
def test_a_number_under_letters_is_that_of_what_stands_above_it(name):
    equations = engine.equations(engine.load_robot(name))
    above = []
    for formula in (equations.T, equations.M, equations.g, equations.dL_dqd, equations.christoffel):
        for place in np.ndindex(formula.shape):
            for symbol in symbols_of(formula[place]):
                if symbol.value is not None:
                    text = symbol.latex.replace(r"\left(", "(").replace(r"\right)", ")").replace(r" \, ", "*").replace("^", "**")
                    text = re.sub(r"(\w)_\{(\w+)\}", r"\1\2", text).replace("{", "").replace("}", "")
                    assert eval(text, {}, dict(equations.values)) == pytest.approx(symbol.value)
                    above.append(text)
    assert any("+" in text or "*" in text for text in above)


def click_cell(table, row, column):
    """A click on a cell, scrolled into view."""
    area = next(parent for parent in ancestors(table) if isinstance(parent, Page))
    area.ensureWidgetVisible(table)
    QApplication.processEvents()
    QTest.mouseClick(table.viewport(), LEFT, pos=table.visualRect(table.model().index(row, column)).center())


def ancestors(widget):
    """Its parents, the nearest first."""
    while widget := widget.parentWidget():
        yield widget


def test_lagrange_in_letters_and_the_slopes_of_a_symbol(make_window, wait_for, find, press):
    window = make_window("rp_offset", perspective="equations")
    tab, robot = equation_tab(window, LagrangeTab), window.document.robot
    tables, pane, block = tab.tables, tab.formula.pane, tab.symbols
    wait_for(lambda: pane.head.text().startswith("K₁ ="), 60)
    assert pane.left_out.text() == "Symbolic, exact."
    qd, qdd = np.array([0.4, -0.6]), np.array([1.0, 2.0])
    window.bench.simulation.pose_motion(PosedMotion(qd, qdd))

    def equal():
        q, rows = window.document.q, tables.slopes.numbers.values
        steps, tau = engine.lagrange_steps(robot, q, qd, qdd), engine.rnea(robot, q, qd, qdd)
        np.testing.assert_array_equal(rows, [steps.dL_dqd, steps.dL_dqd_dt, steps.dL_dq, steps.tau, tau])
        np.testing.assert_allclose(rows[3], tau, atol=1e-12)
        assert tables.energies.numbers.values[2, 0] == pytest.approx(engine.kinetic_energy(robot, q, qd))
        assert tables.energies.numbers.values[2, 1] == pytest.approx(engine.potential_energy(robot, q))

    wait_for(lambda: tables.energies.numbers.values[2, 0] > 0 and np.isfinite(tables.slopes.numbers.values).all())
    for _ in range(3):
        before = tables.slopes.numbers.values[3].copy()
        press(find(window, "joint_slider_joint2"), Qt.Key.Key_PageUp)
        wait_for(lambda before=before: (tables.slopes.numbers.values[3] != before).any())
        equal()
    wrong, frames, slider = [], [], find(window, "joint_slider_joint1")

    def look():
        q, rows = window.document.q, tables.slopes.numbers.values
        frames.append(q[0])
        if not np.array_equal(rows[4], engine.rnea(robot, q, qd, qdd)) or not np.allclose(rows[3], rows[4], atol=1e-12):
            wrong.append(q)

    window.bench.clock.reading.connect(look)
    middle = slider.rect().center()
    QTest.mousePress(slider, LEFT, pos=middle)
    for step in range(1, 9):
        QTest.mouseMove(slider, middle + QPoint(3 * step, 0))
        count = len(frames)
        wait_for(lambda count=count: len(frames) > count)
    QTest.mouseRelease(slider, LEFT, pos=middle)
    window.bench.clock.reading.disconnect(look)
    assert len(set(frames)) > 4 and not wrong
    for row, name in enumerate(("∂L/∂q̇", "d/dt ∂L/∂q̇", "∂L/∂q", "τ")):
        click_cell(tables.slopes, row, 0)
        wait_for(lambda name=name: pane.head.text().startswith(f"{name}₁ ="))
        assert "with all terms" not in pane.head.text()

    joint = find(window, "christoffel_joint")
    joint.setFocus()
    QTest.keyClick(joint, Qt.Key.Key_Down)
    wait_for(lambda: block.place[0] == 1)
    click_cell(block.grid, 0, 0)
    q = window.document.q
    wait_for(lambda: pane.head.text().startswith("c₂₁₁ ="))
    slope = engine.lagrange_steps(robot, q, qd, qdd).slopes[0, 0, 1]
    assert block.slopes.numbers.marked == {(1, 0), (0, 1)}  # ∂M12/∂q1 twice, ∂M11/∂q2
    assert significant(slope) in block.symbol.text() and significant(-slope / 2) in block.symbol.text()
    assert block.order.text().endswith("c<sub>112</sub>.")  # as the text of this arm counts
    C = engine.coriolis_matrix(robot, q, qd)
    assert f"<b>{significant(C[1, 0])}</b>" in block.sum.text()

    told, once = find(window, "equations_slips"), robot.bodies[1].mass * (0.6 + q[1]) * qd[0] * qd[1]
    wait_for(lambda: f"<b>{significant(2 * once)} N·m</b>" in told.text() and f"<s>{significant(once)} N·m</s>" in told.text())

    tables = equation_tab(window, DynamicsTab).tables
    wait_for(lambda: np.isfinite(tables.tables["parts"].numbers.values).all())
    squares, products, whole = tables.tables["parts"].numbers.values
    np.testing.assert_allclose(squares, [0.0, -robot.bodies[1].mass * (0.6 + q[1]) * qd[0] ** 2], atol=1e-12)
    np.testing.assert_allclose(whole, C @ qd, atol=1e-12)
    click_entry(tables, "parts", 1, 0)
    pane = window.features[EquationsFeature].panel.front.formula.pane
    wait_for(lambda: pane.head.text() == f"Coriolis part₁ = {significant(products[0])}")
    click_entry(tables, "parts", 2, 1)
    wait_for(lambda: pane.head.text() == f"(C q̇)₂ = {significant(whole[1])}")


def test_lagrange_of_large_arms_trees_and_arms_without_masses(make_window, wait_for, find):
    window = make_window("puma560", perspective="equations")
    tab, qd = equation_tab(window, LagrangeTab), np.linspace(0.2, 1.0, 6)
    wait_for(lambda: "limited to three joints" in tab.formula.pane.view._text, 60)
    window.bench.simulation.pose_motion(PosedMotion(qd, -qd))
    click_cell(tab.symbols.grid, 1, 2)
    wait_for(lambda: tab.formula.pane.head.text().startswith("c₁₂₃ ="), 60)
    window.document.open_robot("two_arms")
    robot = window.document.robot
    wait_for(lambda: tab.tables.slopes.numbers.values[3].any())
    np.testing.assert_allclose(*tab.tables.slopes.numbers.values[3:], atol=1e-9)
    assert len(tab.tables.energies.numbers.rows) == len(robot.bodies) + 1
    window.document.open_robot("irb140")
    assert not tab.tables.isVisible() and "no masses" in find(window, "lagrange_obstacle").text()


@pytest.mark.parametrize("slip", SLIPS, ids=lambda slip: slip.where)
def test_the_right_side_of_a_slip_is_the_engines(slip):
    robot = engine.load_robot(slip.robot)
    assert slip.concerns(robot)
    q, qd, qdd = np.array([[0.5, 0.3, 0.1], [0.7, -0.4, 0.2], [1.0, 2.0, 3.0]])[:, : robot.n]
    printed, right = slip.numbers(Motion(robot, q, qd, qdd))
    assert printed != right
    if "J₃₃" in slip.right:
        assert right == significant(engine.jacobian(robot, q)[2, 2])
    elif "y₂" in slip.right:
        y = engine.link_poses(robot, q)[2, :3, 1]
        assert right == "(" + ", ".join(significant(x, 3, 1.0) for x in y) + ")"
    elif "energy" in slip.where:
        assert right == f"{significant(engine.lagrange_steps(robot, q, qd, qdd).K[1])} J"
    elif "eq. 18" in slip.where:
        coriolis = engine.equations(robot).coriolis.evaluate(q, qd)[0]
        assert right == f"{significant(coriolis)} N·m"
    elif "acceleration" in slip.where:
        a_c = engine.rnea_steps(robot, q, qd, qdd).a_c[2] + robot.gravity
        assert right == f"{significant(a_c[0])} m/s²"
    else:
        damping = [-body.friction.viscous * speed for body, speed in zip(robot.bodies, qd)]
        assert right.startswith("(" + ", ".join(significant(x, 3) for x in damping))


def test_what_is_typeset_takes_another_colour_at_once(qtbot):
    piece = Typesetter().piece("x", 20.0, LIGHT.text, 1.0)
    view, matrix = FormulaView(), SymbolMatrix("A", "A", (1, 1))
    for part in (view, matrix):
        qtbot.addWidget(part)
    view.show_formula([Symbol("x")], [piece])
    matrix.show_symbols([[piece]], 1.0)
    for part in (view, matrix):
        part.set_theme(DARK)
    for image in (view._pieces[0].image, matrix._pieces[0][0].image):
        full = [image.pixelColor(x, y) for x in range(image.width()) for y in range(image.height())]
        assert {colour.name() for colour in full if colour.alpha() == 255} == {DARK.text}
    assert piece.coloured(LIGHT.text).image == piece.image  # which others have, too, and is as it was
