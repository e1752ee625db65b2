"""The Equations dock: its numbers are the engine's, an entry shows its formula, which is typeset, evaluated and copied."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from armature import engine
from armature.app.equations.feature import EquationsFeature
from armature.app.equations.symbols import numbers_of, symbols_of

LEFT = Qt.MouseButton.LeftButton


def click_entry(tables, name, row, column):
    """A click on an entry of a matrix."""
    table = tables.tables[name]
    QTest.mouseClick(table.viewport(), LEFT, pos=table.visualRect(table.model().index(row, column)).center())


def test_numbers_run_with_the_arm_and_a_click_shows_the_formula(make_window, wait_for, find, press):
    window = make_window("puma560", perspective="equations")
    tab, robot = window.features[EquationsFeature].panel.front, window.document.robot
    tables, pane = tab.tables, tab.pane
    wait_for(lambda: pane.head.text().startswith("M₁₁ ="), 60)
    click_entry(tables, "M", 1, 2)
    wait_for(lambda: pane.head.text().startswith("M₂₃ ="))
    assert "below 1 %" in pane.left_out.text() and "N·m" in pane.left_out.text()
    few, before = len(tab._typeset.symbols), list(pane.view.numbers)

    table, arm = tables.tables["M"], window.scene.stage.arm
    QTest.mouseMove(table.viewport(), table.visualRect(table.model().index(0, 1)).center())
    QTest.mouseMove(table.viewport(), table.visualRect(table.model().index(1, 2)).center())
    wait_for(lambda: (arm.hovered, arm.hovered_too) == (1, (2,)))
    lit = np.flatnonzero(arm.bodies["state"][:, 2])
    assert set(lit) == {arm.slot_of[1], arm.slot_of[2]}
    QTest.mouseMove(pane.view.viewport(), pane.view.viewport().rect().center())
    wait_for(lambda: (arm.hovered, arm.hovered_too) == (-1, ()))

    press(find(window, "joint_slider_joint3"), Qt.Key.Key_PageUp)
    q = window.document.q
    wait_for(lambda: np.array_equal(tables.tables["M"].numbers.values, engine.mass_matrix(robot, window.document.q)))
    np.testing.assert_array_equal(tables.tables["g"].numbers.values[0], engine.gravity_torque(robot, q))
    wait_for(lambda: pane.view.numbers == numbers_of(tab._typeset.symbols, q, np.zeros(6)) != before)

    pane.share.setFocus()
    pane.share.selectAll()
    QTest.keyClicks(pane.share, "0")
    QTest.keyClick(pane.share, Qt.Key.Key_Return)
    wait_for(lambda: pane.left_out.text() == "No term is left out.", 60)
    wait_for(lambda: "with all terms" not in pane.head.text() and len(tab._typeset.symbols) > few)

    pane.copy.click()
    menu = next(m for m in QApplication.topLevelWidgets() if m.objectName() == "context_menu" and m.isVisible())
    line = next(action for action in menu.actions() if action.objectName() == "context_latex_entry")
    QApplication.clipboard().clear()
    QTest.mouseClick(menu, LEFT, pos=menu.actionGeometry(line).center())
    wait_for(lambda: QApplication.clipboard().text() == tab._typeset.formula.latex())

    window.document.open_robot("cobra600")
    assert not tables.isVisible() and "no masses" in tab._obstacle.text()


@pytest.mark.parametrize("name", ["double_pendulum", "scara"])
def test_the_symbols_are_the_formula(name):
    robot = engine.load_robot(name)
    q, qd = np.array([0.3, 0.2, 0.1])[: robot.n], np.array([0.4, -0.5, 0.6])[: robot.n]
    for equations in (engine.equations(robot), engine.equations(robot, 0.0)):
        for formula in (equations.M[0, 0], equations.C[0, 1], equations.g[robot.n - 1]):
            total, term, sign = 0.0, None, 1.0
            symbols = symbols_of(formula)
            for symbol, number in zip(symbols, numbers_of(symbols, q, qd)):
                if symbol.latex in "+-":
                    total += 0.0 if term is None else sign * term
                    sign, term = (-1.0 if symbol.latex == "-" else 1.0), 1.0
                    continue
                term = (1.0 if term is None else term) * (float(symbol.latex) if number is None else number)
            values = formula.evaluate(q, qd) if "qd" in formula.arguments else formula.evaluate(q)
            assert total + sign * term == pytest.approx(float(values), abs=2e-3)
