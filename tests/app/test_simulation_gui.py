"""Running, pausing, stepping, resetting and pushing the arm."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from armature.app.state.units import number
from armature.engine.simulation.commands import SetSpeed
from tests.app.focus import type_into
from tests.app.kept_window import AS_IT_STARTS


def test_space_runs_and_pauses(window, wait_for, press, find):
    start = window.document.q.copy()
    press(window.scene, Qt.Key.Key_Space)
    wait_for(lambda: np.abs(window.document.q - start).max() > 0.05)
    wait_for(lambda: "× real time" in find(window, "readout_real_time_factor").text())
    assert not window.actions_["run"].isEnabled() and window.actions_["pause"].isEnabled()
    assert not find(window, "joint_slider_joint1").isEnabled()
    press(window.scene, Qt.Key.Key_Space)
    wait_for(lambda: not window.simulation.running)
    held = window.document.q.copy()
    QTest.qWait(120)
    assert np.array_equal(window.document.q, held)
    wait_for(lambda: find(window, "readout_real_time_factor").text() == "paused")
    assert window.document.undo_stack.count() == 0, "simulation ticks are never undone"


def test_running_goes_on_with_the_speed_it_had(window, wait_for):
    window.actions_["run"].trigger()
    wait_for(lambda: window.simulation.latest is not None and np.abs(window.simulation.latest.qd).max() > 0.5)
    window.actions_["pause"].trigger()
    wait_for(lambda: not window.simulation.running)
    assert np.abs(window.simulation.latest.qd).max() > 0.5


def test_single_step_resets_and_backspace(window, wait_for, press):
    start = window.document.q.copy()
    window.scene.setFocus()
    press(window.scene, Qt.Key.Key_Right)
    wait_for(lambda: window.simulation.latest is not None and window.simulation.latest.steps == 1)
    assert window.simulation.latest.t == pytest.approx(1e-3)
    assert not np.array_equal(window.document.q, start)
    press(window.scene, Qt.Key.Key_Backspace)
    wait_for(lambda: window.simulation.latest.steps == 0)
    assert np.array_equal(window.document.q, start)


def test_reset_goes_back_to_the_pose_set_by_hand(window, wait_for):
    pose = window.document.q + 0.1
    window.document.edit(pose)
    window.actions_["run"].trigger()
    wait_for(lambda: np.abs(window.document.q - pose).max() > 0.05)
    window.actions_["pause"].trigger()
    wait_for(lambda: not window.simulation.running)
    window.actions_["reset"].trigger()
    QTest.qWait(100)
    assert np.array_equal(window.document.q, pose)


def test_an_edit_right_after_pause_is_not_overwritten(window, wait_for):
    window.actions_["run"].trigger()
    wait_for(lambda: window.simulation.running)
    window.actions_["pause"].trigger()
    pose = np.full(6, 0.25)
    window.document.edit(pose)
    wait_for(lambda: not window.simulation.running)
    QTest.qWait(150)
    assert np.array_equal(window.document.q, pose)


def test_a_torque_slider_moves_an_arm(make_window, wait_for, find):
    window = make_window("scara")
    window.docks.bring_up("simulation")
    name = window.document.robot.joint_names[0]
    slider, field = find(window, f"torque_slider_{name}"), find(window, f"torque_value_{name}")
    QApplication.processEvents()
    window.actions_["run"].trigger()
    wait_for(lambda: window.simulation.running)
    QTest.mouseClick(slider, Qt.MouseButton.LeftButton, pos=slider.rect().center() + slider.rect().center() / 2)
    assert field.value() > 0
    wait_for(lambda: window.document.q[0] > np.pi / 6 + 0.05)
    find(window, "torque_zero").click()
    assert field.value() == 0


@pytest.mark.parametrize("robot, decimals", [("panda", 2), ("scara", 2), ("puma560", 1)])
def test_motor_torques_have_as_many_decimals_one_as_the_other(make_window, find, robot, decimals):
    window = make_window(robot)
    window.docks.bring_up("simulation")
    fields = [find(window, f"torque_value_{name}") for name in window.document.robot.joint_names]
    type_into(fields[0], "-0.5")
    assert [field.text().split()[0] for field in fields] == [
        number(value, decimals) for value in (-0.5, *[0.0] * len(fields[1:]))
    ]


def test_speed_keys(at_real_time, press, find):
    window = at_real_time
    speed = find(window, "simulation_speed")
    press(window.scene, Qt.Key.Key_Minus)
    assert speed.currentText() == "0.5 ×"
    press(window.scene, Qt.Key.Key_Equal)
    press(window.scene, Qt.Key.Key_Equal)
    assert speed.currentText() == "2 ×"


def test_friction_integrator_and_step_can_change_while_running(window, wait_for, find):
    window.actions_["run"].trigger()
    wait_for(lambda: window.simulation.running)
    find(window, "simulation_friction").setChecked(False)
    find(window, "simulation_integrator").setCurrentIndex(1)
    find(window, "simulation_dt").setValue(2.0)
    wait_for(lambda: window.simulation.running and window.simulation.latest.dt == pytest.approx(2e-3))


def test_plots_follow_the_run(make_window, wait_for, find):
    window = make_window(size=AS_IT_STARTS)
    window.actions_["run"].trigger()
    plot = find(window, "plot_qd")
    wait_for(lambda: len(window.plots._history) > 20)
    wait_for(lambda: len(plot.t) > 10 and np.isfinite(plot.values[:, 1]).all())
    find(window, "plot_clear").click()
    assert len(window.plots._history) < 5


def test_divergence_is_told_and_freezes(make_window, wait_for, find):
    window = make_window("spherical_pendulum")
    window.document.edit(np.zeros(window.document.robot.n))
    window.actions_["run"].trigger()
    wait_for(lambda: find(window, "banner_text").isVisible() and find(window, "banner").property("severity") == "error", 10)
    assert np.isfinite(window.document.q).all()
    wait_for(lambda: not window.simulation.running)


def test_closing_while_running_ends_the_thread(make_window, wait_for):
    window = make_window()
    window.actions_["run"].trigger()
    wait_for(lambda: window.simulation.running)
    window.close()


def test_what_is_refused_while_time_runs_does_not_freeze_the_view(window, wait_for, find):
    window.actions_["run"].trigger()
    wait_for(lambda: window.simulation.running)
    window.simulation.send(SetSpeed(-1.0))
    wait_for(lambda: "the speed factor" in find(window, "banner_text").text())
    window.document.edit(window.document.q + 0.1)
    put = window.document.q.copy()
    wait_for(lambda: np.abs(window.document.q - put).max() > 0.02)
    assert window.simulation.running


def test_the_box_of_friction_is_ticked_only_where_there_is_some_and_its_choice_is_kept(window, wait_for, find):
    box, document = find(window, "simulation_friction"), window.document
    for on in (True, False):
        box.setChecked(on)
        document.open_robot("double_pendulum")
        wait_for(lambda: not box.isEnabled() and "none" in box.text())
        assert not box.isChecked()
        document.open_robot("puma560")
        wait_for(box.isEnabled)
        assert box.isChecked() == on


def test_plots_that_were_cleared_begin_with_the_run_and_not_with_the_pose_set_before_it(window, wait_for):
    simulation = window.simulation
    window.actions_["run"].trigger()
    wait_for(lambda: simulation.running and simulation.latest.steps > 50)
    window.actions_["pause"].trigger()
    wait_for(lambda: not simulation.running)
    window.plots.clear()
    put = window.document.robot.configurations["home"]
    window.document.edit(put)
    wait_for(lambda: np.array_equal(simulation.latest.q, put))
    window.actions_["run"].trigger()
    wait_for(lambda: len(window.plots._history) > 5)
    assert not window.plots._history.get("tau").any(), "the torque that would hold the arm is none of a motor's"
    window.actions_["pause"].trigger()
    wait_for(lambda: not simulation.running)
    window.plots.clear()
    window.actions_["step"].trigger()
    wait_for(lambda: len(window.plots._history) == 1)
