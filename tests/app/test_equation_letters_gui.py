"""Letters in the Equations dock: what they are, why there are none, which a printed text calls otherwise."""

from __future__ import annotations

import re

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtTest import QTest

from armature import engine
from armature.app.equations.dynamics_tab import DynamicsTab
from armature.app.equations.kinematics.kinematics_tab import KinematicsTab
from armature.app.equations.lagrange.lagrange_tab import LagrangeTab
from armature.app.equations.printed.slips import SLIPS
from armature.app.widgets.section import Page
from tests.app.test_derivation_sheet import MIMIC, sheet_of
from tests.app.test_equations_gui import equation_tab

LEFT = Qt.MouseButton.LeftButton


def test_letters_unfold_below_the_formula_and_large_arms_say_why_not(make_window, wait_for, find, tmp_path):
    window = make_window("rp", perspective="equations")
    pane = equation_tab(window, LagrangeTab).formula.pane
    wait_for(pane.legend.isVisible, 60)
    assert not pane.letters.isVisible() and not pane.coefficients.isVisible()
    QTest.mouseClick(pane.legend.header, LEFT)
    wait_for(pane.letters.isVisible)
    told = re.sub("<[^>]*>", "", find(window, "lagrange_letters").text()).replace("\N{NO-BREAK SPACE}", " ")
    assert told == "d2 = 0.5 m, m1 = 2 kg, m2 = 1.5 kg, g = 9.81 m/s²"
    slip = next(slip for slip in SLIPS if "energy" in slip.where)
    assert slip.letters in find(window, "equations_slips").text()

    for robot in ("panda", "two_arms"):
        window.document.open_robot(robot)
        for kind in (KinematicsTab, DynamicsTab):
            tab = equation_tab(window, kind)
            pane = tab.pane if kind is KinematicsTab else tab.formula.pane
            wait_for(pane.coefficients.isVisible, 60)
            assert "limited to three joints" in pane.coefficients.text() and not pane.legend.isVisible()

    path = tmp_path / "mimic.urdf"
    path.write_text(MIMIC)
    window.document.open_robot(path)
    pane = equation_tab(window, DynamicsTab).formula.pane
    wait_for(lambda: "mimic joints" in pane.view._text, 60)
    assert "robot.tree" not in pane.view._text and not pane.coefficients.isVisible()


@pytest.mark.parametrize("slip", [slip for slip in SLIPS if slip.letters], ids=lambda slip: slip.where)
def test_the_letters_that_a_slip_names_are_those_of_the_formulas(slip):
    known = engine.equations(engine.load_robot(slip.robot)).values
    here = re.split(r" in the (?:lecture )?text ", slip.letters)[1]
    named = [name.translate(str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")) for name in re.findall("[a-z][₀-₉]", here)]
    assert named and set(named) <= set(known)
    _, _, sheet = sheet_of(slip.robot)
    assert slip.letters in repr(sheet.blocks)


@pytest.mark.parametrize("size", [(1600, 1000), (1024, 700)])
def test_what_comes_out_is_seen_without_scrolling(make_window, wait_for, size):
    window = make_window("rp_offset", perspective="equations")
    window.resize(*size)
    tab = equation_tab(window, KinematicsTab)
    wait_for(lambda: tab._made is not None and tab.page.product.values is not None, 60)
    product = tab.page.product
    area = tab.page.findChild(Page).viewport()

    def seen():
        box = QRect(product.mapTo(area, product.rect().topLeft()), product.size())
        return product.isVisible() and area.rect().top() <= box.top() and box.bottom() <= area.rect().bottom()

    wait_for(seen)
