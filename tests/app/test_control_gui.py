"""The control dock: laws, gains and options reach the running arm at once, without starting it anew."""

from __future__ import annotations

import re

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from armature.app.control.feature import ControlFeature
from tests.app.tables import type_cell


@pytest.fixture
def control(make_window, find):
    """A window with the control dock in front: `control("panda")`."""

    def open_(robot="puma560", **options):
        window = make_window(robot, **options)
        window.docks.bring_up("control")
        QApplication.processEvents()
        return window

    return open_


def choose(window, find, law):
    """Choose a law with the keyboard, as a person does."""
    box = find(window, "control_law")
    box.setFocus()
    QTest.keyClick(box, Qt.Key.Key_Home)
    for _ in range(box.findData(law)):
        QTest.keyClick(box, Qt.Key.Key_Down)
    assert box.currentData() == law == window.features[ControlFeature].law


def test_a_law_takes_effect_without_a_new_start(control, find, wait_for):
    window = control()
    window.actions_["run"].trigger()
    wait_for(lambda: window.simulation.latest is not None and window.simulation.latest.t > 0.2)
    before = window.simulation.latest
    choose(window, find, "computed-torque")
    wait_for(lambda: window.simulation.latest.q_desired is not None)
    after = window.simulation.latest
    assert after.t > before.t and after.running
    wait_for(lambda: np.abs(window.simulation.latest.qd).max() < 1e-3)  # it holds where it was told to
    assert "M(q)" in find(window, "control_equation").text()


def test_gains_are_typed_and_put_back(control, find, wait_for):
    window = control()
    choose(window, find, "pd")
    model = find(window, "control_gains").model()
    default = model.values.copy()
    assert default.shape == (6, 2) and (default > 0).all()
    type_cell(find(window, "control_gains"), 1, 0, "123.5")
    assert model.values[1, 0] == 123.5
    assert window.features[ControlFeature]._controller().kp[1] == 123.5
    type_cell(find(window, "control_gains"), 2, 1, "-4")
    assert model.values[2, 1] == default[2, 1]
    assert "Kd of joint3" in find(window, "control_message").text()
    find(window, "control_reset").click()
    assert np.array_equal(model.values, default)
    assert not find(window, "control_message").isVisibleTo(window)


def test_pd_sags_by_what_its_stiffness_says(control, find, wait_for):
    from armature import engine

    window = control()
    q0 = window.document.q.copy()
    choose(window, find, "pd")
    kp = find(window, "control_gains").model().values[:, 0].copy()
    find(window, "simulation_friction").setChecked(False)
    window.actions_["run"].trigger()
    wait_for(lambda: window.simulation.latest.t > 1.0 and np.abs(window.simulation.latest.qd).max() < 1e-5)
    q = window.simulation.latest.q
    assert q0 - q == pytest.approx(engine.gravity_torque(window.document.robot, q) / kp, abs=1e-5)


def test_sliders_say_when_they_rest(control, find):
    window = control()
    note, slider = find(window, "torque_note"), find(window, "torque_slider_joint1")
    assert slider.isEnabled()
    choose(window, find, "gravity")
    assert not slider.isEnabled() and "Gravity compensation" in note.text()
    choose(window, find, "none")
    assert slider.isEnabled() and not note.text()
    window.docks.bring_up("simulation")
    QApplication.processEvents()
    QTest.mouseClick(slider, Qt.MouseButton.LeftButton, pos=slider.rect().center() + slider.rect().center() / 2)
    assert window.features[ControlFeature].law == "torque"


def test_a_wrongly_assumed_load_is_seen_as_an_error(control, find, wait_for):
    window = control()
    choose(window, find, "computed-torque")
    find(window, "simulation_friction").setChecked(False)  # which would hold the arm
    window.actions_["run"].trigger()
    wait_for(lambda: window.simulation.latest.running and window.simulation.latest.t > 0.3)
    held = window.simulation.latest
    assert np.abs(held.q_desired - held.q).max() < 1e-9
    find(window, "control_assumed_mass").setValue(2.0)
    wait_for(lambda: np.abs(window.simulation.latest.q_desired - window.simulation.latest.q).max() > 1e-3)


def test_another_robot_keeps_the_law_with_its_own_gains(control, find, wait_for):
    window = control()
    choose(window, find, "impedance")
    window.actions_["run"].trigger()
    wait_for(lambda: window.simulation.running)
    window.document.open_robot("panda")
    assert window.features[ControlFeature].law == "impedance"
    assert find(window, "control_gains").model().values.shape == (6, 2)
    choose(window, find, "pid")
    assert find(window, "control_gains").model().values.shape == (7, 3)
    wait_for(lambda: not window.simulation.running)
    window.actions_["run"].trigger()
    wait_for(lambda: window.simulation.running and window.simulation.latest.q_desired is not None)


def test_an_arm_without_masses_has_nothing_to_control(control, find):
    window = control("irb140")
    if window.document.robot.has_dynamics:
        pytest.skip("this arm has masses")
    assert not find(window, "control_law").isEnabled()
    assert "no masses" in find(window, "control_message").text()


def test_other_gains_keep_the_goal_and_only_another_law_or_the_button_takes_the_pose(control, find, wait_for):
    window = control()
    goal = window.document.q.copy()
    choose(window, find, "pd")
    window.actions_["run"].trigger()
    sagged = lambda: window.simulation.latest.t > 0.5 and np.abs(window.simulation.latest.q - goal).max() > 2e-3  # noqa: E731
    wait_for(sagged)
    kp = find(window, "control_gains").model().values[1, 0]
    for factor in (0.8, 0.9, 1.0):
        type_cell(find(window, "control_gains"), 1, 0, f"{factor * kp:.1f}")
        t = window.simulation.latest.t
        wait_for(lambda t=t: window.simulation.latest.t > t + 0.1)
        np.testing.assert_array_equal(window.simulation.latest.q_desired, goal)
    find(window, "control_saturate").click()
    find(window, "control_reset").click()
    t = window.simulation.latest.t
    wait_for(lambda: window.simulation.latest.t > t + 0.1)
    np.testing.assert_array_equal(window.simulation.latest.q_desired, goal)
    QTest.mouseClick(find(window, "control_hold"), Qt.MouseButton.LeftButton)
    wait_for(lambda: np.abs(window.simulation.latest.q_desired - goal).max() > 2e-3)
    lower = window.simulation.latest.q_desired
    wait_for(lambda: np.abs(window.simulation.latest.q - lower).max() > 2e-3)
    choose(window, find, "pid")
    wait_for(lambda: np.abs(window.simulation.latest.q_desired - lower).max() > 1e-3)
    choose(window, find, "gravity")
    assert not find(window, "control_hold").isVisibleTo(window)


def test_gains_that_shake_the_arm_are_named_before_it_runs(control, find, wait_for):
    window = control()
    choose(window, find, "pd")
    warning, gains = find(window, "control_warning"), find(window, "control_gains")
    assert not warning.isVisibleTo(window)
    type_cell(gains, 5, 1, "500")
    assert warning.isVisibleTo(window)
    assert re.search(r"kd·dt/I = \S+ at joint6", warning.text()) and "a step below" in warning.text()
    below = float(re.search(r"kd below (\S+) at joint6", warning.text())[1])
    type_cell(gains, 5, 1, f"{below:.6g}")
    assert not warning.isVisibleTo(window)
    step = find(window, "simulation_dt")
    step.setFocus()
    QTest.keyClick(step, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClicks(step, "10")
    QTest.keyClick(step, Qt.Key.Key_Return)
    assert "for the step of 0.01 s" in warning.text() and warning.isVisibleTo(window)
    choose(window, find, "gravity")
    assert not warning.isVisibleTo(window)
