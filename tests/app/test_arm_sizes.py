"""Tables have the decimals that an arm needs, however small it is."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from armature import engine
from armature.app.dynamics.heat_map import _short
from armature.app.equations.dynamics_tab import DynamicsTab
from armature.app.equations.feature import EquationsFeature
from armature.app.simulation.torque_section import torque_ranges
from armature.app.state.arm_sizes import decimals_for, sizes_of
from armature.app.widgets.on_screen import on_screen
from armature.engine.files import shipped
from tests.app.kept_window import SIZE


def tiny(tmp_path) -> engine.Robot:
    """The double pendulum of 1 g masses on rods of 1 cm."""
    text = shipped("robots", "double_pendulum.toml").read_text()
    for old, new in (("= 0.7 ", "= 0.01 "), ("= 0.5 ", "= 0.01 "), ("= 1.5 ", "= 0.001 "), ("= 1.0 ", "= 0.001 ")):
        assert old in text
        text = text.replace(old, new)
    path = tmp_path / "tiny.toml"
    path.write_text(text)
    return engine.load_robot(path)


@pytest.mark.parametrize(
    ("size", "least", "decimals"), [(4.4, 3, 3), (0.44, 3, 3), (0.044, 3, 4), (2e-7, 3, 9), (1e-30, 3, 9), (0, 2, 2)]
)
def test_three_significant_digits_and_no_fewer_decimals_than_elsewhere(size, least, decimals):
    assert decimals_for(size, least) == decimals


def test_sizes_are_those_of_a_rod_within_an_order_of_magnitude():
    robot = engine.load_robot("double_pendulum")
    force, torque, inertia = sizes_of(robot)
    assert force == pytest.approx(sum(body.mass for body in robot.bodies) * 9.81)
    q = np.zeros(robot.n)
    largest = np.abs(engine.mass_matrix(robot, q)).max()
    assert 0.1 < inertia / largest < 10.0 and 0.1 < torque / np.abs(engine.rnea(robot, q, q, q)).max() < 10.0


def test_no_table_of_a_tiny_arm_is_all_zeros(make_window, find, wait_for, tmp_path):
    window = make_window(tiny(tmp_path), size=SIZE, perspective="equations")
    panel = window.features[EquationsFeature].panel
    k = next(k for k, tab in enumerate(panel.tabs) if isinstance(tab, DynamicsTab))
    wait_for(lambda: panel.bar.isVisible() and panel.bar.tabRect(k).width() > 0)
    QTest.mouseClick(panel.bar, Qt.MouseButton.LeftButton, pos=panel.bar.tabRect(k).center())
    window.document.edit([0.3, 0.8])
    for name in ("M", "g"):
        numbers = panel.tabs[k].tables.tables[name].numbers
        wait_for(lambda numbers=numbers: numbers.rows and np.isfinite(numbers.values).all())
        for row, column in np.ndindex(*numbers.values.shape):
            assert len(numbers.text(row, column).lstrip("−0.")) >= 2, (name, numbers.text(row, column))


def test_its_sliders_bars_and_energies_are_of_its_size(make_window, find, wait_for, tmp_path):
    robot = tiny(tmp_path)
    ranges = torque_ranges(robot, engine.gravity_torque)
    assert (ranges < 2e-3).all() and (ranges > 1e-5).all()
    window = make_window(robot, size=(1400, 1000), perspective="dynamics")
    wait_for(lambda: window.simulation.ready and on_screen(find(window, "energy_potential")))
    wait_for(lambda: find(window, "energy_potential").text().lstrip("−0.") != "")
    bars = find(window, "torque_bars")
    wait_for(lambda: np.abs(bars.values).max() > 0.1 * bars.scales.max())


def test_a_mass_matrix_of_small_entries_is_written_in_powers_of_ten():
    assert [_short(value, 4e-7) for value in (4e-7, -1.2e-7, 3e-10)] == ["4e−7", "−1e−7", "≈0"]
    assert [_short(value, 4.0) for value in (4.0, -0.034, 0.003)] == ["4", "−0.03", "≈0"]
