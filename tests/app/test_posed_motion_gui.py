"""Speeds and accelerations typed among the joints: what they need, and a run that starts from them."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from armature import engine
from armature.app.dynamics.feature import DynamicsFeature
from armature.app.joints.feature import JointsFeature
from tests.app.focus import type_into


def test_a_typed_motion_is_explained_and_begins_a_run(make_window, find, wait_for, press, click):
    window = make_window("double_pendulum", perspective="dynamics")
    robot, q, simulation = window.document.robot, window.document.q.copy(), window.simulation
    panel, bars = window.features[JointsFeature].panel, find(window, "torque_bars")
    name = robot.joint_names[0]
    click(window, "joint_motion")
    speed, acceleration = find(window, f"joint_speed_{name}"), find(window, f"joint_acceleration_{name}")
    assert speed.isVisible() and window.preferences.now.joint_motion
    wait_for(lambda: simulation.latest is not None)
    gravity = window.features[DynamicsFeature].panel.conditions
    stands = gravity.y()

    type_into(speed, "90")
    type_into(acceleration, "-200")
    qd, qdd = np.array([np.pi / 2, 0.0]), np.array([-np.radians(200), 0.0])
    needed = engine.rnea(robot, q, qd, qdd) + engine.friction_torque(robot, qd)
    wait_for(lambda: np.allclose(bars.motor, needed, atol=1e-9))
    assert np.allclose(bars.values[:, 0], engine.mass_matrix(robot, q) @ qdd)
    assert "inverse dynamics" in find(window, "torque_bars_note").text()
    QApplication.processEvents()
    assert gravity.y() == stands, "longer words move nothing"

    window.scene.setFocus()
    press(window.scene, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    wait_for(lambda: acceleration.value() == 0 and abs(speed.value() - 90) < 1e-6 and not simulation.motion.qdd.any())
    press(window.scene, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    wait_for(lambda: speed.value() == 0 and not simulation.motion.qd.any())
    click(window, "joint_motion")
    press(window.scene, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    wait_for(lambda: speed.isVisible() and abs(speed.value() - 90) < 1e-6)  # what comes back is seen
    press(window.scene, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    wait_for(lambda: np.allclose(bars.motor, needed, atol=1e-9))
    moved = q + 0.1
    window.document.edit(moved)  # another pose, the same speed
    wait_for(lambda: np.allclose(bars.motor, engine.rnea(robot, moved, qd, qdd) + engine.friction_torque(robot, qd), atol=1e-9))

    window.scene.setFocus()
    press(window.scene, Qt.Key.Key_Right)  # one step of 1 ms
    wait_for(lambda: simulation.latest.steps == 1)
    assert np.allclose(window.document.q - moved, 1e-3 * qd, atol=1e-4)
    assert abs(simulation.latest.qd[0] - qd[0]) < 0.1
    wait_for(lambda: abs(speed.value() - np.degrees(simulation.latest.qd[0])) < 1e-6)
    assert "inverse" not in find(window, "torque_bars_note").text()
    press(window.scene, Qt.Key.Key_Space)
    wait_for(lambda: simulation.running and not speed.isEnabled())
    press(window.scene, Qt.Key.Key_Space)
    wait_for(lambda: not simulation.running)
    press(window.scene, Qt.Key.Key_Backspace)  # back to the pose, and to the speed that it was given
    wait_for(lambda: np.array_equal(window.document.q, moved) and abs(speed.value() - 90) < 1e-6)
    assert np.allclose(simulation.motion.qdd, qdd)

    click(window, "joint_motion")
    assert not speed.isVisible() and not simulation.motion.qd.any()
    wait_for(lambda: np.allclose(bars.motor, engine.gravity_torque(robot, moved), atol=1e-9))
    window.document.open_robot("rp")
    assert not panel.switch.isChecked() and simulation.motion is None
